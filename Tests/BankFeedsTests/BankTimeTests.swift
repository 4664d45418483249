// Points in time as providers write them.
import Ledger
import Testing

@testable import BankFeeds

@Suite struct BankTimes {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-21T12:00:00Z", 1_795_262_400),
            ("2026-11-21t12:00:00z", 1_795_262_400), ("2026-11-21T12:00:00", 1_795_262_400),
            ("2026-11-21T12:00:00.999999Z", 1_795_262_400), ("2026-11-21T13:30:00+01:30", 1_795_262_400),
            ("2026-11-21T07:00:00.1-05:00", 1_795_262_400), ("2016-12-31T23:59:60Z", 1_483_228_799),
            ("2026-11-21", 1_795_219_200), ("2026-11-21 12:00:00Z", nil), ("2026-11-21T12:00Z", nil),
            ("2026-11-21T24:00:00Z", nil), ("2026-11-21T12:60:00Z", nil), ("2026-02-30T12:00:00Z", nil),
            ("2026-11-21T12:00:00.Z", nil), ("2026-11-21T12:00:00+1:00", nil),
            ("2026-11-21T12:00:00+0100", nil), ("2026-11-21T12:00:00Zx", nil), ("", nil), ("soon", nil),
            ("2026-11-21T1é:00:00Z", nil), ("2026-02-30", nil),
        ] as [(String, Int64?)]
    )
    func areSeconds(text: String, seconds: Int64?) { #expect(BankTime.seconds(text) == seconds) }

    /// A text, and the time after midnight UTC of 1 November 2026 in seconds, or only the day.
    @Test(
        arguments: [
            ("2026-10-31T23:30:00Z", -1_800, nil), ("2026-11-01T00:30:00Z", 1_800, nil),
            ("2026-11-01T00:30:00+09:00", -30_600, nil), ("2026-10-31T19:30:00.5-05:00", 1_800, nil),
            ("2026-11-01T00:00:00+01:00", -3_600, nil), ("2026-11-01T00:00:00.001Z", 0, nil),
            // Exactly midnight UTC, a day, and a time without a zone: the day as it is written.
            ("2026-11-01T00:00:00Z", nil, "2026-11-01"), ("2026-11-01T00:00:00.000Z", nil, "2026-11-01"),
            ("2026-10-31T20:00:00-04:00", nil, "2026-11-01"), ("2026-11-01", nil, "2026-11-01"),
            ("2026-11-01T23:30:00", nil, "2026-11-01"), ("2026-10-31T23:30:00.5", nil, "2026-10-31"),
            ("2026-11-01 23:30:00Z", nil, "2026-11-01"), ("2026-11-01T23:30Z", nil, "2026-11-01"),
            ("2026-02-30T00:00:00Z", nil, nil), ("soon", nil, nil), ("", nil, nil),
        ] as [(String, Int64?, String?)]
    )
    func areTimesOrDays(text: String, time: Int64?, day: String?) {
        let expected: StatedTime? =
            if let time { .time(1_793_491_200 + time) } else {
                day.flatMap { CivilDate(iso: $0) }.map { .day($0) }
            }
        #expect(BankTime.stated(text) == expected)
    }
}
