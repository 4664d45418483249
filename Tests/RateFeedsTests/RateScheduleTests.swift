// When new rates are requested: around their publication, and never twice within an hour.
import Ledger
import RateFeeds
import TestKit
import Testing

/// A time in UTC, such as `2026-11-20 15:15`.
private func time(_ text: String) throws -> Int64 {
    let parts = text.split(separator: " ")
    let day = try #require(CivilDate(iso: parts[0]))
    let clock = parts[1].split(separator: ":").compactMap { Int64($0) }
    return Int64(day.dayNumber) * 86_400 + clock[0] * 3_600 + clock[1] * 60
}

/// The twentieth of November 2026 is a Friday.
@Suite struct TimesOfRequests {
    @Test func theFirstRequestIsSentAtOnce() throws {
        let now = try time("2026-11-21 03:00")
        #expect(RateSchedule(attemptedAt: nil, newestDay: nil).nextRequest(at: now) == now)
        #expect(
            RateSchedule(attemptedAt: nil, newestDay: CivilDate(iso: "2026-11-20")).nextRequest(at: now)
                == now
        )
    }

    @Test(arguments: [
        // The day's rates are there: the next working day.
        ("2026-11-19", "2026-11-19 15:15", "2026-11-19 15:16", "2026-11-20 15:15"),
        ("2026-11-20", "2026-11-20 15:15", "2026-11-20 15:16", "2026-11-23 15:15"),
        ("2026-11-20", "2026-11-20 15:15", "2026-11-22 08:00", "2026-11-23 15:15"),
        // They were there before the request of another day.
        ("2026-11-20", "2026-11-23 15:10", "2026-11-23 15:11", "2026-11-23 16:10"),
        // They are late: every hour, then every six hours, then every day.
        ("2026-11-19", "2026-11-20 15:15", "2026-11-20 15:16", "2026-11-20 16:15"),
        ("2026-11-19", "2026-11-20 20:14", "2026-11-20 20:15", "2026-11-20 21:14"),
        ("2026-11-19", "2026-11-20 21:15", "2026-11-20 21:16", "2026-11-21 03:15"),
        ("2026-11-19", "2026-11-21 15:15", "2026-11-21 15:16", "2026-11-22 15:15"),
        // A server that was off asks at once.
        ("2026-11-18", "2026-11-18 15:15", "2026-11-21 10:00", "2026-11-20 15:15"),
        // The first request found only an older day.
        ("2026-10-30", "2026-11-20 12:00", "2026-11-20 12:01", "2026-11-20 18:00"),
        // Rates of a later day than the clock says.
        ("2026-11-25", "2026-11-20 15:15", "2026-11-20 15:16", "2026-11-23 15:15"),
        // Summer time, and the days after both changes of the clock.
        ("2026-06-30", "2026-06-30 14:15", "2026-06-30 14:16", "2026-07-01 14:15"),
        ("2026-10-22", "2026-10-22 14:15", "2026-10-22 14:16", "2026-10-23 14:15"),
        ("2026-10-23", "2026-10-23 14:15", "2026-10-24 14:16", "2026-10-26 15:15"),
        ("2026-03-27", "2026-03-27 15:15", "2026-03-28 00:00", "2026-03-30 14:15"),
    ])
    func rates(newest: String, attempted: String, now: String, next: String) throws {
        let schedule = RateSchedule(attemptedAt: try time(attempted), newestDay: CivilDate(iso: newest))
        #expect(schedule.nextRequest(at: try time(now)) == (try time(next)))
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 4), (1_000_000, 4)])
    func failuresLengthenThePause(failures: Int, hours: Int64) throws {
        let attempted = try time("2026-11-20 15:15")
        let schedule = RateSchedule(attemptedAt: attempted, failures: failures, newestDay: nil)
        #expect(schedule.nextRequest(at: attempted + 60) == attempted + hours * 3_600)
    }

    @Test func aSourceMayPostponeTheNextRequestByADay() throws {
        let attempted = try time("2026-11-20 15:15")
        func next(_ notBefore: Int64) -> Int64 {
            RateSchedule(attemptedAt: attempted, failures: 1, notBefore: notBefore, newestDay: nil)
                .nextRequest(at: attempted) - attempted
        }
        #expect(next(attempted + 10) == 3_600)
        #expect(next(attempted + 7_200) == 7_200)
        #expect(next(.max) == 86_400)
    }

    @Test func aClockThatWasSetBackDelaysARequestByAnHour() throws {
        let now = try time("2026-11-20 15:15")
        for failures in [0, 1] {
            let schedule = RateSchedule(
                attemptedAt: now + 400 * 86_400,
                failures: failures,
                notBefore: nil,
                newestDay: CivilDate(iso: "2026-11-18")
            )
            #expect(schedule.nextRequest(at: now) == now + 3_600)
        }
    }

    @Test func eachServerHasItsOwnSecond() throws {
        let now = try time("2026-11-19 16:00")
        func next(_ delay: Int64) -> Int64 {
            RateSchedule(attemptedAt: now, newestDay: CivilDate(iso: "2026-11-19"), delaySeconds: delay)
                .nextRequest(at: now)
        }
        #expect(next(0) == (try time("2026-11-20 15:15")))
        #expect(next(600) == (try time("2026-11-20 15:25")))
        #expect(next(99_999) == (try time("2026-11-20 15:45")) && next(-5) == next(0))
    }

    /// Eight weeks of a server that checks every minute, with days off, restarts and an institution that is
    /// late or away at times.
    @Test(arguments: 0..<20) func whateverHappensAnHourLiesBetweenTwoRequests(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let begin = try time("2026-10-01 00:00")
        var schedule = RateSchedule(attemptedAt: nil, newestDay: CivilDate(iso: "2026-09-01"))
        var requests: [Int64] = []
        var now = begin
        while now < begin + 56 * 86_400 {
            now += 60
            if Int.random(in: 0..<20_000, using: &random) == 0 {
                now += Int64.random(in: 0..<200_000, using: &random)
            }
            guard schedule.nextRequest(at: now) <= now else { continue }
            requests.append(now)
            schedule.attemptedAt = now
            if Int.random(in: 0..<5, using: &random) == 0 {
                schedule.failures += 1
            } else {
                schedule.failures = 0
                // Published between 14:00 and 16:59 UTC.
                let hour = Int64.random(in: 14...16, using: &random)
                var day = CivilDate(dayNumber: Int32((now - hour * 3_600) / 86_400))
                while day.weekday > 5 { day = day.adding(days: -1) }
                schedule.newestDay = max(schedule.newestDay ?? day, day)
            }
        }
        let gaps = zip(requests, requests.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 >= 3_600 })
        #expect((30...200).contains(requests.count), "\(requests.count)")
    }

    @Test func aQuietMonthNeedsOneRequestForEachWorkingDay() throws {
        let begin = try time("2026-11-01 00:00")
        var schedule = RateSchedule(attemptedAt: begin - 86_400, newestDay: CivilDate(iso: "2026-10-30"))
        var count = 0
        for now in stride(from: begin, to: begin + 28 * 86_400, by: 60)
        where schedule.nextRequest(at: now) <= now {
            count += 1
            schedule.attemptedAt = now
            schedule.newestDay = CivilDate(dayNumber: Int32(now / 86_400))
        }
        #expect(count == 20)
    }
}
