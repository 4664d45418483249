// A file beside a transaction as a line of a list.

import Ledger
import Links
import Templates
import Texts

/// The cloud, as far as it concerns files.
enum ReceiptCloud: Sendable {
    /// The book is not synced.
    case off
    /// The book is not synced, because its user has no Premium.
    case needsPremium
    /// The book is not synced, because its user has switched sync off.
    case switchedOff
    /// The book is not synced, because the session has ended.
    case needsSignIn
    /// The subscription has ended: the cloud still takes files, and hands out none.
    case ending
    /// The book is synced.
    case on
    /// The book is synced, and the cloud cannot be reached.
    case away
    /// The book is synced, and the cloud takes no files.
    case outdated

    /// Whether files are sent to the cloud, now or as soon as it takes them.
    var isAttached: Bool {
        switch self {
        case .off, .needsPremium, .switchedOff, .needsSignIn: false
        case .ending, .on, .away, .outdated: true
        }
    }
}

/// A file with its status and its forms.
struct ReceiptLine: TemplateModel {
    let receipt: Receipt
    let file: ReceiptFile?
    let isInCloud: Bool?
    /// Whether the cloud has had the file, and is not known to have lost it.
    private let isUploaded: Bool
    /// The transaction of the file, in the list of all receipts; a deleted one without its id.
    let transaction: (title: Text, id: EntityID?)?
    let cloud: ReceiptCloud
    /// Whether the transaction is still being entered.
    let isDraft: Bool
    let picture: ReceiptPicture
    let formats: Formats

    init(
        _ shown: ShownReceipt,
        beside transaction: (title: Text, id: EntityID?)? = nil,
        isDraft: Bool = false,
        cloud: ReceiptCloud,
        picture: ReceiptPicture,
        formats: Formats
    ) {
        (receipt, isInCloud) = (shown.receipt, shown.isInCloud)
        isUploaded = shown.file?.status == .uploaded
        file = cloud.isAttached ? shown.file?.failedIfDamaged : shown.file?.withoutUpload
        self.transaction = transaction
        self.cloud = cloud
        self.isDraft = isDraft
        self.picture = picture
        self.formats = formats
    }

    static let keys = Keys<ReceiptLine>()
        .text("id") { "\($0.receipt.id)" }
        .text("name") { $0.receipt.name.isEmpty ? "?" : $0.receipt.name }
        .text("status") { $0.status }
        .message("status_text") { $0.statusText }
        .flag("is_failed") { $0.file?.status == .failed }
        .flag("follows_cloud") { $0.followsCloud }
        .message("size") { $0.formats.fileSize($0.receipt.size) }
        .integer("bytes") { $0.receipt.size }
        .text("type") { $0.typeName }
        .optionalMessage("dimensions") { line in
            guard let width = line.receipt.width, let height = line.receipt.height else { return nil }
            return Text(
                "receipts.dimensions",
                ["width": .string("\(width)"), "height": .string("\(height)")]
            )
        }
        .optionalLink("href") { line in line.canOpen ? Link.receipt(line.receipt.id) : nil }
        .optionalLink("save_href") { line in
            line.canOpen && !line.isDrawable
                ? Link.receipt(line.receipt.id).adding(query: [("save", "1")]) : nil
        }
        .optionalLink("thumbnail_href") { line in
            line.picture == .thumbnail ? Link.receiptThumbnail(line.receipt.id) : nil
        }
        .optionalLink("photo_href") { line in
            line.picture == .file ? Link.receiptThumbnail(line.receipt.id) : nil
        }
        .optionalLink("drawing_action") { line in
            line.isHere && line.isDrawable && line.picture != .thumbnail
                ? Link.receiptThumbnail(line.receipt.id) : nil
        }
        .text("icon") { $0.receipt.type == ReceiptType.pdf.rawValue ? "list" : "clip" }
        .link("delete_action") { $0.action(Link.receiptDelete) }
        .optionalLink("retry_action") { line in line.canRetry ? line.action(Link.receiptRetry) : nil }
        .flag("in_list") { $0.transaction != nil }
        .optionalMessage("transaction") { $0.transaction?.title }
        .optionalLink("transaction_href") { line in line.transaction?.id.map { Link.transaction($0) } }

