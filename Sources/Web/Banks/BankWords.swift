import BankFeeds
import Devices
import Ledger
import Lifecycle
import Pages
import Texts

/// The texts of bank connections.
struct BankWords {
    private let formats: Formats
    private let zone: String
    private let dependencies: Dependencies

    init(_ context: RequestContext) throws {
        formats = try context.formats()
        zone = try context.preferences().timeZone
        dependencies = context.site.devices.dependencies
    }

    func line(_ connection: BankConnection) -> BankConnectionLine {
        let banks = connection.accounts.compactMap(\.account.institution)
        var seen: Set<String> = []
        let names = banks.filter { seen.insert($0).inserted }
        let title = names.isEmpty ? connection.provider?.name : names.joined(separator: ", ")
        return BankConnectionLine(
            id: connection.id,
            title: title.map { .verbatim($0) } ?? Text("banks.a-bank"),
            state: connection.state.shown,
            status: status(connection),
            notes: notes(connection),
            // With one bank, its name is the title.
            accounts: connection.accounts.map { account($0, connection, namesBank: names.count > 1) }
        )
    }

    private func status(_ connection: BankConnection) -> Text {
        let refreshed = connection.refreshedAt.map { at($0) }
        switch connection.state {
        case .connecting: return Text("banks.connecting")
        case .connected:
            return refreshed.map { Text("banks.connected", ["at": .text($0)]) }
                ?? Text("banks.connected-unread")
        case .refreshing:
            return refreshed.map { Text("banks.refreshing-since", ["at": .text($0)]) }
                ?? Text("banks.refreshing")
        case .needsReconnect: return Text("banks.needs-reconnect")
        case .failing(let failing):
            let (why, since) = (failing.what.text, at(failing.since))
            return refreshed.map {
                Text("banks.failing", ["why": .text(why), "since": .text(since), "at": .text($0)])
            } ?? Text("banks.failing-unread", ["why": .text(why), "since": .text(since)])
        case .disconnected: return Text("banks.disconnected")
        }
    }

    private func notes(_ connection: BankConnection) -> [Text] {
        var notes: [Text] = []
        if connection.provider == nil { notes.append(Text("banks.provider-not-set-up")) }
        if let end = connection.consentEndsAt, connection.state != .needsReconnect {
            let day: [String: Text.Argument] = ["day": .string(formats.longDay(day(end)))]
            let isSoon = connection.consentEndsSoon(at: dependencies.now)
            notes.append(isSoon ? Text("banks.consent-ends-soon", day) : Text("banks.consent-until", day))
        }
        if connection.leftOut > 0 {
            notes.append(Text("banks.left-out", ["count": .count(connection.leftOut)]))
        }
        return notes
            + connection.messages.map { Text("banks.provider-says", ["message": .string($0)]) }
    }

    private func account(_ line: BankConnection.Account, _ connection: BankConnection, namesBank: Bool)
        -> BankAccountLine
    {
        var details: Text
        if let rows = line.transactions {
            details =
                line.balance.map {
                    Text("banks.as-of-with-count", ["at": .text(at($0.asOf)), "count": .count(rows.count)])
                } ?? Text("banks.no-balance-with-count", ["count": .count(rows.count)])
        } else {
            let since = connection.refreshedAt.map { formats.longDay(day($0)) } ?? ""
            details = Text("banks.not-refreshed-since", ["day": .string(since)])
        }
        if namesBank, let bank = line.account.institution {
            details = Text("banks.at-bank", ["bank": .string(bank), "rest": .text(details)])
        }
        return BankAccountLine(
            name: line.account.name,
            details: details,
            balance: line.balance?.money,
            formats: formats
        )
    }

    private func day(_ seconds: Int64) -> CivilDate { dependencies.day(of: seconds, in: zone) }

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
        case .feed(.unreachable), .feed(.rateLimited): Text("banks.provider-unreachable")
        case .feed(.consentEnded), .feed(.unauthorised), .feed(.refused), .feed(.malformed):
            Text("banks.provider-failed")
        }
    }
}
