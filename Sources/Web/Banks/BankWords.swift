import BankFeeds
import Devices
import Ledger
import Lifecycle
import Texts

/// The texts of bank connections.
struct BankWords {
    private let formats: Formats
    private let zone: String
    private let dependencies: Dependencies

    /// The accounts of the book by the keys of the bank accounts to which they are joined.
    private let joined: [BankAccountKey: AccountBalance]

    /// - Parameter accounts: the accounts of the book.
    init(_ context: RequestContext, accounts: [AccountBalance] = []) throws {
        formats = try context.formats()
        zone = try context.preferences().timeZone
        dependencies = context.site.devices.dependencies
        joined = Dictionary(
            accounts.compactMap { account in account.account.bank.key.map { ($0, account) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The names of the banks, or of the provider.
    static func title(of connection: BankConnection) -> Text {
        let names = names(of: connection)
        let title = names.isEmpty ? connection.provider?.name : names.joined(separator: ", ")
        return title.map { .verbatim($0) } ?? Text("banks.a-bank")
    }

    private static func names(of connection: BankConnection) -> [String] {
        var seen: Set<String> = []
        return connection.accounts.compactMap(\.account.institution).filter { seen.insert($0).inserted }
    }

    /// - Parameter others: the other connections of the device.
    func line(_ connection: BankConnection, besides others: [BankConnection]) -> BankConnectionLine {
        let namesBank = Self.names(of: connection).count > 1
        let accounts = connection.accounts.map { (line: $0, joined: joined(to: $0, connection)) }
        // The accounts of the book, if the accounts of the bank were removed.
        let left = connection.accounts.isEmpty && connection.refreshedAt != nil ? joined(by: connection) : []
        // A closed account has the same balance with and without its bank.
        let ending = (accounts.compactMap(\.joined) + left).filter { !$0.account.isClosed }
        return BankConnectionLine(
            id: connection.id,
            title: Self.title(of: connection),
            state: connection.state.shown,
            status: status(connection),
            notes: notes(connection),
            // With one bank, its name is the title.
            accounts: accounts.map { account($0.line, connection, $0.joined, namesBank: namesBank) }
                + left.map { outdated($0, connection) },
            isUnused: left.isEmpty && !accounts.contains { $0.joined != nil },
            afterDisconnecting: ending.map { account in
                let isReadElsewhere = others.contains { other in
                    other.accounts.contains { joined(to: $0, other)?.account.id == account.account.id }
                }
                guard isReadElsewhere else { return afterDisconnecting(account) }
                return Text(
                    "banks.account-read-elsewhere",
                    ["account": .string(account.account.name.isolated)]
                )
            }
        )
    }

    private func status(_ connection: BankConnection) -> Text {
        let refreshed = connection.refreshedAt.map { at($0) }
        switch connection.state {
        case .connecting:
            switch connection.claim {
            case .running: return Text("banks.token-in-use")
            case .interrupted: return Text("banks.token-interrupted")
            case nil: return Text("banks.connecting")
            }
        case .connected:
            return refreshed.map { Text("banks.connected", ["at": .text($0)]) }
                ?? Text("banks.connected-unread")
        case .refreshing:
            return refreshed.map { Text("banks.refreshing-since", ["at": .text($0)]) }
                ?? Text("banks.refreshing")
        case .needsReconnect: return Text("banks.needs-reconnect")
        case .failing(let failing):
            let (why, since) = (why(failing), at(failing.since))
            return refreshed.map {
                Text("banks.failing", ["why": .text(why), "since": .text(since), "at": .text($0)])
            } ?? Text("banks.failing-unread", ["why": .text(why), "since": .text(since)])
        case .disconnected: return Text("banks.disconnected")
        }
    }

    private func why(_ failing: BankFailing) -> Text {
        failing.until.map { Text("banks.why-rate-limited-until", ["until": .text(at($0))]) }
            ?? failing.what.text
    }

    private func notes(_ connection: BankConnection) -> [Text] {
        var notes: [Text] = []
        if connection.provider == nil { notes.append(Text("banks.provider-not-set-up")) }
        if connection.claim == .interrupted, connection.state != .connecting {
            notes.append(Text("banks.token-interrupted"))
        }
        if connection.isConsentLeft { notes.append(Text("banks.consent-left")) }
        if let end = connection.consentEndsAt, connection.state != .needsReconnect {
            let end = StatedTime(seconds: end).day(day)
            let day: [String: Text.Argument] = ["day": .string(formats.longDay(end))]
            let isSoon = connection.consentEndsSoon(at: dependencies.now)
            notes.append(isSoon ? Text("banks.consent-ends-soon", day) : Text("banks.consent-until", day))
        }
        // A due refresh begins with this page.
        if let next = connection.nextRefreshAt, next > dependencies.now {
            notes.append(Text("banks.next-refresh", ["at": .text(at(next))]))
        }
        if connection.leftOut > 0 {
            notes.append(Text("banks.left-out", ["count": .count(connection.leftOut)]))
        }
        return notes
            + connection.messages.map { Text("banks.provider-says", ["message": .string($0)]) }
    }

    private func joined(to line: BankConnection.Account, _ connection: BankConnection) -> AccountBalance? {
        guard let provider = connection.provider?.key else { return nil }
        return joined[BankAccountKey(provider: provider, account: line.account.id)]
    }

    /// The accounts of the book that were joined by a connection, by name.
    private func joined(by connection: BankConnection) -> [AccountBalance] {
        joined.values.filter { $0.account.bank.connection == connection.id.description }
            .sorted { ($0.account.name, $0.account.id) < ($1.account.name, $1.account.id) }
    }

    private func outdated(_ account: AccountBalance, _ connection: BankConnection) -> BankAccountLine {
        BankAccountLine(
            name: account.account.name,
            details: notRefreshed(since: connection.refreshedAt),
            balance: nil,
            formats: formats
        )
    }

    private func notRefreshed(since time: Int64?) -> Text {
        Text("banks.not-refreshed-since", ["day": .string(time.map { formats.longDay(day($0)) } ?? "")])
    }

    /// The consequence for an account of the book when its connection ends.
    private func afterDisconnecting(_ account: AccountBalance) -> Text {
        Text(
            "banks.account-stays",
            [
                "account": .string(account.account.name.isolated),
                "count": .count(account.transactionCount),
            ]
        )
    }

    /// The lines of an account of the book about its bank.
    /// - Parameters:
    ///   - shown: the account with the balance that is shown.
    ///   - account: the account at the bank; nil if this device has no access to it.
    func badge(_ shown: AccountBalance, _ account: BankView.Account?) -> BankBadge {
        guard let account else {
            let detail = shown.account.bank.syncedAt.map {
                Text("banks.last-refreshed-elsewhere", ["day": .string(formats.longDay(day($0)))])
            }
            return BankBadge(
                detail: detail ?? Text("banks.not-connected-here"),
                difference: nil,
                needsReconnect: true,
                connection: nil
            )
        }
        var detail = Text("banks.no-balance")
        var difference: Text?
        var way: Way?
        if let currency = shown.unknown?.bankCurrency {
            detail = Text("banks.reported-in-another-currency", ["currency": .string(currency.rawValue)])
            way = .banks
        } else if shown.unknown != nil {
            detail =
                account.refreshedAt.map { notRefreshed(since: $0) } ?? Text("banks.connected-unread")
        } else if let reported = account.balance {
            detail = Text("banks.as-of", ["at": .text(asOf(reported))])
            if shown.balanceMinor != Int128(reported.money.minor) {
                let money: Text.Argument = .string(formats.money(reported.money))
                detail = Text("banks.as-of-and-later", ["at": .text(asOf(reported)), "balance": money])
            }
            // An entry of a day after that of the balance is not in it, and is no difference.
            if let minor = shown.recordedMinor, Int128(reported.money.minor) != minor {
                let recorded = formats.money(minor, shown.account.currency)
                difference = Text("banks.recorded-differs", ["recorded": .string(recorded)])
            }
        }
        return BankBadge(
            detail: detail,
            difference: difference,
            needsReconnect: account.needsReconnect,
            connection: account.connection,
            way: way
        )
    }

    private func account(
        _ line: BankConnection.Account,
        _ connection: BankConnection,
        _ joined: AccountBalance?,
        namesBank: Bool
    ) -> BankAccountLine {
        var details: Text
        if let rows = line.transactions {
            details =
                line.balance.map {
                    Text("banks.as-of-with-count", ["at": .text(asOf($0)), "count": .count(rows.count)])
                } ?? Text("banks.no-balance-with-count", ["count": .count(rows.count)])
        } else {
            details = notRefreshed(since: connection.refreshedAt)
        }
        if namesBank, let bank = line.account.institution {
            details = Text("banks.at-bank", ["bank": .string(bank), "rest": .text(details)])
        }
        details =
            joined.map { self.joined($0.account, line, details) }
            ?? Text("banks.not-joined", ["details": .text(details)])
        return BankAccountLine(
            name: line.account.name,
            details: details,
            balance: line.balance?.money,
            formats: formats
        )
    }

    /// The details of an account at a bank with the account of the book. The user may have changed the currency of that.
    private func joined(_ account: Account, _ line: BankConnection.Account, _ details: Text) -> Text {
        var words: [String: Text.Argument] = [
            "details": .text(details), "account": .string(account.name.isolated),
        ]
        guard account.currency != line.account.currency else { return Text("banks.joined-as", words) }
        words["currency"] = .string(account.currency.rawValue)
        return Text("banks.joined-in-another-currency", words)
    }

    private func day(_ seconds: Int64) -> CivilDate { dependencies.day(of: seconds, in: zone) }

    /// The time of a balance; the day alone if its bank states no time.
    private func asOf(_ balance: BankBalance) -> Text {
        switch StatedTime(seconds: balance.asOf) {
        case .day(let day): .verbatim(formats.longDay(day))
        case .time(let seconds): at(seconds)
        }
    }

    /// The day and the time of day in the user's time zone.
    private func at(_ seconds: Int64) -> Text {
        let minute = dependencies.minuteOfDay(seconds, in: zone)
        let time = "\(minute / 600)\(minute / 60 % 10):\(minute % 60 / 10)\(minute % 10)"
        let day = day(seconds)
        guard day != formats.today else { return Text("banks.today-at", ["time": .string(time)]) }
        return Text("banks.on-day-at", ["day": .string(formats.longDay(day)), "time": .string(time)])
    }
}

extension BankConnectionState {
    fileprivate var shown: BankConnectionLine.State {
        switch self {
        case .connecting: .connecting
        case .connected: .connected
        case .refreshing: .refreshing
        case .needsReconnect: .needsReconnect
        case .failing: .failing
        case .disconnected: .disconnected
        }
    }
}

extension BankFailure {
    fileprivate var text: Text {
        switch self {
        case .unreachable: Text("banks.why-unreachable")
        case .refused: Text("banks.why-refused")
        case .rateLimited: Text("banks.why-rate-limited")
        case .malformed: Text("banks.why-malformed")
        case .notStored: Text("banks.why-not-stored")
        }
    }
}

extension BankRefusal {
    /// The text for the user, and the status of the page.
    /// - Parameter isToken: whether the user has pasted a setup token.
    func text(isToken: Bool) -> Text {
        switch self {
        case .notSignedIn: Text("banks.sign-in-first")
        case .unknown, .expired: Text("banks.consent-expired")
        case .tooMany: Text("banks.too-many")
        case .device: Text("banks.not-stored")
        case .feed(.proofRefused): isToken ? Text("banks.token-refused") : Text("banks.code-refused")
        case .feed(.unreachable) where isToken: Text("banks.token-not-answered")
        case .feed(.unreachable), .feed(.rateLimited): Text("banks.provider-unreachable")
        case .feed(.consentEnded), .feed(.unauthorised), .feed(.refused), .feed(.malformed):
            Text("banks.provider-failed")
        }
    }
}
