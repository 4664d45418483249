// How a simulated life goes: some hundred steps, each chosen by the seed, and then everything heals.
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

extension World {
    /// Lives a whole life.
    func live(_ length: Int) throws {
        for _ in 0..<2 { try addAccount() }
        try addDevice(to: 0, .upload)
        try addDevice(to: 0, chance(1, in: 2) ? .download : .upload)
        try addDevice(to: 1, .upload)
        for step in 1...length {
            steps = step
            do { try happen() } catch CloudError.failed("\(StorageError.diskFull)") where isCloudFull {
                note("the cloud has no room")
            }
        }
        try heal()
    }

    private func happen() throws {
        guard let device = pick(devices) else { return }
        try run(for: Int64.random(in: 0...300, using: &random))
        if isCloudRestored {
            if chance(1, in: 20) { try backUpCloud() }
            if chance(1, in: 50) { try restoreCloud() }
        }
        if isOfSeveralVersions, chance(1, in: 15) { try writeAsNewerVersion(device.account) }
        if isHostile, chance(1, in: 10) { try pushAnything(device.account) }
        if isOfFaultyDisks, chance(1, in: 10) { try failDisk(of: device) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<32:
            if device.life != .gone { try edit(device) }
        case 32..<80: try run(for: Int64.random(in: 0...1_000, using: &random))
        case 80: try run(for: Int64.random(in: 0...90_000, using: &random))
        case 81..<84:
            device.isOnline.toggle()
            if !device.isOnline { cutOff(device) }
            count("network cut")
        case 84, 85:
            if isCloudUp { breakCloud() } else { isCloudUp = true }
            count("cloud away")
        case 86:
            guard device.life == .running, device.runner != nil else { break }
            start(device, .run, overlaps: true)
        case 87: try backUp(device)
        case 88: try restore()
        case 89: try cloneDevice(device)
        case 90: try toggleSubscription(device.account)
        case 91: try resubscribe(device)
        case 92:
            if chance(1, in: 4) { try deleteData(device.account) }
        case 93: try decide(device)
        case 94:
            if devices.count < 6, !isGone[device.account] {
                try addDevice(to: device.account, chance(1, in: 2) ? .download : .upload)
            }
        case 95:
            try jump(seconds: Int64.random(in: 1...40, using: &random) * 86_400)
            count("clock jump")
        case 96: try collect()
        case 97:
            if let runner = device.runner { try drive(runner, .hurry) }
        case 98:
            if chance(1, in: 10) { try deleteAccount(device.account) }
        default: try attack(device)
        }
        try happenToFiles(device)
        if device.life != .gone { try check(device) }
    }

    private func backUp(_ device: SimulatedDevice) throws {
        guard device.life == .running else { return }
        let path = "\(folder)/backup-\(backups.count).sqlite"
        try device.book.store.backup(to: path)
        try Self.copyFiles(device.files, to: FileFolder(besides: path))
        backups.append((device.number, path, device.own, device.epoch, device.dead))
    }

    /// Whether the cloud of this world is restored from backups. Intermediate states of a device are then
    /// checked less strictly.
    var isCloudRestored: Bool { seed.isMultiple(of: 4) }

    private func backUpCloud() throws {
        guard !isGone.contains(true) else { return }
        // A cloud without room is not backed up, and the former backup stays.
        let heads = try users.indices.map { try service.head(token($0)).head.seq }
        let path = folder + "/cloud-backup.sqlite"
        try? FileManager.default.removeItem(atPath: path)
        try DatabaseFile.copy(at: folder + "/cloud.sqlite", to: path)
        try? FileManager.default.removeItem(atPath: folder + "/cloud-backup.files")
        if FileManager.default.fileExists(atPath: files.root) {
            try FileManager.default.copyItem(atPath: files.root, toPath: folder + "/cloud-backup.files")
        }
        cloudBackup = (path, models, heads)
        note("the cloud is backed up at \(heads)")
    }

