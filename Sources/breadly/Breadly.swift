// The command line: `breadly serve`, what the operator does with accounts and data, `template`, `version`.
import ArgumentParser
import BreadlyApp
import Foundation

@main
struct Breadly: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "breadly",
        abstract: "A budget for a household, kept on its own server.",
        version: versionLine,
        subcommands: [
            Serve.self, CloudCommand.self, Grant.self, Revoke.self, Grants.self, Users.self,
            ResetPassword.self, ListDevices.self, Guests.self, Backup.self, Restore.self,
            Doctor.self, TemplateCommand.self, Version.self,
        ]
    )

    /// One clear line for a mistake: exit 64 for a bad option, 1 for what went wrong at work.
    static func main() {
        // All files, SQLite's too, are private from their first byte on.
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

/// As `breadly version` and `breadly --version` print it.
private let versionLine = "breadly \(breadlyVersion)"

/// Prints the version.
struct Version: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Print the version.")

    func run() { print(versionLine) }
}

/// Prints a line about what went wrong on standard error.
func complain(_ line: String) {
    try? FileHandle.standardError.write(contentsOf: Data("breadly: \(printable(line))\n".utf8))
}

/// Prints a line, with control characters of user data escaped.
func say(_ line: String) { print(printable(line)) }
