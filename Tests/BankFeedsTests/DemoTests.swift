// The bank of the demo: believable, the same for each seed, and with a switch for each failure.
import BankFeeds
import Ledger
import Synchronization
import TestKit
import Testing

@Suite struct DemoBanks {
    private let clock = FixedClock(at: noon)
    private let today = CivilDate(dayNumber: Int32(noon / 86_400))

    private func bank(seed: UInt64 = 1) -> DemoBank {
        let clock = clock
        return DemoBank(seed: seed, firstDay: today, now: { clock.now })
    }

    private func feed(_ bank: DemoBank, pauses: Pauses = Pauses()) throws -> DemoFeed {
        DemoFeed(
            bank,
            currencies: try CurrencyTable(tsv: "EUR\t2\t€\tEuro\nUSD\t2\t$\tDollar\n"),
            consentPage: { "/bank?\($0)" },
            pause: { pauses.note($0) }
        )
    }

    private final class Pauses: Sendable {
        private let noted = Mutex<[Int64]>([])
        var all: [Int64] { noted.withLock { $0 } }
        func note(_ milliseconds: Int64) { noted.withLock { $0.append(milliseconds) } }
    }

    private let consent = BankConsent(state: "s", verifier: "v", redirect: "r", expiresAt: noon + 600)

    private func connect(_ bank: DemoBank, _ feed: DemoFeed) async throws -> BankAccess {
        try await feed.connect(.code(bank.allow(), consent))
    }

    private var days: ClosedRange<CivilDate> {
        let today = CivilDate(dayNumber: Int32(clock.now / 86_400))
        return today.adding(days: -90)...today
    }

    /// The rows of all accounts, and the balances.
    private func read(_ feed: DemoFeed, _ access: BankAccess) async throws -> (
        rows: [[BankTransaction]], balances: [Int64]
    ) {
        var (rows, balances): ([[BankTransaction]], [Int64]) = ([], [])
        for line in try await feed.accounts(access, days).lines {
            let list = try await feed.transactions(of: line.account, access, days)
            #expect(list.leftOut == 0)
            rows.append(list.rows)
            balances.append(try #require(try await feed.balance(of: line.account, access)).money.minor)
        }
        return (rows, balances)
    }

    @Test func theAccountsAreBelievable() async throws {
        let bank = bank()
        let feed = try feed(bank)
        let access = try await connect(bank, feed)
        let accounts = try await feed.accounts(access, days).lines.map(\.account)
        #expect(accounts.map(\.kind) == [.current, .savings, .card])
        #expect(Set(accounts.map(\.currency)) == [.eur, .usd])
        let (rows, _) = try await read(feed, access)
        let current = rows[0]
        #expect(
            current.filter { $0.description == "SALARY" }.map(\.money.minor) == [285_000, 285_000, 285_000]
        )
        #expect(current.filter { $0.description.hasPrefix("RENT") }.count == 3)
        #expect((40...140).contains(current.count), "\(current.count) rows")
        #expect(rows[1].count >= 3 && rows[2].count >= 6)
        #expect(current.contains(where: \.isPending) && rows[2].allSatisfy { $0.money.currency == .usd })
        #expect(rows.allSatisfy { list in list.allSatisfy { days.contains($0.date) } })
    }

    @Test func theSameSeedMakesTheSameTransactions() async throws {
        var all: [[[BankTransaction]]] = []
        for seed in [7, 7, 8] as [UInt64] {
            let bank = bank(seed: seed)
            let feed = try feed(bank)
            all.append(try await read(feed, try await connect(bank, feed)).rows)
        }
        #expect(all[0] == all[1] && all[0] != all[2])
    }

    /// Time adds transactions, books what was pending, and changes nothing else.
    @Test func timeBringsNewTransactions() async throws {
        let bank = bank()
        let feed = try feed(bank)
        let access = try await connect(bank, feed)
        var before = try await read(feed, access)
        var arrived = 0
        for _ in 0..<40 {
            clock.advance(by: 43_200)
            let renewed = try await feed.renew(try await connect(bank, feed))
            let after = try await read(feed, renewed)
            for account in 0..<3 {
                let ids = Set(before.rows[account].map(\.id))
                let new = after.rows[account].filter { !ids.contains($0.id) }
                arrived += new.count
                // A balance changes when the bank books.
                let pending = Set(before.rows[account].lazy.filter(\.isPending).map(\.id))
                let booked = after.rows[account].filter { row in
                    !row.isPending && (!ids.contains(row.id) || pending.contains(row.id))
                }
                let change = booked.reduce(Int64(0)) { $0 + $1.money.minor }
                #expect(after.balances[account] - before.balances[account] == change)
                for row in before.rows[account] where days.contains(row.date) {
                    let same = try #require(after.rows[account].first { $0.id == row.id })
                    #expect(same.money == row.money && same.date == row.date)
                    #expect(row.isPending || !same.isPending)
                }
            }
            before = after
        }
        #expect(arrived > 20)
    }

