import ArgumentParser
import BreadlyApp
import Foundation
import Ledger
import Synchronization

/// Grants premium.
struct Grant: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make somebody premium; a running server notices within seconds."
    )

    @Argument(help: "The address that they sign in with, or their id.")
    var email: String

    @Option(help: "The last day of it, as 2027-12-31 (UTC).")
    var until: String?

    @Flag(help: "Without an end.")
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
        say(try withAccounts(data) { try $0.grant(email, through: until.flatMap { CivilDate(iso: $0) }) })
    }
}

/// Takes premium back.
struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Take somebody's premium back.")

    @Argument(help: "The address that they sign in with, or their id.")
    var email: String

    @OptionGroup var data: DataOption

    func run() throws { say(try withAccounts(data) { try $0.revoke(email) }) }
}

/// Lists who is or was premium.
struct Grants: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List who is or was premium.")

    @OptionGroup var data: DataOption

    func run() throws { for line in try withAccounts(data, { try $0.grants() }) { say(line) } }
}

/// Lists the accounts, locks the devices of one, or removes one.
struct Users: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the accounts, lock the devices of one, or remove one."
    )

    @Option(help: "The address or id of an account to remove, with all its data on the cloud.")
    var remove: String?

    @Option(
        help:
            "The address or id of an account whose devices are signed out, each locked until its user signs in there."
    )
    var lock: String?

    @OptionGroup var data: DataOption

    func validate() throws {
        guard remove == nil || lock == nil else {
            throw ValidationError("Say either --remove or --lock, not both.")
        }
    }

    func run() throws {
        if let lock { return say(try withAccounts(data) { try $0.lock(lock) }) }
        if let remove { return say(try withAccounts(data) { try $0.remove(remove) }) }
        for line in try withAccounts(data, { try $0.list() }) { say(line) }
    }
}

/// Sets a new password.
struct ResetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give somebody another password: one made up, or one read from standard input."
    )

    @Argument(help: "The address that they sign in with.")
    var email: String

    @Flag(help: "Read the password from standard input, one line.")
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
        let result = try withAccounts(data) { accounts in
            let email = email
            let resources = try Resources.find(executable: Program.path)
            return try waiting { () async throws in
                try await accounts.resetPassword(of: email, to: chosen, resources: resources)
            }
        }
        say(stdin ? "The password of \(email) was changed" : "The password of \(email) is now: \(result)")
    }
}

/// Opens the accounts for a command, and closes them again.
private func withAccounts<Value>(_ data: DataOption, _ body: (Accounts) throws -> Value) throws -> Value {
    let accounts = try Accounts(try data.path(), dependencies: .system())
    defer { accounts.close() }
    return try body(accounts)
}

/// Waits for asynchronous work; a command has nothing else to do.
private func waiting<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) throws -> Value {
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
