// The rules for the transactions of all providers: unusable transactions are counted, repeated transactions appear
// once, and the order of the response does not matter.

import Encoding
import Ledger

/// Collects the transactions of one account.
struct BankRows {
    /// The greatest number of transactions of one account.
    static let most = 10_000

    private let currencies: CurrencyTable
    private let today: CivilDate
    private var rows: [(row: BankTransaction, ids: [String?])] = []
    /// The places of the rows by each of their identifiers.
    private var places: [RankedID: [Int]] = [:]
    private var ids: Set<String> = []
    private var leftOut = 0
    private var count = 0

    /// - Parameter today: the current day in UTC.
    init(currencies: CurrencyTable, today: CivilDate) {
        self.currencies = currencies
        self.today = today
    }

    /// A transaction as its provider writes it.
    struct Candidate {
        /// The identifiers that the provider reports, the most stable one first.
        var ids: [String?] = []
        var at: StatedTime?
        /// A decimal number.
        var amount: String?
        var currency: String?
        var description: String?
        var counterparty: String?
        var isPending = false
        /// Replaces the sign of the amount; nil to keep it.
        var isOutflow: Bool?
    }

    /// Adds a transaction.
    ///
    /// It is left out and counted if it has no identifier, no day, an unknown currency, an amount that is not a whole
    /// number of minor units, or a day in the future or before 1970. A transaction that was added before is ignored: the two are
    /// compared by the most stable identifier that both have, and booked transactions are added before pending
    /// transactions. If both are booked and their amounts differ, the identifier is none, and the second is left out
    /// and counted.
    /// - Throws: `malformed` for more transactions than `most`.
    mutating func add(_ candidate: Candidate) throws(BankFeedError) {
        count += 1
        guard count <= Self.most else { throw .malformed("more than \(Self.most) transactions") }
        // A day that has begun somewhere on Earth is not in the future.
        let ranked = candidate.ids.map { $0.flatMap { BankText.id($0) } }
        guard let id = ranked.compactMap(\.self).first,
            let at = candidate.at, at.utcDay <= today.adding(days: 1), !at.utcDay.isUnusual(on: today),
            let currency = candidate.currency.flatMap({ BankText.currency($0, currencies) }),
            let minor = candidate.amount.flatMap({ BankAmount.minor($0, exponent: currency.exponent) })
        else {
            leftOut += 1
            return
        }
        let signed = candidate.isOutflow.map { $0 ? -abs(minor) : abs(minor) } ?? minor
        let row = BankTransaction(
            id: id,
            date: at.utcDay,
            time: at.seconds,
            money: Money(minor: signed, currency: currency.code),
            description: BankText.line(candidate.description) ?? "",
            counterparty: BankText.line(candidate.counterparty),
            isPending: candidate.isPending
        )
        if let place = place(of: ranked) {
            let known = rows[place].row
            if !known.isPending, !row.isPending, known.money != row.money { leftOut += 1 }
            complete(place, with: ranked)
            return
        }
        // Another transaction has this identifier in another field.
        guard ids.insert(id).inserted else {
            leftOut += 1
            return
        }
        rows.append((row, ranked))
        note(ranked, at: rows.count - 1)
    }

    /// The place of the row that has the same value in the most stable identifier that both have.
    private func place(of ranked: [String?]) -> Int? {
        for (rank, id) in ranked.enumerated() {
            guard let id, let found = places[RankedID(rank: rank, id: id)] else { continue }
            let same = found.first { place in
                zip(rows[place].ids, ranked).first { $0 != nil && $1 != nil }.map { $0 == $1 } ?? false
            }
            if let same { return same }
        }
        return nil
    }

    /// Adds the identifiers that a row lacks. Its own is the most stable one, whichever copy has it.
    private mutating func complete(_ place: Int, with ranked: [String?]) {
        let all = zip(rows[place].ids, ranked).map { $0 ?? $1 }
        guard all != rows[place].ids else { return }
        rows[place].ids = all
        note(all, at: place)
        guard let id = all.compactMap(\.self).first, ids.insert(id).inserted else { return }
        ids.remove(rows[place].row.id)
        rows[place].row.id = id
    }

    private mutating func note(_ ranked: [String?], at place: Int) {
        for (rank, id) in ranked.enumerated() {
            guard let id else { continue }
            let ranked = RankedID(rank: rank, id: id)
            if places[ranked]?.contains(place) != true { places[ranked, default: []].append(place) }
        }
    }

    /// All transactions, the newest first.
    var list: BankTransactionList {
        let sorted = rows.map(\.row).sorted { ($0.date, $0.id) > ($1.date, $1.id) }
        return BankTransactionList(rows: sorted, leftOut: leftOut)
    }
}

/// An identifier with its place among the identifiers of a transaction.
private struct RankedID: Hashable {
    let rank: Int
    let id: String
}

/// Texts of a provider, made safe for pages.
enum BankText {
    /// The longest line, in characters.
    private static let mostCharacters = 200
    /// The longest identifier, in bytes.
    private static let mostIDBytes = 200

    /// A line without control characters, shortened; nil if nothing is left.
    static func line(_ text: String?) -> String? {
        guard let text else { return nil }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // Directional formatting could change the order of the text beside it.
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: line.append(" ")
            default: line.append(scalar)
            }
        }
        let words = String(line).split(whereSeparator: \.isWhitespace).joined(separator: " ").inNormalForm
        return words.isEmpty ? nil : String(words.prefix(mostCharacters))
    }

    /// An identifier: printable ASCII without spaces; nil for other text.
    static func id(_ text: String) -> String? {
        (1...mostIDBytes).contains(text.utf8.count) && text.utf8.allSatisfy { (33...126).contains($0) }
            ? text : nil
    }

    /// The currency of a code in capital letters; nil if it is not in use.
    static func currency(_ text: String, _ currencies: CurrencyTable) -> Currency? {
        guard let code = CurrencyCode(text), code.rawValue == text else { return nil }
        return currencies[code]
    }
}
