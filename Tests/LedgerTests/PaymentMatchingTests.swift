// Which payments answer for which occurrences: each for one at most.
import TestKit
import Testing

@testable import Ledger

private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso: text)) }

extension EntityID {
    fileprivate static func number(_ number: Int) -> EntityID { EntityID(high: 7, low: UInt64(number)) }
}

/// A case: the next occurrence of some schedules, some payments, and the payments of the occurrences by their places.
struct PaymentCase: Sendable, CustomTestStringConvertible {
    let title: String
    let schedules: [Schedule]
    let payments: [Transaction]
    /// For each schedule the number of the payment of its next occurrence, or nil.
    let matched: [Int?]
    /// The schedules that are equally near to a payment and have none, by the number of the payment.
    let ties: [Int: [Int]]

    var testDescription: String { title }

    init(
        _ title: String,
        _ schedules: [Schedule],
        _ payments: [Transaction],
        _ matched: [Int?],
        ties: [Int: [Int]] = [:]
    ) {
        (self.title, self.schedules, self.payments) = (title, schedules, payments)
        (self.matched, self.ties) = (matched, ties)
    }
}

private func payment(
    _ number: Int,
    _ date: String,
    _ minor: Int64,
    _ payee: String = "Telco",
    _ change: (inout Transaction) -> Void = { _ in }
) -> Transaction {
    var payment = Transaction(
        id: .number(number),
        kind: .expense,
        date: CivilDate(iso: date) ?? CivilDate(dayNumber: 0),
        amount: Money(minor: minor, currency: .eur),
        account: .number(1),
        accountMinor: minor,
        payee: payee
    )
    change(&payment)
    return payment
}

private func schedule(
    _ number: Int,
    _ start: String,
    _ minor: Int64,
    _ payee: String = "Telco",
    _ change: (inout Schedule) -> Void = { _ in }
) -> Schedule {
    var schedule = Schedule(transaction: payment(number, start, minor, payee))
    change(&schedule)
    return schedule
}

private func transfer(to account: Int) -> (inout Transaction) -> Void {
    { ($0.kind, $0.toAccount, $0.toMinor) = (.transfer, .number(account), $0.accountMinor) }
}

private func transfers(to account: Int) -> (inout Schedule) -> Void {
    { transfer(to: account)(&$0.transaction) }
}

@Suite struct PaymentsOfOccurrences {
    private static let amounts = [
        PaymentCase("one", [schedule(51, "2026-11-21", 1_000)], [payment(1, "2026-11-21", 1_000)], [1]),
        PaymentCase(
            "one payment for two schedules",
            [schedule(51, "2026-11-21", 1_000), schedule(52, "2026-11-21", 1_000)],
            [payment(1, "2026-11-21", 1_000)],
            [1, nil],
            ties: [1: [52]]
        ),
        PaymentCase(
            "two payments for three schedules",
            [51, 52, 53].map { schedule($0, "2026-11-21", 1_000) },
            [payment(1, "2026-11-21", 1_000), payment(2, "2026-11-20", 1_000)],
            [1, 2, nil],
            ties: [1: [53], 2: [53]]
        ),
        PaymentCase(
            "the nearest amount",
            [schedule(51, "2026-11-21", 1_000), schedule(52, "2026-11-21", 1_100)],
            [payment(1, "2026-11-21", 1_100)],
            [nil, 1]
        ),
        PaymentCase(
            "the nearest day",
            [schedule(51, "2026-11-19", 1_000), schedule(52, "2026-11-21", 1_000)],
            [payment(1, "2026-11-21", 1_000)],
            [nil, 1]
        ),
        PaymentCase(
            "the amount before the day",
            [schedule(51, "2026-11-21", 1_000), schedule(52, "2026-11-19", 1_050)],
            [payment(1, "2026-11-21", 1_050)],
            [nil, 1]
        ),
        PaymentCase(
            "the category where amount and day are equal",
            [
                schedule(51, "2026-11-21", 1_000),
                schedule(52, "2026-11-21", 1_000) { $0.transaction.category = .number(9) },
            ],
            [payment(1, "2026-11-21", 1_000) { $0.category = .number(9) }],
            [nil, 1]
        ),
        PaymentCase(
            "monthly beside yearly",
            [schedule(51, "2026-11-21", 1_000) { $0.unit = .year }, schedule(52, "2026-11-21", 1_000)],
            [payment(1, "2026-11-21", 1_000)],
            [1, nil],
            ties: [1: [52]]
        ),
        PaymentCase(
            "a tenth, and more than a tenth",
            [schedule(51, "2026-11-21", 1_000), schedule(52, "2026-11-21", 2_000)],
            [payment(1, "2026-11-21", 1_101), payment(2, "2026-11-21", 1_800)],
            [nil, 2]
        ),
        PaymentCase(
            "three days, and more than three",
            [schedule(51, "2026-11-10", 1_000), schedule(52, "2026-11-21", 1_000)],
            [payment(1, "2026-11-14", 1_000), payment(2, "2026-11-18", 1_000)],
            [nil, 2]
        ),
        PaymentCase(
            "a daily one only on its day",
            [schedule(51, "2026-11-21", 1_000) { $0.unit = .day }],
            [payment(1, "2026-11-20", 1_000)],
            [nil]
        ),
    ]

