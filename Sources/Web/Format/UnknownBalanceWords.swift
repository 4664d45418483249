// The words for balances that are unknown, and for sums without them.

import Ledger
import Texts

extension Formats {
    /// The words in the place of a balance: `unknown since 21 Nov 2026`, or `unknown`; nil for a known one.
    /// - Parameter shown: the day of the balance; nil for today. A balance of a day before the last refresh is not unknown
    ///   since that.
    func words(for unknown: UnknownBalance?, on shown: CivilDate? = nil) -> Text? {
        guard let unknown else { return nil }
        guard let since = unknown.since.map(day), shown.map({ since <= $0 }) ?? true else {
            return Text("accounts.unknown")
        }
        return Text("accounts.unknown-since", ["day": .string(style.shortDay(since))])
    }
}

extension Text {
    /// The sentence beside a sum without the balances that are unknown; nil if all are known.
    static func withoutUnknown(_ count: Int) -> Text? {
        count > 0 ? Text("accounts.without-unknown", ["count": .count(count)]) : nil
    }

    /// The sentence beside income and spending that contain the recorded transactions of some accounts, and not the others
    /// that their banks report; nil if there is no such account.
    static func onlyRecorded(_ count: Int) -> Text? {
        count > 0 ? Text("accounts.only-recorded-counts", ["count": .count(count)]) : nil
    }
}