    /// The cloud is what it was; who is signed in has to sign in again.
    private func restoreCloud() throws {
        guard let backup = cloudBackup, !isGone.contains(true) else { return }
        count("cloud restored")
        let wasUp = isCloudUp
        breakCloud()
        // Two restores within a second are excluded: the sequences of a restored cloud begin with the time.
        try run(for: 2_000)
        isCloudUp = wasUp
        let before = users.indices.map { files.folder(of: users[$0].id).contents() }
        directory.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder + "/cloud.sqlite" + suffix)
        }
        try FileManager.default.copyItem(atPath: backup.path, toPath: folder + "/cloud.sqlite")
        try? FileManager.default.removeItem(atPath: FileService.root(besides: folder + "/cloud.sqlite"))
        if FileManager.default.fileExists(atPath: folder + "/cloud-backup.files") {
            try FileManager.default.copyItem(
                atPath: folder + "/cloud-backup.files",
                toPath: FileService.root(besides: folder + "/cloud.sqlite")
            )
        }
        directory = try Self.open(folder, clock, seed ^ random.next())
        if bug != .forgetsThatItWasRestored { try directory.noteRestored() }
        service = SyncService(directory)
        note("the cloud is restored to \(backup.heads)")
        for account in users.indices { try noteLost(before[account], of: account) }
        for account in users.indices { try noteBuried(account) }
        models = backup.models
        wasCloudRestored = true
        results = [:]
        try noteNumbers()
        for device in devices where device.life != .gone {
            device.token = try signIn(device.account)
            device.store.isExact = false
            device.own.removeAll { $0 > backup.heads[device.account] }
            device.lastCursor = 0
            if try device.book.replicaState().download != nil { device.mixesClouds = true }
            // A device that signs in again gets a run of its own.
            if device.runner != nil { start(device, device.life == .draining ? .drain : .run) }
        }
        for account in users.indices {
            let running = devices.filter { $0.account == account && $0.life == .running }
            let rows = try running.map { try Set($0.rows().filter(\.value.isLive).keys) }
            let all = rows.dropFirst().reduce(rows.first ?? []) { $0.intersection($1) }
            kept[account] = all.filter { $0.kind != "conflict" }
        }
    }

    private func restore() throws {
        guard let backup = pick(backups) else { return }
        let device = devices[backup.device]
        guard device.life == .running || device.life == .stopped else { return }
        // Data that only this device had is lost with it.
        kept[device.account] = nil
        buried[device.account] = nil
        count("old backup")
        note("device \(device.number) is restored")
        try noteLostFiles(of: device)
        stopAll(device)
        device.book.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: device.path + suffix)
        }
        try FileManager.default.copyItem(atPath: backup.path, toPath: device.path)
        try Self.copyFiles(FileFolder(besides: backup.path), to: device.files)
        let clock = clock
        device.store.book = try Book.open(at: device.path) { clock.now }
        device.store.isExact = false
        device.life = .running
        device.file += 1
        device.sent = ("", [])
        start(device, .run)
        (device.own, device.epoch, device.dead, device.lastCursor) = (backup.own, nil, backup.dead, 0)
    }

    private func cloneDevice(_ device: SimulatedDevice) throws {
        guard device.life == .running, devices.count < 6 else { return }
        count("clone")
        let number = devices.count
        let path = "\(folder)/\(number).sqlite"
        try? FileManager.default.removeItem(atPath: path)
        try device.book.store.backup(to: path)
        let clock = clock
        let store = SimulatedStore(
            try Book.open(at: path) { clock.now },
            bug: bug,
            random: SplitMix(seed: random.next())
        )
        let clone = SimulatedDevice(
            number: number,
            account: device.account,
            token: device.token,
            path: path,
            store: store
        )
        try Self.copyFiles(device.files, to: clone.files)
        clone.own = device.own
        clone.meant = device.meant
        clone.store.isExact = false
        clone.dead = device.dead
        devices.append(clone)
        start(clone, .run)
        note("device \(number) is a clone of device \(device.number)")
    }

    private func toggleSubscription(_ account: Int) throws {
        isPremium[account].toggle()
        count(isPremium[account] ? "renewal" : "expiry")
        if !isPremium[account] { expiredAt[account] = clock.now }
        note("account \(account) premium: \(isPremium[account])")
        guard !isPremium[account] else { return }
        for device in devices where device.account == account && device.life == .running && chance(1, in: 2) {
            device.life = .draining
            start(device, .drain, overlaps: true)
            if bug == .detachesTooEarly {
                try device.book.detach()
                device.life = .detached
                if try device.book.replicaState().pending > 0 {
                    throw Violation(description: "14: detached with something pending")
                }
            }
        }
    }

    private func resubscribe(_ device: SimulatedDevice) throws {
        guard isPremium[device.account] else { return }
        switch device.life {
        case .detached:
            try noteUnion(device)
            try device.book.attach(as: newID(), .upload)
        case .draining: break
        default: return
        }
        note("device \(device.number) is attached again")
        device.life = .running
        start(device, .run, overlaps: true)
    }

    private func deleteData(_ account: Int) throws {
        guard !isGone[account] else { return }
        count("data deleted")
        note("the data of account \(account) is deleted")
        kept[account] = nil
        try noteBuried(account)
        // A device that has signed out has left its files to the cloud, and another may have a damaged one: the user deletes
        // the only sound copy.
        let sound = try files.folder(of: users[account].id).contents().filter {
            try isSoundInCloud($0, of: account)
        }
        try directory.deleteData(try token(account))
        try noteLost(sound, of: account)
        // A process that dies leaves them to the next collection.
        if fileChance(1, in: 2) { try files.removeUnlisted(of: users[account].id) }
        try tellWaiters(of: account)
    }

    /// A user whose data was deleted elsewhere starts anew with what is on this device.
    private func decide(_ device: SimulatedDevice) throws {
        guard device.life == .stopped else { return }
        note("device \(device.number) starts anew")
        do throws(BookError) { try device.book.rejoin(as: newID()) } catch {
            guard device.isFull, error == .diskFull else { throw error }
            return note("device \(device.number) is refused: its disk is full")
        }
        try noteUnion(device)
        device.life = .running
        device.own = []
        start(device, .run, overlaps: true)
    }

    private func collect() throws {
        count("collection")
        if bug == .collectsTooEarly {
            try directory.changing { db in
                try db.execute(sql: "UPDATE replicas SET acked_seq = 1000000")
                try db.execute(sql: "UPDATE entities SET changed_at = 0 WHERE is_deleted = 1")
            }
        }
        _ = try service.collect()
        try collectFilesOfCloud()
        if seed % 4 == 3 { try shortenHistories() }
        if bug == .collectsTooEarly {
            _ = try directory.changing { db in try db.change("UPDATE sync_accounts SET gc_floor = 0") }
        }
    }

    /// No rule depends on what the history has.
    private func shortenHistories() throws {
        var retention = HistoryRetention()
        (retention.fewest, retention.most) = (1, 3)
        for device in devices where device.life != .gone && !device.isFull {
            while try device.book.shortenHistory(retention) { count("shortened history") }
            try collectFiles(of: device)
        }
    }

    private func deleteAccount(_ account: Int) throws {
        guard account == 1, !isGone[account] else { return }
        count("account deleted")
        note("account \(account) is deleted")
        let token = try token(account)
        try directory.deleteAccount(token)
        if fileChance(1, in: 2) { try files.removeUnlisted(of: users[account].id) }
        isGone[account] = true
        try checkGone(account)
        for device in devices where device.account == account {
            device.life = .gone
            stopAll(device)
        }
    }

    /// 13: a user with a valid token asks for another user's data.
    private func attack(_ device: SimulatedDevice) throws {
        guard let other = devices.first(where: { $0.account != device.account && $0.life != .gone }),
            let replica = try device.book.replicaState().replica, !isGone[device.account]
        else { return }
        let cursor = Int64.random(in: -5...50, using: &random)
        let query = ChangesQuery(
            replica: replica,
            epoch: 1,
            range: .since(max(0, cursor)),
            limit: 50,
            lastN: 0
        )
        try checkForeign(try serve(.changes(query), other.token, other), other)
        let place = ChangesQuery(
            replica: replica,
            epoch: 1,
            range: .snapshot(from: pick(["", "transaction/", "account/0", "x/y/z", "'; DROP"]) ?? ""),
            limit: 50,
            lastN: 0
        )
        try checkForeign(try serve(.changes(place), other.token, other), other)
    }

    // MARK: - The end

    /// The time after the last fault within which all devices must be equal, in milliseconds. No device is
    /// hurried.
    private static var patience: Int64 { 10_000 }

    /// All faults stop, and time passes.
    func heal() throws {
        note("healing")
        (isHealing, isCloudUp) = (true, true)
        if isOfFaultyDisks { try setRoomOfCloud(isFull: false) }
        for stray in strays { try reachLate(stray) }
        for account in users.indices where !isPremium[account] { isPremium[account] = true }
        for device in devices {
            device.isOnline = true
            device.isClosed = false
            (device.store.changesToLive, device.store.failuresToCome) = (nil, 0)
            if isOfFaultyDisks, device.life != .gone { try setRoom(of: device, isFull: false) }
        }
        // All decisions of users and of the lifecycle are made; each may cause another.
        for _ in 0..<5 {
            for device in devices where !isGone[device.account] {
                try decide(device)
                if device.life == .draining || device.life == .detached { try resubscribe(device) }
            }
            try run(for: Self.patience)
            let isDecided = devices.allSatisfy { $0.life == .running || isGone[$0.account] }
            if isDecided { break }
        }
        try checkEnd()
        for account in users.indices where isGone[account] { try checkGone(account) }
        try checkFilesAtEnd()
        // A device that is in sync has no request.
        let before = asked
        try run(for: 2 * SyncLimits.waitSeconds * 1_000)
        guard asked == before else {
            throw Violation(description: "17: \(asked - before) questions of devices that are in step")
        }
    }
}