    private static let parties = [
        PaymentCase(
            "another payee, account, kind or currency",
            [schedule(51, "2026-11-21", 1_000)],
            [
                payment(1, "2026-11-21", 1_000, "Other"),
                payment(2, "2026-11-21", 1_000) { $0.account = .number(2) },
                payment(3, "2026-11-21", 1_000) { $0.kind = .income },
                payment(4, "2026-11-21", 1_000) { $0.amount = Money(minor: 1_000, currency: .usd) },
                payment(5, "2026-11-21", 1_000, ""),
            ],
            [nil]
        ),
        PaymentCase(
            "a payee in other letters",
            [schedule(51, "2026-11-21", 1_000, "Ärzte")],
            [payment(1, "2026-11-21", 1_000, "ÄRZTE")],
            [1]
        ),
        PaymentCase(
            "without a payee, the category",
            [
                schedule(51, "2026-11-21", 1_000, "") { $0.transaction.category = .number(9) },
                schedule(52, "2026-11-21", 1_000, "") { $0.transaction.category = .number(8) },
                schedule(53, "2026-11-21", 1_000, ""),
            ],
            [payment(1, "2026-11-21", 1_000, "") { $0.category = .number(8) }],
            [nil, 1, nil]
        ),
        PaymentCase(
            "without payee and category, the note",
            [
                schedule(51, "2026-11-21", 1_000, ""),
                schedule(52, "2026-11-21", 1_000, "") { $0.transaction.note = "Gym" },
            ],
            [payment(1, "2026-11-21", 1_000, "") { $0.note = "gym" }],
            [nil, 1]
        ),
        PaymentCase(
            "transfers without a payee",
            [schedule(51, "2026-11-21", 1_000, "", transfers(to: 3))],
            [payment(1, "2026-11-21", 1_000, "", transfer(to: 3))],
            [1]
        ),
        PaymentCase(
            "a transfer to another account",
            [schedule(51, "2026-11-21", 1_000, "Me", transfers(to: 3))],
            [payment(1, "2026-11-21", 1_000, "Me", transfer(to: 4))],
            [nil]
        ),
        PaymentCase(
            "a transfer to the same account and to another payee",
            [schedule(51, "2026-11-21", 1_000, "Me", transfers(to: 3))],
            [payment(1, "2026-11-21", 1_000, "You", transfer(to: 3))],
            [nil]
        ),
        PaymentCase(
            "a record of a bank with the exact amount",
            [schedule(51, "2026-11-21", 1_000), schedule(52, "2026-11-21", 1_000)],
            [payment(1, "2026-11-20", 1_000, "DD 4711") { $0.bankTransaction = "bank:a 1" }],
            [1, nil],
            ties: [1: [52]]
        ),
        PaymentCase(
            "a record of a bank with about the amount",
            [schedule(51, "2026-11-21", 1_000)],
            [payment(1, "2026-11-20", 1_001, "DD 4711") { $0.bankTransaction = "bank:a 1" }],
            [nil]
        ),
        PaymentCase(
            "the side of a transfer that a bank has reported",
            [schedule(51, "2026-11-21", 1_000, "", transfers(to: 3))],
            [payment(1, "2026-11-20", 1_000, "DD 4711") { $0.bankTransaction = "bank:a 1" }],
            [1]
        ),
    ]

