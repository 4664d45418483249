// The last report of a bank, sealed for the device store and opened while a page needs it.

import BankFeeds
import Book
import DeviceStore
import Encoding
import Ledger

/// The accounts of a connection with their balances and transactions.
struct BankCache: Hashable, Sendable {
    /// The accounts, in the provider's order.
    var accounts: [BankAccount] = []
    /// The number of accounts and transactions that could not be used.
    var leftOut = 0
    /// Messages of the provider for the user.
    var messages: [String] = []
    /// Whether the user has to consent again. The state of the connection tells it later.
    var needsConsent = false
    /// The balance of each account, by its identifier.
    var balances: [String: BankBalance] = [:]
    /// The transactions of each account, the newest first.
    var transactions: [String: [BankTransaction]] = [:]
    /// The pending transactions of each account that were reported lately and are not any more. The bank may report them
    /// again under other identifiers.
    var vanished: [String: [BankTransaction]] = [:]
    /// The present identifiers of each account's transactions by their identifiers in earlier reports. A page that
    /// a user has open may have a former identifier.
    var followed: [String: [String: String]] = [:]
    /// The identifiers of each account's transactions that were booked since the report before, until the book has
    /// recorded the transactions that it records by itself.
    var booked: [String: Set<String>] = [:]
    /// The banks of accounts that earlier reports had, by the identifiers of the accounts; see `BankAccount.bank`.
    var formerBanks: [String: String] = [:]

    /// The greatest number of former accounts that are remembered.
    private static let mostFormer = 100

    /// Remembers the banks of accounts that are not reported any more.
    mutating func rememberBanks(of last: BankCache) {
        let ids = Set(accounts.map(\.id))
        var former = last.formerBanks
        for account in last.accounts { former[account.id] = account.bank }
        former = former.filter { !ids.contains($0.key) }
        if former.count <= Self.mostFormer { formerBanks = former }
    }

    /// The days for which a pending transaction is remembered after the day of its purchase.
    private static let vanishedDays = 14

    /// Remembers the pending transactions of earlier reports that the present report does not have, and the
    /// identifiers that have changed.
    /// - Parameters:
    ///   - before: the transactions of the last report, and pending transactions of earlier reports.
    ///   - followed: as in the last report.
    ///   - successors: the transactions that were found under other identifiers are not sought again.
    ///   - today: in the time zone of the days of all of them.
    mutating func remember(
        _ before: [String: [BankTransaction]],
        following followed: [String: [String: String]],
        but successors: [String: BankSuccessors],
        today: CivilDate
    ) {
        for (account, rows) in transactions {
            let ids = Set(rows.map(\.id))
            let found = successors[account]?.byFormerID ?? [:]
            vanished[account] = before[account]?.filter { row in
                row.isPending && !ids.contains(row.id) && found[row.id] == nil
                    && row.date >= today.adding(days: -Self.vanishedDays)
            }
            let former = (followed[account] ?? [:]).mapValues { found[$0]?.id ?? $0 }
            self.followed[account] = former.merging(found.mapValues(\.id)) { $1 }
                .filter { ids.contains($0.value) }
        }
    }

    /// The same report with the days in a time zone.
    /// - Parameter local: the day of a time, in UTC seconds, in that zone.
    func dated(_ local: (Int64) -> CivilDate) -> BankCache {
        var cache = self
        cache.transactions = transactions.mapValues { $0.dated(local) }
        cache.vanished = vanished.mapValues { $0.dated(local) }
        cache.balances = balances.mapValues { $0.dated(local) }
        return cache
    }

    /// The records for the device store.
    /// - Returns: nil if the system cannot seal them.
    func records(at now: Int64, sealedBy seal: (_ content: [UInt8]) -> [UInt8]?) -> [BankCacheRecord]? {
        var contents: [(kind: BankCacheRecord.Kind, account: String, content: [UInt8])] = [
            (.accounts, "", encodedAccounts)
        ]
        for account in accounts {
            if let balance = balances[account.id] {
                contents.append((.balance, account.id, Self.encode(balance)))
            }
            if let rows = transactions[account.id] {
                let (vanished, followed) = (vanished[account.id] ?? [], followed[account.id] ?? [:])
                let booked = booked[account.id] ?? []
                contents.append((.transactions, account.id, Self.encode(rows, vanished, followed, booked)))
            }
        }
        var records: [BankCacheRecord] = []
        for (kind, account, content) in contents {
            guard let sealed = seal(content) else { return nil }
            records.append(BankCacheRecord(kind: kind, account: account, at: now, content: sealed))
        }
        return records
    }

