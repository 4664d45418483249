import ArgumentParser
import BreadlyApp
import Foundation

/// Runs the reviewers' lab until a signal stops it.
struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the reviewers' lab: made-up people and devices, nothing is kept."
    )

    @OptionGroup var listening: ListeningOptions

    @Option(help: "A number from which everything in the worlds is made up. Default: 1.")
    var seed: UInt64?

    @OptionGroup var log: LogOptions

    func run() throws {
        var settings = Settings()
        try listening.set(&settings, port: 8_080)
        settings.log = try log.settings()
        let seed = try value(seed, "seed") ?? 1
        // Each world opens files by the dozen, and fifty visitors may come at once.
        try Service.run(settings, "shows the lab", usualPort: 8_080, giveBackSeconds: 1) { log in
            let resources = try Resources.find(executable: Program.path)
            let demo = try Demo(
                settings,
                resources: resources,
                log: log.log,
                seed: seed,
                accessLog: log.access
            )
            return Service.Running(url: demo.url, metricsURL: nil) { demo.stop() }
        }
    }
}
