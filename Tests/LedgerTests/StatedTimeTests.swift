// The days of times that a bank states, in time zones on both sides of UTC.
import Foundation
import Ledger
import Testing

@Suite struct StatedTimes {
    /// The day of a time in a zone of the system.
    private func local(_ zone: String) throws -> (Int64) -> CivilDate {
        let zone = try #require(TimeZone(identifier: zone))
        return { seconds in
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            return CivilDate(utc: seconds + Int64(offset))
        }
    }

    /// Midnight UTC of a day, and the seconds after it.
    private func seconds(_ day: String, _ hour: Int64, _ minute: Int64) throws -> Int64 {
        Int64(try #require(CivilDate(iso: day)).dayNumber) * 86_400 + hour * 3_600 + minute * 60
    }

    /// The zones, and a table with the days in them.
    private static let zones = [
        "Etc/GMT+12", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "Pacific/Auckland",
        "Pacific/Kiritimati",
    ]

    @Test(
        arguments: [
            // The end of a month. New York is four hours behind UTC until 6:00 on 1 November.
            ("2026-10-31", 23, 30, [31, 31, 1, 1, 1, 1]), ("2026-11-01", 0, 0, [1, 1, 1, 1, 1, 1]),
            ("2026-11-01", 0, 30, [31, 31, 1, 1, 1, 1]), ("2026-11-01", 3, 0, [31, 31, 1, 1, 1, 1]),
            ("2026-10-31", 10, 30, [30, 31, 31, 31, 31, 1]), ("2026-10-31", 11, 30, [30, 31, 31, 31, 1, 1]),
            // The day that only some years have.
            ("2028-02-28", 23, 30, [28, 28, 29, 29, 29, 29]), ("2028-02-29", 0, 0, [29, 29, 29, 29, 29, 29]),
            ("2028-03-01", 0, 30, [29, 29, 1, 1, 1, 1]), ("2028-03-01", 3, 0, [29, 29, 1, 1, 1, 1]),
            // Auckland begins its summer time on 27 September, Berlin ends its own on 25 October.
            ("2026-09-26", 11, 30, [25, 26, 26, 26, 26, 27]),
            ("2026-09-27", 11, 30, [26, 27, 27, 27, 28, 28]),
            ("2026-10-24", 22, 30, [24, 24, 25, 25, 25, 25]),
            ("2026-10-25", 22, 30, [25, 25, 25, 26, 26, 26]),
            // Before 1970, when Kiritimati was on the other side of the date line.
            ("1969-12-31", 23, 30, [31, 31, 1, 1, 1, 31]),
        ] as [(String, Int64, Int64, [Int])]
    )
    func haveADayInEachZone(day: String, hour: Int64, minute: Int64, days: [Int]) throws {
        let stated = StatedTime(seconds: try seconds(day, hour, minute))
        for (zone, expected) in zip(Self.zones, days) {
            #expect(stated.day(try local(zone)).components.day == expected, "\(zone)")
        }
        #expect(stated.utcDay.description == day)
        #expect((stated.seconds == nil) == (hour == 0 && minute == 0))
    }

    @Test func aDayIsTheSameEverywhere() throws {
        let day = try #require(CivilDate(iso: "2026-11-01"))
        for zone in Self.zones { #expect(StatedTime.day(day).day(try local(zone)) == day) }
        // One that is known to be a time has no day of its own, also at midnight.
        #expect(StatedTime.time(Int64(day.dayNumber) * 86_400).day(try local("America/New_York")) < day)
    }

    @Test func transactionsMoveToTheirDaysAndStayInOrder() throws {
        let midnight = try seconds("2026-11-01", 0, 0)
        func row(_ id: String, _ stated: StatedTime) -> BankTransaction {
            BankTransaction(
                id: id,
                date: stated.utcDay,
                time: stated.seconds,
                money: Money(minor: -100, currency: .eur),
                description: "Bread",
                counterparty: nil,
                isPending: false
            )
        }
        let rows = [
            row("c", StatedTime(seconds: midnight + 1_800)), row("b", StatedTime(seconds: midnight)),
            row("a", StatedTime(seconds: midnight - 1_800)),
        ]
        let inBerlin = rows.dated(try local("Europe/Berlin"))
        #expect(inBerlin.map(\.id) == ["c", "b", "a"])
        #expect(inBerlin.map(\.date.description) == ["2026-11-01", "2026-11-01", "2026-11-01"])
        // From any zone into another one.
        let inNewYork = inBerlin.dated(try local("America/New_York"))
        #expect(inNewYork.map(\.id) == ["b", "c", "a"])
        #expect(inNewYork.map(\.date.description) == ["2026-11-01", "2026-10-31", "2026-10-31"])
        let balance = BankBalance(money: Money(minor: 1, currency: .eur), asOf: midnight + 1_800)
        #expect(balance.day.description == "2026-11-01")
        #expect(balance.dated(try local("America/New_York")).day.description == "2026-10-31")
    }
}
