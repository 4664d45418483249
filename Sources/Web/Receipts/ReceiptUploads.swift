// Files of forms on their way to the disk: which requests may contain them, and what becomes of each.

import Book
import Devices
import FileStore
package import HTTPServer
import Ledger
import Links

/// A file of a form that is written to the disk as it arrives.
private final class UploadedReceipt: UploadTarget {
    let file: IncomingFile

    private let hasRoom: @Sendable () -> Bool
    /// Counts the bytes of a guest; nil for a user.
    private let passing: DiskRoom.Passing?

    init(in folder: String, _ passing: DiskRoom.Passing?, hasRoom: @escaping @Sendable () -> Bool)
        throws(UploadFault)
    {
        (self.passing, self.hasRoom) = (passing, hasRoom)
        do throws(FileStoreError) { file = try IncomingFile(in: folder) } catch { throw UploadFault(error) }
    }

    func append(_ bytes: ArraySlice<UInt8>) throws(UploadFault) {
        passing?.add(bytes.count)
        guard hasRoom() else { throw .diskFull }
        do throws(FileStoreError) { try file.write(bytes) } catch { throw UploadFault(error) }
    }
}

extension UploadFault {
    init(_ error: FileStoreError) {
        switch error {
        case .diskFull: self = .diskFull
        case .busy: self = .busy
        case .readOnly, .failed: self = .failed("\(error)")
        }
    }
}

extension Site {
    /// The rules of the files of a request; nil if it may contain none. Only browsers with a device may send files. The
    /// guests of one address are one sender, however many cookies they have.
    /// - Parameter path: the path within this site; by default the path of the request.
    package func uploads(_ request: Request, path: String? = nil) -> UploadRules? {
        guard request.method == "POST", Self.hasFileField(path ?? request.path),
            let token = sentCookie(of: request)?.token, let device = devices.id(of: token)
        else { return nil }
        let (folder, room, isGuest) = (devices.incomingFolder, devices.room, devices.isGuest(device))
        return UploadRules(
            fileBytes: devices.receiptLimits.fileBytes,
            fileCount: ReceiptProblem.mostOfForm,
            sender: devices.isOfUser(token) ? device.description : nil
        ) { () throws(UploadFault) in
            try UploadedReceipt(in: folder, isGuest ? room.passing(isDownload: false) : nil) {
                isGuest ? room.accepts(device) : room.acceptsFiles
            }
        }
    }

    /// Whether the form of an address can contain files: it adds or changes a transaction, adds files to a transaction,
    /// or adds a small picture.
    private static func hasFileField(_ path: String) -> Bool {
        let (one, receipts, thumbnail) = (Link.transaction, Link.transactionReceipts, Link.receiptThumbnail)
        guard !path.hasPrefix(thumbnail.head) else { return path.hasSuffix(thumbnail.tail) }
        guard path.hasPrefix(one.head) else { return path == Link.transactions.path }
        return path.hasSuffix(receipts.tail) || EntityID(pathSegment: path.dropFirst(one.head.count)) != nil
    }
}

/// A file that can be added to a transaction, or the reason why it cannot.
struct CheckedFile: Sendable {
    /// The name that the browser sent, as the user is to read it.
    let sentName: String
    let result: Result<Ready, ReceiptProblem>

    /// A complete file whose bytes are durable.
    struct Ready: Sendable {
        let file: IncomingFile
        let name: String
        let hash: ContentHash
        let inspection: FileInspection
        /// Whether the place where a photo was taken may still be in it, against the user's choice.
        let mayHavePlace: Bool
        /// A small picture that the browser made of it.
        var thumbnail: IncomingFile?
    }

    /// Inspects a file and makes it durable. It takes as long as the disk needs, so it must not run on a worker.
    /// - Parameter keepsLocation: whether the place where a photo was taken stays in it.
    init(_ upload: UploadedFile, keepsLocation: Bool, fileBytes: Int) {
        sentName = upload.name
        result = Self.check(upload, keepsLocation: keepsLocation, fileBytes: fileBytes)
    }

