// The files beside a transaction, on its page.

import Ledger
import Links
import Templates
import Texts

/// The receipts of a transaction with the form that adds more.
///
/// Its fields belong to the form of the transaction: `file`, once for each file, and `keep_location` if the place of a
/// photo is to stay in it. The script sends only these, and `thumbnail`, small pictures that are named by the numbers of
/// their files.
struct ReceiptsSection: TemplateModel {
    private let place: Place
    private let lines: [ReceiptLine]
    private let outcome: Outcome
    private let keepsLocation: Bool
    private let fileBytes: Int64
    private let formats: Formats

    /// A transaction that files are beside.
    enum Place: Sendable {
        case recorded(EntityID)
        /// A transaction that is still being entered: by the id that it gets when it is recorded.
        case entered(EntityID)

        /// The page with its form.
        var page: Link {
            switch self {
            case .recorded(let id): Link.transaction(id)
            case .entered(let id): .newTransaction.adding(query: [("once", "\(id)")])
            }
        }

        fileprivate var addition: Link {
            switch self {
            case .recorded(let id): Link.transactionReceipts(id)
            case .entered: .newTransactionReceipts
            }
        }

        /// The id of a form that adds a transaction.
        fileprivate var once: EntityID? {
            guard case .entered(let id) = self else { return nil }
            return id
        }
    }

    /// The answer to a form that was sent from the section.
    struct Outcome: Sendable {
        /// The reasons why files were not added.
        var errors: [Text]
        /// Whether other files were added.
        var hasAdded = false
        /// Whether removing deleted receipts from this device would make room.
        var offersRemoval = false
        /// A remark about the rest of the page, which was sent along.
        var notice: Text?
        /// The caution about added photos in which the place may be left.
        var placeNote: Text?

        /// Nothing to say unless there are errors.
        init(errors: [Text] = []) { self.errors = errors }
    }

    /// - Parameters:
    ///   - keepsLocation: whether the box for the place of a photo is ticked.
    ///   - cloud: whether the files are sent to a cloud.
    ///   - fileBytes: the greatest size of a file.
    ///   - hasThumbnail: whether a receipt has a small picture on this device.
    init(
        of place: Place,
        _ receipts: [ShownReceipt],
        outcome: Outcome = Outcome(),
        keepsLocation: Bool = false,
        cloud: ReceiptCloud,
        fileBytes: Int64,
        formats: Formats,
        hasThumbnail: (Receipt) -> Bool
    ) {
        self.place = place
        self.outcome = outcome
        self.keepsLocation = keepsLocation
        self.fileBytes = fileBytes
        self.formats = formats
        let isDraft = place.once != nil
        var pictures = ReceiptPictures()
        lines = receipts.map { shown in
            ReceiptLine(
                shown,
                isDraft: isDraft,
                cloud: cloud,
                picture: pictures.next(
                    shown,
                    isDraft: isDraft,
                    hasThumbnail: hasThumbnail(shown.receipt)
                ),
                formats: formats
            )
        }
    }

    var hasErrors: Bool { !outcome.errors.isEmpty }

    private var fullText: Text {
        let (count, limit) = (lines.count, Receipt.mostOfTransaction)
        guard count > limit else { return Text("receipts.this-transaction-is-full") }
        return Text(
            "receipts.has-more-than-fit",
            ["count": .count(count), "limit": .count(limit), "surplus": .count(count - limit + 1)]
        )
    }

    static let keys = Keys<ReceiptsSection>()
        .link("page") { $0.place.page }
        .link("add_action") { $0.place.addition.adding(fragment: "receipts") }
        .flag("is_draft") { $0.place.once != nil }
        .text("once") { $0.place.once.map { "\($0)" } ?? "" }
        .text("files") { $0.lines.isEmpty ? "" : "· \($0.lines.count)" }
        .flag("has_receipts") { !$0.lines.isEmpty }
        .list("receipts", of: ReceiptLine.self) { $0.lines }
        .flag("has_errors") { $0.hasErrors }
        .message("errors_title") {
            $0.outcome.hasAdded ? Text("receipts.not-all-were-added") : Text("receipts.nothing-was-added")
        }
        .messages("errors") { $0.outcome.errors }
        .optionalMessage("notice") { $0.outcome.notice }
        .optionalMessage("place_note") { $0.outcome.placeNote }
        .flag("keeps_location") { $0.keepsLocation }
        .flag("offers_removal") { $0.outcome.offersRemoval }
        .flag("is_full") { $0.lines.count >= Receipt.mostOfTransaction }
        .message("full") { $0.fullText }
        .integer("left") { Int64(max(0, Receipt.mostOfTransaction - $0.lines.count)) }
        .integer("file_bytes") { $0.fileBytes }
        .message("limits") {
            Text(
                "receipts.limits",
                [
                    "size": .text($0.formats.fileSize($0.fileBytes)),
                    "count": .count(Receipt.mostOfTransaction),
                ]
            )
        }
        .message("too_large_pattern") {
            Text("receipts.is-too-large", ["file": "%f", "limit": .text($0.formats.fileSize($0.fileBytes))])
        }
        .message("too_many") { _ in
            Text("receipts.too-many", ["files": "%f", "limit": .count(Receipt.mostOfTransaction)])
        }
        .message("more_pattern") { _ in Text("receipts.and-more", ["files": "%f", "more": "%n"]) }
        .message("offline_pattern") { _ in Text("receipts.not-sent", ["file": "%f"]) }
        .message("unsure_pattern") { _ in Text("receipts.no-answer", ["file": "%f"]) }
        .message("gone_pattern") { _ in Text("receipts.transaction-gone", ["file": "%f"]) }
        .message("cookies_pattern") { _ in Text("receipts.needs-cookies", ["file": "%f"]) }
        .message("failed_pattern") { _ in Text("receipts.could-not-be-stored", ["file": "%f"]) }
        .message("later_pattern") { _ in Text("receipts.not-taken-now", ["file": "%f"]) }
        .message("refused_pattern") { _ in Text("receipts.not-taken", ["file": "%f"]) }
        .text("types") { _ in
            (ReceiptType.allCases.map(\.rawValue) + [".heic", ".pdf"]).joined(separator: ",")
        }
}
