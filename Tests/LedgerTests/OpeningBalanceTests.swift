// The day of an opening balance, and the transactions that it perhaps contains.
import Ledger
import Testing

@Suite struct OpeningBalancesAndTheirDays {
    private let day = CivilDate(dayNumber: 20_000)

    @Test func countFromTheirDayOn() {
        let opening = OpeningBalance(minor: 700, day: day)
        #expect(opening.minor(after: day.adding(days: -1)) == 700 && opening.minor(after: day) == 0)
        #expect(opening.minor(of: day...day) == 700 && opening.minorBeforeEverything == 0)
        #expect(opening.minor(of: day.adding(days: 1)...day.adding(days: 9)) == 0)
        let always = OpeningBalance(minor: 700)
        #expect(always.minor(after: day) == 0 && always.minor(of: day...day) == 0)
        #expect(always.minorBeforeEverything == 700)
    }

    @Test(
        arguments: [
            (.expense, -1, -500, 0), (.income, -1, 500, 0), (.transfer, -1, -500, 450), (.expense, 0, 0, 0),
            (.transfer, 9, 0, 0),
        ] as [(TransactionKind, Int, Int64, Int64)]
    )
    func containChangesOfEarlierDays(kind: TransactionKind, after: Int, change: Int64, other: Int64) {
        let accounts = [EntityID(high: 1, low: 1), EntityID(high: 1, low: 2)].map { id in
            Account(id: id, name: "A", type: .cash, currency: .eur, openingMinor: 0, openingDay: day)
        }
        let transaction = Transaction(
            id: EntityID(high: 1, low: 50),
            kind: kind,
            date: day.adding(days: after),
            amount: Money(minor: 500, currency: .eur),
            account: accounts[0].id,
            accountMinor: 500,
            toAccount: kind == .transfer ? accounts[1].id : nil,
            toMinor: kind == .transfer ? 450 : nil
        )
        #expect(accounts.map { transaction.changeMinor(beforeOpeningOf: $0) } == [change, other])
        let asked = transaction.perhapsInOpenings(of: accounts, inPlaceOf: nil)
        #expect(asked.count == [change, other].count { $0 != 0 })
        #expect(transaction.perhapsInOpenings(of: accounts, inPlaceOf: transaction).isEmpty)
    }
}
