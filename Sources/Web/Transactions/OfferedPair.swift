// The two amounts that a form has offered, as a hidden field of the form.

import Ledger
import Texts

extension AmountPair {
    /// The hidden input that remembers the question.
    static let fieldName = "offered_amounts"

    /// The value of the field: `2000 GBP 2340 EUR`.
    var fieldValue: String { "\(amount.minor) \(amount.currency) \(other.minor) \(other.currency)" }

    init?(fieldValue: String) {
        let parts = fieldValue.split(separator: " ")
        guard parts.count == 4, let minor = Int64(parts[0]), let currency = CurrencyCode(parts[1]),
            let otherMinor = Int64(parts[2]), let otherCurrency = CurrencyCode(parts[3]), minor > 0
        else { return nil }
        self.init(
            amount: Money(minor: minor, currency: currency),
            other: Money(minor: otherMinor, currency: otherCurrency)
        )
    }

    /// The question after one of the amounts was changed.
    /// - Parameters:
    ///   - new: the amounts as they were sent.
    ///   - offered: what is filled in for the other one; nil if there is no rate.
    func question(about new: AmountPair, offering offered: Money?, _ formats: Formats) -> Text {
        let known: [String: Text.Argument] = [
            "other": .string(formats.money(other.minor, other.currency)),
            "amount": .string(formats.money(amount.minor, amount.currency)),
            "new": .string(formats.money(new.amount.minor, new.amount.currency)),
            "currency": "\(new.other.currency)",
        ]
        guard let offered else { return Text("transactions.other-was-for-another-amount", known) }
        let all = known.merging(["offered": .string(formats.money(offered.minor, offered.currency))]) { $1 }
        return new.other.currency == other.currency && new.amount.currency == amount.currency
            ? Text("transactions.other-at-the-same-rate", all)
            : Text("transactions.other-by-the-latest-rate", all)
    }
}
