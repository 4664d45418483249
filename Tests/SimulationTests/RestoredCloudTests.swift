// Deletions that the cloud has lost, with a backup or with all of its data: no device brings back what another one has
// deleted.
import CloudProtocol
import Foundation
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit
import Testing

@testable import Book
@testable import Cloud

/// Two devices of one user, and their cloud.
final class DevicesOfAnAccount {
    let folder = NSTemporaryDirectory() + "/breadly-restored-\(UUID().uuidString)"
    let clock = FixedClock(at: 1_795_262_400)
    var directory: Directory
    private(set) var books: [Book] = []
    private var tokens: [SessionToken] = []
    private let random = SharedRandom(seed: 1)
    /// Where each device has found its book to differ from the cloud.
    private(set) var found: [[Divergence]] = []
    /// The cloud's limits of the account.
    var limits = UserAccountLimits()
    /// An answer for a device in place of the cloud's; nil for the cloud's.
    var interception: ((SyncRequest, SyncAnswer) -> SyncAnswer?)?

    init(_ count: Int = 2) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        directory = try World.open(folder, clock, 1)
        for number in 0..<count {
            let clock = clock
            books.append(try Book.open(at: "\(folder)/\(number).sqlite") { clock.now })
            found.append([])
        }
        try signIn()
        for (number, book) in books.enumerated() {
            try book.attach(as: random.id(clock.now), number == 0 ? .upload : .download)
        }
    }

    deinit {
        for book in books { book.close() }
        directory.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func signIn() throws {
        tokens = try books.indices.map { number in
            try directory.signIn(
                Identity(issuer: "test", subject: "anna"),
                device: NewDevice(name: "device \(number)", guest: random.id(Int64(number)))
            ).token
        }
    }

    /// A device talks until there is nothing more to say, or until its process ends after a number of answers.
    func sync(_ number: Int, answers: Int? = nil, mode: SyncEngine<SimulatedStore>.Mode = .run) throws {
        let (random, clock) = (random, clock)
        let store = SimulatedStore(books[number], bug: nil, random: SplitMix(seed: 1))
        defer { found[number] += store.found }
        var engine = SyncEngine(
            store,
            mode: mode,
            random: SplitMix(seed: 1),
            newReplica: { random.id(clock.now) }
        )
        let service = SyncService(directory, limits: limits)
        for _ in 0..<(answers ?? 100) {
            clock.advance(by: 1)
            guard case .ask(let request) = try engine.next(at: clock.now * 1_000) else { return }
            let given = answer(request, service, tokens[number])
            let taken = interception?(request, given) ?? given
            try engine.handle(taken, to: request, at: clock.now * 1_000)
        }
        if answers == nil { Issue.record("device \(number) comes to no end") }
    }

    private func answer(_ request: SyncRequest, _ service: SyncService, _ token: SessionToken) -> SyncAnswer {
        do throws(CloudError) {
            switch request {
            case .head: return .head(try service.head(token).head)
            case .push(let batch):
                return .pushed(try service.push(batch, token, Entitlement(.active)))
            case .changes(let query):
                return .changes(try service.changes(query, token, Entitlement(.active)))
            case .detach(let replica, let lastN):
                try service.detach(replica, lastN: lastN, token)
                return .detached
            }
        } catch { return .refused(error) }
    }

    func backUp() throws {
        try DatabaseFile.copy(at: folder + "/cloud.sqlite", to: folder + "/backup.sqlite")
    }

    /// The cloud is what it was when it was backed up.
    func restore() throws {
        directory.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder + "/cloud.sqlite" + suffix)
        }
        try FileManager.default.copyItem(atPath: folder + "/backup.sqlite", toPath: folder + "/cloud.sqlite")
        directory = try World.open(folder, clock, 2)
        try directory.noteRestored()
        try signIn()
    }

    /// The cloud's file is replaced by an older one, which is used for a while before it is opened in its
    /// place.
    func replaceFile(growing: () throws -> Void) throws -> Bool {
        try directory.mark()
        directory.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder + "/cloud.sqlite" + suffix)
        }
        try FileManager.default.copyItem(atPath: folder + "/backup.sqlite", toPath: folder + "/cloud.sqlite")
        directory = try World.open(folder, clock, 2)
        try signIn()
        try growing()
        directory.close()
        directory = try World.open(folder, clock, 3)
        return try directory.checkMark()
    }

    func deleteData() throws { try directory.deleteData(tokens[0]) }

    /// A device uploads what it has, as at the end of a subscription, and is attached again later.
    func drainAndAttach(_ number: Int) throws {
        try sync(number, mode: .drain)
        try books[number].detach()
        try books[number].attach(as: random.id(clock.now), .upload)
    }

    func rejoin(_ number: Int) throws { try books[number].rejoin(as: random.id(clock.now)) }

    func names(_ number: Int) throws -> [String] {
        try books[number].reading { db in
            try db.all("SELECT name FROM accounts WHERE deleted_at IS NULL ORDER BY name", []) { $0.text(0) }
        }
    }
}

