import ArgumentParser
import BreadlyApp
import Foundation

/// Lists the providers of bank connections, and the connections.
struct Banks: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract:
            "List the providers of bank connections and whether they answer, and the connections by user.",
        discussion: """
            Nothing that a bank says is printed. The providers that are asked are those of the options below or of their \
            environment variables, the same as for breadly serve: give them here as the server has them. With systemd, \
            the file of its EnvironmentFile= has the variables.
            """
    )

    @Flag(help: "Print the result as JSON.")
    var json = false

    @OptionGroup var banks: BankOptions

    @OptionGroup var data: DataOption

    func run() throws {
        let (path, settings) = (try data.path(), try banks.settings())
        let resources = try Resources.find(executable: Program.path)
        let report = try waiting { () async throws in
            try await BankOverview(path, settings, resources: resources, dependencies: .system())
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            for line in report.lines { say(line) }
        }
    }
}
