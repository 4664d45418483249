// Adds the files of a form to a transaction, also while the transaction is still being entered.

import Book
import Devices
import FileStore
import HTTPServer
import Ledger
import Links
import Texts

/// The fate of the files of a form.
struct AddedFiles {
    /// The number of new receipts.
    private(set) var count = 0
    /// The number of files that were there already.
    private(set) var known = 0
    /// The number of known files that were missing or damaged on this device, and are whole now.
    private(set) var repaired = 0
    /// The reasons why others were not added.
    private(set) var errors: [(text: Text, status: Status)] = []
    /// The number of files that were not added, which may have one reason.
    private(set) var refused = 0
    /// Whether removing deleted receipts for good would make room.
    private(set) var offersRemoval = false
    /// The caution about added photos in which the place may be left; nil if there is none of them.
    private(set) var placeNote: Text?

    /// None yet.
    init() {}

    /// None, for one reason.
    /// - Parameter files: the number of files that it concerns.
    init(_ reason: Text, _ status: Status, files: Int = 1) { (errors, refused) = ([(reason, status)], files) }

    /// The words of the page about them.
    var outcome: ReceiptsSection.Outcome {
        var outcome = ReceiptsSection.Outcome(errors: errors.map(\.text))
        (outcome.hasAdded, outcome.offersRemoval) = (count + repaired > 0, offersRemoval)
        outcome.placeNote = placeNote
        return outcome
    }

    /// The status of the page that names the files which were not added.
    var status: Status { errors.map(\.status).max(by: { $0.rawValue < $1.rawValue }) ?? .ok }

    /// Stores the files of the request, then answers. The disk is written meanwhile, and no worker waits for it.
    static func store(
        _ context: RequestContext,
        in target: ReceiptTarget,
        then answer: @escaping @Sendable (RequestContext, AddedFiles) throws -> Response
    ) -> Response {
        let uploads = context.request.files
        let keepsLocation = context.request.form.contains("keep_location")
        let fileBytes = context.site.devices.receiptLimits.fileBytes
        return context.later {
            CheckedFile.all(uploads, keepsLocation: keepsLocation, fileBytes: fileBytes)
        } then: { context, files in
            var added = AddedFiles()
            try added.add(files, to: target, context)
            return try answer(context, added)
        }
    }

    private mutating func add(_ files: [CheckedFile], to target: ReceiptTarget, _ context: RequestContext)
        throws
    {
        let formats = try context.formats()
        var ready: [(receipt: Receipt, file: CheckedFile.Ready)] = []
        var unread: [String] = []
        // Receipts of the same second are listed by their ids: the receipts of a form have its order.
        for (file, id) in zip(files, files.map { _ in context.newID() }.sorted()) {
            switch file.result {
            case .success(let found):
                ready.append((Self.receipt(id, found, of: target.transaction, context), found))
            case .failure(.tooMany): unread.append(file.sentName)
            case .failure(let problem):
                if case .failed(let reason) = problem {
                    context.site.devices.dependencies.log.error("a file cannot be stored: \(reason)")
                }
                errors.append((problem.text(about: file.sentName, formats), problem.status))
            }
        }
        refused = errors.count + unread.count
        var added = AddedReceipts()
        if !ready.isEmpty { (added, repaired) = try Self.store(ready, in: target, context) }
        (count, known) = (added.new, added.known)
        refused += added.withoutRoom.count + added.tooMany.count
        func names(_ receipts: [EntityID]) -> [String] {
            ready.filter { receipts.contains($0.receipt.id) }.map(\.file.name)
        }
        let left = Set(added.withoutRoom + added.tooMany)
        let withPlace = ready.filter { $0.file.mayHavePlace && !left.contains($0.receipt.id) }
        placeNote = ReceiptProblem.mayHavePlace(withPlace.map(\.file.name))
        if !added.withoutRoom.isEmpty {
            let files = ReceiptProblem.names(names(added.withoutRoom))
            let space = try context.book().receiptSpace()
            let limit = context.site.devices.receiptLimits.deviceBytes
            let text = ReceiptsPage.overQuotaText(space, limit: limit, formats)
            errors.append((Text("receipts.files-without-room", ["files": files]), .insufficientStorage))
            errors.append((text, .insufficientStorage))
            offersRemoval = space.deleted.count > 0
        }
        if !added.tooMany.isEmpty {
            errors.append((ReceiptProblem.tooMany(names(added.tooMany)), .unprocessable))
        }
        if !unread.isEmpty { errors.append((ReceiptProblem.tooManyOfForm(unread), .unprocessable)) }
    }

    private static func receipt(
        _ id: EntityID,
        _ file: CheckedFile.Ready,
        of transaction: EntityID,
        _ context: RequestContext
    ) -> Receipt {
        Receipt(
            id: id,
            transaction: transaction,
            name: file.name,
            type: file.inspection.type.rawValue,
            size: Int64(file.file.size),
            sha256: "\(file.hash)",
            width: file.inspection.width.map { Int64($0) },
            height: file.inspection.height.map { Int64($0) },
            created: context.site.devices.dependencies.now
        )
    }

    private static func store(
        _ ready: [(receipt: Receipt, file: CheckedFile.Ready)],
        in target: ReceiptTarget,
        _ context: RequestContext
    ) throws -> (AddedReceipts, repaired: Int) {
        let (book, folder) = (try context.book(), try context.knownDevice().files)
        let files = Dictionary(
            ready.map { ($0.receipt.id, $0.file) },
            uniquingKeysWith: { first, _ in first }
        )
        let limit = context.site.devices.receiptLimits.deviceBytes
        var written: Set<EntityID> = []
        let store: (Receipt) throws -> Void = { receipt in
            guard let file = files[receipt.id] else { return }
            do throws(FileStoreError) {
                if try folder.place(file.file) { written.insert(receipt.id) }
                // Without it the page shows an icon.
                if let thumbnail = file.thumbnail { try folder.place(thumbnail: thumbnail, of: file.hash) }
            } catch { throw BookError(error) }
        }
        let added = try book.add(ready.map(\.receipt), to: target, quota: limit, placing: store)
        try context.knownDevice().recountDamage(in: book)
        return (added, added.placedAgain.count { written.contains($0) })
    }
}