    private var isHere: Bool { isDraft || (file != nil && file?.failure != ReceiptFile.missing) }

    /// Whether every browser shows the file as a picture, of which the script makes a small one. Some have no viewer for
    /// the others, or do not open it in a sandbox, so these can be downloaded as well.
    private var isDrawable: Bool { ReceiptType(rawValue: receipt.type)?.isShownByBrowsers == true }

    /// The answer on the page of a transaction is a page of the same transaction, which then begins at its files.
    private func action(_ link: LinkTo<EntityID>) -> Link {
        transaction == nil ? link(receipt.id).adding(fragment: "receipts") : link(receipt.id)
    }

    /// A file that is on another device only is fetched from the cloud when it is opened.
    private var canOpen: Bool { isHere || cloud != .off }

    private var canRetry: Bool {
        cloud.isAttached && file?.status == .failed && file?.failure != ReceiptFile.missing
    }

    /// Whether the line changes with what the cloud has, and with whether it can be reached.
    private var followsCloud: Bool { !isHere && cloud.isAttached }

    /// The value of `data-status`.
    private var status: String { isDraft ? "draft" : file?.status.rawValue ?? "elsewhere" }

    private var typeName: String {
        switch ReceiptType(rawValue: receipt.type) {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .webp: "WebP"
        case .heic: "HEIC"
        case .pdf: "PDF"
        case nil: receipt.type
        }
    }

    /// The file is damaged here, and the cloud has had a good copy.
    private var damageOfUploaded: Text {
        switch cloud {
        case .on, .away, .outdated: Text("receipts.file-is-damaged-and-may-be-fetched")
        case .needsPremium, .ending: Text("receipts.file-is-damaged-without-premium")
        case .switchedOff: Text("receipts.file-is-damaged-without-sync")
        case .needsSignIn: Text("receipts.file-is-damaged-without-session")
        case .off: Text("receipts.file-is-damaged")
        }
    }

    private var statusText: Text {
        guard !isDraft else { return Text("receipts.added-when-saved") }
        guard let file else {
            switch cloud {
            case .off: return Text("receipts.not-on-this-device")
            case .needsPremium, .ending: return Text("receipts.not-on-this-device-without-premium")
            case .switchedOff: return Text("receipts.not-on-this-device-without-sync")
            case .needsSignIn: return Text("receipts.not-on-this-device-without-session")
            case .on:
                switch isInCloud {
                case true?: return Text("receipts.not-on-this-device-yet")
                case false?: return Text("receipts.not-in-the-cloud")
                case nil: return Text("receipts.may-not-be-in-the-cloud-yet")
                }
            case .outdated: return Text("receipts.not-on-this-device-yet-outdated")
            case .away: return Text("receipts.not-on-this-device-yet-offline")
            }
        }
        switch file.status {
        case .localOnly:
            switch cloud {
            case .off, .needsPremium, .switchedOff, .needsSignIn:
                return Text("receipts.on-this-device-only")
            case .outdated: return Text("receipts.cloud-takes-no-files")
            case .on, .ending: return Text("receipts.waits-to-be-uploaded")
            case .away: return Text("receipts.waits-for-the-cloud")
            }
        case .uploading:
            let percent = file.size > 0 ? Int(min(max(file.sent, 0), file.size) * 100 / file.size) : 0
            return cloud == .away
                ? Text("receipts.waits-half-sent", ["percent": .count(percent)])
                : Text("receipts.uploading", ["percent": .count(percent)])
        case .uploaded where file.isDamaged: return damageOfUploaded
        case .uploaded: return Text("receipts.uploaded")
        case .failed:
            switch UploadFailure(code: file.failure ?? "") {
            case .missing:
                switch cloud {
                case .on where isInCloud == false: return Text("receipts.file-is-missing")
                case .on, .away, .outdated: return Text("receipts.file-is-missing-and-may-be-fetched")
                case .needsPremium, .ending: return Text("receipts.file-is-missing-without-premium")
                case .switchedOff: return Text("receipts.file-is-missing-without-sync")
                case .needsSignIn: return Text("receipts.file-is-missing-without-session")
                case .off: return Text("receipts.file-is-missing")
                }
            case .quota(let used, let limit, let files):
                var words: [String: Text.Argument] = [
                    "used": .text(formats.fileSize(used, below: limit)),
                    "limit": .text(formats.fileSize(limit)),
                ]
                guard let files, files > 0 else { return Text("receipts.upload-over-the-quota", words) }
                words["count"] = .count(files)
                return Text("receipts.upload-over-the-quota-of-files", words)
            case .tooLarge(let limit):
                return Text("receipts.upload-too-large", ["limit": .text(formats.fileSize(limit))])
            case .wrongContent:
                guard !cloud.isAttached else { return Text("receipts.upload-damaged") }
                return isUploaded ? damageOfUploaded : Text("receipts.file-is-damaged")
            case .notSupported: return Text("receipts.cloud-takes-no-files")
            case .refused: return Text("receipts.upload-failed")
            }
        }
    }
}

