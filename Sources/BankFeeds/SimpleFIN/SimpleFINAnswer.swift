// The message of SimpleFIN with all accounts.

import Encoding
import Ledger

/// Parses the answer to the request for accounts.
struct SimpleFINAnswer {
    let currencies: CurrencyTable
    /// UTC seconds.
    let now: Int64
    private static let mostAccounts = 100
    /// The greatest number of messages that are shown to the user.
    private static let mostMessages = 5

    init(currencies: CurrencyTable, now: Int64) {
        self.currencies = currencies
        self.now = now
    }

    private struct Fields {
        var (id, name, currency, balance): (String?, String?, String?, String?)
        var organisation = Organisation()
        var balanceAt: Int64?
        var candidates: [BankRows.Candidate] = []
    }

    /// A bank. The identifiers of accounts are unique within it only.
    private struct Organisation {
        var (id, name, domain, address): (String?, String?, String?, String?)

        /// The identifier: the documentation requires one of the last two, and `id` is optional.
        var key: String? { [id, domain, address].lazy.compactMap { $0.flatMap(BankText.id) }.first }
    }

    func report(of body: [UInt8]) throws(BankFeedError) -> BankReport {
        var all: [Fields]?
        var messages: [String] = []
        try BankRequests.read(body) { reader throws(MalformedJSON) in
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "errors":
                    try reader.array { reader throws(MalformedJSON) in
                        if let message = BankText.line(try reader.textIfAny()) { messages.append(message) }
                    }
                case "accounts":
                    var accounts: [Fields] = []
                    try reader.array { reader throws(MalformedJSON) in accounts.append(try fields(&reader)) }
                    all = accounts
                default: try reader.skip()
                }
            }
        }
        guard let all else { throw .malformed("it has no accounts") }
        guard all.count <= Self.mostAccounts else {
            throw .malformed("more than \(Self.mostAccounts) accounts")
        }
        // The documentation has this sentence, in an answer of success. Without an account, there is nothing new to store.
        let needsConsent = messages.contains { $0.lowercased().contains("must reauthenticate") }
        guard !needsConsent || !all.isEmpty else { throw .consentEnded }
        var report = BankReport(
            lines: [],
            leftOut: 0,
            messages: Array(messages.prefix(Self.mostMessages)),
            needsConsent: needsConsent
        )
        var ids: Set<String> = []
        for fields in all {
            guard let line = try line(fields) else {
                report.leftOut += 1
                continue
            }
            if ids.insert(line.account.id).inserted { report.lines.append(line) }
        }
        return report
    }

    /// - Returns: nil for an account without an identifier or with a currency that is not in use.
    private func line(_ fields: Fields) throws(BankFeedError) -> BankReport.Line? {
        // The address of a provider's own currency, such as the currency of a club, is not in use as a currency.
        let organisation = fields.organisation.key
        guard let id = fields.id.flatMap({ BankText.id($0) }),
            organisation.map({ BankText.id("\($0)/\(id)") != nil }) ?? true,
            let currency = fields.currency.flatMap({ BankText.currency($0, currencies) })
        else { return nil }
        var rows = BankRows(currencies: currencies, today: CivilDate(utc: now))
        for isPending in [false, true] {
            for var candidate in fields.candidates where candidate.isPending == isPending {
                candidate.currency = currency.code.rawValue
                try rows.add(candidate)
            }
        }
        let minor = fields.balance.flatMap { BankAmount.minor($0, exponent: currency.exponent) }
        return BankReport.Line(
            account: BankAccount(
                id: id,
                name: BankText.line(fields.name) ?? id,
                kind: .other,
                currency: currency.code,
                institution: BankText.line(fields.organisation.name ?? fields.organisation.domain),
                organisation: organisation
            ),
            balance: minor.map {
                let money = Money(minor: $0, currency: currency.code)
                return BankBalance(money: money, asOf: min(fields.balanceAt ?? now, now))
            },
            transactions: rows.list
        )
    }

    private func fields(_ reader: inout JSONReader) throws(MalformedJSON) -> Fields {
        var fields = Fields()
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "id": fields.id = try reader.textIfAny()
            case "name": fields.name = try reader.textIfAny()
            case "currency": fields.currency = try reader.textIfAny()
            case "balance": fields.balance = try reader.textIfAny()
            // A time before 1970 is an error of the bank: transactions since then would count on top of the balance.
            case "balance-date": fields.balanceAt = try reader.integerIfAny().flatMap { $0 > 0 ? $0 : nil }
            case "org": fields.organisation = try organisation(&reader)
            case "transactions":
                try reader.array { reader throws(MalformedJSON) in
                    fields.candidates.append(try candidate(&reader))
                }
            default: try reader.skip()
            }
        }
        return fields
    }

    private func organisation(_ reader: inout JSONReader) throws(MalformedJSON) -> Organisation {
        var organisation = Organisation()
        guard try reader.kind() == .object else {
            try reader.skip()
            return organisation
        }
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "id": organisation.id = try reader.textIfAny()
            case "name": organisation.name = try reader.textIfAny()
            case "domain": organisation.domain = try reader.textIfAny()
            case "sfin-url": organisation.address = try reader.textIfAny()
            default: try reader.skip()
            }
        }
        return organisation
    }

    private func candidate(_ reader: inout JSONReader) throws(MalformedJSON) -> BankRows.Candidate {
        var candidate = BankRows.Candidate()
        var (posted, transacted): (Int64?, Int64?)
        try reader.object { name, reader throws(MalformedJSON) in
            switch name {
            case "id": candidate.ids = [try reader.textIfAny()]
            case "posted": posted = try reader.integerIfAny()
            case "transacted_at": transacted = try reader.integerIfAny()
            case "amount": candidate.amount = try reader.textIfAny()
            case "description": candidate.description = try reader.textIfAny()
            case "payee": candidate.counterparty = try reader.textIfAny()
            case "pending": candidate.isPending = try reader.element() == .raw("true")
            default: try reader.skip()
            }
        }
        // A pending transaction is posted at 0.
        if posted == 0 {
            candidate.isPending = true
            posted = transacted
            // The present is a time, also at midnight.
            if transacted == nil { candidate.at = .time(now) }
        }
        if let posted, posted > 0 { candidate.at = StatedTime(seconds: posted) }
        return candidate
    }
}