    init() {}

    /// Opens records. A record that cannot be opened or parsed counts as missing.
    init(_ records: [BankCacheRecord], openedBy open: (_ sealed: [UInt8]) -> [UInt8]?) {
        for record in records {
            guard let content = open(record.content) else { continue }
            // A content of another version counts as missing, until the next refresh.
            switch record.kind {
            case .accounts:
                let decoded = Self.decode(content) { reader throws(MalformedJSON) in
                    try reader.bankAccounts()
                }
                if let decoded { (accounts, leftOut, messages, formerBanks) = decoded }
            case .balance:
                balances[record.account] = Self.decode(content) { reader throws(MalformedJSON) in
                    try reader.bankBalance()
                }
            case .transactions:
                let decoded = Self.decode(content) { reader throws(MalformedJSON) in
                    try reader.bankReport()
                }
                (transactions[record.account], vanished[record.account]) = (decoded?.rows, decoded?.vanished)
                followed[record.account] = decoded?.followed
                booked[record.account] = decoded?.booked
            }
        }
    }

    private static func decode<Value>(
        _ content: [UInt8],
        _ body: (inout JSONReader) throws(MalformedJSON) -> Value
    ) -> Value? {
        do throws(MalformedJSON) { return try JSONReader.read(content, body) } catch { return nil }
    }

    private var encodedAccounts: [UInt8] {
        JSONWriter.encode { writer in
            writer.object { writer in
                writer.name("accounts")
                writer.array { writer in
                    for account in accounts {
                        writer.array { writer in
                            writer.string(account.ownID)
                            writer.string(account.name)
                            writer.string(account.kind.rawValue)
                            writer.string(account.currency.rawValue)
                            writer.string(account.institution ?? "")
                            if let organisation = account.organisation { writer.string(organisation) }
                        }
                    }
                }
                writer.member("left_out", Int64(leftOut))
                writer.name("messages")
                writer.array { writer in for message in messages { writer.string(message) } }
                writer.pairs("former", formerBanks)
            }
        }
    }

    private static func encode(_ balance: BankBalance) -> [UInt8] {
        JSONWriter.encode { writer in
            writer.array { writer in
                writer.integer(balance.money.minor)
                writer.string(balance.money.currency.rawValue)
                writer.integer(balance.asOf)
            }
        }
    }

    private static func encode(
        _ rows: [BankTransaction],
        _ vanished: [BankTransaction],
        _ followed: [String: String],
        _ booked: Set<String>
    ) -> [UInt8] {
        JSONWriter.encode { writer in
            writer.object { writer in
                for (name, rows) in [("rows", rows), ("vanished", vanished)] {
                    writer.name(name)
                    writer.array { writer in
                        for row in rows {
                            writer.array { writer in
                                writer.string(row.id)
                                writer.integer(Int64(row.date.dayNumber))
                                writer.integer(row.money.minor)
                                writer.string(row.money.currency.rawValue)
                                writer.string(row.description)
                                writer.string(row.counterparty ?? "")
                                writer.bool(row.isPending)
                                if let time = row.time { writer.integer(time) }
                            }
                        }
                    }
                }
                writer.pairs("followed", followed)
                guard !booked.isEmpty else { return }
                writer.name("booked")
                writer.array { writer in for id in booked.sorted() { writer.string(id) } }
            }
        }
    }
}

extension BankSuccessors {
    /// The provider's identifiers of the transactions that are booked now.
    var bookedIDs: Set<String> { Set(booked.map { String($0.description.dropFirst($0.account.count + 1)) }) }
}

extension JSONWriter {
    /// Writes texts by their names as one array, in which each name is followed by its text; nothing for none.
    fileprivate mutating func pairs(_ name: String, _ texts: [String: String]) {
        guard !texts.isEmpty else { return }
        self.name(name)
        array { writer in
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
                writer.string(name)
                writer.string(text)
            }
        }
    }
}

extension JSONReader {
    private mutating func strings() throws(MalformedJSON) -> [String] {
        var texts: [String] = []
        try array { reader throws(MalformedJSON) in texts.append(try reader.string()) }
        return texts
    }

    private mutating func pairs() throws(MalformedJSON) -> [String: String] {
        let texts = try strings()
        guard texts.count.isMultiple(of: 2) else { throw malformed }
        var pairs: [String: String] = [:]
        for index in stride(from: 0, to: texts.count, by: 2) { pairs[texts[index]] = texts[index + 1] }
        return pairs
    }

