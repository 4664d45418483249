// The days of recurrences, and the occurrences of schedules.
import Ledger
import TestKit
import Testing

private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso: text)) }

@Suite struct DaysOfARecurrence {
    private func days(
        _ start: String,
        _ every: Int,
        _ unit: RecurrenceUnit,
        end: String? = nil,
        after: String? = nil,
        count: Int = 4
    ) throws -> [String] {
        let recurrence = Recurrence(start: try day(start), end: try end.map(day), every: every, unit: unit)
        return Array(recurrence.days(after: try after.map(day)).prefix(count)).map(\.description)
    }

    @Test func everyUnitHasItsDays() throws {
        #expect(try days("2026-11-25", 10, .day, count: 3) == ["2026-11-25", "2026-12-05", "2026-12-15"])
        #expect(try days("2026-11-25", 2, .week, count: 3) == ["2026-11-25", "2026-12-09", "2026-12-23"])
        #expect(try days("2026-11-25", 3, .month, count: 3) == ["2026-11-25", "2027-02-25", "2027-05-25"])
        #expect(try days("2024-02-29", 1, .year, count: 5).last == "2028-02-29")
        #expect(try days("2024-02-29", 1, .year, count: 2).last == "2025-02-28")
    }

    @Test func the31stIsTheEndOfEveryMonthAndThe30thIsNot() throws {
        let last = ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]
        #expect(try days("2026-01-31", 1, .month) == last)
        #expect(
            try days("2026-01-30", 1, .month) == ["2026-01-30", "2026-02-28", "2026-03-30", "2026-04-30"]
        )
    }

    @Test func theLastDayOfMonthsIsThatOfEachWhateverTheFirstDay() throws {
        let cases: [(start: String, every: Int, end: String?, after: String?, days: [String])] = [
            ("2026-04-30", 1, nil, nil, ["2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31"]),
            ("2026-04-10", 1, nil, nil, ["2026-04-30", "2026-05-31", "2026-06-30", "2026-07-31"]),
            ("2026-01-28", 1, nil, nil, ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30"]),
            ("2026-02-28", 12, nil, nil, ["2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"]),
            ("2026-04-30", 3, nil, nil, ["2026-04-30", "2026-07-31", "2026-10-31", "2027-01-31"]),
            ("2026-04-30", 1, "2026-05-30", nil, ["2026-04-30"]),
            ("2026-04-30", 1, "2026-05-31", nil, ["2026-04-30", "2026-05-31"]),
            ("2026-04-10", 1, "2026-04-20", nil, []),
            ("2026-04-10", 1, "2026-06-01", "2026-04-15", ["2026-04-30", "2026-05-31"]),
            ("2026-04-30", 1, "2026-07-01", "2026-05-30", ["2026-05-31", "2026-06-30"]),
            ("2026-04-30", 1, "2026-07-01", "2026-05-31", ["2026-06-30"]),
        ]
        for sample in cases {
            let found = try days(
                sample.start,
                sample.every,
                .monthEnd,
                end: sample.end,
                after: sample.after
            )
            #expect(found == sample.days, "\(sample)")
        }
    }

    @Test func aChangeOfSummerTimeMovesNothing() throws {
        // Clocks are changed on 29 March and 25 October 2026 in Europe.
        #expect(try days("2026-03-28", 1, .day, count: 3) == ["2026-03-28", "2026-03-29", "2026-03-30"])
        #expect(try days("2026-10-24", 1, .day, count: 3) == ["2026-10-24", "2026-10-25", "2026-10-26"])
    }

    @Test func daysEndWithTheScheduleAndWithTheCalendar() throws {
        #expect(try days("2026-11-25", 1, .week, end: "2026-12-02") == ["2026-11-25", "2026-12-02"])
        #expect(try days("2026-11-25", 1, .week, end: "2026-11-24") == [])
        #expect(try days("9999-12-30", 1, .day) == ["9999-12-30", "9999-12-31"])
        #expect(try days("9999-11-30", 999, .year) == ["9999-11-30"])
        #expect(try days("0001-01-01", 999, .year, count: 20).last == "9991-01-01")
        #expect(Recurrence(start: try day("0001-01-01"), every: 999, unit: .year).day(.max) == nil)
    }

    @Test func theDaysAfterADayAreThoseOfAWalkFromTheFirst() throws {
        var random = SplitMix(seed: 20_261_125)
        for _ in 0..<400 {
            let start = CivilDate(dayNumber: .random(in: -719_162...2_932_896, using: &random))
            let unit = try #require(RecurrenceUnit.allCases.randomElement(using: &random))
            let recurrence = Recurrence(start: start, every: .random(in: 1...40, using: &random), unit: unit)
            let all = Array(recurrence.days(after: nil).prefix(60))
            let first = unit == .monthEnd ? start.yearMonth.lastDay : start
            #expect(all.first == first && zip(all, all.dropFirst()).allSatisfy(<))
            let some = start.adding(days: .random(in: -30...4_000, using: &random))
            guard let last = all.last, some < last else { continue }
            #expect(
                recurrence.days(after: some).first { _ in true } == all.first { $0 > some },
                "\(recurrence) \(some)"
            )
        }
    }

    @Test func aWeekendIsMovedToTheFridayOrTheMonday() throws {
        func moved(_ text: String, _ shift: WeekendShift) throws -> String {
            let start = try day(text)
            let first = start.adding(days: -7)
            return Recurrence(start: first, every: 1, unit: .day, shift: shift).moved(start).description
        }
        for (text, friday, monday) in [
            ("2026-11-28", "2026-11-27", "2026-11-30"), ("2026-11-29", "2026-11-27", "2026-11-30"),
            ("2026-11-27", "2026-11-27", "2026-11-27"), ("2026-11-30", "2026-11-30", "2026-11-30"),
        ] {
            #expect(try moved(text, .none) == text)
            #expect(try moved(text, .before) == friday)
            #expect(try moved(text, .after) == monday)
        }
    }

    /// 2 May and 31 May 2026 are the ends of weekends: a Saturday and a Sunday.
    @Test func noDayIsMovedBeyondTheFirstOrTheLast() throws {
        typealias Case = (
            start: String, end: String?, unit: RecurrenceUnit, shift: WeekendShift, days: [String]
        )
        let cases: [Case] = [
            ("2026-05-02", nil, .month, .before, ["2026-05-02", "2026-06-02", "2026-07-02", "2026-07-31"]),
            ("2026-05-03", "2026-06-03", .month, .before, ["2026-05-03", "2026-06-03"]),
            (
                "2026-05-02", "2026-05-05", .day, .before,
                ["2026-05-02", "2026-05-03", "2026-05-04", "2026-05-05"]
            ),
            ("2026-05-01", "2026-05-03", .day, .before, ["2026-05-01", "2026-05-01", "2026-05-01"]),
            ("2026-03-31", "2026-05-31", .month, .after, ["2026-03-31", "2026-04-30", "2026-05-31"]),
            ("2026-03-31", "2026-06-01", .month, .after, ["2026-03-31", "2026-04-30", "2026-06-01"]),
            ("2026-05-29", "2026-05-31", .day, .after, ["2026-05-29", "2026-05-30", "2026-05-31"]),
            ("2026-05-30", "2026-05-30", .week, .after, ["2026-05-30"]),
            ("2026-05-30", nil, .week, .after, ["2026-06-01", "2026-06-08", "2026-06-15", "2026-06-22"]),
        ]
        for sample in cases {
            let recurrence = Recurrence(
                start: try day(sample.start),
                end: try sample.end.map(day),
                every: 1,
                unit: sample.unit,
                shift: sample.shift
            )
            let days = recurrence.days(after: nil).prefix(4).map { recurrence.moved($0).description }
            #expect(days == sample.days, "\(sample)")
        }
    }
}

