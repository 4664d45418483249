// The words for balances that are unknown, and for sums without them.

import Ledger
import Texts

extension Formats {
    /// The words in the place of a balance: `unknown since 21 Nov 2026`; nil for a known one.
    func words(for unknown: UnknownBalance?) -> Text? {
        guard let unknown else { return nil }
        guard let since = unknown.since else { return Text("accounts.unknown") }
        return Text("accounts.unknown-since", ["day": .string(style.shortDay(day(since)))])
    }
}

extension Text {
    /// The sentence beside a sum without the balances that are unknown; nil if all are known.
    static func withoutUnknown(_ count: Int) -> Text? {
        count > 0 ? Text("accounts.without-unknown", ["count": .count(count)]) : nil
    }
}
