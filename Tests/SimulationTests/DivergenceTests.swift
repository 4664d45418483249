// Rows that are changed behind the back of a book or of the cloud: the next catch-up notices and mends it.
import Foundation
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit
import Testing

@testable import Book
@testable import Cloud

/// A change that bypasses capture and sync.
private enum Tampering: String, CaseIterable {
    case bookRowChanged, bookRowDeleted, cloudRowChanged, cloudRowDeleted, cloudHashChanged, bookHashChanged
}

extension World {
    /// Changes one row of account 0, or a hash.
    fileprivate func tamper(_ how: Tampering, _ device: SimulatedDevice) throws {
        isTamperedWith = true
        note("tampering: \(how) on device \(device.number)")
        func changeBook(_ sql: String) throws {
            _ = try device.book.applyRemoteRows { db in try db.change(sql) }
        }
        let one = "(SELECT id FROM accounts WHERE deleted_at IS NULL ORDER BY id LIMIT 1)"
        let account = "(SELECT number FROM sync_accounts WHERE user = '\(users[0].id)')"
        let row =
            "account = \(account) AND kind = 'account' AND id = (SELECT min(id) FROM entities WHERE is_deleted = 0 AND kind = 'account' AND account = \(account))"
        switch how {
        case .bookRowChanged:
            try changeBook("UPDATE accounts SET name = name || ' tampered' WHERE id = \(one)")
        case .bookRowDeleted: try changeBook("UPDATE accounts SET deleted_at = 5 WHERE id = \(one)")
        case .bookHashChanged: try changeBook("UPDATE agreement SET hash = hash / 2 + 1")
        case .cloudRowChanged, .cloudRowDeleted, .cloudHashChanged:
            try directory.changing { db in
                let sql =
                    switch how {
                    case .cloudRowChanged:
                        "UPDATE entities SET fields = json_set(fields, '$.name', '@0 tampered') WHERE \(row)"
                    case .cloudRowDeleted: "DELETE FROM entities WHERE \(row)"
                    default:
                        "UPDATE sync_accounts SET rows_hash = rows_hash / 2 + 1 WHERE number = \(account)"
                    }
                try db.change(sql)
            }
        }
    }

    /// Lives a life, is tampered with, and catches up once.
    fileprivate func live(_ length: Int, then how: Tampering) throws {
        try live(length)
        guard let device = devices.first(where: { $0.account == 0 && $0.life == .running }) else { return }
        guard try device.rows().contains(where: { $0.key.kind == "account" && $0.value.isLive }) else {
            return
        }
        let before = try device.rows().filter { $0.value.isLive }.count
        try tamper(how, device)
        try device.book.add(
            Account(id: newID(), name: tag(device, "news"), type: .cash, currency: .eur, openingMinor: 0)
        )
        later(0...5) { [unowned self] in
            if let runner = device.runner { try drive(runner, .hurry) }
        }
        try run(for: 10_000)
        let mine = devices.filter { $0.account == 0 && $0.life == .running }
        let isCompared = try mine.allSatisfy { device in
            try device.book.reading { db in try db.refusedRows() != nil }
        }
        try checkEqual(mine)
        try checkHashes(0)
        guard isCompared else { return }
        let found = mine.flatMap(\.store.found).map(\.finding)
        let expected: Divergence.Finding = how == .bookHashChanged ? .miscounted : .mended
        guard found.contains(expected) else {
            throw Violation(description: "19: \(how) was not noticed: \(found)")
        }
        guard try device.rows().filter({ $0.value.isLive }).count >= before + 1 else {
            throw Violation(description: "19: a row was lost after \(how)")
        }
    }
}

@Suite struct ADifferenceBetweenBookAndCloud {
    @Test(arguments: Tampering.allCases) private func isNoticedAndMendedAfterAnyLife(_ how: Tampering) {
        for seed in UInt64(1)...12 {
            do {
                let world = try World(seed: seed)
                defer { world.close() }
                do { try world.live(60, then: how) } catch {
                    print("seed \(seed): \(error)\n  " + world.trace.suffix(60).joined(separator: "\n  "))
                    Issue.record("\(how), seed \(seed): \(error)")
                }
            } catch { Issue.record("\(error)") }
        }
    }