@Suite struct OccurrencesOfASchedule {
    private func schedule(_ start: String, _ change: (inout Schedule) -> Void = { _ in }) throws -> Schedule {
        var schedule = Schedule(
            transaction: Transaction(
                id: EntityID(high: 1, low: 7),
                kind: .expense,
                date: try day(start),
                amount: Money(minor: 1_299, currency: .eur),
                account: EntityID(high: 1, low: 2),
                accountMinor: 1_299
            )
        )
        change(&schedule)
        return schedule
    }

    @Test func whatIsDoneIsNotOpen() throws {
        var schedule = try schedule("2026-09-01")
        #expect(
            schedule.open(upTo: try day("2026-11-25"), limit: 9).map(\.day.description) == [
                "2026-09-01", "2026-10-01", "2026-11-01",
            ]
        )
        schedule.done = try day("2026-10-01")
        #expect(schedule.open(upTo: try day("2026-11-25"), limit: 9).map(\.day.description) == ["2026-11-01"])
        #expect(schedule.openCount(upTo: try day("2026-12-31"), limit: 9) == 2)
        schedule.done = try day("2026-11-01")
        #expect(schedule.open(upTo: try day("2026-11-25"), limit: 9).isEmpty)
        #expect(schedule.next?.day.description == "2026-12-01")
    }

    @Test func aShiftedDayIsDueEarlierOrLaterAndStaysPlanned() throws {
        // 1 November 2026 is a Sunday.
        let early = try schedule("2026-10-01") {
            ($0.shift, $0.done) = (.before, CivilDate(iso: "2026-10-01"))
        }
        #expect(
            early.open(upTo: try day("2026-10-30"), limit: 9).map(\.planned.description) == ["2026-11-01"]
        )
        let late = try schedule("2026-11-01") { $0.shift = .after }
        #expect(late.open(upTo: try day("2026-11-01"), limit: 9).isEmpty)
        #expect(late.next?.day.description == "2026-11-02")
    }

    /// The next occurrence, the occurrences to come, what is recorded and the end agree.
    @Test func theFirstAndTheLastPaymentAreWithinTheDaysThatWereEntered() throws {
        let shifts: [(WeekendShift, String, String)] = [
            (.before, "2026-05-02", "2026-06-02"), (.after, "2026-04-25", "2026-05-31"),
        ]
        for (shift, start, end) in shifts {
            var schedule = try schedule(start) {
                ($0.shift, $0.unit, $0.end) = (shift, .day, CivilDate(iso: end))
            }
            let (first, last) = (try day(start), try day(end))
            #expect(schedule.next?.day ?? first >= first)
            #expect(schedule.open(upTo: first.adding(days: -1), limit: 99).isEmpty)
            #expect(schedule.openCount(upTo: last, limit: 99) == Int(last.dayNumber - first.dayNumber) + 1)
            #expect(schedule.open(in: last.adding(days: 1)...last.adding(days: 9), limit: 99).isEmpty)
            for occurrence in schedule.open {
                #expect((first...last).contains(schedule.transaction(of: occurrence).date), "\(occurrence)")
            }
            schedule.done = last
            #expect(schedule.next == nil)
        }
    }

    @Test func eachDayHasATransactionOfItsOwnWhereverItIsRecorded() throws {
        let schedule = try schedule("2026-01-01") { $0.unit = .day }
        let occurrences = Array(schedule.open.prefix(2_000))
        let ids = Set(occurrences.map { schedule.transaction(of: $0).id })
        #expect(ids.count == 2_000 && !ids.contains(schedule.id))
        let again = try self.schedule("2026-01-01") { $0.unit = .day }
        #expect(again.transaction(of: occurrences[9]).id == schedule.transaction(of: occurrences[9]).id)
        // Other versions of the program have to derive the same ids.
        #expect(
            schedule.transaction(of: occurrences[0]).id.description == "0000000000000rkptn2pwdw7tq"
        )
    }

    @Test func aMovedDayIsNotRecordedTwiceInAMonth() throws {
        let old = try schedule("2026-09-10") { $0.done = CivilDate(iso: "2026-11-10") }
        func next(_ start: String, _ change: (inout Schedule) -> Void = { _ in }) throws -> String? {
            var moved = try schedule(start, change)
            moved.done = moved.done(inPlaceOf: old, weekStart: .monday)
            return moved.next?.day.description
        }
        #expect(try next("2026-09-10") == "2026-12-10")
        #expect(try next("2026-09-20") == "2026-12-20")
        #expect(try next("2026-09-05") == "2026-12-05")
        #expect(try next("2026-12-24") == "2026-12-24")
        #expect(try next("2026-11-20") { $0.unit = .week } == "2026-11-20")
        #expect(try next("2026-09-10") { $0.every = 2 } == "2027-01-10")
        // November's is done.
        #expect(try next("2026-09-10") { $0.unit = .monthEnd } == "2026-12-31")
    }

    @Test func aScheduleThatBeginsOnADayHasDoneAllBefore() throws {
        typealias Change = (inout Schedule) -> Void
        let cases: [(start: String, change: Change, done: String?, next: String?)] = [
            ("2023-12-01", { _ in }, "2026-11-01", "2026-12-01"),
            ("2026-11-21", { _ in }, nil, "2026-11-21"),
            ("2026-11-20", { $0.unit = .day }, "2026-11-20", "2026-11-21"),
            ("0001-01-01", { $0.unit = .day }, "2026-11-20", "2026-11-21"),
            // A Sunday whose Friday has passed, and Saturdays and Sundays whose Monday is still to come.
            ("2026-10-22", { $0.shift = .before }, "2026-11-22", "2026-12-22"),
            ("2026-10-21", { $0.shift = .after }, "2026-10-21", "2026-11-23"),
            ("2026-01-01", { $0.end = CivilDate(iso: "2026-03-31") }, "2026-03-01", nil),
            ("2020-01-01", { ($0.unit, $0.end) = (.day, CivilDate(iso: "2020-01-09")) }, "2020-01-09", nil),
            ("2026-01-01", { $0.done = CivilDate(iso: "2026-12-01") }, "2026-12-01", "2027-01-01"),
        ]
        for sample in cases {
            let later = try schedule(sample.start, sample.change).beginning(on: day("2026-11-21"))
            #expect(later.done?.description == sample.done, "\(sample.start)")
            #expect(later.next?.day.description == sample.next, "\(sample.start)")
        }
    }

    /// Sundays, of which 29 November 2026 comes next, become other days of the week.
    @Test(
        arguments: [
            ("2026-11-02", .monday, "2026-11-23"), ("2026-11-02", .sunday, "2026-11-30"),
            ("2026-11-07", .monday, "2026-11-28"), ("2026-11-07", .sunday, "2026-12-05"),
            ("2026-11-01", .monday, "2026-11-29"), ("2026-11-01", .sunday, "2026-11-29"),
        ] as [(String, WeekStart, String)]
    )
    func aMovedDayIsInTheWeekOfTheUser(start: String, weekStart: WeekStart, next: String) throws {
        let old = try schedule("2026-11-01") { ($0.unit, $0.done) = (.week, CivilDate(iso: "2026-11-22")) }
        var moved = try schedule(start) { $0.unit = .week }
        moved.done = moved.done(inPlaceOf: old, weekStart: weekStart)
        #expect(moved.next?.day.description == next)
    }

    @Test func theDaysOfAMonthAreFoundWithoutAWalk() throws {
        let old = try schedule("0001-01-01") { ($0.unit, $0.shift) = (.day, .after) }
        let december = try day("2026-12-01")...day("2026-12-31")
        #expect(old.open(in: december, limit: 100).count == 31)
        let friday = try schedule("2026-08-31") { $0.shift = .before }
        #expect(friday.open(in: try day("2026-10-30")...day("2026-10-30"), limit: 9).count == 1)
    }

    @Test func anObstacleIsFound() throws {
        let account = Account(
            id: EntityID(high: 1, low: 2),
            name: "Bank",
            type: .bank,
            currency: .eur,
            openingMinor: 0
        )
        let schedule = try schedule("2026-11-01")
        #expect(schedule.obstacle([account]) == nil)
        #expect(schedule.obstacle([]) == .accountDeleted)
        var closed = account
        closed.isClosed = true
        #expect(schedule.obstacle([closed]) == .accountClosed)
        var yen = try self.schedule("2026-11-01") { $0.accountCurrency = .eur }
        #expect(yen.obstacle([account]) == nil)
        yen.transaction.amount.currency = .usd
        yen.accountCurrency = .usd
        #expect(yen.obstacle([account]) == .currencyChanged)
        let old = try self.schedule("2020-01-01") { $0.unit = .day }
        #expect(old.obstacle([account]) == nil)
        #expect(old.obstacle([account], on: try day("2026-11-01")) == .tooManyPassed)
        let foreign = try self.schedule("2026-11-01") { $0.transaction.accountMinor = 1_400 }
        #expect(foreign.obstacle([account]) == .currencyChanged)
    }

    @Test func regularPaymentsAreFound() throws {
        func found(_ days: String...) throws -> [String]? {
            try ScheduleSuggestion.recurrence(ofDays: days.map(day)).map {
                ["\($0.every)", $0.unit.rawValue]
            }
        }
        #expect(try found("2026-11-15", "2026-10-15", "2026-09-14") == ["1", "month"])
        #expect(try found("2026-11-15", "2026-10-15") == nil)
        #expect(try found("2026-11-15", "2026-10-15", "2026-10-14") == nil)
        #expect(try found("2026-11-03", "2026-10-03", "2026-09-03", "2026-07-03") == ["1", "month"])
        let ends = try ["2026-11-30", "2026-10-31", "2026-09-30"].map(day)
        let end = try #require(ScheduleSuggestion.recurrence(ofDays: ends))
        #expect(
            end.days(after: try day("2026-11-30")).prefix(2).map(\.description) == [
                "2026-12-31", "2027-01-31",
            ]
        )
        #expect(end.unit == .monthEnd && end.start.description == "2026-11-30")
        #expect(try found("2026-09-30", "2026-06-30", "2026-03-31") == ["3", "monthEnd"])
        #expect(try found("2026-09-30", "2026-06-30", "2026-03-30") == ["3", "month"])
        #expect(try found("2026-11-21", "2026-11-14", "2026-11-07") == nil)
        #expect(try found("2026-11-21", "2026-11-14", "2026-11-07", "2026-10-31") == ["1", "week"])
        #expect(try found("2026-11-15", "2026-08-15", "2026-05-16") == ["3", "month"])
        #expect(try found("2026-11-15", "2025-11-15", "2024-11-14") == ["1", "year"])
        #expect(try found() == nil)
    }

    @Test func aMonthAheadHasBillsAndPaymentsToLoans() throws {
        let loan = Account(
            id: EntityID(high: 1, low: 3),
            name: "Loan",
            type: .loan,
            currency: .eur,
            openingMinor: 0
        )
        let bank = Account(
            id: EntityID(high: 1, low: 2),
            name: "Bank",
            type: .bank,
            currency: .eur,
            openingMinor: 0
        )
        let savings = Account(
            id: EntityID(high: 1, low: 4),
            name: "Savings",
            type: .savings,
            currency: .eur,
            openingMinor: 0
        )
        func transfer(to account: Account) throws -> Schedule {
            try schedule("2026-11-28") {
                $0.transaction.kind = .transfer
                $0.transaction.toAccount = account.id
                $0.transaction.toMinor = 1_299
            }
        }
        let ahead = MonthAhead(
            [
                try schedule("2026-11-26") { $0.unit = .day },
                try schedule("2026-11-30") { $0.transaction.kind = .income },
                try transfer(to: loan), try transfer(to: savings), try schedule("2026-12-01"),
            ],
            in: YearMonth(year: 2026, month: 11),
            base: .eur,
            accounts: [loan, bank, savings]
        )
        #expect(ahead.income.map(\.minor) == [1_299])
        #expect(ahead.obligations.map(\.minor) == [5 * 1_299, 1_299])
    }
}

@Suite struct PaceOfALoan {
    private let november = YearMonth(year: 2026, month: 11)

    @Test func aDebtEndsInTheMonthOfItsLastPayment() {
        let pace = Repayment(changeMinor: 720_000, monthCount: 12)
        #expect(pace.perMonthMinor == 60_000)
        #expect(pace.end(of: 60_000, from: november) == november)
        #expect(pace.end(of: 60_001, from: november) == november.next)
        #expect(pace.end(of: 720_000, from: november) == YearMonth(year: 2027, month: 10))
    }

    @Test func aDebtThatDoesNotShrinkHasNoEnd() {
        #expect(Repayment(changeMinor: 0, monthCount: 12).end(of: 1, from: november) == nil)
        #expect(Repayment(changeMinor: -5, monthCount: 12).end(of: 1, from: november) == nil)
        // Sums beyond an amount.
        let most = Int128(1) << 80
        #expect(Repayment(changeMinor: 1, monthCount: 12).end(of: most, from: november) == nil)
        #expect(
            Repayment(changeMinor: most, monthCount: 12).end(of: most, from: november)
                == YearMonth(year: 2027, month: 10)
        )
        #expect(Repayment(changeMinor: 5, monthCount: 1).end(of: 0, from: november) == nil)
    }
}
