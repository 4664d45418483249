import ArgumentParser
import BreadlyApp
import Foundation
import Ledger
import Synchronization

/// Grants premium to a user until a day, or forever.
struct Grant: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a user premium. A running server applies the change within a minute."
    )

    @Argument(help: "The user's email address or id.")
    var email: String

    @Option(help: "The last day of premium, such as 2027-12-31 (UTC).")
    var until: String?

    @Flag(help: "Grant premium without an end.")
    var forever = false

    @OptionGroup var data: DataOption

    func validate() throws {
        guard forever != (until != nil) else {
            throw ValidationError("Say either --until DATE or --forever.")
        }
        if let until, CivilDate(iso: until) == nil {
            throw ValidationError("'\(until)' is no day: write one as 2027-12-31.")
        }
    }

    func run() throws {
        say(try withUserAccounts(data) { try $0.grant(email, through: until.flatMap { CivilDate(iso: $0) }) })
    }
}

/// Ends the premium of a user.
struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "End a user's premium.")

    @Argument(help: "The user's email address or id.")
    var email: String

    @OptionGroup var data: DataOption

    func run() throws { say(try withUserAccounts(data) { try $0.revoke(email) }) }
}

/// Lists current and former premium users.
struct Grants: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List current and former premium users.")

    @OptionGroup var data: DataOption

    func run() throws { for line in try withUserAccounts(data, { try $0.grants() }) { say(line) } }
}

/// Lists the user accounts, locks the devices of one, or deletes one.
struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List all users, lock the devices of one, or delete one."
    )

    @Option(help: "The email address or id of a user to delete, with all their data in the cloud.")
    var remove: String?

    @Option(
        help:
            "The email address or id of a user whose devices are locked. Each opens again after a sign-in."
    )
    var lock: String?

    @OptionGroup var data: DataOption

    func validate() throws {
        guard remove == nil || lock == nil else {
            throw ValidationError("Say either --remove or --lock, not both.")
        }
    }

    func run() throws {
        if let lock { return say(try withUserAccounts(data) { try $0.lock(lock) }) }
        if let remove { return say(try withUserAccounts(data) { try $0.remove(remove) }) }
        for line in try withUserAccounts(data, { try $0.list() }) { say(line) }
    }
}

/// Sets a new password for a user: random, or from standard input.
struct ResetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set a new password for a user: a random one, or one from standard input."
    )

    @Argument(help: "The email address that the user signs in with.")
    var email: String

    @Flag(help: "Read the new password from standard input, as one line.")
    var stdin = false

    @OptionGroup var data: DataOption

    func run() throws {
        var password: String?
        if stdin {
            guard let line = readLine(), !line.isEmpty else {
                throw Failure("there is no password on standard input.")
            }
            password = line
        }
        let chosen = password
        let result = try withUserAccounts(data) { accounts in
            let email = email
            let resources = try Resources.find(executable: Program.path)
            return try waiting { () async throws in
                try await accounts.resetPassword(of: email, to: chosen, resources: resources)
            }
        }
        say(stdin ? "The password of \(email) was changed" : "The password of \(email) is now: \(result)")
    }
}

/// Opens the user accounts for a command, and closes them afterwards.
private func withUserAccounts<Value>(
    _ data: DataOption,
    _ body: (UserAccounts) throws -> Value
) throws -> Value {
    let accounts = try UserAccounts(try data.path(), dependencies: .system())
    defer { accounts.close() }
    return try body(accounts)
}

/// Blocks until asynchronous work has ended: a command has no other work.
func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task {
        do {
            let value = try await work()
            result.withLock { $0 = .success(value) }
        } catch { result.withLock { $0 = .failure(error) } }
        done.signal()
    }
    done.wait()
    guard let result = result.withLock({ $0 }) else { throw Failure("nothing came of it.") }
    return try result.get()
}
