// The operator's commands for user accounts, also while a server works on the folder: it notices changes
// within a minute.

import Cloud
import CloudProtocol
public import Devices
import Foundation
import Identity
public import Ledger

/// The user accounts of a data folder, for the operator's commands.
public final class UserAccounts: Sendable {
    private let directory: Directory
    private let dependencies: Devices.Dependencies
    private let folder: String

    /// Opens the cloud's file.
    /// - Throws: `AppError.folder` if the folder does not exist; `AppError.cloud`.
    public init(_ folder: String, dependencies: Devices.Dependencies) throws(AppError) {
        self.folder = folder
        self.dependencies = dependencies
        directory = try Directory.openBesideServer(folder, dependencies)
    }

    /// Closes the file.
    public func close() { directory.close() }

    /// A line for each user account: id, address, time of creation, and whether it is premium.
    public func list() throws(AppError) -> [String] {
        try wrapping { () throws(CloudError) in
            let granted = Dictionary(try directory.grants().map { ($0.user.id, $0) }) { $1 }
            return try directory.users().map { user in
                let premium = granted[user.id].map { $0.words(at: dependencies.now) } ?? "free"
                return "\(user.id)  \(user.shownName)  since \(day(user.createdAt))  \(premium)"
            }
        }
    }

    /// A line for each grant of premium.
    public func grants() throws(AppError) -> [String] {
        try wrapping { () throws(CloudError) in
            try directory.grants().map { "\($0.user.shownName)  \($0.words(at: dependencies.now))" }
        }
    }

    /// Grants premium.
    /// - Parameters:
    ///   - who: an address or an id.
    ///   - last: the last day of the grant (UTC); nil for no end.
    /// - Returns: the result, in a line.
    public func grant(_ who: String, through last: CivilDate?) throws(AppError) -> String {
        let user = try find(who)
        let end = last.map { (Int64($0.dayNumber) + 1) * 86_400 }
        if let end, end <= dependencies.now {
            throw .refused("that day is over: name one that is still to come.")
        }
        try wrapping { () throws(CloudError) in try directory.grant(user.id, until: end) }
        return "\(user.shownName) is premium " + (last.map { "through \($0)" } ?? "for ever")
    }

    /// Revokes premium.
    public func revoke(_ who: String) throws(AppError) -> String {
        let user = try find(who)
        guard try wrapping({ () throws(CloudError) in try directory.revoke(user.id) }) else {
            throw .refused("\(user.shownName) has no premium to take back.")
        }
        return "\(user.shownName) is no longer premium"
    }

    /// Signs all devices of a user account out and locks their books, until the user signs in on each again.
    public func lock(_ who: String) throws(AppError) -> String {
        let user = try find(who)
        let count = try wrapping { () throws(CloudError) in try directory.lock(user.id) }
        let devices = count == 1 ? "1 device was" : "\(count) devices were"
        return "\(devices) signed out and locked: each opens again once \(user.shownName) signs in on it"
    }

    /// Deletes a user account with all that the cloud holds for it.
    public func remove(_ who: String) throws(AppError) -> String {
        let user = try find(who)
        // The account comes first: a running server removes the folder of an account that does not exist, and a process
        // that dies in between leaves no account without its files.
        _ = try wrapping { () throws(CloudError) in try directory.remove(user.id) }
        let result = "\(user.shownName) was removed, with all data on the cloud"
        do throws(CloudError) { try FileService(directory).removeUnlisted(of: user.id) } catch {
            let reason = if case .failed(let what) = error { what } else { "\(error)" }
            return """
                \(result); its files in \(folder)/\(Backup.cloudFiles)/\(user.id) could not be removed: \(reason). \
                Check the owner and the rights of this folder; a running server tries again within the hour. Or remove it
                """
        }
        return result
    }

    /// Sets a new password.
    /// - Parameters:
    ///   - password: nil to generate one.
    ///   - resources: contain the list of common passwords.
    /// - Returns: the password.
    public func resetPassword(
        of email: String,
        to password: String?,
        resources: Resources
    ) async throws(AppError) -> String {
        let chosen = password ?? madeUp()
        let accounts = PasswordAuthenticator(
            store: directory,
            rules: try resources.passwordRules(),
            now: { self.dependencies.now },
            random: { self.dependencies.random.bytes($0) }
        )
        do { try await accounts.reset(email: email, to: chosen) } catch {
            switch error {
            case .signIn(.wrongCredentials):
                throw .refused("nobody has an account with a password under \(email).")
            case .signIn(.weakPassword): throw .refused("a password has at least 10 characters.")
            case .signIn(.commonPassword):
                throw .refused("this password is one that is guessed first: choose another one.")
            default: throw .cloud(error, path: folder)
            }
        }
        return chosen
    }

    /// 20 letters and digits that are hard to confuse: about 98 bits.
    private func madeUp() -> String {
        let letters = Array("abcdefghjkmnpqrstvwxyz23456789".utf8)
        var picked: [UInt8] = []
        while picked.count < 20 {
            // Bytes beyond the last whole multiple would make the first letters more likely.
            for byte in dependencies.random.bytes(32) where byte < 240 && picked.count < 20 {
                picked.append(letters[Int(byte) % letters.count])
            }
        }
        return String(decoding: picked, as: UTF8.self)
    }

    private func find(_ who: String) throws(AppError) -> UserAccount {
        let users = try wrapping { () throws(CloudError) in try directory.users() }
        if let id = EntityID(who), let user = users.first(where: { $0.id == id }) { return user }
        let key = EmailAddress(who)?.key
        let named = users.filter { user in
            user.email == who || (key != nil && user.email.flatMap { EmailAddress($0)?.key } == key)
        }
        switch named.count {
        case 1: return named[0]
        case 0: throw .refused("nobody here is called \(who): breadly users lists who is.")
        default:
            let ids = named.map(\.id.description).joined(separator: ", ")
            throw .refused("several accounts are called \(who): name one by its id: \(ids).")
        }
    }

    private func day(_ seconds: Int64) -> CivilDate { dependencies.day(of: seconds, in: "UTC") }

    private func wrapping<Value>(_ body: () throws(CloudError) -> Value) throws(AppError) -> Value {
        do { return try body() } catch { throw .cloud(error, path: folder) }
    }
}

extension UserAccount {
    /// The user's name in the operator's output.
    var shownName: String { email ?? name ?? id.description }
}

extension Grant {
    /// The entitlement in the operator's output.
    fileprivate func words(at now: Int64) -> String {
        let last = expiresAt.map { CivilDate(dayNumber: Int32(clamping: $0.subtractingClamped(1) / 86_400)) }
        switch entitlement(at: now).status {
        case .revoked: return "premium was taken back"
        case .expired: return "premium ended after \(last.map { "\($0)" } ?? "some time")"
        default: return last.map { "premium through \($0)" } ?? "premium for ever"
        }
    }
}
