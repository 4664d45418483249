// The messages about accounts between a device and a remote cloud: JSON over HTTP, version 1.

import Foundation
import Ledger

/// The addresses of the cloud's interface.
public enum CloudAddress {
    /// In front of all of them.
    public static let root = "/cloud/v1"
    /// Signs a device in.
    public static let signIn = root + "/sign-in"
    /// Ends a session.
    public static let signOut = root + "/sign-out"
    /// `GET` reads the account, `DELETE` deletes it.
    public static let account = root + "/account"
    /// All data of the account.
    public static let data = root + "/account/data"
    /// Another password.
    public static let password = root + "/account/password"
    /// Whether credentials are the user's.
    public static let confirmation = root + "/account/confirm"
    /// The signed-in devices.
    public static let devices = root + "/devices"
    /// Operations up.
    public static let push = root + "/push"
    /// Rows down.
    public static let changes = root + "/changes"
    /// Waits until there is something new.
    public static let signal = root + "/signal"
    /// The same for many sessions at once.
    public static let signals = root + "/signals"
    /// Lets a replica go.
    public static let detach = root + "/detach"
}

/// The bodies of requests and answers.
public enum CloudMessage {
    /// `POST sign-in`.
    public struct SignInRequest: Codable, Sendable {
        /// An account of the cloud's own.
        public struct Password: Codable, Sendable {
            var email: String
            var password: String
        }

        /// A token that an identity provider has issued.
        public struct IDToken: Codable, Sendable {
            var token: String
            var nonce: String
            var accessToken: String?
        }

        var account: Password?
        var newAccount: Password?
        var idToken: IDToken?
        var deviceName: String
        var guest: String
        /// Older servers name none.
        var former: [String]?

        /// A request for a session.
        public init(_ credentials: Credentials, _ device: NewDevice) {
            deviceName = device.name
            guest = device.guest.description
            former = device.former.isEmpty ? nil : device.former.map(\.text)
            switch credentials {
            case .password(let email, let password): account = Password(email: email, password: password)
            case .newAccount(let email, let password):
                newAccount = Password(email: email, password: password)
            case .idToken(let token, let nonce, let accessToken):
                idToken = IDToken(token: token, nonce: nonce, accessToken: accessToken)
            }
        }

        /// The credentials; nil where there is not exactly one kind of them.
        public var credentials: Credentials? {
            switch (account, newAccount, idToken) {
            case (let account?, nil, nil): .password(email: account.email, password: account.password)
            case (nil, let account?, nil): .newAccount(email: account.email, password: account.password)
            case (nil, nil, let token?):
                .idToken(token.token, nonce: token.nonce, accessToken: token.accessToken)
            default: nil
            }
        }

        /// The device that asks; nil where the id of its guest is malformed.
        public var device: NewDevice? {
            let tokens = (former ?? []).prefix(NewDevice.mostFormer).compactMap { SessionToken($0) }
            return EntityID(guest).map { NewDevice(name: deviceName, guest: $0, former: tokens) }
        }
    }

    /// `POST account/confirm`.
    public struct ConfirmationRequest: Codable, Sendable {
        var password: String?
        var idToken: SignInRequest.IDToken?

        /// A request to look at credentials.
        public init(_ credentials: Credentials) {
            switch credentials {
            case .password(_, let password), .newAccount(_, let password): self.password = password
            case .idToken(let token, let nonce, let accessToken):
                idToken = SignInRequest.IDToken(token: token, nonce: nonce, accessToken: accessToken)
            }
        }

        /// The credentials; nil where there is not exactly one kind of them.
        public var credentials: Credentials? {
            switch (password, idToken) {
            case (let password?, nil): .password(email: "", password: password)
            case (nil, let token?): .idToken(token.token, nonce: token.nonce, accessToken: token.accessToken)
            default: nil
            }
        }
    }