    /// Reads an array with a number of elements between two bounds, one for each call of `element`.
    private mutating func elements(
        _ count: ClosedRange<Int>,
        _ element: (Int, inout JSONReader) throws(MalformedJSON) -> Void
    ) throws(MalformedJSON) {
        var index = 0
        try array { reader throws(MalformedJSON) in
            guard index < count.upperBound else { throw reader.malformed }
            try element(index, &reader)
            index += 1
        }
        guard count.contains(index) else { throw malformed }
    }

    fileprivate mutating func bankAccounts() throws(MalformedJSON)
        -> ([BankAccount], Int, [String], former: [String: String])
    {
        var (accounts, messages): ([BankAccount], [String]) = ([], [])
        var former: [String: String] = [:]
        var leftOut = 0
        try object { name, reader throws(MalformedJSON) in
            switch name {
            case "accounts":
                try reader.array { reader throws(MalformedJSON) in
                    accounts.append(try reader.bankAccount())
                }
            case "left_out": leftOut = Int(clamping: try reader.integer())
            case "messages": messages = try reader.strings()
            case "former": former = try reader.pairs()
            default: throw reader.malformed
            }
        }
        return (accounts, leftOut, messages, former)
    }

    fileprivate mutating func bankReport() throws(MalformedJSON)
        -> (
            rows: [BankTransaction], vanished: [BankTransaction], followed: [String: String],
            booked: Set<String>
        )
    {
        var (rows, vanished): ([BankTransaction], [BankTransaction]) = ([], [])
        var (followed, booked): ([String: String], Set<String>) = ([:], [])
        try object { name, reader throws(MalformedJSON) in
            switch name {
            case "rows": rows = try reader.bankTransactions()
            case "vanished": vanished = try reader.bankTransactions()
            case "followed": followed = try reader.pairs()
            case "booked": booked = Set(try reader.strings())
            default: throw reader.malformed
            }
        }
        return (rows, vanished, followed, booked)
    }

    private mutating func bankTransactions() throws(MalformedJSON) -> [BankTransaction] {
        var rows: [BankTransaction] = []
        try array { reader throws(MalformedJSON) in rows.append(try reader.bankTransaction()) }
        return rows
    }

    private mutating func bankAccount() throws(MalformedJSON) -> BankAccount {
        var texts: [String] = []
        try array { reader throws(MalformedJSON) in texts.append(try reader.string()) }
        guard [5, 6].contains(texts.count), let kind = BankAccountKind(rawValue: texts[2]),
            let currency = CurrencyCode(texts[3])
        else { throw malformed }
        return BankAccount(
            id: texts[0],
            name: texts[1],
            kind: kind,
            currency: currency,
            institution: texts[4].isEmpty ? nil : texts[4],
            organisation: texts.count > 5 ? texts[5] : nil
        )
    }

    fileprivate mutating func bankBalance() throws(MalformedJSON) -> BankBalance {
        var (minor, asOf): (Int64, Int64) = (0, 0)
        var currency: CurrencyCode?
        try elements(3...3) { index, reader throws(MalformedJSON) in
            switch index {
            case 0: minor = try reader.integer()
            case 1: currency = CurrencyCode(try reader.string())
            default: asOf = try reader.integer()
            }
        }
        guard let currency else { throw malformed }
        return BankBalance(money: Money(minor: minor, currency: currency), asOf: asOf)
    }

    private mutating func bankTransaction() throws(MalformedJSON) -> BankTransaction {
        var (id, description, counterparty) = ("", "", "")
        var (day, minor): (Int64, Int64) = (0, 0)
        var currency: CurrencyCode?
        var isPending = false
        var time: Int64?
        try elements(7...8) { index, reader throws(MalformedJSON) in
            switch index {
            case 0: id = try reader.string()
            case 1: day = try reader.integer()
            case 2: minor = try reader.integer()
            case 3: currency = CurrencyCode(try reader.string())
            case 4: description = try reader.string()
            case 5: counterparty = try reader.string()
            case 6: isPending = try reader.bool()
            // Only of a transaction with a time.
            default: time = try reader.integer()
            }
        }
        guard let currency else { throw malformed }
        return BankTransaction(
            id: id,
            date: CivilDate(dayNumber: Int32(clamping: day)),
            time: time,
            money: Money(minor: minor, currency: currency),
            description: description,
            counterparty: counterparty.isEmpty ? nil : counterparty,
            isPending: isPending
        )
    }
}
