// The bytes of a receipt, for the device that has it.

import Book
import Devices
import Encoding
import FileStore
import HTTPServer
import Ledger

/// `GET /attachments/ID`: the file itself, which is fetched from the cloud if this device does not have it. Nothing of it
/// runs in the browser, whatever it contains. A file that cannot be opened at present is an error, and not a missing one.
/// A damaged one is never sent: another one is fetched in its place, or a page says so.
enum ReceiptFileShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        guard let shown = try book.receipt(id) else {
            guard let draft = try book.draftReceipt(id) else { throw Refusal.notFound }
            return try showDraft(draft, context)
        }
        guard let hash = ContentHash(shown.receipt.sha256) else { throw Refusal.notFound }
        let device = try context.knownDevice()
        let stored = try device.files.file(hash)
        if let stored, device.isKnownSound(stored) {
            try noteUse(of: shown, in: book)
            return try send(shown.receipt, stored, context)
        }
        let limit = context.site.devices.receiptLimits.cacheBytes
        return context.ask { () async throws(FileFetchError) -> StoredFile in
            try await device.file(of: shown.receipt, stored, limit: limit)
        } then: { (context, result: Result<StoredFile, FileFetchError>) in
            switch result {
            case .success(let file):
                try noteUse(of: shown, in: context.book())
                return try send(shown.receipt, file, context)
            case .failure(.failed(let reason)):
                context.site.devices.dependencies.log.error("a file cannot be fetched: \(reason)")
                throw Refusal.file(.notStored)
            case .failure(.cloudAway): throw Refusal.file(.away)
            case .failure(.busy): throw Refusal.tooManyDownloads
            case .failure(.notSupported): throw Refusal.file(.notServed)
            case .failure(.corrupted): throw Refusal.file(.corrupted)
            case .failure(.notSentYet):
                guard shown.isOfThisDevice else { throw Refusal.file(.notSent) }
                try context.knownDevice().noteLoss(of: shown.receipt.sha256, in: context.book())
                throw Refusal.file(.lost(hasCloud: context.hasCloud))
            case .failure(.notAvailable):
                // The receipt may have been deleted in the meantime.
                guard let present = try context.book().receipt(id) else { throw Refusal.notFound }
                let obstacle = context.receiptCloud.obstacle
                guard present.isOfThisDevice, obstacle == .other || present.isUnsent else {
                    throw Refusal.file(.elsewhere(obstacle))
                }
                // A file that was never sent is not noted while the cloud cannot be asked: of a noted one it is not known.
                if obstacle == .other {
                    try context.knownDevice().noteLoss(of: present.receipt.sha256, in: context.book())
                }
                throw Refusal.file(.lost(hasCloud: context.hasCloud))
            case .failure(.damaged):
                let obstacle = context.receiptCloud.obstacle
                throw obstacle != .other && shown.mayBeInCloud
                    ? Refusal.file(.elsewhere(obstacle, isDamaged: true))
                    : Refusal.file(.damaged(hasCloud: context.hasCloud))
            case .failure(.diskFull): throw BookError.diskFull
            }
        }
    }

    private static func noteUse(of shown: ShownReceipt, in book: Book) throws(BookError) {
        // A file that was missing, and is back.
        if shown.file?.failure == ReceiptFile.missing {
            try book.setReceiptFile(shown.receipt.sha256, .localOnly)
        }
        try book.noteUse(ofReceiptFile: shown.receipt.sha256)
    }

    /// A file of a transaction that is still being entered. The cloud does not have it.
    private static func showDraft(_ draft: Receipt, _ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard let hash = ContentHash(draft.sha256), let file = try device.files.file(hash) else {
            throw Refusal.notFound
        }
        return context.later {
            device.isSound(file, hash)
        } then: { context, isSound in
            guard isSound else { throw Refusal.file(.damaged(hasCloud: false)) }
            return try send(draft, file, context)
        }
    }

    private static func send(_ receipt: Receipt, _ file: StoredFile, _ context: RequestContext) throws
        -> Response
    {
        let type = ReceiptType(rawValue: receipt.type)
        let isSaved = type == nil || context.request.query.contains("save")
        return try context.request.answer(
            with: file,
            type: type?.rawValue ?? "application/octet-stream",
            tag: "\"\(receipt.sha256)\"",
            disposition: Disposition.header(isSaved ? "attachment" : "inline", receipt.name)
        )
    }

    /// `GET /attachments/ID/thumbnail`: the small picture of a photo or, as long as no browser has made one, the photo
    /// itself unless it is large. It does not count as a use of a file that was fetched.
    static func thumbnail(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let device = try context.knownDevice()
        let book = try context.book()
        guard let receipt = try book.receipt(id)?.receipt ?? book.draftReceipt(id),
            let hash = ContentHash(receipt.sha256)
        else { throw Refusal.notFound }
        if let small = try device.files.thumbnail(of: hash) {
            return try context.request.answer(
                with: small,
                type: ReceiptType.jpeg.rawValue,
                tag: "\"\(hash).thumbnail\"",
                disposition: "inline"
            )
        }
        guard receipt.isShownInLists, let file = try device.files.file(hash),
            file.size <= Receipt.mostBytesInLists
        else { throw Refusal.notFound }
        return context.later {
            device.isSound(file, hash)
        } then: { context, isSound in
            guard isSound else {
                let device = try context.knownDevice()
                let isAvailable = device.canFetchFiles
                try device.noteDamage(of: receipt.sha256, isAvailable: isAvailable, in: context.book())
                throw Refusal.file(.damaged(hasCloud: context.hasCloud))
            }
            return try context.request.answer(
                with: file,
                type: receipt.type,
                tag: "\"\(hash)\"",
                disposition: "inline"
            )
        }
    }
}