    private func account(_ number: UInt64, _ name: String) -> Account {
        Account(
            id: EntityID(high: 1, low: number),
            name: name,
            type: .cash,
            currency: .eur,
            openingMinor: 0
        )
    }

    @Test func aValueThatGivesWayIsToldAndWhatOnlyTheBookHasIsSent() throws {
        let pair = try DevicesOfAnAccount()
        try pair.books[0].add(account(1, "One"))
        try pair.books[0].add(account(2, "Two"))
        try pair.sync(0)
        try pair.sync(1)
        #expect(pair.found == [[], []])
        // The cloud holds an older name, and has lost a row.
        _ = try pair.directory.changing { db in
            try db.change("UPDATE entities SET fields = replace(fields, 'One', 'Old') WHERE kind = 'account'")
            try db.change("DELETE FROM entities WHERE fields LIKE '%Two%'")
        }
        try pair.books[0].add(account(3, "Three"))
        try pair.sync(0)
        #expect(pair.found[0].map(\.finding) == [.mending, .mended])
        let told = try #require(pair.found[0].last)
        #expect(told.rows == 2 && told.details.hasPrefix("2 account; account "))
        #expect(!"\(told)".contains("One") && !"\(told)".contains("Two"), "no personal data")
        #expect(try pair.books[0].losses().map { $0.mine.text("name") } == ["One"])
        try pair.sync(1)
        try pair.sync(0)
        #expect(try pair.names(0) == ["Old", "Three", "Two"])
        #expect(try pair.names(1) == ["Old", "Three", "Two"])
    }

    @Test func aRefusedChangeThatStaysDoesNotHideADifference() throws {
        let pair = try DevicesOfAnAccount()
        try pair.books[0].add(account(1, "One"))
        try pair.books[0].add(account(2, "Two"))
        try pair.sync(0)
        let long = "Long " + String(repeating: "x", count: 45)
        pair.limits.rowBytes = 90
        try pair.books[0].change(account(1, long))
        try pair.sync(0)
        #expect(try pair.books[0].replicaState().failed == 1)
        #expect(pair.found[0].isEmpty, "a refused change is no difference")
        _ = try pair.directory.changing { db in
            try db.change("UPDATE entities SET fields = replace(fields, 'Two', 'Old') WHERE kind = 'account'")
        }
        try pair.sync(1)
        try pair.books[1].add(account(3, "Three"))
        try pair.sync(1)
        try pair.sync(0)
        #expect(pair.found[0].map(\.finding) == [.mending, .mended])
        #expect(pair.found[0].last?.rows == 1)
        #expect(try pair.names(0) == [long, "Old", "Three"])
        #expect(try pair.names(1) == ["Old", "One", "Three"])
        // It can still be reverted, to what the cloud has by now.
        try pair.books[1].change(account(1, "First"))
        try pair.sync(1)
        try pair.sync(0)
        let refused = try #require(try pair.books[0].pendingChanges().first)
        try pair.books[0].revert(change: refused.id)
        try pair.sync(0)
        #expect(try pair.names(0) == ["First", "Old", "Three"])
        #expect(pair.found[0].count == 2)
    }

