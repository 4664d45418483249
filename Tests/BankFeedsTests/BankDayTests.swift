// The days of transactions of both providers, over real connections to stand-ins: those of the user, not those of UTC.
import BankFeeds
import BankStandIns
import Foundation
import Ledger
import Testing

/// The transactions of a provider that states these times.
private struct Provider: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The time is in UTC seconds.
    let rows: @Sendable (_ times: [Int64], _ isPending: Bool) async throws -> BankTransactionList

    static let all = [
        Provider(testDescription: "TrueLayer") { times, isPending in
            let standIn = try TrueLayerStandIn()
            let feed = try standIn.feed()
            let access = try await standIn.access(feed)
            let account = try #require(try await feed.accounts(access, days).lines.first?.account)
            let rows = times.map { time in
                let text = Date(timeIntervalSince1970: Double(time)).ISO8601Format()
                return """
                    {"transaction_id":"x\(time)","timestamp":"\(text)","amount":-1.00,"currency":"GBP"}
                    """
            }
            standIn.server.fail { if isPending { $0.pendingRows = rows } else { $0.extraRows = rows } }
            return try await feed.transactions(of: account, access, days)
        },
        Provider(testDescription: "SimpleFIN") { times, isPending in
            let standIn = try SimpleFINStandIn()
            let feed = try standIn.feed()
            let access = try await feed.connect(.setupToken(standIn.token("a")))
            standIn.server.fail { faults in
                faults.extraRows = times.map { time in
                    let at = isPending ? #""posted":0,"transacted_at":\#(time)"# : #""posted":\#(time)"#
                    return #"{"id":"x\#(time)",\#(at),"amount":"-1.00"}"#
                }
            }
            return try #require(try await feed.accounts(access, days).lines.first?.transactions)
        },
    ]
}

@Suite struct BankDays {
    /// Midnight UTC at the end of October 2026.
    private static let midnight: Int64 = 1_793_491_200
    private static let times = [-1_800, 0, 1_800, 10_800].map { midnight + $0 }

    @Test(
        arguments: Provider.all,
        [
            // The days of 23:30, 0:00, 0:30 and 3:00 UTC.
            ("Europe/Berlin", [1, 1, 1, 1]), ("America/New_York", [31, 1, 31, 31]),
            ("Etc/UTC", [31, 1, 1, 1]), ("Pacific/Kiritimati", [1, 1, 1, 1]),
            ("Pacific/Honolulu", [31, 1, 31, 31]),
        ] as [(String, [Int])]
    )
    fileprivate func areThoseOfTheUser(provider: Provider, _ zone: (name: String, days: [Int])) async throws {
        let local = try day(in: zone.name)
        for isPending in [false, true] {
            let list = try await provider.rows(Self.times, isPending)
            let rows = list.rows.dated(local).filter { $0.id.hasPrefix("x") }
            let found = Self.times.map { time in rows.first { $0.id == "x\(time)" }?.date.components.day }
            #expect(found == zone.days, "pending: \(isPending)")
            #expect(rows.allSatisfy { $0.isPending == isPending } && list.leftOut == 0)
        }
    }

    /// The day of the purchase is only that of a transaction which is not booked yet.
    @Test(arguments: [(posted: 1_793_577_600, day: 2), (posted: 0, day: 31)] as [(posted: Int64, day: Int)])
    func theDayOfTheBookingCountsOnceThereIsOne(posted: Int64, day number: Int) async throws {
        let standIn = try SimpleFINStandIn()
        let feed = try standIn.feed()
        let access = try await feed.connect(.setupToken(standIn.token("a")))
        let bought = Self.midnight - 43_200
        let row = #"{"id":"x","posted":\#(posted),"transacted_at":\#(bought),"amount":"-1.00"}"#
        standIn.server.fail { $0.extraRows = [row] }
        let list = try #require(try await feed.accounts(access, days).lines.first?.transactions)
        let found = try list.rows.dated(day(in: "Etc/UTC")).first { $0.id == "x" }
        #expect(found?.date.components.day == number && found?.isPending == (posted == 0))
    }

    /// SimpleFIN may state no time of a pending transaction: it is that of the request.
    @Test func aPendingTransactionWithoutATimeIsOfThePresent() async throws {
        for (zone, expected) in [("Pacific/Auckland", 22), ("America/New_York", 21)] {
            let standIn = try SimpleFINStandIn()
            let feed = try standIn.feed()
            let access = try await feed.connect(.setupToken(standIn.token("a")))
            standIn.server.fail { $0.extraRows = [#"{"id":"x","posted":0,"amount":"-1.00"}"#] }
            let rows = try await feed.accounts(access, days).lines.first?.transactions?.rows
            let row = rows?.dated(try day(in: zone)).first { $0.id == "x" }
            #expect(row?.date.components.day == expected && row?.isPending == true, "\(zone)")
        }
    }

    /// A consent whose end is stated as a day.
    @Test func aConsentEndsOnTheDayThatIsStated() async throws {
        let standIn = try TrueLayerStandIn()
        let feed = try standIn.feed()
        standIn.server.fail { $0.consentEnd = "\"2027-02-19\"" }
        let end = try #require(await feed.withConsent(try await standIn.access(feed)).consentEndsAt)
        for zone in ["America/New_York", "Europe/Berlin"] {
            #expect(StatedTime(seconds: end).day(try day(in: zone)).description == "2027-02-19")
        }
    }

    private func day(in zone: String) throws -> (Int64) -> CivilDate {
        let zone = try #require(TimeZone(identifier: zone))
        return { seconds in
            let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            return CivilDate(utc: seconds + Int64(offset))
        }
    }
}
