// `breadly demo`: the reviewers' lab in a throw-away folder.

import DeviceStore
import Devices
import Foundation
package import HTTPServer
package import Lab
import Ledger
import Links
import Outbound
import Storybook
package import SyncCore
import Templates
package import Texts
import Web

/// A running lab.
public final class Demo: Sendable {
    private let lab: Lab
    private let server: Server
    /// The port on which the lab listens.
    public var port: UInt16 { server.port }
    /// The local address of the lab.
    public let url: String

    /// Begins to listen. The worlds are made when they are visited.
    /// - Parameters:
    ///   - settings: address, port, proxies and limits of connections; everything else is the lab's own.
    ///   - seed: of all that is made up in worlds.
    ///   - accessLog: called for each answered request.
    /// - Throws: `AppError`, a line that says what to do.
    package init(
        _ settings: Settings,
        resources: Resources,
        log: Log,
        seed: UInt64 = 1,
        limits: LabParts.Limits = LabParts.Limits(),
        accessLog: (@Sendable (ServedRequest) -> Void)? = nil
    ) throws(AppError) {
        var configuration = try settings.configuration()
        let lab: Lab
        Self.removeFoldersLeftBehind()
        do {
            lab = try Lab(try resources.labParts(log: log, seed: seed, limits: limits))
        } catch let error as AppError { throw error } catch { throw .badTemplate("\(error)") }
        self.lab = lab
        configuration.report(to: accessLog, nil)
        // Several devices of a visitor are open at once, and many visitors may come through one proxy.
        configuration.eventStreamsPerAddress = 1_024
        configuration.defaultHeaders = Self.headers
        configuration.errorPage = { lab.refusal($0) }
        configuration.warn = { log.warning($0) }
        configuration.isKnown = { lab.isKnown($0) }
        configuration.uploads = { lab.uploads($0) }
        do { server = try Server(configuration) { lab.answer($0) } } catch {
            Background.wait { await lab.close() }
            throw .server(error)
        }
        url = settings.url(port: server.port)
    }

    /// Finishes the requests under way, and removes all worlds.
    ///
    /// It blocks its thread until all work has ended, or for some seconds at most.
    public func stop(withinSeconds seconds: Int = 2) {
        server.stop(withinSeconds: seconds)
        Background.wait { [lab] in await lab.close(withinMilliseconds: Self.worldMilliseconds) }
    }

    /// The throw-away folder of a lab of this process, which does not exist yet. The name has the process, so that the
    /// next demo can tell whether it was left behind.
    fileprivate static func newFolder() -> String {
        let name = "\(prefix)\(ProcessInfo.processInfo.processIdentifier)-\(UUID())"
        return FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    }

    private static let prefix = "breadly-demo-"
    /// The longest time to wait for the ends of worlds, whose files are thrown away.
    private static let worldMilliseconds: Int64 = 1_000

    /// Removes the folders of demos whose process was killed.
    private static func removeFoldersLeftBehind() {
        let place = FileManager.default.temporaryDirectory
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let process = name.dropFirst(prefix.count).prefix { $0 != "-" }
            guard let number = pid_t(process), kill(number, 0) != 0, errno == ESRCH else { continue }
            try? FileManager.default.removeItem(at: place.appendingPathComponent(name))
        }
    }

    /// The headers of the app, which let the page of the lab have its devices in frames.
    private static let headers = App.headers.map { name, value in
        guard name == "Content-Security-Policy" else { return (name, value) }
        return (
            name, value.replacing("frame-ancestors 'none'", with: "frame-ancestors 'self'; frame-src 'self'")
        )
    }
}

extension Resources {
    /// The guided journeys of the lab, and the documents that they cover.
    /// - Throws: `AppError.badFile` with file and line.
    package func journeys(_ texts: TextCatalogue) throws(AppError) -> Journeys {
        let (files, coverage) = (
            try textFiles(in: "Resources/journeys"), try textFiles(in: "Resources/coverage")
        )
        do { return try Journeys(files: files, coverage: coverage, texts: texts) } catch {
            throw .badFile(
                "\(coverage[error.file] == nil ? "Resources/journeys" : "Resources/coverage")/\(error)"
            )
        }
    }

    /// The parts of a lab in a new folder for temporary files.
    package func labParts(log: Log, seed: UInt64, limits: LabParts.Limits) throws(AppError) -> LabParts {
        let texts = try texts()
        let templates: TemplateLibrary
        do {
            templates = try TemplateLibrary(
                sources: try self.templates(),
                links: PageLibrary.links(),
                texts: texts
            )
        } catch let error as AppError { throw error } catch { throw .badTemplate("\(error)") }
        let (currencies, locales) = (try currencies(), try locales())
        let app = try publicFiles()
        var own: [String: [UInt8]] = app
        var ofDevices = app
        ofDevices["app.js", default: []] += try bytes("Resources/lab/device.js")
        for name in ["lab.css", "lab.js", "receipt.pdf"] { own[name] = try bytes("Resources/lab/" + name) }
        var pages: [PageLibrary] = []
        for base in LabParts.bases { pages.append(try self.pages(below: base)) }
        do {
            let labFiles = try StaticFiles(own, under: Link.labFiles.path)
            func address(_ name: String) -> String { labFiles.address(of: name) ?? "" }
            let storybook = try Storybook(
                pages: try self.pages(below: LabParts.storyBase ?? .root),
                sources: try self.templates(),
                assets: Assets(address),
                style: LocaleStyle(
                    locale: locales["en-IE"] ?? .fallback,
                    currencies: currencies,
                    texts: texts
                )
            )
            return LabParts(
                folder: Demo.newFolder(),
                templates: templates,
                texts: texts,
                journeys: try journeys(texts),
                storybook: storybook,
                pages: pages,
                tables: Site.Tables(
                    currencies: currencies,
                    locales: locales,
                    zones: { TimeZones.names },
                    zone: { TimeZones.canonical($0) }
                ),
                locales: locales,
                files: try StaticFiles(ofDevices, under: Link.files.path),
                labFiles: labFiles,
                passwordRules: try passwordRules(),
                rates: try bundledRates(),
                zoneOffset: { TimeZones.offset($0, at: $1) },
                seconds: { Dependencies.system().now },
                log: log,
                seed: seed,
                version: breadlyVersion,
                limits: limits
            )
        } catch let error as ServerError { throw .server(error) } catch let error as AppError {
            throw error
        } catch {
            throw .badFile("\(error)")
        }
    }
}
