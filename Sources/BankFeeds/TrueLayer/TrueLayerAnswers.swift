// The messages of TrueLayer: tokens, accounts, cards, balances and transactions.

import Encoding
import Ledger

/// The answer of the token endpoint.
struct TrueLayerTokens {
    var access = ""
    var renewal: String?
    /// The time for which `access` is valid.
    var seconds: Int64 = 0
    /// The longest time that is trusted: a day.
    private static let mostSeconds: Int64 = 86_400

    init(_ body: [UInt8]) throws(BankFeedError) {
        var (access, renewal, seconds): (String?, String?, Int64?) = (nil, nil, nil)
        try BankRequests.read(body) { reader throws(MalformedJSON) in
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "access_token": access = try reader.textIfAny()
                case "refresh_token": renewal = try reader.textIfAny()
                case "expires_in": seconds = try reader.integerIfAny()
                default: try reader.skip()
                }
            }
        }
        guard let access, BankRequests.isHeaderSafe(access) else { throw .malformed("it has no token") }
        self.access = access
        self.renewal = renewal.flatMap { BankRequests.isHeaderSafe($0) ? $0 : nil }
        self.seconds = min(max(seconds ?? 0, 0), Self.mostSeconds)
    }

    /// Whether a refusal says that the code or the token is not valid any more.
    static func isInvalidGrant(_ body: [UInt8]) -> Bool {
        var error: String?
        try? BankRequests.read(body) { reader throws(MalformedJSON) in
            try reader.object { name, reader throws(MalformedJSON) in
                if name == "error" { error = try reader.textIfAny() } else { try reader.skip() }
            }
        }
        return error == "invalid_grant"
    }
}

/// Parses the answers of the Data API, each of which is an object with the list `results`.
enum TrueLayerAnswers {
    /// The greatest number of accounts and cards.
    private static let mostAccounts = 100

    /// The longest time for which the end of a consent is believed, in seconds: ten years.
    private static let mostConsentSeconds: Int64 = 315_360_000