    /// The answer to `POST sign-in`.
    public struct SignInAnswer: Codable, Sendable {
        var user: WrittenUser
        var token: String
        var isExistingAccount: Bool
        var entitlement: WrittenEntitlement

        /// A session.
        public init(_ signedIn: SignedIn) {
            user = WrittenUser(signedIn.user)
            token = signedIn.token.text
            isExistingAccount = signedIn.isExistingAccount
            entitlement = WrittenEntitlement(signedIn.entitlement)
        }

        /// The decoded value; nil where a field is malformed.
        public var signedIn: SignedIn? {
            guard let user = user.user, let token = SessionToken(token),
                let entitlement = entitlement.entitlement
            else { return nil }
            return SignedIn(
                user: user,
                token: token,
                isExistingAccount: isExistingAccount,
                entitlement: entitlement
            )
        }
    }

    /// The answer to `GET account`.
    public struct AccountAnswer: Codable, Sendable {
        var user: WrittenUser
        var entitlement: WrittenEntitlement
        var accounts: Int
        var transactions: Int
        var categories: Int
        var changedAt: Int64?
        var usage: Usage?
        var limits: Limits?

        struct Usage: Codable, Sendable {
            var rows: Int
            var bytes: Int64
            var replicas: Int
        }

        struct Limits: Codable, Sendable {
            var fields: Int
            var rowBytes: Int
            var rows: Int
            var bytes: Int64
            var replicas: Int
        }

        /// A report.
        public init(_ report: AccountReport) {
            user = WrittenUser(report.user)
            entitlement = WrittenEntitlement(report.entitlement)
            accounts = report.holdings.accounts
            transactions = report.holdings.transactions
            categories = report.holdings.categories
            changedAt = report.holdings.changedAt
            usage = report.usage.map { Usage(rows: $0.rows, bytes: $0.bytes, replicas: $0.replicas) }
            limits = report.limits.map {
                Limits(
                    fields: $0.fields,
                    rowBytes: $0.rowBytes,
                    rows: $0.rows,
                    bytes: $0.bytes,
                    replicas: $0.replicas
                )
            }
        }

        /// The decoded value; nil where a field is malformed.
        public var report: AccountReport? {
            guard let user = user.user, let entitlement = entitlement.entitlement,
                min(accounts, transactions, categories) >= 0
            else { return nil }
            let holdings = Holdings(
                accounts: accounts,
                transactions: transactions,
                categories: categories,
                changedAt: changedAt?.withinTheCalendar
            )
            return AccountReport(
                user: user,
                holdings: holdings,
                entitlement: entitlement,
                usage: usage.map { AccountUsage(rows: $0.rows, bytes: $0.bytes, replicas: $0.replicas) },
                limits: limits.map {
                    AccountLimits(
                        fields: $0.fields,
                        rowBytes: $0.rowBytes,
                        rows: $0.rows,
                        bytes: $0.bytes,
                        replicas: $0.replicas
                    )
                }
            )
        }
    }

    /// `POST account/password`.
    public struct PasswordRequest: Codable, Sendable {
        /// The present one.
        public var old: String
        /// The one in its place.
        public var new: String
        /// Whether the user's other devices are signed out and locked; older versions do not ask for it.
        public var locksOthers: Bool?

        /// Another password.
        public init(old: String, new: String, locksOthers: Bool) {
            self.old = old
            self.new = new
            self.locksOthers = locksOthers
        }
    }

    /// The answer to `GET devices`.
    public struct DevicesAnswer: Codable, Sendable {
        struct Device: Codable, Sendable {
            var id: String
            var name: String
            var signedInAt: Int64
            var seenAt: Int64
            var isThisDevice: Bool
            var isLocked: Bool?
        }

        var devices: [Device]

        /// A list.
        public init(_ sessions: [DeviceSession]) {
            devices = sessions.map {
                Device(
                    id: $0.id.description,
                    name: $0.name,
                    signedInAt: $0.signedInAt,
                    seenAt: $0.seenAt,
                    isThisDevice: $0.isThisDevice,
                    isLocked: $0.isLocked ? true : nil
                )
            }
        }

