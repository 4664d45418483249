// Days, months and ids: against a calendar that counts day by day, and against their own written forms.
import Ledger
import TestKit
import Testing

@Test func everyDayOfFourCenturiesFollowsTheOneBefore() throws {
    var (year, month, day) = (1899, 12, 31)
    var date = try #require(CivilDate(year: year, month: month, day: day))
    for _ in 0..<146_097 {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        (year, month, day) = (year, month, day + 1)
        if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
        if month > 12 { (year, month) = (year + 1, 1) }
        let next = date.adding(days: 1)
        #expect(next.components == (year, month, day))
        #expect(next.weekday == date.weekday % 7 + 1)
        date = next
    }
    #expect(CivilDate(iso: "2026-11-21")?.weekday == 6)
}

@Test(arguments: [
    "2026-02-30", "2026-13-01", "2026-00-10", "0000-01-01", "2026-1-01", "20260101", "", "２026-01-01",
    "2026-01-01 ",
])
func whatIsNoDayIsRefused(text: String) {
    #expect(CivilDate(iso: text) == nil)
}

@Test func daysMonthsAndIdsReadBackWhatTheyWrite() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    for _ in 0..<5_000 {
        let date = CivilDate(dayNumber: Int32.random(in: -719_162...2_932_896, using: &generator))
        #expect(CivilDate(iso: date.description) == date, "seed \(seed)")
        #expect(YearMonth(iso: date.yearMonth.description) == date.yearMonth, "seed \(seed)")
        #expect(date.yearMonth.firstDay <= date && date <= date.yearMonth.lastDay, "seed \(seed)")
        let id = EntityID(milliseconds: UInt64(date.dayNumber.magnitude), using: &generator)
        #expect(EntityID(id.description) == id, "seed \(seed)")
        #expect(EntityID(id.description.uppercased()) == id, "seed \(seed)")
        let cursor = TransactionCursor(date: date, id: id)
        #expect(TransactionCursor(cursor.description) == cursor, "seed \(seed)")
    }
}

@Test func idsSortByTheTimeOfTheirMaking() {
    var generator = SplitMix(seed: 1)
    let early = EntityID(milliseconds: 1_000, using: &generator)
    let late = EntityID(milliseconds: 1_001, using: &generator)
    #expect(early < late)
    #expect(early.description < late.description)
}

@Test(arguments: [
    "", "0", "8zzzzzzzzzzzzzzzzzzzzzzzzz", "0000000000000000000000000u", "000000000000000000000000000",
])
func whatIsNoIdIsRefused(text: String) {
    #expect(EntityID(text) == nil)
}

@Test(
    arguments: [("eur", "EUR"), ("USD", "USD"), ("e1r", nil), ("EURO", nil), ("", nil), ("éur", nil)]
        as [(String, String?)]
)
func aCurrencyCodeIsThreeLetters(text: String, code: String?) {
    #expect(CurrencyCode(text)?.rawValue == code)
}

@Test func sumsForShowingStayAtTheEnds() {
    #expect(Int64.max.addingClamped(1) == .max)
    #expect(Int64.min.addingClamped(-1) == .min)
    #expect(Int64(2).addingClamped(-5) == -3)
    #expect(Int64(0).subtractingClamped(.min) == .max)
    #expect(Int64.min.subtractingClamped(1) == .min)
    #expect(Int64(2).subtractingClamped(-5) == 7)
    #expect(Int.max.addingClamped(.max) == .max)
}

@Test(arguments: [Int.min, -1, 10_000, .max]) func aMonthOutsideTheCalendarIsItsEnd(number: Int) {
    let months = [YearMonth(year: number, month: 1), YearMonth(year: number, month: number)]
    let end = YearMonth(index: number < 0 ? .min : .max)
    #expect(months == [end, end])
}

@Test(arguments: [Int.min, .max]) func aDayTooFarOffIsTheCalendarsEnd(days: Int) throws {
    let day = try #require(CivilDate(iso: "2026-11-21"))
    #expect(day.adding(days: days) == CivilDate(dayNumber: days < 0 ? .min : .max))
}

@Test(arguments: [
    ("2026-11-21", 2, "2028-11-21"), ("2024-02-29", 4, "2028-02-29"), ("2024-02-29", 2, "2026-03-01"),
    ("2024-02-29", -1, "2023-03-01"), ("2026-11-21", 100, "2126-11-21"), ("9999-12-31", 1, "9999-12-31"),
    ("2026-11-21", .max, "9999-12-31"), ("2026-11-21", .min, "0001-01-01"),
])
func aDayOfAnotherYearIsTheSameDay(day: String, years: Int, expected: String) throws {
    #expect(try #require(CivilDate(iso: day)).adding(years: years).description == expected)
}

@Test(arguments: [
    ("0001-01-01", true), ("0026-11-27", true), ("1969-12-31", true), ("1970-01-01", false),
    ("2024-02-29", false), ("2026-03-01", false), ("2026-03-02", true), ("2206-11-27", true),
    ("9999-12-31", true),
])
func aDayIsUnusualBefore1970AndTwoYearsAhead(day: String, isUnusual: Bool) throws {
    let today = try #require(CivilDate(iso: "2024-02-29"))
    #expect(try #require(CivilDate(iso: day)).isUnusual(on: today) == isUnusual)
}

@Test(arguments: [
    ("0026-11", true), ("1969-12", true), ("1970-01", false), ("2026-11", false), ("2028-11", false),
    ("2028-12", true), ("9999-12", true),
])
func aMonthIsUnusualBefore1970AndTwoYearsAhead(month: String, isUnusual: Bool) throws {
    let present = try #require(YearMonth(iso: "2026-11"))
    #expect(try #require(YearMonth(iso: month)).isUnusual(in: present) == isUnusual)
}

@Test func whatABudgetMaySpendExceeds64Bits() {
    let limit = Money(minor: 1, currency: .eur)
    let id = EntityID(high: 0, low: 1)
    let budget = Budget(id: id, category: nil, limit: limit, from: YearMonth(index: 24_000), rollover: true)
    let status = BudgetStatus(budget: budget, carriedMinor: Int128(Int64.max), spentMinor: 0, leftOutCount: 0)
    #expect(status.availableMinor == 1 << 63)
}

@Suite struct Weeks {
    @Test(
        arguments: [
            (.monday, "2026-11-23", "2026-11-23"), (.monday, "2026-11-22", "2026-11-16"),
            (.monday, "2026-11-21", "2026-11-16"), (.sunday, "2026-11-22", "2026-11-22"),
            (.sunday, "2026-11-21", "2026-11-15"), (.sunday, "2026-11-23", "2026-11-22"),
            (.monday, "2027-01-01", "2026-12-28"), (.sunday, "2024-03-01", "2024-02-25"),
        ] as [(WeekStart, String, String)]
    )
    func beginOnTheDayThatIsChosen(start: WeekStart, day: String, first: String) throws {
        #expect(start.firstDay(ofWeekWith: try #require(CivilDate(iso: day))) == CivilDate(iso: first))
    }

    @Test(arguments: WeekStart.allCases)
    func haveSevenDaysEach(start: WeekStart) {
        let firsts = (0..<7_000).map { start.firstDay(ofWeekWith: CivilDate(dayNumber: Int32($0) - 3_500)) }
        for (index, first) in firsts.enumerated() {
            let day = CivilDate(dayNumber: Int32(index) - 3_500)
            #expect(first <= day && day < first.adding(days: 7))
            #expect(first.weekday == (start == .monday ? 1 : 7))
        }
    }
}