    @Test func theNextAttemptWaitsWhereOneDidNotHelp() throws {
        let pair = try DevicesOfAnAccount()
        try pair.books[0].add(account(1, "One"))
        // A cloud that counts otherwise than this book.
        var asked = 0
        pair.interception = { request, answer in
            if case .changes(let query) = request, case .snapshot = query.range { asked += 1 }
            switch answer {
            case .changes(var page):
                page.hash?.replace(0, by: 1)
                return .changes(page)
            case .pushed(var answer):
                answer.changes?.hash?.replace(0, by: 1)
                return .pushed(answer)
            default: return nil
            }
        }
        try pair.sync(0)
        #expect(pair.found[0].map(\.finding) == [.mending, .remaining])
        let loads = asked
        try pair.books[0].add(account(2, "Two"))
        try pair.sync(0)
        #expect(asked == loads && pair.found[0].count == 2, "said and done once")
        pair.clock.advance(by: 86_400)
        try pair.books[0].add(account(3, "Three"))
        try pair.sync(0)
        #expect(asked > loads)
        #expect(pair.found[0].map(\.finding) == [.mending, .remaining, .mending, .remaining])
        pair.interception = nil
        try pair.sync(0)
        #expect(pair.found[0].count == 4)
    }

    @Test func aDeviceThatWasAwayForLongLoadsAnewAndAppliesNothingTwice() throws {
        let pair = try DevicesOfAnAccount()
        try pair.books[0].add(account(1, "One"))
        try pair.books[0].add(account(2, "Two"))
        try pair.sync(0)
        try pair.sync(1)
        // The cloud takes a change of the second device, whose answer is lost.
        try pair.books[1].change(account(1, "Second"))
        pair.interception = { request, _ in
            if case .push = request { .refused(.unreachable("cut")) } else { nil }
        }
        try pair.sync(1)
        pair.interception = nil
        try pair.sync(0)
        #expect(try pair.names(0) == ["Second", "Two"])
        try pair.books[0].change(account(1, "First"))
        try pair.books[0].deleteAccount(account(2, "").id)
        try pair.sync(0)
        pair.clock.advance(by: 200 * 86_400)
        try pair.sync(0)
        #expect(try SyncService(pair.directory).collect() > 0)
        var loads = 0
        pair.interception = { request, _ in
            if case .changes(let query) = request, case .snapshot = query.range { loads += 1 }
            return nil
        }
        try pair.sync(1)
        #expect(loads > 0, "the deletion is not among the changes any more")
        for number in [1, 0] { #expect(try pair.names(number) == ["First"]) }
        #expect(pair.found == [[], []])
    }
}

@Suite struct AFileOfTheCloudThatIsReplacedByHand {
    private func account(_ number: UInt64, _ name: String) -> Account {
        Account(
            id: EntityID(high: 1, low: number),
            name: name,
            type: .cash,
            currency: .eur,
            openingMinor: 0
        )
    }

    @Test(arguments: [[0, 1, 2], [2, 1, 0]], [false, true])
    func losesNothingAlsoWhereItWentOnElsewhere(order: [Int], grows: Bool) throws {
        let all = try DevicesOfAnAccount(3)
        #expect(try all.directory.checkMark() == false)
        try all.directory.mark()
        try all.books[0].add(account(1, "Older"))
        for number in 0..<2 { try all.sync(number) }
        try all.backUp()
        try all.books[0].add(account(2, "Lost 1"))
        try all.sync(0)
        try all.books[1].add(account(3, "Lost 2"))
        for number in [1, 0] { try all.sync(number) }
        let reached = try all.books[0].replicaState().cursor
        let isOlder = try all.replaceFile {
            guard grows else { return }
            // A device that has seen nothing of what was lost takes the file beyond all that was.
            for number in UInt64(4)...9 { try all.books[2].add(account(number, "New \(number)")) }
            try all.sync(2)
            #expect(try all.books[2].replicaState().cursor > reached)
        }
        #expect(isOlder)
        try all.directory.mark()
        #expect(try all.directory.checkMark() == false, "noticed once")
        try all.signIn()
        for number in order + order + order { try all.sync(number) }
        let names = ["Lost 1", "Lost 2"] + (grows ? (4...9).map { "New \($0)" } : []) + ["Older"]
        for number in 0..<3 { #expect(try all.names(number) == names) }
        for book in all.books { #expect(try book.replicaState().pending == 0) }
        #expect(all.found == [[], [], []])
    }
}
