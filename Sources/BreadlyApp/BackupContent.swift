// The content of a backup, unpacked and compared with its manifest.

import Book
import Cloud
import CloudProtocol
import Compression
import DeviceStore
import FileStore
import Foundation
import Ledger
import Storage
import Synchronization

/// A backup that is unpacked in a folder.
struct BackupContent {
    private(set) var members: [String] = []
    /// The start of the backup; nil for formats before the manifest.
    private(set) var at: Int64?
    /// Books and files that could not be read for the backup, or were damaged.
    private(set) var unreadable: [String] = []

    /// Unpacks a backup into a new folder.
    /// - Throws: `AppError.backup` if it is incomplete, differs from its manifest in any bit, or contains
    ///   other files.
    init(_ source: String, into folder: String) throws {
        let files = FileManager.default
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: source, isDirectory: &isFolder), !isFolder.boolValue else {
            throw AppError.backup("\(source): there is no such file.")
        }
        try files.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
        defer { try? handle.close() }
        var (mark, manifest): (BackupMark?, BackupManifest?)
        var found: [BackupManifest.Member] = []
        var (names, folders): (Set<String>, Set<String>) = ([], [])
        do {
            try Self.reader(handle, source).forEach { member, pieces in
                guard manifest == nil, names.insert(member.name).inserted else {
                    throw AppError.backup("\(source) holds '\(member.name)' after its end, or twice.")
                }
                switch member.name {
                case BackupMark.name where found.isEmpty && mark == nil:
                    let content = try Self.small(member, pieces, source)
                    mark = try JSONDecoder().decode(BackupMark.self, from: Data(content))
                    found.append(Self.entry(member, content))
                case BackupManifest.name:
                    let content = try Self.small(member, pieces, source)
                    manifest = try JSONDecoder().decode(BackupManifest.self, from: Data(content))
                default: found.append(try Self.store(member, pieces, source, folder, &folders))
                }
            }
        } catch Gzip.Failure.malformed {
            throw AppError.backup("\(source) is not a whole backup, or it is damaged.")
        } catch is DecodingError {
            throw AppError.backup("what \(source) says about itself cannot be read: it is damaged.")
        }
        if let mark {
            guard mark.format <= BackupMark.format else {
                throw AppError.backup(
                    "\(source) was written by Breadly \(mark.version): install that version or a newer one."
                )
            }
            guard let manifest else {
                throw AppError.backup("\(source) ends too early: it is not a whole backup.")
            }
            guard Set(manifest.members) == Set(found) else {
                let names = Set(manifest.members).symmetricDifference(Set(found)).map(\.name).sorted()
                throw AppError.backup(
                    "\(names.first ?? source) in the backup is damaged, or was changed since it was made."
                )
            }
        }
        at = mark?.at
        unreadable = (manifest?.unreadable ?? []) + (manifest?.faults ?? [])
        members = found.map(\.name).filter { $0 != BackupMark.name }
        // A key alone would take the place of all books.
        guard members.contains("sessions.sqlite") || members.contains("cloud.sqlite") else {
            throw AppError.backup(
                "\(source) holds neither devices nor accounts: it is no backup of a server."
            )
        }
    }

    /// Checks every SQLite file, on all cores.
    /// - Parameter isThorough: false if it suffices that each book matches the manifest and is of this version.
    /// - Returns: the damaged books, a line each. The manifest proves that they were saved in that state, so
    ///   they do not stop a restore; the doctor reports their faults as well.
    /// - Throws: `AppError.backup` if a file of the server, or any file of a backup without a manifest, is
    ///   damaged, and if any file is of another version that this one cannot read.
    func check(in folder: String, isThorough: Bool) throws(AppError) -> [String] {
        let names = members.filter { $0.hasSuffix(".sqlite") }
        let problem = Mutex<AppError?>(nil)
        let faults = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: names.count) { index in
            guard problem.withLock({ $0 == nil }) else { return }
            let name = names[index]
            if !isThorough, at != nil, name.hasPrefix("devices/"),
                !Book.isOfOtherVersion(header: DataFile("\(folder)/\(name)").header)
            {
                return
            }
            var isFatal = at == nil || !name.hasPrefix("devices/")
            var finding: String?
            if name == "cloud.sqlite" {
                do throws(CloudError) {
                    finding = try Directory.checkIntegrity(at: "\(folder)/\(name)", isInUse: false, now: 0)
                        .first
                } catch {
                    if case .failed(let what) = error { finding = what } else { finding = "\(error)" }
                }
            } else if name == "sessions.sqlite" {
                do throws(DeviceStoreError) {
                    finding = try DeviceStore.checkIntegrity(
                        at: "\(folder)/\(name)",
                        isInUse: false,
                        now: 0
                    ).first
                } catch { finding = "\(error)" }
            } else {
                do throws(BookError) {
                    finding = try Book.checkIntegrity(at: "\(folder)/\(name)", isInUse: false, now: 0).first
                    // The book was being created during the backup.
                    if finding == Examination.blank, name.hasPrefix("devices/") {
                        finding = nil
                    } else if finding == nil, isThorough, let lost = lostFiles(of: name, in: folder) {
                        faults.withLock { $0.append(lost) }
                    }
                } catch {
                    finding = "\(error)"
                    switch error {
                    case .newerSchema, .migrationRefused: isFatal = true
                    default: break
                    }
                }
            }
            guard let finding else { return }
            if isFatal {
                problem.withLock { $0 = $0 ?? .backup("\(name) in the backup cannot be used: \(finding).") }
            } else {
                faults.withLock { $0.append("\(name): \(finding)") }
            }
        }
        let found = problem.withLock { $0 }
        if let found { throw found }
        return faults.withLock { $0.sorted() }
    }

    /// A line about the files that a book needs, if the backup has no folder for them and says nothing about it. If there is
    /// a folder, it was compared with the book when the backup was made.
    private func lostFiles(of book: String, in folder: String) -> String? {
        let files = FileFolder(besides: book).path
        guard book.hasPrefix("devices/"), !FileManager.default.fileExists(atPath: "\(folder)/\(files)"),
            !unreadable.contains(where: { $0.hasPrefix(files) || $0.hasPrefix("\(book): ") }),
            case .success(let found?) = Book.receiptFaults(
                beside: "\(folder)/\(book)",
                isInUse: false,
                now: 0
            ), !found.missing.isEmpty
        else { return nil }
        let what = "receipts without a file (\(found.missing.count)): \(Doctor.listed(found.missing))"
        return "\(book): \(what); \(ReceiptFileAdvice.missing(files))"
    }

    private static func reader(_ handle: FileHandle, _ source: String) throws -> ArchiveReader {
        let isGzip = try Array(handle.read(upToCount: 2) ?? Data()) == Gzip.magic
        try handle.seek(toOffset: 0)
        guard isGzip else {
            return ArchiveReader(source: { Array(try handle.read(upToCount: $0) ?? Data()) }, name: source)
        }
        let gzip = GzipReader { Array(try handle.read(upToCount: 1 << 17) ?? Data()) }
        return ArchiveReader(source: { try gzip.read(upTo: $0) }, name: source)
    }

    private static func entry(_ member: ArchiveReader.Member, _ content: [UInt8]) -> BackupManifest.Member {
        var digest = Digest()
        digest.add(content)
        return BackupManifest.Member(name: member.name, bytes: content.count, sha256: digest.text)
    }

    /// Reads a mark or a manifest, which has some hundred bytes for each book.
    private static func small(
        _ member: ArchiveReader.Member,
        _ pieces: () throws -> [UInt8]?,
        _ source: String
    ) throws
        -> [UInt8]
    {
        guard member.size <= 256 << 20 else {
            throw AppError.backup("\(source) holds a '\(member.name)' that is too large.")
        }
        var content: [UInt8] = []
        while let piece = try pieces() { content += piece }
        return content
    }

    private static func store(
        _ member: ArchiveReader.Member,
        _ pieces: () throws -> [UInt8]?,
        _ source: String,
        _ folder: String,
        _ folders: inout Set<String>
    ) throws -> BackupManifest.Member {
        let name = member.name
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isBook = name.hasPrefix("devices/") && name.hasSuffix(".sqlite") && parts.count <= 3
        let isFile =
            parts.count == 4 && parts[0] == "devices" && parts[2].hasSuffix(".files")
            && FileFolder.isOfFile(parts[3])
        let isOfCloud =
            parts.count == 3 && parts[0] == Backup.cloudFiles && EntityID(parts[1]) != nil
            && (ContentHash(String(parts[2])) ?? FileFolder.hash(ofDisplaced: String(parts[2]))) != nil
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }),
            Backup.ofTheServer.contains(name) || isBook || isFile || isOfCloud
        else { throw AppError.backup("\(source) holds '\(name)', which is no part of a backup.") }
        if let room = DiskSpace(folder)?.bytes, member.size > room {
            throw AppError.backup(
                "there is no room on the disk for \(name): it takes \(member.size >> 20) MB."
            )
        }
        let path = "\(folder)/\(name)"
        let parent = "\(folder)/\(parts.dropLast().joined(separator: "/"))"
        if folders.insert(parent).inserted {
            try FileManager.default.createDirectory(
                atPath: parent,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: attributes) else {
            throw AppError.backup("\(path) cannot be written.")
        }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var digest = Digest()
        while let piece = try pieces() {
            digest.add(piece)
            try handle.write(contentsOf: Data(piece))
        }
        return BackupManifest.Member(name: name, bytes: member.size, sha256: digest.text)
    }
}

extension Backup {
    /// The result of verifying a backup.
    public struct Verified: Hashable, Sendable {
        /// The number of books.
        public let books: Int
        /// Whether the manifest proves that each file is unchanged; backups of earlier versions have none.
        public let hasManifest: Bool
        /// Books and files that were damaged, missing or unreadable during the backup, a line each.
        public let faults: [String]
    }

    /// Reads a whole backup, and checks every book in it.
    /// - Throws: `AppError.backup` if it is incomplete, was changed, or cannot be restored.
    public static func verify(_ source: String) throws(AppError) -> Verified {
        let folder = NSTemporaryDirectory() + "/breadly-verify-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let content = try BackupContent(source, into: folder)
            let faults = try content.check(in: folder, isThorough: true)
            let books = content.members.count { $0.hasPrefix("devices/") && $0.hasSuffix(".sqlite") }
            return Verified(books: books, hasManifest: content.at != nil, faults: faults + content.unreadable)
        } catch { throw error as? AppError ?? .backup("\(source) cannot be read: \(words(error))") }
    }
}
