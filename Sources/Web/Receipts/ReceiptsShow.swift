// The list of all receipts, and the receipts on the page of a transaction.

import Book
import Devices
import FileStore
import HTTPServer
import Ledger
import Texts

/// `GET /attachments`: all receipts, with filters.
enum ReceiptsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        var query = try query(context.request.query)
        let (book, formats) = (try context.book(), try context.formats())
        if query.isNotBackedUp {
            let files = try context.knownDevice().absentFiles(in: book)
            // Without sync, nothing can be fetched.
            query.scope = .notBackedUp(
                absent: files.all,
                fetchable: context.sync == nil ? [] : files.fetchable
            )
        }
        let space = try book.receiptSpace()
        var chrome = context.chrome()
        let shown = ReceiptsPage.href(query)
        chrome.toasts = chrome.toasts.map { HistoryUndo.returning(to: shown, $0) }
        var result = try book.receipts(query)
        let located = try context.knownDevice().locate(result.entries.map(\.shown))
        for (index, shown) in located.enumerated() { result.entries[index].shown = shown }
        let page = ReceiptsPage(
            chrome: chrome,
            formats: formats,
            catalog: try context.catalog(),
            query: query,
            result: result,
            space: space,
            limit: context.site.devices.receiptLimits.deviceBytes,
            cloud: context.receiptCloud,
            unsaved: try context.unsavedEntries(),
            hasThumbnail: try context.thumbnails()
        )
        return context.page(page)
    }

    private static func query(_ fields: FormFields) throws -> ReceiptQuery {
        var query = ReceiptQuery()
        func value(_ name: String) -> String? { fields.first(name).flatMap { $0.isEmpty ? nil : $0 } }
        query.text = value("q")
        if let text = query.text, !text.fits(TextLimit.payee) { throw Refusal.malformed }
        if let month = value("month"), month != "all" {
            query.month = YearMonth(typed: month)
            if query.month == nil { throw Refusal.malformed }
        }
        if let account = value("account") {
            query.account = EntityID(account)
            if query.account == nil { throw Refusal.notFound }
        }
        if let type = value("type") {
            query.type = ReceiptType(rawValue: type)
            if query.type == nil { throw Refusal.malformed }
        }
        switch value("status") {
        case ReceiptsPage.notBackedUp: query.scope = .notBackedUp()
        case nil: break
        default: throw Refusal.malformed
        }
        if let after = value("after") {
            query.after = ReceiptCursor(after)
            if query.after == nil { throw Refusal.malformed }
        }
        return query
    }
}

extension RequestContext {
    /// Whether a receipt has a small picture on this device.
    func thumbnails() throws -> (Receipt) -> Bool {
        let files = try knownDevice().files
        return { receipt in
            ReceiptType(rawValue: receipt.type)?.isPicture == true
                && ContentHash(receipt.sha256).map { files.hasThumbnail(of: $0) } == true
        }
    }

    /// The cloud, as far as it concerns files.
    var receiptCloud: ReceiptCloud {
        guard let device, let session = device.session else { return .off }
        if session.isRevoked { return .needsSignIn }
        let isPremium = session.isPremium(at: site.devices.dependencies.now)
        // A subscription that was not verified for long may still last.
        let mayBePremium = isPremium || session.entitlement?.entitlement.isPremium == true
        guard let sync else {
            if isPremium, !session.wantsSync { return .switchedOff }
            return mayBePremium ? .off : .needsPremium
        }
        switch (sync.fileTrouble, sync.phase) {
        case (_, .failed(.dataDeleted)): return .off
        case (.cloudOutdated, _): return .outdated
        case (.cloudAway, _), (nil, .offline): return .away
        case (nil, .failed(.subscriptionRequired)): return .ending
        case (nil, _): return mayBePremium ? .on : .ending
        }
    }

    /// The transactions that files were added to and that were not saved.
    func unsavedEntries() throws -> [UnsavedEntry] {
        try book().unsavedReceipts().map { UnsavedEntry($0.transaction, files: $0.receipts.map(\.name)) }
    }

    /// The receipts beside a transaction, for its page.
    func receipts(of place: ReceiptsSection.Place, _ outcome: ReceiptsSection.Outcome) throws
        -> ReceiptsSection
    {
        let book = try book()
        let receipts =
            switch place {
            case .recorded(let id): try knownDevice().locate(book.receipts(of: id))
            case .entered(let id): try book.draftReceipts(of: id).map { ShownReceipt($0, file: nil) }
            }
        return ReceiptsSection(
            of: place,
            receipts,
            outcome: outcome,
            keepsLocation: request.form.contains("keep_location"),
            cloud: receiptCloud,
            fileBytes: Int64(site.devices.receiptLimits.fileBytes),
            formats: try formats(),
            hasThumbnail: try thumbnails()
        )
    }
}
