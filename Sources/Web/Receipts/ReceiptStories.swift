// The list of all receipts, and the receipts on the page of a transaction.

import Ledger
import Texts

enum ReceiptStories {
    static let all: [Story] = [
        Story("receipts", .transactions, "Receipts on this device, on another one only, and with a lost file")
        {
            $0.receiptList($0.receipts)
        },
        Story("receipts-synced", .transactions, "Receipts whose rows are synced, with older pages") {
            $0.framed(.files).receiptList($0.receipts, hasOlder: true)
        },
        Story("receipts-empty", .transactions, "No receipt yet") { $0.receiptList([]) },
        Story("receipts-arriving", .transactions, "No receipt, and not all data is here yet") {
            $0.framed(.incomplete).receiptList([])
        },
        Story("receipts-none", .transactions, "Filters that no receipt passes") {
            $0.receiptList([]) { query in
                query.month = Sample.date(2026, 11, 1).yearMonth
                (query.type, query.scope, query.text) = (.pdf, .notBackedUp(), "nothing & nowhere")
            }
        },
        Story(
            "receipts-not-backed-up",
            .transactions,
            "Files that are not backed up, one of a deleted transaction"
        ) {
            let refused = $0.receipt(
                305,
                "photo.jpg",
                .jpeg,
                failure: .quota(used: 1_071_000_000, limit: 1 << 30, files: 340)
            )
            let shown = [$0.receipt(301, "IMG_4711.jpg", .jpeg), refused]
            return $0.framed(.withoutFiles).receiptList(shown, deletedEntry: 1) { $0.scope = .notBackedUp() }
        },
        Story("receipts-deleted", .transactions, "Deleted ones that can be brought back take room too") {
            $0.receiptList($0.receipts, deleted: .init(count: 2, bytes: 9 << 20))
        },
        Story("receipts-fetched", .transactions, "Files that were fetched take room too") {
            $0.framed(.files).receiptList($0.receipts, cached: .init(count: 2, bytes: 9 << 20))
        },
        Story("receipts-long", .transactions, "Long names, and names from right to left") {
            let sample = $0.of(.longLived)
            return sample.receiptList(sample.receipts)
        },
        Story("transaction-receipts", .transactions, "A transaction with receipts") {
            $0.edit($0.transactions[0], receipts: $0.section())
        },
        Story("transaction-receipts-none", .transactions, "A transaction without receipts") {
            $0.edit($0.transactions[0], receipts: $0.section([]))
        },
        Story(
            "transaction-receipts-full",
            .transactions,
            "A transaction with as many receipts as it can have"
        ) {
            sample in
            let all = (0..<UInt64(Receipt.mostOfTransaction)).map {
                sample.receipt(300 + $0, "page \($0).png", .png)
            }
            return sample.edit(sample.transactions[0], receipts: sample.section(all))
        },
        Story(
            "transaction-receipts-surplus",
            .transactions,
            "A transaction with more receipts than can be added, because devices added some at the same time"
        ) {
            sample in
            let all = (0..<UInt64(Receipt.mostOfTransaction) + 2).map {
                sample.receipt(300 + $0, "page \($0).png", .png)
            }
            return sample.edit(sample.transactions[0], receipts: sample.section(all))
        },
        Story(
            "transaction-receipts-refused",
            .transactions,
            "Files that were refused, each for another reason"
        ) {
            var outcome = ReceiptsSection.Outcome(errors: $0.refusals)
            outcome.hasAdded = true
            return $0.edit($0.transactions[0], receipts: $0.section($0.receipts, outcome: outcome))
        },
        Story("transaction-receipts-unsaved", .transactions, "A file was deleted while something was typed") {
            var outcome = ReceiptsSection.Outcome()
            outcome.notice = Text("receipts.changes-are-not-saved")
            return $0.edit($0.transactions[0], receipts: $0.section($0.receipts, outcome: outcome))
        },
        Story(
            "transaction-receipts-place",
            .transactions,
            "A photo was added in which the place may be left"
        ) {
            var outcome = ReceiptsSection.Outcome()
            outcome.placeNote = ReceiptProblem.mayHavePlace([$0.typed("till.heic")])
            return $0.edit($0.transactions[0], receipts: $0.section($0.receipts, outcome: outcome))
        },
        Story("transaction-receipts-quota", .transactions, "No room for more files") { sample in
            let error = ReceiptsPage.overQuotaText(Sample.fullSpace, limit: 1 << 30, sample.formats)
            var outcome = ReceiptsSection.Outcome(errors: [error])
            outcome.offersRemoval = true
            return sample.edit(sample.transactions[0], receipts: sample.section(outcome: outcome))
        },
        Story("transaction-new-receipts", .transactions, "A new expense with files, which are added with it")
        {
            $0.edit($0.blankEntry(), receipts: $0.drafts(Array($0.receipts.prefix(2))))
        },
        Story(
            "transaction-new-unsaved",
            .transactions,
            "A new expense after another one with a file was not saved"
        ) {
            sample in
            let files = [sample.typed("till.jpg"), "terms.pdf", "warranty.pdf"]
            let unsaved = [
                UnsavedEntry(Sample.id(399), files: files), UnsavedEntry(Sample.id(398), files: ["bill.pdf"]),
            ]
            return sample.edit(sample.blankEntry(), unsaved: unsaved)
        },
        Story("receipts-removal", .transactions, "Removing deleted receipts from the device") {
            $0.removal(Sample.fullSpace)
        },
        Story("receipts-removal-nothing", .transactions, "No deleted receipt that could be removed") {
            $0.removal(
                ReceiptSpace(live: .init(count: 3, bytes: 9 << 20), deleted: .init(count: 0, bytes: 0))
            )
        },
    ]
}

