// The cloud without a web server, for `breadly cloud`.

import CloudRoutes
import DeviceStore
public import Devices
public import HTTPServer
import Links
import SyncCore

/// A running cloud.
public final class CloudServer: Sendable {
    private let folder: DataFolder
    private let service: EmbeddedService
    private let maintenance: Maintenance
    private let server: Server
    /// The port on which the cloud listens.
    public var port: UInt16 { server.port }
    /// The local address of the cloud.
    public let url: String
    private let metrics: MetricsServer?
    private let tasks = TaskScope()
    /// The address of the metrics for the operator's Prometheus; nil if they are off.
    public var metricsURL: String? { metrics?.url }

    /// Opens the data folder and begins to listen.
    /// - Parameter accessLog: called for each answered request.
    /// - Throws: `AppError`, a line that says what to do.
    public init(
        _ settings: Settings,
        resources: Resources,
        dependencies: Dependencies,
        accessLog: (@Sendable (ServedRequest) -> Void)? = nil
    ) throws(AppError) {
        var configuration = try settings.configuration()
        do { folder = try DataFolder.lock(settings.data) } catch { throw .folder(error.sentence) }
        if try RestoreSwap.finish(folder.path) != nil {
            dependencies.log("a restore that was interrupted is finished now")
        }
        let maintenance = Maintenance(folder, settings.backups, dependencies)
        self.maintenance = maintenance
        let measured = settings.metrics.map { ServerMetrics($0) }
        let service = try EmbeddedService(
            folder.path,
            settings,
            resources,
            dependencies,
            measured?.counters
        )
        self.service = service
        let readiness = Readiness(
            folder,
            looks: [(.accounts, { service.problem() })],
            log: dependencies.log
        )
        configuration.report(to: accessLog, measured?.requests)
        configuration.takesJSON = { CloudRoutes.owns($0) }
        configuration.errorPage = { .text($0, "\($0.rawValue)\n") }
        configuration.warn = { dependencies.log.warning($0) }
        configuration.defaultHeaders = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]
        let routes = CloudRoutes(service.api, isActive: { service.isOpen($0) }, log: dependencies.log) {
            Background.run($0)
        }
        configuration.isKnown = { routes.isKnown($0) }
        configuration.jsonBytes = { routes.bodyLimit(of: $0) }
        let server: Server
        do {
            server = try Server(configuration) { request in
                routes.answer(request) ?? Self.health(request, readiness)
            }
        } catch {
            service.close()
            throw .server(error)
        }
        self.server = server
        do {
            metrics = try measured?.start(server, readiness, folder) { text in
                service.write(into: &text)
                maintenance.write(into: &text)
            }
        } catch {
            server.stop(withinSeconds: 0)
            service.close()
            throw error
        }
        url = settings.url(port: server.port)
        service.watch(changed: {}, ended: { _ in })
        maintenance.start()
        tasks.run { await readiness.watch(pause: dependencies.pause) }
    }

    /// Finishes the requests under way, and closes the file.
    public func stop(withinSeconds seconds: Int = 4) {
        metrics?.stop()
        server.stop(withinSeconds: seconds)
        Background.wait { [tasks, maintenance] in
            await maintenance.close()
            await tasks.close()
        }
        service.close()
        folder.release()
    }

    private static func health(_ request: Request, _ readiness: Readiness) -> Response {
        switch (request.method, request.path) {
        case ("GET", Link.healthz.path):
            request.route = request.path
            return .text(.ok, "ok")
        case ("GET", Link.readyz.path):
            request.route = request.path
            let (answer, isLocal) = (LaterAnswer(), request.isFromThisMachine)
            Background.run {
                let problems = await readiness.sentences()
                answer.fulfil(.readiness(problems, isLocal: isLocal))
            }
            return .later(answer)
        default: return .text(.notFound, "There are no pages here: this is a cloud for other servers.\n")
        }
    }
}
