// The command line: `breadly serve`, what the operator does with accounts and data, `template`, `version`.
import ArgumentParser
import BreadlyApp
import Foundation

@main
struct Breadly: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breadly",
        abstract: "A budget for a household, kept on its own server.",
        subcommands: [
            Serve.self, CloudCommand.self, Grant.self, Revoke.self, Grants.self, Users.self,
            ResetPassword.self, ListDevices.self, Guests.self, Backup.self, Restore.self,
            Doctor.self, TemplateCommand.self, Version.self,
        ]
    )

    /// One clear line for a mistake: exit 64 for a bad option, 1 for what went wrong at work.
    static func main() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            if code.isSuccess {
                print(fullMessage(for: error))
            } else {
                let firstLine = message(for: error).split(separator: "\n").first ?? "something went wrong"
                try? FileHandle.standardError.write(
                    contentsOf: Data("breadly: \(printable(String(firstLine)))\n".utf8)
                )
            }
            exit(withExitCode: code)
        }
    }

    private static func exit(withExitCode code: ExitCode) -> Never { Foundation.exit(code.rawValue) }
}

/// Prints the version.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the version.")

    func run() { print("breadly \(breadlyVersion)") }
}

/// Prints a line, whatever people have typed into what stands in it.
func say(_ line: String) { print(printable(line)) }
