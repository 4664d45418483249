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
            let server = try CloudServer(try service.settings(port: 8_090), dependencies: dependencies)
            return Service.Running(url: server.url, metricsURL: server.metricsURL) { server.stop() }
        }
    }
}
