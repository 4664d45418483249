// The cloud alone: what `breadly cloud` runs, for servers elsewhere.

import Book
import CloudRoutes
public import Devices
import HTTPServer
import SyncCore

/// A running cloud.
public final class CloudServer: Sendable {
    private let folder: DataFolder
    private let service: EmbeddedService
    private let maintenance: Maintenance
    private let server: Server
    /// The port that it listens on.
    public var port: UInt16 { server.port }
    /// Where other servers find it.
    public let url: String
    private let metrics: MetricsServer?
    /// Where an operator's Prometheus finds it; nil where that was not asked for.
    public var metricsURL: String? { metrics?.url }

    /// Opens the data folder and begins to listen.
    /// - Throws: `AppError`, in one line that says what to do.
    public init(_ settings: Settings, resources: Resources, dependencies: Dependencies) throws(AppError) {
        var configuration = try settings.configuration()
        do { folder = try DataFolder.lock(settings.data) } catch { throw .folder(error.sentence) }
        if try RestoreSwap.finish(folder.path) != nil {
            dependencies.log("a restore that was interrupted is finished now")
        }
        let maintenance = try Maintenance(folder, settings.backups, dependencies)
        self.maintenance = maintenance
        let service = try EmbeddedService(folder.path, settings, resources, dependencies)
        self.service = service
        configuration.takesJSON = { CloudRoutes.owns($0) }
        configuration.errorPage = { .text($0, "\($0.rawValue)\n") }
        configuration.log = dependencies.log
        configuration.defaultHeaders = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        let routes = CloudRoutes(service.api, knows: { service.knows($0) }, log: dependencies.log) {
            Background.run($0)
        }
        configuration.isKnown = { routes.isKnown($0) }
        configuration.jsonBytes = { routes.bodyLimit(of: $0) }
        let server: Server
        do {
            server = try Server(configuration) { request in
                routes.answer(request) ?? Self.health(request, service)
            }
        } catch {
            service.close()
            throw .server(error)
        }
        self.server = server
        do {
            metrics = try settings.metrics.map { place throws(AppError) in
                try MetricsServer(place) { text in
                    text.connections(of: server)
                    service.write(into: &text)
                    maintenance.write(into: &text)
                }
            }
        } catch {
            server.stop(withinSeconds: 0)
            service.close()
            throw error
        }
        url = settings.url(port: server.port)
        maintenance.start()
    }

    /// Lets the requests under way finish, and closes the file.
    public func stop(withinSeconds seconds: Int = 4) {
        metrics?.stop()
        server.stop(withinSeconds: seconds)
        maintenance.close()
        service.close()
        folder.release()
    }

    private static func health(_ request: Request, _ service: EmbeddedService) -> Response {
        switch (request.method, request.path) {
        case ("GET", "/healthz"): return .text(.ok, "ok")
        case ("GET", "/readyz"):
            do {
                try service.check()
                return .text(.ok, "ok")
            } catch { return .text(.unavailable, "\(error)\n") }
        default: return .text(.notFound, "There are no pages here: this is a cloud for other servers.\n")
        }
    }
}
