// The JSON of the messages about user accounts, version 1.

import Ledger

/// `POST sign-in`.
struct WireSignIn: Codable, Sendable {
    /// A local account of the cloud.
    struct Password: Codable, Sendable {
        var email: String
        var password: String
    }

    /// A token that an identity provider has issued.
    struct IDToken: Codable, Sendable {
        var token: String
        var nonce: String
        var accessToken: String?
    }

    var account: Password?
    var newAccount: Password?
    var idToken: IDToken?
    var deviceName: String
    var guest: String
    /// Absent from older servers.
    var former: [String]?

    init(_ request: SignInRequest) {
        deviceName = request.device.name
        guest = request.device.guest.description
        former = request.device.former.isEmpty ? nil : request.device.former.map(\.text)
        switch request.credentials {
        case .password(let email, let password): account = Password(email: email, password: password)
        case .newAccount(let email, let password):
            newAccount = Password(email: email, password: password)
        case .idToken(let token, let nonce, let accessToken):
            idToken = IDToken(token: token, nonce: nonce, accessToken: accessToken)
        }
    }

    /// The decoded value; nil unless there is exactly one kind of credentials and the id of the guest is
    /// valid.
    var request: SignInRequest? {
        guard let credentials, let guest = EntityID(guest) else { return nil }
        let tokens = (former ?? []).prefix(NewDevice.mostFormer).compactMap { SessionToken($0) }
        return SignInRequest(credentials, NewDevice(name: deviceName, guest: guest, former: tokens))
    }

    private var credentials: Credentials? {
        switch (account, newAccount, idToken) {
        case (let account?, nil, nil): .password(email: account.email, password: account.password)
        case (nil, let account?, nil): .newAccount(email: account.email, password: account.password)
        case (nil, nil, let token?):
            .idToken(token.token, nonce: token.nonce, accessToken: token.accessToken)
        default: nil
        }
    }
}

/// `POST account/confirm`.
struct WireConfirmation: Codable, Sendable {
    var password: String?
    var idToken: WireSignIn.IDToken?

    /// Omits the e-mail address, which the cloud does not use.
    init(_ credentials: Credentials) {
        switch credentials {
        case .password(_, let password), .newAccount(_, let password): self.password = password
        case .idToken(let token, let nonce, let accessToken):
            idToken = WireSignIn.IDToken(token: token, nonce: nonce, accessToken: accessToken)
        }
    }

    /// The credentials; nil unless there is exactly one kind.
    var credentials: Credentials? {
        switch (password, idToken) {
        case (let password?, nil): .password(email: "", password: password)
        case (nil, let token?): .idToken(token.token, nonce: token.nonce, accessToken: token.accessToken)
        default: nil
        }
    }
}

/// The answer to `POST sign-in`.
struct WireSignedIn: Codable, Sendable {
    var user: WireUser
    var token: String
    var isExistingAccount: Bool
    var entitlement: WireEntitlement
    var rates: WireRatesVersion?

    init(_ signedIn: SignedIn) {
        user = WireUser(signedIn.user)
        token = signedIn.token.text
        isExistingAccount = signedIn.isExistingAccount
        entitlement = WireEntitlement(signedIn.entitlement)
        rates = signedIn.rates.map { WireRatesVersion($0) }
    }

    /// The decoded value; nil if a field is malformed.
    var signedIn: SignedIn? {
        guard let user = user.user, let token = SessionToken(token),
            let entitlement = entitlement.entitlement
        else { return nil }
        return SignedIn(
            user: user,
            token: token,
            isExistingAccount: isExistingAccount,
            entitlement: entitlement,
            rates: rates?.version
        )
    }
}

/// The answer to `GET account`.
struct WireUserAccountReport: Codable, Sendable {
    var user: WireUser
    var entitlement: WireEntitlement
    var accounts: Int
    var transactions: Int
    var categories: Int
    var changedAt: Int64?
    var usage: Usage?
    var limits: Limits?
    var rates: WireRatesVersion?

    struct Usage: Codable, Sendable {
        var rows: Int
        var bytes: Int64
        var replicas: Int
        var others: Int?
    }

    struct Limits: Codable, Sendable {
        var fields: Int
        var rowBytes: Int
        var rows: Int
        var bytes: Int64
        var replicas: Int
    }

    init(_ report: UserAccountReport) {
        user = WireUser(report.user)
        entitlement = WireEntitlement(report.entitlement)
        accounts = report.holdings.accounts
        transactions = report.holdings.transactions
        categories = report.holdings.categories
        changedAt = report.holdings.changedAt
        usage = report.usage.map {
            Usage(rows: $0.rows, bytes: $0.bytes, replicas: $0.replicas, others: $0.others)
        }
        limits = report.limits.map {
            Limits(
                fields: $0.fields,
                rowBytes: $0.rowBytes,
                rows: $0.rows,
                bytes: $0.bytes,
                replicas: $0.replicas
            )
        }
        rates = report.rates.map { WireRatesVersion($0) }
    }

    /// The decoded value; nil if a field is malformed.
    var report: UserAccountReport? {
        guard let user = user.user, let entitlement = entitlement.entitlement,
            min(accounts, transactions, categories) >= 0
        else { return nil }
        let holdings = Holdings(
            accounts: accounts,
            transactions: transactions,
            categories: categories,
            changedAt: changedAt?.withinTheCalendar
        )
        return UserAccountReport(
            user: user,
            holdings: holdings,
            entitlement: entitlement,
            usage: usage.map {
                UserAccountUsage(rows: $0.rows, bytes: $0.bytes, replicas: $0.replicas, others: $0.others)
            },
            limits: limits.map {
                UserAccountLimits(
                    fields: $0.fields,
                    rowBytes: $0.rowBytes,
                    rows: $0.rows,
                    bytes: $0.bytes,
                    replicas: $0.replicas
                )
            },
            rates: rates?.version
        )
    }
}

/// `POST account/password`.
struct WirePasswordUpdate: Codable, Sendable {
    var old: String
    var new: String
    /// Absent from older servers.
    var locksOthers: Bool?

    init(_ update: PasswordUpdate) {
        old = update.present
        new = update.new
        locksOthers = update.locksOthers
    }

    /// The decoded value.
    var update: PasswordUpdate {
        PasswordUpdate(from: old, to: new, locksOthers: locksOthers ?? false)
    }
}

/// The answer to `GET devices`.
struct WireDevices: Codable, Sendable {
    struct Device: Codable, Sendable {
        var id: String
        var name: String
        var signedInAt: Int64
        var seenAt: Int64
        var isThisDevice: Bool
        var isLocked: Bool?
    }

    var devices: [Device]

    init(_ sessions: [DeviceSession]) {
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

    /// The decoded value; nil if a field is malformed.
    var sessions: [DeviceSession]? {
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

struct WireUser: Codable, Sendable {
    var id: String
    var email: String?
    var name: String?
    var createdAt: Int64
    var hasPassword: Bool

    init(_ user: UserAccount) {
        id = user.id.description
        email = user.email
        name = user.name
        createdAt = user.createdAt
        hasPassword = user.hasPassword
    }

    var user: UserAccount? {
        EntityID(id).map {
            UserAccount(
                id: $0,
                email: email,
                name: name,
                createdAt: createdAt.withinTheCalendar,
                hasPassword: hasPassword
            )
        }
    }
}

struct WireEntitlement: Codable, Sendable {
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