/// `POST /attachments/ID/thumbnail`: the small picture of a photo that another device has added, or a browser without
/// the script. The script of this browser has made it. An existing small picture stays.
enum ReceiptThumbnailAdd {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (book, files) = (try context.book(), try context.knownDevice().files)
        guard let receipt = try book.receipt(id)?.receipt ?? book.draftReceipt(id),
            ReceiptType(rawValue: receipt.type)?.isPicture == true, let hash = ContentHash(receipt.sha256),
            files.size(of: hash) != nil
        else { throw Refusal.notFound }
        guard !files.hasThumbnail(of: hash) else { return Response(.noContent) }
        let uploads = context.request.files
        return context.later { () -> Result<Bool, BookError> in
            do throws(FileStoreError) {
                guard let thumbnail = Thumbnail.all(uploads).first else { return .success(false) }
                try files.place(thumbnail: thumbnail.file, of: hash)
                // The file may have been removed in between. A collection looks for this file only.
                if files.size(of: hash) == nil { files.remove(hash) }
                return .success(true)
            } catch { return .failure(BookError(error)) }
        } then: { _, result in
            guard try result.get() else { throw Refusal.malformed }
            return Response(.noContent)
        }
    }
}

extension ShownReceipt {
    /// Whether the file was added on this device, so that it should be here.
    var isOfThisDevice: Bool { file.map { !$0.isCached } ?? false }

    /// Whether the cloud has had the file, and is not known to have lost it.
    var mayBeInCloud: Bool { file?.status == .uploaded }

    /// Whether the cloud has never had the file. Of a file that is noted as missing, it is not known whether it was sent.
    fileprivate var isUnsent: Bool { !mayBeInCloud && file?.failure != ReceiptFile.missing }
}

extension RequestContext {
    /// Whether there is a cloud that could have a copy of the device's files.
    var hasCloud: Bool {
        guard let device, let session = device.session else { return false }
        return session.isAttached || session.holdings.isServerData || device.hasUnknownServerData
    }
}

extension ReceiptCloud {
    /// The reason why a file cannot be fetched that the cloud may have.
    fileprivate var obstacle: FileProblem.Obstacle {
        switch self {
        case .needsPremium, .ending: .premium
        case .switchedOff: .sync
        case .needsSignIn: .session
        case .off, .on, .away, .outdated: .other
        }
    }
}

/// The header `Content-Disposition` (RFC 6266).
enum Disposition {
    /// - Parameter name: any text: it is sent in UTF-8 (RFC 8187), and once more in ASCII for old browsers.
    static func header(_ kind: String, _ name: String) -> String {
        let plain = name.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.value >= 32 && scalar.value < 127
                && !"\"\\%".unicodeScalars.contains(scalar)
                ? Character(scalar) : "_"
        }
        let encoded = PercentEncoding.encode(name) {
            PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~")
        }
        return "\(kind); filename=\"\(String(plain))\"; filename*=UTF-8''\(encoded)"
    }
}

extension Request {
    /// The answer with a file, or with the part that the browser asks for.
    fileprivate func answer(with file: StoredFile, type: String, tag: String, disposition: String) throws
        -> Response
    {
        let answer = FileAnswer(size: file.size, type: type, tag: tag, disposition: disposition, to: self)
        guard answer.hasContent else { return answer.response(descriptor: nil) }
        guard let descriptor = file.duplicate() else { throw DevicesError.busy }
        return answer.response(descriptor: descriptor)
    }
}
