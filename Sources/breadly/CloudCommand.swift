import ArgumentParser
import BreadlyApp
import Foundation

/// Serves user accounts to other servers until a signal stops it.
struct CloudCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "Run the cloud only: accounts and sync for other servers, without pages."
    )

    @OptionGroup var service: ServiceOptions

    func run() throws {
        let settings = try service.settings(port: 8_090)
        try Service.run(settings, "serves the cloud", usualPort: 8_090) { log in
            let resources = try Resources.find(executable: Program.path)
            let server = try CloudServer(
                settings,
                resources: resources,
                dependencies: .system(log: log.log),
                accessLog: log.access
            )
            return Service.Running(url: server.url, metricsURL: server.metricsURL) { server.stop() }
        }
    }
}
