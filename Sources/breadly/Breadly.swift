// The command line: `serve`, `cloud`, the commands for users, devices, data and rates, `template`, `version`.
import ArgumentParser
import BreadlyApp
import Foundation

@main
struct Breadly: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breadly",
        abstract: "A budget app on your own server.",
        version: versionLine,
        subcommands: [
            Serve.self, CloudCommand.self, DemoCommand.self, Grant.self, Revoke.self, Grants.self, Users.self,
            ResetPassword.self, ListDevices.self, Guests.self, Backup.self, Restore.self,
            Doctor.self, Rates.self, Banks.self, TemplateCommand.self, Version.self,
        ]
    )

    /// Runs a command. Every failure is one line on standard error: exit 64 for a usage error, 1 for others.
    static func main() {
        // All files, including SQLite's, are readable by their owner only, from the first byte on.
        umask(0o077)
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            if code.isSuccess {
                print(fullMessage(for: error))
            } else {
                // A command that has printed its result ends with an exit code only.
                if !(error is ExitCode) {
                    let firstLine = message(for: error).split(separator: "\n").first ?? "something went wrong"
                    complain(String(firstLine))
                }
            }
            exit(withExitCode: code)
        }
    }

    private static func exit(withExitCode code: ExitCode) -> Never { Foundation.exit(code.rawValue) }
}

/// The output of `breadly version` and `breadly --version`.
private let versionLine = "breadly \(breadlyVersion)"

/// Prints the version.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the version.")

    func run() { print(versionLine) }
}

/// Prints an error message on standard error, with control characters of user data escaped.
func complain(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("breadly: \(printable(line))\n".utf8))
}

/// Prints a line, with control characters of user data escaped.
func say(_ line: String) { print(printable(line)) }