        /// The decoded value; nil where a field is malformed.
        public var sessions: [DeviceSession]? {
            var sessions: [DeviceSession] = []
            for device in devices {
                guard let id = EntityID(device.id) else { return nil }
                sessions.append(
                    DeviceSession(
                        id: id,
                        name: device.name,
                        signedInAt: device.signedInAt.withinTheCalendar,
                        seenAt: device.seenAt.withinTheCalendar,
                        isThisDevice: device.isThisDevice,
                        isLocked: device.isLocked ?? false
                    )
                )
            }
            return sessions
        }
    }

    /// The answer to a request that failed.
    public struct Failure: Codable, Sendable {
        /// The error's code: `token_revoked`.
        public var code: String
        /// How long to wait, in seconds.
        public var retryAfterSeconds: Int64?
        /// Until when a replica may still push, in UTC seconds.
        public var drainUntil: Int64?
        /// The epoch of the account's data.
        public var epoch: Int64?
        /// The number of the operation that is expected.
        public var expected: Int64?
        /// The schemas that are taken, from the oldest to the newest.
        public var oldest: Int64?
        /// As `oldest`.
        public var newest: Int64?
        /// The most operations that are taken at once, or the most replicas that an account may have.
        public var max: Int?
        /// How a session ended, where it was by somebody else: versions that do not know of it read the code alone.
        public var ended: String?

        /// A failure. Texts for the log are not sent.
        public init(_ error: CloudError) {
            code = error.code
            ended = error.endedByOthers
            switch error {
            case .tooManyAttempts(let seconds), .busy(let seconds): retryAfterSeconds = seconds
            case .subscriptionRequired(let until): drainUntil = until
            case .epochChanged(let now): epoch = now
            case .opGap(let number): expected = number
            case .tooLarge(let most), .tooManyReplicas(let most): max = most
            case .upgradeRequired(let oldest, let newest): (self.oldest, self.newest) = (oldest, newest)
            default: break
            }
        }

        /// The error for a device; nil for an unknown code.
        public var error: CloudError? {
            switch code {
            case "token_revoked": CloudError(endedByOthers: ended)
            case "account_deleted": .accountGone
            case "sign_up_closed": .signUpClosed
            case "unavailable": .failed("the cloud is unavailable")
            case "wrong_credentials": .wrongCredentials
            case "too_many_attempts":
                .tooManyAttempts(retryAfterSeconds: (retryAfterSeconds ?? 1).withinADay)
            case "email_taken": .emailTaken
            case "bad_email": .badEmail
            case "weak_password": .weakPassword
            case "common_password": .commonPassword
            case "malformed": .malformed
            case "subscription_required": .subscriptionRequired(drainUntil: drainUntil?.withinTheCalendar)
            case "epoch_changed": epoch.map { .epochChanged($0) }
            case "op_gap": expected.map { .opGap(expected: $0) }
            case "op_reused": .opReused
            case "cursor_expired": .cursorExpired
            case "cursor_ahead": .cursorAhead
            case "too_large": max.map { .tooLarge(max: Swift.max(1, $0)) }
            case "too_many_replicas": max.map { .tooManyReplicas(max: Swift.max(1, $0)) }
            // A cloud that does not say what it takes wants something newer.
            case "upgrade_required": .upgradeRequired(oldest: oldest ?? .max, newest: newest ?? .max)
            case "busy": .busy(retryAfterSeconds: (retryAfterSeconds ?? 1).withinADay)
            default: nil
            }
        }
    }

    /// A user.
    struct WrittenUser: Codable, Sendable {
        var id: String
        var email: String?
        var name: String?
        var createdAt: Int64
        var hasPassword: Bool

        init(_ user: User) {
            id = user.id.description
            email = user.email
            name = user.name
            createdAt = user.createdAt
            hasPassword = user.hasPassword
        }

