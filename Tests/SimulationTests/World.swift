// A world of devices and accounts under one seed: they edit, lose their network, die, are restored, cloned, cut off; then
// all faults stop, and everything must be equal.
import CloudProtocol
import FileStore
import Foundation
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit

@testable import Book
@testable import Cloud

/// A violated invariant.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

final class World {
    let seed: UInt64
    let bug: Bug?
    var random: SplitMix
    /// The faults of files. Their own randomness.
    var fileRandom: SplitMix
    let contents: SimulatedContents
    /// Files of each account that were lost with the disk of a device before the cloud had them.
    var lostFiles: [Int: Set<ContentHash>] = [:]
    /// The files that the cloud of each account has had.
    var arrivedFiles: [Int: Set<ContentHash>] = [:]
    /// Files of each account that a disk has damaged, of a device or of the cloud.
    var damagedFiles: [Int: Set<ContentHash>] = [:]
    let clock = FixedClock(at: 1_795_262_400)
    let folder: String
    var directory: Directory
    var service: SyncService
    var devices: [SimulatedDevice] = []
    var users: [UserAccount] = []
    /// The sessions in which the simulator itself has asked the cloud last, by account.
    var ownSessions: [Int: SessionToken] = [:]
    var isPremium: [Bool] = []
    /// When the subscription of an account ended, where it has.
    var expiredAt: [Int: Int64] = [:]
    var isGone: [Bool] = []
    var epochs: [Int] = []
    /// By account, and in each by epoch.
    var models: [[Int64: Model]] = []
    var agenda = Agenda()
    var waiters: [Waiter] = []
    /// Questions that will come to the cloud once more.
    var strays: [Message] = []
    var isCloudUp = true
    var isCloudFull = false
    /// Whether all faults have stopped.
    var isHealing = false
    /// Whether the last edit took a change back that was not sent.
    var isTakenBack = false
    /// The transaction of each account that was chosen last for a change.
    var contested: [Int: EntityID] = [:]
    /// Whether rows are changed behind the back of books and cloud.
    var isTamperedWith = false
    /// How many questions were sent, but for those of listeners.
    var asked = 0
    var results: [String: OperationResult] = [:]
    /// The last number of each replica that was accepted.
    var lastNumbers: [String: Int64] = [:]
    /// The content of a backup of the cloud, and the operations accepted before it.
    var cloudBackup: (path: String, models: [[Int64: Model]], heads: [Int64])?
    var wasCloudRestored = false
    /// Rows that each device of an account had when its cloud was restored.
    var kept: [Int: Set<Key>] = [:]
    /// Rows of each account whose deletion its cloud had accepted and then lost, and that a device knows of.
    var buried: [Int: Set<Key>] = [:]
    var backups: [(device: Int, path: String, own: [Int64], epoch: Int64?, dead: Set<Key>)] = []
    /// Rows that a faulty client has created.
    var anything: Set<Key> = []
    var trace: [String] = []
    var steps = 0
    var faults: [String: Int] = [:]
    var milliseconds: Int64 = 1_795_262_400_000

    init(seed: UInt64, bug: Bug? = nil) throws {
        self.seed = seed
        self.bug = bug
        random = SplitMix(seed: seed)
        fileRandom = SplitMix(seed: seed ^ 0xF11E)
        contents = SimulatedContents(&fileRandom)
        // In memory where there is such a place: a simulated process does not die of a lost page.
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        folder = "\(root)/breadly-simulation-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        directory = try Self.open(folder, clock, seed)
        service = SyncService(directory)
    }

    static func open(_ folder: String, _ clock: FixedClock, _ seed: UInt64) throws -> Directory {
        let generator = SharedRandom(seed: seed ^ 0xC10D)
        return try Directory(
            at: folder + "/cloud.sqlite",
            acceptsNewAccounts: true,
            dependencies: Directory.Dependencies(
                now: { clock.now },
                newID: { generator.id(clock.now) },
                newToken: { generator.token() }
            )
        )
    }