    /// The identifier and the end of the consent, in UTC seconds. An end that is not after `now` is left out.
    static func consent(_ body: [UInt8], after now: Int64) throws(BankFeedError) -> (
        id: String?, endsAt: Int64?
    ) {
        var consents: [(id: String?, endsAt: Int64?)] = []
        try results(of: body) { reader throws(MalformedJSON) in
            var (id, end): (String?, String?)
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "credentials_id": id = try reader.textIfAny()
                case "consent_expires_at": end = try reader.textIfAny()
                default: try reader.skip()
                }
            }
            let endsAt = end.flatMap { BankTime.seconds($0) }
            consents.append((id.flatMap { BankText.id($0) }, endsAt))
        }
        guard let first = consents.first else { return (nil, nil) }
        let isBelieved = first.endsAt.map { (1...mostConsentSeconds).contains($0 - now) } ?? false
        return (first.id, isBelieved ? first.endsAt : nil)
    }

    static func addAccounts(
        of body: [UInt8],
        to report: inout BankReport,
        isCard: Bool,
        _ currencies: CurrencyTable
    ) throws(BankFeedError) {
        var (lines, leftOut): ([BankReport.Line], Int) = ([], 0)
        try results(of: body) { reader throws(MalformedJSON) in
            var fields = AccountFields()
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "account_id": fields.id = try reader.textIfAny()
                case "display_name": fields.name = try reader.textIfAny()
                case "currency": fields.currency = try reader.textIfAny()
                case "account_type": fields.type = try reader.textIfAny()
                case "provider": fields.institution = try institution(&reader)
                default: try reader.skip()
                }
            }
            guard let account = fields.account(isCard: isCard, currencies) else {
                leftOut += 1
                return
            }
            lines.append(BankReport.Line(account: account))
        }
        let known = Set(report.lines.map(\.account.id))
        var added = known
        report.lines += lines.filter { added.insert($0.account.id).inserted }
        report.leftOut += leftOut
        guard report.lines.count <= mostAccounts else {
            throw .malformed("more than \(mostAccounts) accounts")
        }
    }

    private struct AccountFields {
        var (id, name, currency, type, institution): (String?, String?, String?, String?, String?)

        func account(isCard: Bool, _ currencies: CurrencyTable) -> BankAccount? {
            guard let id = id.flatMap({ BankText.id($0) }),
                let currency = currency.flatMap({ BankText.currency($0, currencies) })
            else { return nil }
            let kind: BankAccountKind =
                switch type {
                case _ where isCard: .card
                case "TRANSACTION", "BUSINESS_TRANSACTION": .current
                case "SAVINGS", "BUSINESS_SAVINGS": .savings
                default: .other
                }
            return BankAccount(
                id: id,
                name: BankText.line(name) ?? id,
                kind: kind,
                currency: currency.code,
                institution: BankText.line(institution)
            )
        }
    }

    /// The name of the bank in the member `provider`.
    private static func institution(_ reader: inout JSONReader) throws(MalformedJSON) -> String? {
        guard try reader.kind() == .object else { return try reader.skip() }
        var institution: String?
        try reader.object { name, reader throws(MalformedJSON) in
            if name == "display_name" { institution = try reader.textIfAny() } else { try reader.skip() }
        }
        return institution
    }

    /// The balance of an account. The debt of a card is reported above zero, and below zero here.
    static func balance(
        of account: BankAccount,
        _ body: [UInt8],
        _ currencies: CurrencyTable,
        now: Int64
    ) throws(BankFeedError) -> BankBalance? {
        var balance: BankBalance?
        try results(of: body) { reader throws(MalformedJSON) in
            var (current, code): (String?, String?)
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "current": current = try reader.numberIfAny()
                case "currency": code = try reader.textIfAny()
                default: try reader.skip()
                }
            }
            guard balance == nil, let currency = currencies[account.currency],
                code == nil || code == account.currency.rawValue,
                let minor = current.flatMap({ BankAmount.minor($0, exponent: currency.exponent) })
            else { return }
            let money = Money(minor: account.kind == .card ? -minor : minor, currency: account.currency)
            balance = BankBalance(money: money, asOf: now)
        }
        return balance
    }

    static func addTransactions(of body: [UInt8], to rows: inout BankRows, isPending: Bool)
        throws(BankFeedError)
    {
        var candidates: [BankRows.Candidate] = []
        try results(of: body) { reader throws(MalformedJSON) in
            var (normalised, ofProvider, id): (String?, String?, String?)
            var candidate = BankRows.Candidate()
            try reader.object { name, reader throws(MalformedJSON) in
                switch name {
                case "normalised_provider_transaction_id": normalised = try reader.textIfAny()
                case "provider_transaction_id": ofProvider = try reader.textIfAny()
                case "transaction_id": id = try reader.textIfAny()
                case "timestamp": candidate.at = try reader.textIfAny().flatMap { BankTime.stated($0) }
                case "amount": candidate.amount = try reader.numberIfAny()
                case "currency": candidate.currency = try reader.textIfAny()
                case "description": candidate.description = try reader.textIfAny()
                case "merchant_name": candidate.counterparty = try reader.textIfAny()
                // The sign of the amount differs between accounts and cards, and this does not.
                case "transaction_type": candidate.isOutflow = try isDebit(&reader)
                default: try reader.skip()
                }
            }
            candidate.ids = [normalised, ofProvider, id]
            candidate.isPending = isPending
            candidates.append(candidate)
        }
        for candidate in candidates { try rows.add(candidate) }
    }

    private static func isDebit(_ reader: inout JSONReader) throws(MalformedJSON) -> Bool? {
        switch try reader.textIfAny() {
        case "DEBIT": true
        case "CREDIT": false
        default: nil
        }
    }

    /// Reads each element of `results`.
    private static func results(
        of body: [UInt8],
        _ element: (inout JSONReader) throws(MalformedJSON) -> Void
    ) throws(BankFeedError) {
        var isThere = false
        try BankRequests.read(body) { reader throws(MalformedJSON) in
            try reader.object { name, reader throws(MalformedJSON) in
                guard name == "results" else {
                    try reader.skip()
                    return
                }
                isThere = true
                try reader.array(element)
            }
        }
        guard isThere else { throw .malformed("it has no results") }
    }
}