extension Sample {
    func receipt(
        _ number: UInt64,
        _ name: String,
        _ type: ReceiptType,
        size: Int64 = 2_400_000,
        isHere: Bool = true,
        isInCloud: Bool? = nil,
        status: ReceiptStatus = .localOnly,
        sent: Int64 = 0,
        failure: UploadFailure? = nil
    ) -> ShownReceipt {
        let digits = "\(number)"
        let sha256 = String(repeating: "0", count: 64 - digits.count) + digits
        let receipt = Receipt(
            id: Self.id(number),
            transaction: transactions[0].id,
            name: typed(name),
            type: type.rawValue,
            size: size,
            sha256: sha256,
            width: type.isPicture ? 1_920 : nil,
            height: type.isPicture ? 2_560 : nil,
            created: 1_795_262_400
        )
        let file = ReceiptFile(
            sha256: sha256,
            size: size,
            status: failure == nil ? status : .failed,
            sent: sent,
            failure: failure?.code
        )
        return ShownReceipt(receipt, file: isHere ? file : nil, isInCloud: isInCloud)
    }

    /// The files of a transaction that is still being entered.
    func drafts(_ shown: [ShownReceipt] = []) -> ReceiptsSection {
        section(shown, of: .entered(Self.id(399)))
    }

    fileprivate var receipts: [ShownReceipt] {
        [
            receipt(301, "IMG_4711.jpg", .jpeg), receipt(302, "Invoice & terms.pdf", .pdf, size: 84_000),
            receipt(303, "till.heic", .heic, isHere: false),
            receipt(304, "warranty.png", .png, failure: .missing),
        ]
    }

    func section(
        _ shown: [ShownReceipt]? = nil,
        of place: ReceiptsSection.Place? = nil,
        outcome: ReceiptsSection.Outcome = ReceiptsSection.Outcome(),
        cloud: ReceiptCloud = .off
    ) -> ReceiptsSection {
        ReceiptsSection(
            of: place ?? .recorded(transactions[0].id),
            shown ?? receipts,
            outcome: outcome,
            cloud: cloud,
            fileBytes: 10 << 20,
            formats: formats
        ) { $0.type == ReceiptType.jpeg.rawValue }
    }

    fileprivate static let fullSpace = ReceiptSpace(
        live: .init(count: 812, bytes: 987 << 20),
        deleted: .init(count: 14, bytes: 37 << 20)
    )

    fileprivate func removal(_ space: ReceiptSpace) -> DeletedReceiptsPage {
        DeletedReceiptsPage(chrome: chrome, formats: formats, space: space, limit: 1 << 30)
    }

    /// An example of each reason.
    fileprivate var refusals: [Text] {
        let file = Text.Argument.string(typed("photo.jpg"))
        return [
            Text("receipts.is-empty", ["file": file]), Text("receipts.is-of-no-known-type", ["file": file]),
            Text("receipts.is-damaged", ["file": file]),
            Text("receipts.is-too-large", ["file": file, "limit": .text(formats.fileSize(10 << 20))]),
            Text("receipts.has-too-many-pixels", ["file": file, "width": "50000", "height": "50000"]),
            Text("receipts.no-room-for", ["file": file]),
            Text(
                "receipts.too-many",
                ["files": .string("\(typed("photo.jpg")), \(typed("bill.pdf"))"), "limit": .count(10)]
            ),
        ]
    }

    func receiptList(
        _ shown: [ShownReceipt],
        cloud: ReceiptCloud? = nil,
        hasOlder: Bool = false,
        deleted: ReceiptSpace.Part = .init(count: 0, bytes: 0),
        cached: ReceiptSpace.Part = .init(count: 0, bytes: 0),
        deletedEntry: Int? = nil,
        _ filter: (inout ReceiptQuery) -> Void = { _ in }
    ) -> ReceiptsPage {
        var query = ReceiptQuery()
        filter(&query)
        let bytes = shown.reduce(0) { $0 + $1.receipt.size }
        return ReceiptsPage(
            chrome: chrome,
            formats: formats,
            catalog: catalog,
            query: query,
            result: ReceiptPage(
                entries: shown.enumerated().map {
                    ReceiptEntry(
                        $1,
                        beside: transactions[$0 % transactions.count],
                        isDeleted: $0 == deletedEntry
                    )
                },
                next: hasOlder ? ReceiptCursor(created: 1_795_000_000, id: Self.id(304)) : nil
            ),
            space: ReceiptSpace(
                live: .init(count: shown.count, bytes: bytes),
                deleted: deleted,
                cached: cached
            ),
            limit: 1 << 30,
            cloud: cloud ?? (chrome.sync == "off" ? .off : .on)
        ) { $0.type == ReceiptType.jpeg.rawValue }
    }
}