@Suite struct ACloudThatHasLostDeletions {
    private func account(_ number: UInt64, _ name: String) -> Account {
        Account(
            id: EntityID(high: 1, low: number),
            name: name,
            type: .cash,
            currency: .eur,
            openingMinor: 0
        )
    }

    /// Two accounts that both devices have; one is older than the backup, one younger. The first device
    /// deletes both. The second device has not received the deletions, and has renamed the older one before.
    private func deleted() throws -> DevicesOfAnAccount {
        let pair = try DevicesOfAnAccount()
        try pair.books[0].add(account(1, "Older"))
        try pair.books[0].add(account(3, "Stays"))
        try pair.sync(0)
        try pair.sync(1)
        try pair.backUp()
        try pair.books[0].add(account(2, "Younger"))
        try pair.sync(0)
        try pair.sync(1)
        try pair.books[1].change(account(1, "Renamed"))
        try pair.sync(1)
        try pair.sync(0)
        #expect(try pair.names(0) == ["Renamed", "Stays", "Younger"])
        try pair.books[0].deleteAccount(account(1, "").id)
        try pair.books[0].deleteAccount(account(2, "").id)
        try pair.sync(0)
        return pair
    }

    @Test(arguments: [[0, 1], [1, 0]]) func nothingThatWasDeletedLivesAgain(order: [Int]) throws {
        let pair = try deleted()
        try pair.restore()
        for number in order + order + order { try pair.sync(number) }
        #expect(try pair.names(0) == ["Stays"])
        #expect(try pair.names(1) == ["Stays"])
    }

    @Test(arguments: [[0, 1], [1, 0]]) func norWhereAllBooksAreSentAnew(order: [Int]) throws {
        let pair = try deleted()
        try pair.deleteData()
        for number in order {
            try pair.sync(number)
            try pair.rejoin(number)
            try pair.sync(number)
        }
        for number in order + order { try pair.sync(number) }
        #expect(try pair.names(0) == ["Stays"])
        #expect(try pair.names(1) == ["Stays"])
    }

    private func transaction(_ number: UInt64) -> Transaction {
        Transaction(
            id: EntityID(high: 2, low: number),
            kind: .expense,
            date: CivilDate(dayNumber: 20_000),
            amount: Money(minor: 100, currency: .eur),
            account: EntityID(high: 1, low: 1),
            accountMinor: 100
        )
    }

    /// The deleted row is in no page of a download, neither as a row nor as a deletion, so that only the head
    /// of the page tells that it was seen.
    @Test func aDownloadThatMissedADeletedRowKnowsThatTheCloudIsOlder() throws {
        let pair = try DevicesOfAnAccount()
        let (first, second) = (pair.books[0], pair.books[1])
        try first.add(account(1, "Cash"))
        try first.record(all: (1...1_100).map { transaction($0) })
        try pair.sync(0)
        try pair.backUp()
        // The newest transactions come first, so that the deleted one would be in the second page.
        try pair.sync(1, answers: 2)
        try first.deleteTransaction(EntityID(high: 2, low: 1))
        try pair.sync(0)
        try pair.sync(1, answers: 1)
        #expect(try second.replicaState().download == nil)
        #expect(try second.transaction(EntityID(high: 2, low: 1)) == nil)
        try pair.restore()
        for number in [1, 0, 1] { try pair.sync(number) }
        #expect(pair.found == [[], []], "no device had to compare its rows to find out")
        for book in pair.books { #expect(try book.transaction(EntityID(high: 2, low: 1)) == nil) }
    }
    /// The second device has received the note with a download whose head is older than the note, and uploads a change to
    /// the restored cloud before it asks for anything. The first device is gone.
    @Test func aDeviceThatOnlyUploadsStillKnowsLaterThatTheCloudIsOlder() throws {
        let pair = try DevicesOfAnAccount()
        let (first, second) = (pair.books[0], pair.books[1])
        try first.add(account(1, "Cash"))
        try first.record(all: (1...1_100).map { transaction($0) })
        try pair.sync(0)
        try pair.backUp()
        try pair.sync(1, answers: 2)
        var noted = transaction(1)
        noted.note = "After the backup"
        try first.change(noted)
        try pair.sync(0)
        try pair.sync(1, answers: 1)
        #expect(try second.replicaState().download == nil)
        #expect(try second.transaction(noted.id)?.note == "After the backup")
        try pair.restore()
        try second.add(account(2, "Card"))
        try pair.drainAndAttach(1)
        #expect(try second.replicaState().pending == 0)
        try pair.sync(1)
        #expect(pair.found == [[], []], "no device had to compare its rows to find out")
        #expect(try second.transaction(noted.id)?.note == "After the backup")
        let notes = try pair.directory.reading { db in
            try db.all("SELECT fields ->> '$.note' FROM entities WHERE id = ?", [noted.id.description]) {
                $0.text(0)
            }
        }
        #expect(notes == ["After the backup"])
    }
}