    func close() {
        agenda = Agenda()
        waiters = []
        for device in devices { stopAll(device) }
        for device in devices { device.book.close() }
        directory.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func note(_ line: @autoclosure () -> String) {
        trace.append("\(steps) \(line())")
    }

    func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &random) < one }

    func pick<Value>(_ values: [Value]) -> Value? { values.randomElement(using: &random) }

    func newID() -> EntityID { EntityID(milliseconds: UInt64(clock.now) * 1_000, using: &random) }

    // MARK: - Making

    func addAccount() throws {
        let number = users.count
        let admission = try directory.signIn(
            Identity(issuer: "test", subject: "user \(number)"),
            device: NewDevice(name: "first", guest: newID())
        )
        users.append(admission.user)
        isPremium.append(true)
        isGone.append(false)
        models.append([:])
    }

    /// A session for a question of the simulator itself. The one of its former question ends: the cloud would soon have too
    /// many sessions of the account, and end those of devices.
    func token(_ account: Int) throws -> SessionToken {
        let own = try signIn(account)
        // One is left over where a cloud has no room to note its end.
        if let former = ownSessions[account] { try? directory.signOut(former) }
        ownSessions[account] = own
        return own
    }

    /// A new session, as a device has it.
    func signIn(_ account: Int) throws -> SessionToken {
        try directory.signIn(
            Identity(issuer: "test", subject: "user \(account)"),
            device: NewDevice(name: "device \(devices.count)", guest: newID())
        ).token
    }

    @discardableResult
    func addDevice(to account: Int, _ how: Attachment) throws -> SimulatedDevice {
        let number = devices.count
        let path = "\(folder)/\(number).sqlite"
        // It may be there from an attempt that a full cloud has refused.
        try? FileManager.default.removeItem(atPath: path)
        try FileFolder(besides: path).removeAll()
        try Template.shared.copy(to: path)
        let device = try makeDevice(number, account, path)
        if how == .upload { try seed(device) }
        try device.book.attach(as: newID(), how)
        note("device \(number) of account \(account) attaches by \(how)")
        start(device, .run)
        return device
    }

    private func makeDevice(_ number: Int, _ account: Int, _ path: String) throws -> SimulatedDevice {
        let clock = clock
        let book = try Book.open(at: path) { clock.now }
        let store = SimulatedStore(book, bug: bug, random: SplitMix(seed: random.next()))
        let device = SimulatedDevice(
            number: number,
            account: account,
            token: try signIn(account),
            path: path,
            store: store
        )
        devices.append(device)
        return device
    }

    /// The same rows on each device of an account, as its seeds are, and some that are its own.
    private func seed(_ device: SimulatedDevice) throws {
        for index in 0..<2 {
            let id = EntityID(high: UInt64(device.account + 1), low: UInt64(index + 1))
            try device.book.add(
                Account(
                    id: id,
                    name: tag(device, "seed \(index)"),
                    type: .cash,
                    currency: .eur,
                    openingMinor: 0
                )
            )
        }
        for index in 0..<2 {
            let id = EntityID(high: UInt64(device.account + 1), low: UInt64(index + 11))
            try device.book.add(
                Ledger.Category(
                    id: id,
                    name: tag(device, "seed \(index)"),
                    kind: .expense,
                    icon: "a",
                    color: "b",
                    parent: nil
                )
            )
        }
        for _ in 0..<Int.random(in: 0..<4, using: &random) { try edit(device) }
    }

    /// A text that says whose it is.
    func tag(_ device: SimulatedDevice, _ text: String) -> String { "@\(device.account) \(text)" }

    // MARK: - Talking

    /// The answers of the real service. The model accepts the same operations.
    func serve(_ request: SyncRequest, _ token: SessionToken, _ device: SimulatedDevice) throws -> SyncAnswer
    {
        let account = device.account
        let entitlement = Entitlement(
            isPremium[account] ? .active : .expired,
            expiresAt: isPremium[account] ? nil : expiredAt[account]
        )
        do throws(CloudError) {
            switch request {
            case .head: return .head(try service.head(token).head)
            case .push(var batch):
                if bug == .ignoresTheEpoch { batch.epoch = try service.head(token).head.epoch }
                if bug == .resurrectsOnPatch { try resurrect(batch, account) }
                if bug == .forgetsResults { batch = try forgetting(batch, account) }
                let answer: PushAnswer
                do { answer = try service.push(batch, token, entitlement) } catch {
                    guard bug == .ignoresReusedNumbers, error == .sync(.opReused) else { throw error }
                    answer = PushAnswer(
                        epoch: batch.epoch,
                        head: try service.head(token).head.seq,
                        lastN: batch.operations.last?.n ?? 0,
                        results: batch.operations.map { OperationResult(n: $0.n, seq: 0, status: .applied) }
                    )
                }
                if bug == .losesConflicts { try loseConflicts(account) }
                learned = (batch, answer, device)
                return .pushed(answer)
            case .changes(var query):
                query.limit = Int.random(in: 1...6, using: &random)
                if bug == .ignoresTheEpoch { query.epoch = try service.head(token).head.epoch }
                var page = try service.changes(query, token, entitlement)
                if bug == .mixesAccounts, let other = devices.first(where: { $0.account != account }),
                    chance(1, in: 4)
                {
                    let foreign = ChangesQuery(
                        replica: newID(),
                        epoch: page.epoch,
                        range: .snapshot(from: ""),
                        limit: 3,
                        lastN: 0
                    )
                    if let more = try? service.changes(foreign, other.token, Entitlement(.active)) {
                        page.rows += more.rows
                    }
                }
                return .changes(page)
            case .detach(let replica, let lastN):
                try service.detach(replica, lastN: lastN, token)
                return .detached
            }
        } catch {
            return .refused(error)
        }
    }

    private var learned: (PushBatch, PushAnswer, SimulatedDevice)?

    /// Hands what was accepted to the model, and holds it against what was said before.
    func learn(_ runner: SimulatedRunner) throws {
        guard let (batch, answer, device) = learned else { return }
        learned = nil
        if bug == nil || bug == .forgetsResults { try checkOrder(batch, answer, device) }
        for (operation, result) in zip(batch.operations, answer.results) {
            guard bug != .ignoresReusedNumbers || result.seq > 0 else { continue }
            let name = "\(device.account) \(answer.epoch) \(batch.replica) \(operation.n)"
            if let known = results[name], known != result {
                throw Violation(description: "2, 4: \(name) was \(known) and is \(result)")
            }
            results[name] = result
            if operation.action == .patch, !wasCloudRestored {
                for field in operation.fields.all
                where !device.meant.contains("\(operation.id) \(field.name)") {
                    throw Violation(
                        description:
                            "7: a patch of \(operation.id) carries \(field.name), which nobody changed"
                    )
                }
            }
            models[device.account][answer.epoch, default: Model()].accept(
                operation,
                result,
                from: batch.replica,
                device: device.number
            )
            // Operations that were sent from a file belong to it, and not to an older file in its place. A request that
            // reaches a restored cloud twice, from a replica that the device has given up since, counts as another's.
            let isOwn = try runner.file == device.file && device.book.replicaState().replica == batch.replica
            if isOwn, !device.own.contains(result.seq) { device.own.append(result.seq) }
        }
        guard answer.results.count == batch.operations.count else {
            throw Violation(
                description: "an answer with \(answer.results.count) results for \(batch.operations.count)"
            )
        }
    }

    func ended(_ device: SimulatedDevice, _ end: SyncEnd) throws {
        note("device \(device.number) ends: \(end)")
        switch end {
        case .drained:
            let state = try device.book.replicaState()
            guard state.pending == 0 else {
                throw Violation(description: "14: detached with \(state.pending) pending")
            }
            try detach(device)
            device.life = .detached
        case .uploadsRefused:
            count("too late to upload")
            try detach(device)
            device.life = .detached
        case .dataDeleted: device.life = .stopped
        case .sessionEnded:
            // No user has ended it. Its files would wait on the device for a sign-in that never comes.
            throw Violation(description: "the session of device \(device.number) has ended")
        case .notAttached: device.life = .detached
        }
        if let runner = device.runner { runner.isStopped = true }
        device.runner = nil
    }

    /// The server repeats a step that finds no room until there is some.
    private func detach(_ device: SimulatedDevice) throws {
        do throws(BookError) { try device.book.detach() } catch {
            guard device.isFull, error == .diskFull else { throw error }
            note("device \(device.number) is detached once its disk has room")
            try setRoom(of: device, isFull: false)
            try device.book.detach()
        }
    }

    func count(_ fault: String, by number: Int = 1) { faults[fault, default: 0] += number }

    // MARK: - Faults that are put in

    private func resurrect(_ batch: PushBatch, _ account: Int) throws(CloudError) {
        try directory.changing { db in
            for operation in batch.operations where operation.action == .patch {
                try db.change(
                    "UPDATE entities SET is_deleted = 0 WHERE kind = ? AND id = ?",
                    [operation.kind, operation.id.column]
                )
            }
        }
    }

    /// The cloud's memory of what it has had is taken away: repeated operations get through as new ones.
    private func forgetting(_ batch: PushBatch, _ account: Int) throws(CloudError) -> PushBatch {
        let first = batch.operations.first?.n ?? 1
        try directory.changing { db in
            try db.change(
                "DELETE FROM op_results WHERE n >= ? AND replica = (SELECT number FROM replicas WHERE id = ?)",
                [first, batch.replica.column]
            )
            try db.change(
                "UPDATE replicas SET last_n = min(last_n, ?) WHERE id = ?",
                [first - 1, batch.replica.column]
            )
        }
        return batch
    }

    private func loseConflicts(_ account: Int) throws(CloudError) {
        _ = try directory.changing { db in try db.change("DELETE FROM entities WHERE kind = 'conflict'") }
    }
}

