// The day from which entries are added to the balance of a bank, in the user's time zone.
import Ledger
import TestKit
import Testing

@testable import Book

@Suite struct DaysOfBankBalances {
    private let folder = Scratch()
    private let key = BankAccountKey.sample("a")

    /// The hours between a zone and UTC, the time of the balance in seconds after midnight UTC of 21 November, and the balance
    /// with an entry of 21 November.
    @Test(
        arguments: [
            // New York: the evening of the 20th there. The entry of the 21st is not in the balance yet.
            (-5, 7_200, 9_700), (-5, 5 * 3_600, 10_000), (0, 7_200, 10_000),
            // Berlin: half past midnight of the 21st there. The entry of the 21st is in the balance.
            (1, -1_800, 10_000), (1, -3_601, 9_700), (0, -1_800, 9_700),
            // A bank that states only the day.
            (-5, 0, 10_000), (1, 0, 10_000), (1, -86_400, 9_700),
        ] as [(Int64, Int64, Int128)]
    )
    func aBalanceIsThatOfTheUsersDay(hours: Int64, seconds: Int64, expected: Int128) throws {
        let book = try Book.scratch(folder)
        try book.add(Account.sample(1))
        try book.joinSample("a", to: 1)
        try book.record(.sample(50, .expense, "2025-11-21", 300))
        let midnight = Int64(day("2025-11-21").dayNumber) * 86_400
        let balance = BankBalance(money: Money(minor: 10_000, currency: .eur), asOf: midnight + seconds)
            .dated { CivilDate(utc: $0 + hours * 3_600) }
        let rows = try book.bankRows(of: BankReports([:], balances: [key: balance]))
        #expect(try book.balances(beside: rows).first?.knownMinor == expected)
    }
}
