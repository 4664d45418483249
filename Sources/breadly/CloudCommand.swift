import ArgumentParser
import BreadlyApp
import Foundation

/// Serves the accounts to other servers until it is told to stop.
struct CloudCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "Serve accounts and sync to other servers, without any pages."
    )

    @OptionGroup var service: ServiceOptions

    func run() throws {
        try Service.run { dependencies in
            let settings = try service.settings(port: 8_090)
            let resources = try Resources.find(executable: Program.path)
            let server = try CloudServer(settings, resources: resources, dependencies: dependencies)
            return Service.Running(url: server.url, metricsURL: server.metricsURL) { server.stop() }
        }
    }
}