        var user: User? {
            EntityID(id).map {
                User(
                    id: $0,
                    email: email,
                    name: name,
                    createdAt: createdAt.withinTheCalendar,
                    hasPassword: hasPassword
                )
            }
        }
    }

    /// An entitlement.
    struct WrittenEntitlement: Codable, Sendable {
        var status: String
        var expiresAt: Int64?
        var willRenew: Bool

        init(_ entitlement: Entitlement) {
            status = entitlement.status.rawValue
            expiresAt = entitlement.expiresAt
            willRenew = entitlement.willRenew
        }

        var entitlement: Entitlement? {
            Entitlement.Status(rawValue: status).map {
                Entitlement($0, expiresAt: expiresAt?.withinTheCalendar, willRenew: willRenew)
            }
        }
    }

    /// As bytes; empty where the system cannot write them.
    public static func encode(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(message)).map { Array($0) } ?? []
    }

    /// From bytes; nil for anything else.
    public static func decode<Message: Decodable>(_ type: Message.Type, _ bytes: [UInt8]) -> Message? {
        try? JSONDecoder().decode(type, from: Data(bytes))
    }
}

// A remote cloud may send any number; callers compute days, spans and sums from it, which must not overflow.
extension Int64 {
    /// The nearest moment of the years 1 to 9999, in UTC seconds.
    fileprivate var withinTheCalendar: Int64 {
        Swift.min(Swift.max(self, -62_135_596_800), 253_402_300_799)
    }

    /// The nearest time to wait, in seconds: one at least, a day at most.
    fileprivate var withinADay: Int64 { Swift.min(Swift.max(self, 1), 86_400) }
}

extension CloudError {
    /// The error's code on the wire.
    public var code: String {
        switch self {
        case .sessionRevoked, .sessionLocked, .sessionErased: "token_revoked"
        case .accountGone: "account_deleted"
        case .signUpClosed: "sign_up_closed"
        case .unreachable, .timedOut, .failed: "unavailable"
        case .wrongCredentials: "wrong_credentials"
        case .tooManyAttempts: "too_many_attempts"
        case .emailTaken: "email_taken"
        case .badEmail: "bad_email"
        case .weakPassword: "weak_password"
        case .commonPassword: "common_password"
        case .malformed: "malformed"
        case .subscriptionRequired: "subscription_required"
        case .epochChanged: "epoch_changed"
        case .opGap: "op_gap"
        case .opReused: "op_reused"
        case .cursorExpired: "cursor_expired"
        case .cursorAhead: "cursor_ahead"
        case .tooLarge: "too_large"
        case .tooManyReplicas: "too_many_replicas"
        case .upgradeRequired: "upgrade_required"
        case .busy: "busy"
        }
    }

    /// The HTTP status that goes with it.
    public var status: Int {
        switch self {
        case .sessionRevoked, .sessionLocked, .sessionErased, .accountGone, .wrongCredentials: 401
        case .signUpClosed, .subscriptionRequired: 403
        case .emailTaken, .epochChanged, .opGap, .opReused, .tooManyReplicas: 409
        case .cursorExpired, .cursorAhead: 410
        case .tooLarge: 413
        case .upgradeRequired: 426
        case .badEmail, .weakPassword, .commonPassword: 422
        case .malformed: 400
        case .tooManyAttempts: 429
        case .unreachable, .timedOut, .failed, .busy: 503
        }
    }

    /// The word beside the code of a session that somebody else has ended; nil for any other error.
    var endedByOthers: String? {
        switch self {
        case .sessionLocked, .sessionErased: sessionEnding?.rawValue
        default: nil
        }
    }

    /// A session's end; one of which nothing more is said was ended by nobody else.
    init(endedByOthers word: String?) {
        let ending = word.flatMap { SessionEnding(rawValue: $0) } ?? .revoked
        self.init(ending)
    }
}
