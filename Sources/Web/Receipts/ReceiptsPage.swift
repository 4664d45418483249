// The list of all receipts.

import Ledger
import Links
import Templates
import Texts

/// All receipts, with filters.
struct ReceiptsPage: Page {
    static let template = "receipts/index"
    /// The value of `status` in the address of a list of files that are on this device only.
    static let notBackedUp = "local"

    let chrome: Chrome
    let formats: Formats
    let catalog: Catalog
    let query: ReceiptQuery
    let lines: [ReceiptLine]
    let older: ReceiptCursor?
    let space: ReceiptSpace
    let limit: Int64
    let unsaved: [UnsavedEntry]

    /// - Parameters:
    ///   - limit: the greatest number of bytes of all files of the device.
    ///   - cloud: whether the files are sent to a cloud.
    ///   - unsaved: transactions that were not recorded. Their files are not in the list, and take room.
    ///   - hasThumbnail: whether a receipt has a small picture on this device.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        query: ReceiptQuery,
        result: ReceiptPage,
        space: ReceiptSpace,
        limit: Int64,
        cloud: ReceiptCloud,
        unsaved: [UnsavedEntry] = [],
        hasThumbnail: (Receipt) -> Bool
    ) {
        var chrome = chrome
        if Self.href(query) == Self.ofThoseNotBackedUp {
            for index in chrome.notices.indices { chrome.notices[index].isOnListOfFiles = true }
        }
        self.chrome = chrome.on(.transactions)
        self.formats = formats
        self.catalog = catalog
        self.query = query
        self.space = space
        self.limit = limit
        self.unsaved = unsaved
        older = result.next
        var pictures = ReceiptPictures()
        lines = result.entries.map { entry in
            ReceiptLine(
                entry.shown,
                beside: Self.transaction(of: entry, catalog, formats),
                cloud: cloud,
                picture: pictures.next(entry.shown, hasThumbnail: hasThumbnail(entry.shown.receipt)),
                formats: formats
            )
        }
    }

    /// The list of all files that are not backed up.
    static let ofThoseNotBackedUp = Link.receipts.adding(query: [("status", notBackedUp)])

    /// The transaction of an entry, with its id unless it was deleted.
    private static func transaction(of entry: ReceiptEntry, _ catalog: Catalog, _ formats: Formats)
        -> (title: Text, id: EntityID?)
    {
        let title = title(of: entry.transaction, catalog, formats)
        guard entry.isTransactionDeleted else { return (title, entry.transaction.id) }
        return (Text("receipts.of-deleted-transaction", ["transaction": .text(title)]), nil)
    }

    /// `21 Nov 2026 · Market · €12.00`.
    private static func title(of transaction: Transaction, _ catalog: Catalog, _ formats: Formats) -> Text {
        let name: Text =
            transaction.payee.isEmpty
            ? catalog.category(transaction.category).map { .verbatim($0.name.isolated) }
                ?? TransactionForm.label(of: transaction.kind) : .verbatim(transaction.payee.isolated)
        return Text(
            "receipts.of-transaction",
            [
                "day": .string(formats.style.shortDay(transaction.date)), "name": .text(name),
                "amount": .string(formats.money(transaction.amount)),
            ]
        )
    }

    /// The room that the files of a device take.
    static func spaceText(_ space: ReceiptSpace, limit: Int64, _ formats: Formats) -> Text {
        let words = words(of: space, limit: limit, formats)
        let own =
            switch (space.live.count, space.deleted.count) {
            case (_, 0): Text("receipts.space", words)
            case (0, _): Text("receipts.space-of-deleted", words)
            case (_, _): Text("receipts.space-with-deleted", words)
            }
        guard space.cached.count > 0 else { return own }
        let cached: [String: Text.Argument] = [
            "count": .count(space.cached.count), "size": .text(formats.fileSize(space.cached.bytes)),
        ]
        return space.bytes == 0
            ? Text("receipts.cached-only", cached) : .sentences([own, Text("receipts.cached", cached)])
    }

    /// The reason why no file can be added: how much is stored, and of what.
    static func overQuotaText(_ space: ReceiptSpace, limit: Int64, _ formats: Formats) -> Text {
        let words = words(of: space, limit: limit, formats)
        return switch (space.live.count, space.deleted.count) {
        case (0, 0): Text("receipts.over-the-quota-without-files", words)
        case (_, 0): Text("receipts.over-the-quota", words)
        case (0, _): Text("receipts.over-the-quota-of-deleted", words)
        case (_, _): Text("receipts.over-the-quota-with-deleted", words)
        }
    }

    private static func words(of space: ReceiptSpace, limit: Int64, _ formats: Formats) -> [String: Text
        .Argument]
    {
        [
            "limit": .text(formats.fileSize(limit)), "count": .count(space.live.count),
            "size": .text(formats.fileSize(space.live.bytes, below: limit)),
            "deleted": .count(space.deleted.count),
            "deleted_size": .text(formats.fileSize(space.deleted.bytes)),
        ]
    }

    /// The address of the page with its filters.
    static func href(_ query: ReceiptQuery) -> Link {
        var items: [(String, String)] = []
        if let month = query.month { items.append(("month", "\(month)")) }
        if let account = query.account { items.append(("account", "\(account)")) }
        if let type = query.type { items.append(("type", type.rawValue)) }
        if query.isNotBackedUp { items.append(("status", notBackedUp)) }
        if let text = query.text, !text.isEmpty { items.append(("q", text)) }
        if let after = query.after { items.append(("after", "\(after)")) }
        return Link.receipts.adding(query: items)
    }

    private var isFiltered: Bool {
        hasFilters || !(query.text ?? "").isEmpty || query.after != nil
    }

    private var hasFilters: Bool {
        query.month != nil || query.account != nil || query.type != nil || query.isNotBackedUp
    }

    static let keys = Keys<ReceiptsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("q") { $0.query.text ?? "" }
        .text("month") { $0.query.month.map { "\($0)" } ?? "" }
        .flag("filters_open") { $0.hasFilters }
        .model("account_filter", of: Field.self) { page in
            let value = page.query.account.map { "\($0)" } ?? ""
            return Field(name: "account", value: value, options: page.catalog.accountFilters)
        }
        .model("type_filter", of: Field.self) { page in
            let types = [
                Choice("", Text("receipts.all-types")), Choice(ReceiptType.jpeg.rawValue, .verbatim("JPEG")),
                Choice(ReceiptType.png.rawValue, .verbatim("PNG")),
                Choice(ReceiptType.webp.rawValue, .verbatim("WebP")),
                Choice(ReceiptType.heic.rawValue, .verbatim("HEIC")),
                Choice(ReceiptType.pdf.rawValue, .verbatim("PDF")),
            ]
            return Field(name: "type", value: page.query.type?.rawValue ?? "", options: types)
        }
        .model("status_filter", of: Field.self) { page in
            let choices = [
                Choice("", Text("receipts.all-files")),
                Choice(ReceiptsPage.notBackedUp, Text("receipts.only-not-backed-up")),
            ]
            let value = page.query.isNotBackedUp ? ReceiptsPage.notBackedUp : ""
            return Field(name: "status", value: value, options: choices)
        }
        .flag("has_receipts") { !$0.lines.isEmpty }
        .list("receipts", of: ReceiptLine.self) { $0.lines }
        .optionalLink("older_href") { page in
            page.older.map { after in
                var query = page.query
                query.after = after
                return ReceiptsPage.href(query)
            }
        }
        .optionalMessage("space_text") { page in
            page.space.bytes == 0 && page.space.cached.count == 0
                ? nil : ReceiptsPage.spaceText(page.space, limit: page.limit, page.formats)
        }
        .list("unsaved", of: UnsavedEntry.self) { $0.unsaved }
        .text("address") { ReceiptsPage.href($0.query).text }
        .flag("has_deleted") { $0.space.deleted.count > 0 }
        .message("empty_text") { page in
            if page.chrome.cloud.isIncomplete { return Text("overview.not-all-is-here") }
            return page.isFiltered ? Text("receipts.nothing-matches") : Text("receipts.none-yet")
        }
        .link("empty_href") { $0.isFiltered ? .receipts : .transactions }
        .message("empty_label") {
            $0.isFiltered ? Text("receipts.show-all") : Text("receipts.to-the-transactions")
        }
}