    @Test(arguments: amounts + parties) func answerForOneOccurrence(one: PaymentCase) throws {
        let open = try one.schedules.map {
            OpenOccurrence(schedule: $0, occurrence: try #require($0.next))
        }
        for (payments, open) in [(one.payments, open), (one.payments.reversed(), open.reversed())] {
            let matching = PaymentMatching(payments, open, payee: { $0.lowercased() })
            let numbers = one.schedules.map { schedule in
                open.first { $0.schedule.id == schedule.id }.flatMap { matching.matches[$0.key] }
            }
            #expect(numbers.map { $0.map { Int($0.low) } } == one.matched)
            let ties = matching.ties.map { (Int($0.low), $1.map { Int($0.series.low) }.sorted()) }
            #expect(Dictionary(ties, uniquingKeysWith: { $1 }) == one.ties)
        }
    }

    @Test func oneScheduleTwiceIsTwoPayments() throws {
        // Saturday, Sunday and Monday are all paid on Monday.
        let daily = schedule(51, "2026-11-21", 1_000) { ($0.unit, $0.shift) = (.day, .after) }
        let open = daily.open(upTo: try day("2026-11-23"), limit: 9).map {
            OpenOccurrence(schedule: daily, occurrence: $0)
        }
        #expect(open.map(\.occurrence.day.description) == ["2026-11-23", "2026-11-23", "2026-11-23"])
        let matching = PaymentMatching([payment(1, "2026-11-23", 1_000)], open, payee: { $0 })
        #expect(matching.matches == [open[0].key: .number(1)] && matching.ties.isEmpty)
    }

    @Test func whatTheUserHasDeniedIsNoPayment() throws {
        let open = try [51, 52].map { number in
            let one = schedule(number, "2026-11-21", 1_000)
            return OpenOccurrence(schedule: one, occurrence: try #require(one.next))
        }
        let denied = open[0].key
        let matching = PaymentMatching(
            [payment(1, "2026-11-21", 1_000)],
            open,
            isRefused: { $0 == .number(1) && $1 == denied },
            payee: { $0 }
        )
        #expect(matching.matches == [open[1].key: .number(1)] && matching.ties.isEmpty)
    }

    @Test func noneIsUsedTwiceWhateverThereIs() throws {
        var random = SplitMix(seed: 20_261_129)
        for _ in 0..<200 {
            let schedules = (0..<Int.random(in: 1...6, using: &random)).map { number in
                schedule(50 + number, "2026-11-2\(Int.random(in: 0...9, using: &random))", minor()) {
                    $0.unit = RecurrenceUnit.allCases.randomElement(using: &random) ?? .month
                }
            }
            func minor() -> Int64 { .random(in: 90...110, using: &random) }
            let payments = (0..<Int.random(in: 0...6, using: &random)).map { number in
                payment(number, "2026-11-2\(Int.random(in: 0...9, using: &random))", minor())
            }
            let last = try day("2026-12-05")
            let open = schedules.flatMap { schedule in
                schedule.open(upTo: last, limit: 20).map {
                    OpenOccurrence(schedule: schedule, occurrence: $0)
                }
            }
            let matching = PaymentMatching(payments, open, payee: { $0 })
            #expect(Set(matching.matches.values).count == matching.matches.count)
            let other = PaymentMatching(
                payments.shuffled(using: &random),
                open.shuffled(using: &random),
                payee: { $0 }
            )
            #expect(other.matches == matching.matches)
            // No payment and no occurrence that fit are both left over.
            let left = payments.filter { payment in !matching.matches.values.contains(payment.id) }
            let unpaid = open.filter { matching.matches[$0.key] == nil }
            #expect(PaymentMatching(left, unpaid, payee: { $0 }).matches.isEmpty)
        }
    }
}

@Suite struct KeysOfOccurrences {
    @Test func aTextIsReadAgain() throws {
        let key = OccurrenceKey(series: .number(51), planned: try day("2026-11-30"))
        #expect(key.description == "\(EntityID.number(51)) 2026-11-30" && key.description.utf8.count == 37)
        #expect(OccurrenceKey(text: key.description) == key)
        for text in [
            "", "x 2026-11-30", "\(EntityID.number(51))", "\(key) ", "\(EntityID.number(51)) 2026-11-31",
        ] {
            #expect(OccurrenceKey(text: text) == nil, "\(text)")
        }
    }

    @Test func whatIsRecordedHasTheKeyOfItsOccurrence() throws {
        var one = schedule(51, "2026-11-30", 1_000)
        let next = try #require(one.next)
        #expect(OccurrenceKey(text: one.transaction(of: next).occurrence ?? "") == one.key(of: next))
        one.series = .number(50)
        #expect(one.key(of: next).series == .number(50))
        #expect(one.transaction(of: next).id == one.key(of: next).transaction)
    }

    @Test func theDayOfARecordedIdIsFoundAgain() {
        var random = SplitMix(seed: 28)
        for number in Array(stride(from: -719_162, through: 2_932_896, by: 997)) + [0, 2_932_896] {
            let series = EntityID(
                high: .random(in: .min ... .max, using: &random),
                low: .random(in: .min ... .max, using: &random)
            )
            let day = CivilDate(dayNumber: Int32(number))
            #expect(series.derived(for: day).day(in: series) == day)
            let other = EntityID(high: series.high, low: .random(in: .min ... .max, using: &random))
            #expect(other.day(in: series) == nil)
            #expect(
                EntityID(high: series.high &+ 1, low: series.derived(for: day).low).day(in: series) == nil
            )
        }
    }
}
