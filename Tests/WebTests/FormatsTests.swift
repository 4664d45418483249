// How amounts and days are written where no locale is at hand.

import Ledger
import Testing
import Texts

@testable import Web

@Suite struct FormatsTests {
    @Test(
        arguments: [
            (0, 2, "0.00"), (5, 2, "0.05"), (-5, 2, "\u{2212}0.05"), (123_456_789, 2, "1,234,567.89"),
            (100_000, 0, "100,000"), (-1, 3, "\u{2212}0.001"),
            (Int64.min, 2, "\u{2212}92,233,720,368,547,758.08"),
        ] as [(Int64, Int, String)]
    )
    func amountsAreExact(minor: Int64, digits: Int, written: String) {
        let style = PlainStyle(digits: { _ in digits })
        #expect(style.money(Money(minor: minor, currency: .eur)) == written + "\u{a0}EUR")
    }

    @Test func daysAreToldFromToday() throws {
        let texts = try Repository.texts()
        let formats = Formats(base: .eur, secondary: [], today: Sample.today)
        #expect(texts.string(formats.dayTitle(Sample.today)) == "Today, Saturday 21 November 2026")
        let yesterday = formats.dayTitle(Sample.today.adding(days: -1))
        #expect(texts.string(yesterday) == "Yesterday, Friday 20 November 2026")
        #expect(formats.dayTitle(Sample.today.adding(days: -2)) == .verbatim("Thursday 19 November 2026"))
        #expect(formats.signed(100, .eur) == "+1.00\u{a0}EUR")
        #expect(formats.signed(-100, .eur) == "\u{2212}1.00\u{a0}EUR")
        #expect(formats.plain(-123_450, .eur) == "-1234.50")
    }
}

@Suite struct SizesOfFiles {
    private let formats = Formats(base: .eur, secondary: [], today: Sample.today)

    @Test(
        arguments: [
            (0, "0 KB"), (1, "1 KB"), (1_535, "1 KB"), (1_536, "2 KB"), (1_000 << 10, "1000 KB"),
            (8 << 20, "8 MB"), (8 << 20 + 1, "8 MB"), (8_441_037, "8.1 MB"), (8_441_036, "8 MB"),
            (10 << 20, "10 MB"), (1 << 30, "1 GB"), (.max, "8589934592 GB"), (-5, "0 KB"),
        ] as [(Int64, String)]
    )
    func areRounded(bytes: Int64, shown: String) throws {
        #expect(try Repository.texts().string(formats.fileSize(bytes)) == shown)
    }

    /// There is room left, which "1 GB of 1 GB" would deny.
    @Test(
        arguments: [
            (1 << 30 - 1, 1 << 30, "1023 MB"), (1 << 30, 1 << 30, "1 GB"),
            (10 << 20 - 1, 10 << 20, "10239 KB"),
            (5 << 20, 1 << 30, "5 MB"), (300 << 10 - 1, 300 << 10, "299 KB"), (2 << 30, 1 << 30, "2 GB"),
        ] as [(Int64, Int64, String)]
    )
    func doNotReadLikeALimitThatIsNotReached(bytes: Int64, limit: Int64, shown: String) throws {
        #expect(try Repository.texts().string(formats.fileSize(bytes, below: limit)) == shown)
    }
}

@Test(
    arguments: [
        (0, 100, "0"), (1, 100, "1"), (49, 10_000, "<1"), (50, 10_000, "1"), (1, .max, "<1"),
        (9_949, 10_000, "99"), (9_950, 10_000, "99"), (.max - 1, .max, "99"), (100, 100, "100"),
        (10_001, 10_000, "101"), (150, 100, "150"), (5, 0, "0"), (-5, 100, "-5"), (.max, 1, "\(Int.max)"),
    ] as [(Int64, Int64, String)]
)
func aShareIsAllOrNothingOnlyIfItIs(part: Int64, whole: Int64, text: String) {
    #expect(share(Int128(part), of: Int128(whole)) == text)
}