extension ReceiptFile {
    /// The file of a book that is synced: a damaged one is shown as such also while it is to be read once more.
    fileprivate var failedIfDamaged: ReceiptFile {
        var file = self
        if isDamaged, status != .uploaded { file.status = .failed }
        return file
    }

    /// The file of a book that is not synced: whatever became of an upload, no page promises another.
    fileprivate var withoutUpload: ReceiptFile {
        var file = self
        if failure == Self.missing || isDamaged {
            file.status = .failed
        } else if status == .uploading || status == .failed {
            (file.status, file.sent, file.failure) = (.localOnly, 0, nil)
        }
        return file
    }
}

extension Formats {
    /// A size in units of 1,024 bytes and their powers, rounded to the nearest: `840 KB`, `2.4 MB`, `1 GB`. Only an empty
    /// file has 0 KB.
    /// - Parameter limit: the limit beside it, in bytes. A smaller size that would read like the limit has a smaller unit.
    func fileSize(_ bytes: Int64, below limit: Int64 = .max) -> Text {
        let bytes = max(0, bytes)
        let unit = FileUnit(for: bytes)
        let size = fileSize(bytes, in: unit)
        guard bytes < limit, size == fileSize(limit, in: FileUnit(for: limit)) else { return size }
        return switch unit {
        case .gigabyte: Text("receipts.megabytes", ["size": .string("\(bytes >> 20)")])
        case .megabyte, .kilobyte: Text("receipts.kilobytes", ["size": .string("\(bytes >> 10)")])
        }
    }

    private enum FileUnit: Int64 {
        case kilobyte = 0x400
        case megabyte = 0x10_0000
        case gigabyte = 0x4000_0000

        init(for bytes: Int64) {
            self = bytes > 1_000 << 20 ? .gigabyte : bytes > 1_000 << 10 ? .megabyte : .kilobyte
        }
    }

    private func fileSize(_ bytes: Int64, in unit: FileUnit) -> Text {
        switch unit {
        case .kilobyte:
            let kilobytes = bytes == 0 ? 0 : max(1, (bytes + 512) >> 10)
            return Text("receipts.kilobytes", ["size": .string("\(kilobytes)")])
        case .megabyte: return Text("receipts.megabytes", ["size": .string(number(of: unit, in: bytes))])
        case .gigabyte: return Text("receipts.gigabytes", ["size": .string(number(of: unit, in: bytes))])
        }
    }

    /// A number of units with one digit after the decimal sign, unless it is 0.
    private func number(of unit: FileUnit, in bytes: Int64) -> String {
        let unit = unit.rawValue
        let tenths = (bytes / unit) * 10 + (bytes % unit * 10 + unit / 2) / unit
        // Two digits after the sign, as of a currency: one suffices.
        return tenths % 10 == 0 ? "\(tenths / 10)" : String(decimal(tenths).dropLast())
    }

    private func decimal(_ tenths: Int64) -> String {
        guard let none = CurrencyCode("XXX") else { return "\(tenths / 10)" }
        return plain(tenths * 10, none)
    }
}