    @Test(
        arguments: [
            (.down, .unreachable("the demo's bank is down")), (.consentEnds, .consentEnded),
            (.tooManyRequests, .rateLimited(until: noon + 900)),
            (.wrongContentType, .malformed("it is not JSON, by its content type")),
        ] as [(DemoBank.Behaviour, BankFeedError)]
    )
    func eachFailureHasASwitch(behaviour: DemoBank.Behaviour, error: BankFeedError) async throws {
        let bank = bank()
        let feed = try feed(bank)
        let access = try await connect(bank, feed)
        bank.set(behaviour)
        await #expect(throws: error) { try await feed.accounts(access, days) }
        await #expect(throws: error) { try await feed.renew(access) }
        bank.set(.works)
        if behaviour == .consentEnds {
            await #expect(throws: BankFeedError.consentEnded) { try await feed.accounts(access, days) }
            #expect(try await feed.accounts(try await connect(bank, feed), days).lines.count == 3)
        } else {
            #expect(try await feed.accounts(access, days).lines.count == 3)
        }
    }

    @Test func aSlowBankAnswersLate() async throws {
        let (bank, pauses) = (bank(), Pauses())
        let feed = try feed(bank, pauses: pauses)
        let access = try await connect(bank, feed)
        #expect(pauses.all.isEmpty)
        bank.set(.slow)
        _ = try await feed.accounts(access, days)
        #expect(pauses.all == [2_000])
    }

    @Test func duplicatesAndReorderedRowsChangeNothing() async throws {
        let bank = bank()
        let feed = try feed(bank)
        let access = try await connect(bank, feed)
        let usual = try await read(feed, access).rows
        bank.set(.duplicates)
        #expect(try await read(feed, access).rows == usual)
    }

    @Test func pendingRowsChangeTheirIdentifiersUntilTheyAreBooked() async throws {
        let bank = bank()
        let feed = try feed(bank)
        let access = try await connect(bank, feed)
        let usual = try await read(feed, access).rows[0]
        bank.set(.changingPending)
        let first = try await read(feed, access).rows[0]
        clock.advance(by: 60)
        let second = try await read(feed, access).rows[0]
        func ids(_ rows: [BankTransaction], _ isPending: Bool) -> Set<String> {
            Set(rows.filter { $0.isPending == isPending }.map(\.id))
        }
        #expect(ids(first, true).isDisjoint(with: ids(second, true)) && !ids(first, true).isEmpty)
        #expect(ids(first, false) == ids(second, false) && ids(first, false) == ids(usual, false))
    }

    @Test func aConsentIsGivenOnceRenewedAndEnded() async throws {
        let bank = bank()
        let feed = try feed(bank)
        #expect(bank.redirect(of: "s") == nil)
        #expect(feed.consentAddress(consent) == "/bank?s" && bank.redirect(of: "s") == "r")
        let proof = BankProof.code(bank.allow(), consent)
        let access = try await feed.connect(proof)
        await #expect(throws: BankFeedError.proofRefused) { try await feed.connect(proof) }
        await #expect(throws: BankFeedError.proofRefused) { try await feed.connect(.setupToken("x")) }
        #expect(access.consentEndsAt == noon + 90 * 86_400)
        clock.advance(by: 3_600)
        await #expect(throws: BankFeedError.unauthorised) { try await feed.accounts(access, days) }
        let renewed = try await feed.renew(access)
        #expect(renewed.consentID == access.consentID && renewed.secret != access.secret)
        await #expect(throws: BankFeedError.consentEnded) { try await feed.renew(access) }
        _ = try await feed.accounts(renewed, days)
        try await feed.revoke(renewed)
        await #expect(throws: BankFeedError.consentEnded) { try await feed.renew(renewed) }
        let last = try await connect(bank, feed)
        clock.advance(by: 90 * 86_400)
        await #expect(throws: BankFeedError.consentEnded) { try await feed.renew(last) }
    }
}
