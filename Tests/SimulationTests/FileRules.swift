// Events of files besides their uploads, and the rules that are held against them. Rule 20: a file to which a live receipt
// refers is whole on the device that added it, and in time in the cloud; nothing else stays.
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
    /// Something happens to files, on a device or in the cloud.
    func happenToFiles(_ device: SimulatedDevice) throws {
        guard device.life != .gone else { return }
        switch Int.random(in: 0..<100, using: &fileRandom) {
        case 0..<15:
            try edit(device) { try editReceipts(device, try pickTransaction(device)) }
        case 15..<21: try collectFiles(of: device)
        case 21..<27: try fetchFile(on: device)
        case 27..<31: try collectFilesOfCloud()
        case 31..<37: try ageFiles(of: device.account)
        case 37..<40:
            // Its user tries again.
            guard let runner = device.runner, let uploader = runner.uploader else { break }
            try retryFiles(of: device)
            try drive(uploader, .retry)
        case 40..<44: try loseFileOfCloud(device.account)
        case 44..<50: try signOut(device)
        case 50..<54: try damage(device.files, "device \(device.number)", device.account)
        case 54..<58:
            try damage(files.folder(of: users[device.account].id), "the cloud", device.account)
        default: break
        }
    }

    /// The disk of the cloud loses a file, whose name stays.
    private func loseFileOfCloud(_ account: Int) throws {
        let folder = files.folder(of: users[account].id)
        let hashes = folder.contents().sorted { "\($0)" < "\($1)" }
        guard let hash = hashes.randomElement(using: &fileRandom) else { return }
        count("file that the cloud loses")
        note("the cloud loses the file \(hash) of account \(account)")
        folder.remove(hash)
        try noteLost([hash], of: account)
    }

    /// A disk changes a byte of a file, without an error.
    private func damage(_ folder: FileFolder, _ place: String, _ account: Int) throws {
        let hashes = folder.contents().sorted { "\($0)" < "\($1)" }
        guard let hash = hashes.randomElement(using: &fileRandom) else { return }
        count("damaged file")
        note("\(place) damages the file \(hash) of account \(account)")
        try TestKit.damage(folder.path(of: hash), at: 0)
        damagedFiles[account, default: []].insert(hash)
        try noteLost([hash], of: account)
    }

    /// Notes which of these files the cloud and all devices have lost.
    func noteLost(_ hashes: [ContentHash], of account: Int) throws {
        for hash in hashes where try !isSoundInCloud(hash, of: account) {
            let isHeld = devices.contains {
                $0.account == account && $0.life != .gone && $0.hasSound(hash)
            }
            if !isHeld { lostFiles[account, default: []].insert(hash) }
        }
    }

    /// As `noteLost`, for files that a device removes because the cloud has them, or because it needs them no more: the
    /// cloud may have damaged its own, which is not found out before it is read.
    func noteLostBesideDamage(_ hashes: [ContentHash], of account: Int) throws {
        try noteLost(hashes.filter { damagedFiles[account]?.contains($0) == true }, of: account)
    }

    /// Whether the cloud can hand out a file. It is not asked, so that it does not find out by that.
    func isSoundInCloud(_ hash: ContentHash, of account: Int) throws -> Bool {
        let user = users[account].id
        let isListed = try directory.reading { db in try db.file(hash, of: user) != nil }
        return isListed && files.folder(of: user).open(hash)?.hash() == hash
    }

    /// A user signs out of a device on which nothing waits: its files are removed with its book.
    private func signOut(_ device: SimulatedDevice) throws {
        let others = devices.filter { $0.account == device.account && $0.life == .running }
        guard device.life == .running, others.count > 1, !device.isClosed, !device.isFull,
            isPremium[device.account],
            device.isOnline, isCloudUp, !isCloudFull
        else { return }
        let state = try device.book.replicaState()
        guard state.pending == 0, state.failed == 0, state.download == nil, !state.isStopped,
            try !device.walks()
        else { return }
        var page = MissingFiles([], isComplete: false)
        while !page.isComplete {
            page = try missingFiles(after: page.keys.last, device.token)
            guard bug != .believesUploadsForEver else { continue }
            try device.book.doubtUploads(of: page.keys.map(\.description))
        }
        guard try device.book.receiptFilesOnlyHere(limit: 1).isEmpty else { return }
        count("sign-out")
        note("device \(device.number) signs out")
        device.life = .gone
        stopAll(device)
        let removed = device.files.contents()
        try device.files.removeAll()
        // A cloud that was restored has lost the row as well, and does not name a file before the device has sent it again.
        let head = try service.head(token(device.account)).head
        let isInStep = state.epoch == head.epoch && state.cursor == head.seq
        try isInStep
            ? noteLostBesideDamage(removed, of: device.account) : noteLost(removed, of: device.account)
    }

    func collectFilesOfCloud() throws {
        guard !isCloudFull else { return }
        count("collection of the cloud's files")
        try files.collect()
        _ = files.examine()
    }

    /// Months pass in which no device of an account does anything: files that no receipt refers to are removed. All
    /// devices of the account are in step, as those are that do nothing for so long.
    func ageFiles(of account: Int) throws {
        guard !isGone[account], !isCloudFull, isCloudUp else { return }
        let head = try service.head(token(account)).head
        for device in devices where device.account == account && device.life != .gone {
            let state = try device.book.replicaState()
            guard device.life == .running, state.epoch == head.epoch, state.cursor == head.seq,
                state.pending == 0, state.download == nil
            else { return }
        }
        count("aged files")
        for sql in [
            "UPDATE entities SET changed_at = changed_at - ? WHERE account = ? AND kind = 'receipt'",
            "UPDATE files SET unreferenced_since = unreferenced_since - ? WHERE account = ?",
        ] {
            _ = try directory.changing { db in
                let number = try db.syncRecord(of: users[account].id)?.number
                try db.change(sql, [FileService.retentionSeconds + 1, number])
            }
            try files.collect(users[account].id)
        }
        note(
            "the files of account \(account) have aged: \(files.folder(of: users[account].id).contents().count)"
        )
    }

    private func retryFiles(of device: SimulatedDevice) throws {
        guard !device.isFull, !device.isClosed else { return }
        for file in try device.book.receiptFilesOnlyHere(limit: 100) where file.status == .failed {
            try device.book.setReceiptFile(file.sha256, .localOnly)
        }
    }

    /// The files beside a database, as a backup holds them.
    static func copyFiles(_ source: FileFolder, to target: FileFolder) throws {
        try target.removeAll()
        guard FileManager.default.fileExists(atPath: source.path) else { return }
        try FileManager.default.copyItem(atPath: source.path, toPath: target.path)
    }

    /// The disk of a device is about to be replaced by an older one.
    func noteLostFiles(of device: SimulatedDevice) throws {
        for hash in device.files.contents() where try !isSoundInCloud(hash, of: device.account) {
            lostFiles[device.account, default: []].insert(hash)
        }
    }

    // MARK: - Rules

    /// 20: a row of a file that was added here has its whole file, as long as a live receipt refers to it.
    func checkFiles(of device: SimulatedDevice) throws {
        let sql = """
            SELECT f.sha256 FROM receipt_files f WHERE is_cached = 0 AND failure IS NOT 'missing' AND EXISTS (
              SELECT 1 FROM receipts r WHERE r.sha256 = f.sha256 AND r.deleted_at IS NULL)
            """
        // A receipt of a transaction that cannot return needs no file, and a death may have left its row.
        let names = try device.book.reading { db in
            try db.all(sql) { $0.text(0) }.filter { try db.needsFile($0) }
        }
        for hash in fileHashes(names) where device.files.size(of: hash) != contents[hash].count {
            throw Violation(description: "20: device \(device.number) has a receipt without its file \(hash)")
        }
    }

    /// 20: at the end, after all uploads.
    func checkFilesAtEnd() throws {
        // Once an hour.
        try files.collect()
        _ = files.examine()
        try finishUploads()
        // The last question which files the cloud lacks may be that old.
        try run(for: UploadMachine.checkPause)
        for device in devices where device.life == .running { try checkFilesElsewhere(of: device) }
        for account in users.indices {
            guard !isGone[account] else {
                try files.removeUnlisted(of: users[account].id)
                guard FileFolder.names(in: files.folder(of: users[account].id).path).isEmpty else {
                    throw Violation(description: "20: files of a deleted account are left")
                }
                continue
            }
            let running = devices.filter { $0.account == account && $0.life == .running }
            guard let references = try running.first?.book.fileReferences() else { continue }
            let stored = try fileHashes(references).filter { try isStored($0, of: account, on: running) }
            count("files in step", by: stored.count)
            for device in running {
                for hash in stored where device.files.size(of: hash) != nil && !device.hasSound(hash) {
                    // It is looked at.
                    try open(hash, on: device)
                }
                try collectFiles(of: device, mayDie: false)
                try checkFiles(of: device)
                let needed = try device.book.reading { db in
                    try device.files.contents().allSatisfy { try db.needsFile("\($0)") }
                }
                guard needed else {
                    throw Violation(description: "20: device \(device.number) has files that nothing needs")
                }
            }
            try ageFiles(of: account)
            let left = Set(files.folder(of: users[account].id).contents().map(\.description))
            guard left == Set(stored.map(\.description)) else {
                throw Violation(description: "20: the cloud has \(left) instead of \(stored)")
            }
        }
    }

    /// 20: at the end, a device knows of each file that it does not have whether the cloud has it.
    private func checkFilesElsewhere(of device: SimulatedDevice) throws {
        guard device.runner?.uploader != nil, !isGone[device.account] else { return }
        let missing = try files.missing(after: nil, of: users[device.account].id).keys.map(\.description)
        for name in try device.book.fileReferences() {
            let isHere = try device.book.reading { db in try db.hasFile(name) }
            let isInCloud = !missing.contains(name)
            guard !isHere, device.filesElsewhere.isInCloud(name) != isInCloud else { continue }
            let known = device.filesElsewhere.isInCloud(name).map { "\($0)" } ?? "nothing"
            throw Violation(
                description: "20: device \(device.number) knows \(known) of \(name): \(isInCloud)"
            )
        }
    }

    /// Whether the cloud has a file to which a live receipt refers, so that each device can get it. Only a file that was
    /// lost with the last disk that had it, or that a user deleted with the cloud's data, may be missing.
    private func isStored(_ hash: ContentHash, of account: Int, on running: [SimulatedDevice]) throws -> Bool
    {
        for device in running {
            let isDamaged = damagedFiles[account]?.contains(hash) == true
            guard device.files.size(of: hash) != nil, !isDamaged else { continue }
            guard device.hasSound(hash) else {
                throw Violation(description: "20: device \(device.number) has another content under \(hash)")
            }
        }
        guard try fetched(hash, of: account) == nil else { return true }
        let holders = running.filter { $0.hasSound(hash) }.map(\.number)
        let states = try running.map { device in
            let sql = "SELECT status, is_cached, failure FROM receipt_files WHERE sha256 = ?"
            let row = try device.book.reading { db in
                try db.first(sql, ["\(hash)"]) { "\($0.text(0)) \($0.int(1)) \($0.text(2))" }
            }
            return "\(device.number): \(row ?? "no file")"
        }
        if lostFiles[account]?.contains(hash) == true, holders.isEmpty {
            count("lost file")
            return false
        }
        throw Violation(description: "20: the cloud has no file \(hash); devices \(holders) do: \(states)")
    }

    /// Each user tries again until no file waits.
    private func finishUploads() throws {
        // The last question which files the cloud lacks may be that old.
        try run(for: UploadMachine.checkPause)
        var waiting: [Int] = []
        for _ in 0..<5 {
            for device in devices where device.life == .running {
                guard let uploader = device.runner?.uploader else { continue }
                try retryFiles(of: device)
                try drive(uploader, .retry)
            }
            try run(for: 120_000)
            waiting = try devices.filter { device in
                guard device.life == .running else { return false }
                return try device.book.receiptFilesOnlyHere(limit: 100).contains {
                    try !isGivenUp($0, on: device)
                }
            }
            .map(\.number)
            if waiting.isEmpty { return }
        }
        let files = try devices.filter { waiting.contains($0.number) }.flatMap { device in
            try device.book.receiptFilesOnlyHere(limit: 100).map { file in
                let isSound = ContentHash(file.sha256).map { device.hasSound($0) } ?? false
                return
                    "\(device.number): \(file.sha256.prefix(8)) \(file.status) \(file.failure ?? "") \(isSound)"
            }
        }
        throw Violation(description: "20: files of devices \(waiting) are not sent: \(files)")
    }

    /// Whether a file is said to be damaged that no device and no cloud has any more.
    private func isGivenUp(_ file: ReceiptFile, on device: SimulatedDevice) throws -> Bool {
        guard let hash = ContentHash(file.sha256), file.failure == UploadFailure.wrongContent.code else {
            return false
        }
        return lostFiles[device.account]?.contains(hash) == true && !device.hasSound(hash)
    }
}