extension SyncRequest {
    var short: String {
        switch self {
        case .head: "head"
        case .push(let batch):
            "push "
                + batch.operations.map {
                    "\($0.n):\($0.action) \(Key(kind: $0.kind, id: $0.id)) \($0.fields.all.map { "\($0.name)=\($0.value)" }) base \($0.base.all.map { "\($0.value)" })"
                }
                .joined(separator: "; ")
        case .changes(let query): "changes \(query.range) lastN \(query.lastN)"
        case .detach(_, let lastN): "detach \(lastN)"
        }
    }
}

extension SyncAnswer {
    var short: String {
        switch self {
        case .head(let head): "head \(head.seq)"
        case .pushed(let answer):
            "results "
                + answer.results.map { "\($0.n)@\($0.seq) \($0.status)\($0.code.map { " \($0)" } ?? "")" }
                .joined(separator: ", ")
        case .changes(let page):
            "rows to \(page.cursor) more \(page.hasMore): "
                + page.rows.map { "\(Key(kind: $0.kind, id: $0.id))@\($0.seq)\($0.isDeleted ? " dead" : "")" }
                .joined(separator: ", ")
        case .detached: "detached"
        case .refused(let error): "\(error)"
        }
    }
}

/// Randomness that the service and an engine's closures share.
final class SharedRandom: @unchecked Sendable {
    // Safe: the simulation runs on one thread.
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    func id(_ seconds: Int64) -> EntityID { EntityID(milliseconds: UInt64(seconds) * 1_000, using: &random) }
    func token() -> SessionToken { SessionToken(using: &random) }
}

/// An empty book, made once: each device begins with a copy.
final class Template: Sendable {
    static let shared = Template()
    private let content: Data?

    private init() {
        let path = NSTemporaryDirectory() + "/breadly-template-\(UUID().uuidString).sqlite"
        let book = try? Book.open(at: path) { 1_795_262_400 }
        book?.close()
        content = FileManager.default.contents(atPath: path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func copy(to path: String) throws {
        guard let content, FileManager.default.createFile(atPath: path, contents: content) else {
            throw Violation(description: "the empty book cannot be copied")
        }
    }
}