    private static func check(_ upload: UploadedFile, keepsLocation: Bool, fileBytes: Int)
        -> Result<Ready, ReceiptProblem>
    {
        switch upload.fault {
        case .tooLarge: return .failure(.tooLarge(limit: fileBytes))
        case .tooMany: return .failure(.tooMany)
        case .diskFull: return .failure(.diskFull)
        case .busy: return .failure(.busy)
        case .failed(let reason): return .failure(.failed(reason))
        case nil: break
        }
        guard upload.size > 0, let file = (upload.target as? UploadedReceipt)?.file else {
            return .failure(.empty)
        }
        do throws(FileInspection.Refusal) {
            let inspection = try FileInspection(file)
            let removal: LocationRemoval
            do throws(FileStoreError) {
                removal = keepsLocation ? .none : try file.removeLocation()
                try file.synchronize()
            } catch { return .failure(ReceiptProblem(error)) }
            return .success(
                Ready(
                    file: file,
                    name: Receipt.name(from: upload.name, inspection.type),
                    hash: file.hash(),
                    inspection: inspection,
                    mayHavePlace: removal == .kept
                )
            )
        } catch {
            switch error {
            case .empty: return .failure(.empty)
            case .unknownType: return .failure(.unknownType)
            case .unreadable: return .failure(.unreadable)
            case .tooManyPixels(let width, let height): return .failure(.tooManyPixels(width, height))
            }
        }
    }

    /// The files of a form, each with its small picture. The pictures have the numbers of their files as names.
    static func all(_ uploads: [UploadedFile], keepsLocation: Bool, fileBytes: Int) -> [CheckedFile] {
        let thumbnails = Thumbnail.all(uploads).map { ($0.name, $0.file) }
        let byNumber = Dictionary(thumbnails, uniquingKeysWith: { first, _ in first })
        return uploads.filter { $0.field == "file" }.enumerated().map { number, upload in
            CheckedFile(upload, keepsLocation: keepsLocation, fileBytes: fileBytes)
                .with(thumbnail: byNumber["\(number)"])
        }
    }

    private init(sentName: String, result: Result<Ready, ReceiptProblem>) {
        (self.sentName, self.result) = (sentName, result)
    }

    private func with(thumbnail: IncomingFile?) -> CheckedFile {
        guard let thumbnail, case .success(var ready) = result, ready.inspection.type.isPicture else {
            return self
        }
        ready.thumbnail = thumbnail
        return CheckedFile(sentName: sentName, result: .success(ready))
    }
}

/// A small picture that a browser made of a photo. A file that is no such picture is ignored without a message, because
/// the page only shows an icon in its place.
struct Thumbnail: Sendable {
    /// The name under which the browser sent it.
    let name: String
    let file: IncomingFile

    /// The small pictures of a form. The disk is written, so this must not run on a worker.
    static func all(_ uploads: [UploadedFile]) -> [Thumbnail] {
        uploads.filter { $0.field == "thumbnail" }.compactMap { Thumbnail($0) }
    }

    private static let mostBytes = 64 << 10
    private static let longestSide = 512

    private init?(_ upload: UploadedFile) {
        guard upload.fault == nil, (1...Self.mostBytes).contains(upload.size),
            let file = (upload.target as? UploadedReceipt)?.file, let found = try? FileInspection(file),
            let width = found.width, let height = found.height, max(width, height) <= Self.longestSide,
            let removal = try? file.removeLocation(), removal != .kept, FileInspection.isWholeJPEG(file)
        else { return nil }
        (name, self.file) = (upload.name, file)
    }
}

/// The reason why a file was not added.
enum ReceiptProblem: Error, Hashable, Sendable {
    case empty, unknownType, unreadable, tooMany, diskFull
    /// Too many files are arriving, from this device or at all.
    case busy
    case tooLarge(limit: Int)
    case tooManyPixels(Int, Int)
    /// Another failure of the system, for the log.
    case failed(String)

    init(_ error: FileStoreError) {
        switch error {
        case .diskFull: self = .diskFull
        case .busy: self = .busy
        case .readOnly, .failed: self = .failed("\(error)")
        }
    }
}
