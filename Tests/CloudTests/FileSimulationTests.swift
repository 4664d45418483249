// Uploads of several devices over a line that loses, cuts and repeats parts, while receipts come and go, files are
// collected, and devices and the cloud are restarted. One seed determines everything.
import CloudProtocol
import FileStore
import Foundation
import GRDB
import Ledger
import Storage
import SyncCore
import SyncEngine
import TestKit
import Testing

@testable import Cloud

/// A device with its files and the machine that sends them.
private struct SimulatedDevice {
    let replica: UInt64
    var lastN: Int64 = 0
    var machine: UploadMachine
    /// The keys that wait, in their order, and those that the cloud has confirmed.
    var waiting: [FileKey] = []
    var uploaded: Set<FileKey> = []
    /// The live receipts that this device has added, with their files.
    var receipts: [UInt64: FileKey] = [:]
    /// Deleted receipts that it can bring back.
    var deleted: [FileKey] = []
}

@Suite struct ASimulationOfFiles: TalksToACloud {
    private static let partBytes = 100
    private static let day: Int64 = 86_400

    /// The state of a run.
    private final class World {
        let cloud: CloudUnderTest
        let token: SessionToken
        let user: EntityID
        var files: FileService
        var random: SplitMix
        var devices: [SimulatedDevice] = []
        var contents: [FileKey: [UInt8]] = [:]
        var keys: [FileKey] = []
        /// Parts that may arrive once more, at any later time.
        var stray: [FilePart] = []
        var nextID: UInt64 = 1_000
        var now: Int64 = 0
        var trace: [String] = []

        init(_ cloud: CloudUnderTest, _ token: SessionToken, seed: UInt64) throws {
            (self.cloud, self.token) = (cloud, token)
            user = try cloud.directory.user(token).id
            files = FileService(cloud.directory)
            random = SplitMix(seed: seed)
            for _ in 0..<6 {
                let bytes = (0..<Int.random(in: 1...450, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
                let key = try #require(FileKey(ContentHash(of: bytes).description))
                contents[key] = bytes
                keys.append(key)
            }
            for number in 1...3 {
                devices.append(SimulatedDevice(replica: UInt64(number), machine: machine()))
            }
        }

        func machine() -> UploadMachine {
            var machine = UploadMachine(
                partBytes: ASimulationOfFiles.partBytes,
                random: SplitMix(seed: random.next())
            )
            machine.handle(.operations(pending: 0), at: now)
            return machine
        }

        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }
    }

    private func push(_ operations: [SyncCore.Operation], _ world: World, _ device: Int) async throws {
        _ = try await world.cloud.api.push(batch(world.devices[device].replica, operations), world.token)
    }

    /// Adds a receipt of a file, whose row arrives at once: the bytes follow the operations.
    private func add(_ key: FileKey, _ world: World, _ device: Int) async throws {
        world.nextID += 2
        let (receipt, transaction) = (world.nextID, world.nextID + 1)
        let n = world.devices[device].lastN
        world.devices[device].lastN += 2
        try await push(
            [
                operation(
                    n + 1,
                    .create,
                    transaction,
                    ["amount": 5],
                    kind: "transaction",
                    op: Int64(transaction)
                ),
                operation(
                    n + 2,
                    .create,
                    receipt,
                    [
                        "sha256": .text(key.description),
                        "transaction": .text(number(transaction).description),
                    ],
                    kind: "receipt",
                    op: Int64(receipt)
                ),
            ],
            world,
            device
        )
        world.devices[device].receipts[receipt] = key
        // As the book does for each receipt that is new or comes back.
        world.devices[device].uploaded.remove(key)
        if !world.devices[device].waiting.contains(key) { world.devices[device].waiting.append(key) }
        world.devices[device].machine.handle(.hurry, at: world.now)
        world.trace.append("device \(device) adds \(key.description.prefix(4))")
    }

    private func delete(_ world: World, _ device: Int) async throws {
        guard let (receipt, key) = world.pick(world.devices[device].receipts.sorted { $0.key < $1.key })
        else { return }
        world.devices[device].lastN += 1
        let deletion = operation(
            world.devices[device].lastN,
            .delete,
            receipt,
            kind: "receipt",
            op: Int64(receipt) << 20
        )
        try await push([deletion], world, device)
        world.devices[device].receipts[receipt] = nil
        world.devices[device].deleted.append(key)
        world.trace.append("device \(device) deletes \(key.description.prefix(4))")
    }

    /// The answer of the cloud over a line with faults.
    private func put(_ part: FilePart, _ world: World, isHealed: Bool) -> Result<FileProgress, CloudError> {
        func arrive(_ part: FilePart) -> Result<FileProgress, CloudError> {
            do throws(CloudError) { return .success(try world.files.put(part, of: world.user)) } catch {
                return .failure(error)
            }
        }
        guard !isHealed else { return arrive(part) }
        if world.chance(15) { return .failure(.unreachable("lost")) }
        if world.chance(10), part.bytes.count > 1 {
            var cut = part
            cut.bytes = Array(part.bytes.prefix(Int.random(in: 1..<part.bytes.count, using: &world.random)))
            _ = arrive(cut)
            return .failure(.unreachable("cut"))
        }
        if world.chance(10), !part.bytes.isEmpty {
            var damaged = part
            damaged.bytes[0] ^= 1
            _ = arrive(damaged)
            return .failure(.unreachable("damaged on its way"))
        }
        let answer = arrive(part)
        if world.chance(20) { world.stray.append(part) }
        if world.chance(15) { return .failure(.timedOut("the answer is lost")) }
        return answer
    }

    /// One step of the machine of a device.
    private func proceed(_ world: World, _ device: Int, isHealed: Bool = false) throws {
        guard let effect = world.devices[device].machine.next(at: world.now) else {
            if let instant = world.devices[device].machine.wakeAt { world.now = max(world.now, instant) }
            return
        }
        switch effect {
        case .look:
            let key = world.devices[device].waiting.first
            let file = key.map { UploadMachine.File($0, size: Int64(world.contents[$0]?.count ?? 0)) }
            world.devices[device].machine.handle(.found(file), at: world.now)
        case .check(let after, let number):
            let missing = try world.files.missing(after: after, of: world.user)
            world.devices[device].machine.handle(.missing(.success(missing), to: number), at: world.now)
        case .doubt(let keys):
            for key in keys where world.devices[device].uploaded.remove(key) != nil {
                world.devices[device].waiting.append(key)
            }
        case .ask(let file, let number):
            let answer = put(FilePart(file.key, total: file.size), world, isHealed: isHealed)
            world.devices[device].machine.handle(.answer(answer, to: number), at: world.now)
        case .send(let file, let offset, let count, let number):
            let content = try #require(world.contents[file.key])
            let bytes = Array(content[Int(offset)..<Int(offset) + count])
            let part = FilePart(file.key, total: file.size, offset: offset, bytes: bytes)
            let answer = put(part, world, isHealed: isHealed)
            world.devices[device].machine.handle(.answer(answer, to: number), at: world.now)
        case .record(let key, let outcome):
            switch outcome {
            case .sent, .unsupported: break
            case .uploaded:
                world.devices[device].waiting.removeAll { $0 == key }
                world.devices[device].uploaded.insert(key)
            case .failed:
                // Its user tries again. The machine gives a file up after two damaged transfers.
                world.devices[device].machine.handle(.hurry, at: world.now)
            }
        case .end: Issue.record("the session has not ended")
        }
    }

    private func fetched(_ key: FileKey, _ world: World) throws -> [UInt8]? {
        do throws(CloudError) {
            return try world.files.bytes(FileRange(key, offset: 0), of: world.user)
        } catch {
            try #require(error == .file(.noSuchFile), "\(error)")
            return nil
        }
    }

    /// The rules that hold at each time.
    private func check(_ world: World) throws {
        for key in world.keys {
            if let bytes = try fetched(key, world) {
                try #require(bytes == world.contents[key], "\(world.trace.suffix(30))")
            }
        }
        for device in world.devices {
            for key in Set(device.receipts.values) where device.uploaded.contains(key) {
                try #require(
                    try fetched(key, world) != nil,
                    "a receipt whose file was confirmed has lost it: \(world.trace.suffix(30))"
                )
            }
        }
    }

    private func disturb(_ world: World) async throws {
        let device = Int.random(in: 0..<world.devices.count, using: &world.random)
        switch Int.random(in: 0..<100, using: &world.random) {
        case 0..<8:
            if let key = world.pick(world.keys) { try await add(key, world, device) }
        case 8..<14: try await delete(world, device)
        case 14..<18:
            // Undo: the row comes back under another id.
            guard let key = world.pick(world.devices[device].deleted) else { break }
            try await add(key, world, device)
        case 18..<21:
            world.trace.append("device \(device) is restarted")
            world.devices[device].machine = world.machine()
        case 21..<23:
            world.trace.append("the cloud is restarted")
            world.files = FileService(world.cloud.directory)
        case 23..<28:
            world.cloud.clock.advance(by: Int64.random(in: 1...60, using: &world.random) * Self.day)
            // A session that is not used for long would end.
            _ = try world.cloud.directory.user(world.token)
            try world.files.collect()
            world.trace.append("collected")
        case 28..<34:
            if let part = world.pick(world.stray) { _ = put(part, world, isHealed: true) }
        default: try proceed(world, device)
        }
    }

    @Test(arguments: UInt64(1)...20) func nothingIsLostAndNothingIsWrong(seed: UInt64) async throws {
        let cloud = try CloudUnderTest(.inProcess)
        let world = try World(cloud, try await premium(cloud), seed: seed)
        for _ in 0..<400 {
            try await disturb(world)
            try check(world)
        }
        for device in world.devices.indices {
            for _ in 0..<10_000 where !world.devices[device].waiting.isEmpty {
                try proceed(world, device, isHealed: true)
            }
            #expect(world.devices[device].waiting.isEmpty, "seed \(seed): \(world.trace.suffix(30))")
        }
        try check(world)
        for device in world.devices {
            #expect(device.uploaded.isSuperset(of: Set(device.receipts.values)))
        }
        // Without receipts, all of it goes in time.
        for device in world.devices.indices {
            while !world.devices[device].receipts.isEmpty { try await delete(world, device) }
        }
        try world.files.collect()
        cloud.clock.advance(by: FileService.retentionSeconds + 1)
        try world.files.collect()
        #expect(world.files.folder(of: world.user).contents().isEmpty)
    }
}
