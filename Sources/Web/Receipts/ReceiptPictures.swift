// The pictures beside the files of a page.

import Ledger

/// A picture beside a file.
enum ReceiptPicture {
    /// An icon, because there is no picture.
    case icon
    /// The small picture that the script of a browser has made.
    case thumbnail
    /// The file itself, because no browser has made a small picture of it. Only a browser without the script loads it.
    case file
}

/// Chooses the pictures of a page. A browser without the script makes no small pictures, and loads all pictures of a
/// page at once, so that the bytes of files that are shown themselves are limited.
struct ReceiptPictures {
    /// The greatest number of bytes of these files.
    static let mostBytes: Int64 = 16 << 20

    private var bytes: Int64 = 0

    /// The picture of the next file.
    mutating func next(_ shown: ShownReceipt, isDraft: Bool = false, hasThumbnail: Bool) -> ReceiptPicture {
        guard isDraft || shown.isOnDevice else { return .icon }
        guard !hasThumbnail else { return .thumbnail }
        let isDamaged = shown.file?.isDamaged == true
        guard shown.receipt.isShownInLists, !isDamaged, bytes + shown.receipt.size <= Self.mostBytes else {
            return .icon
        }
        bytes += shown.receipt.size
        return .file
    }
}
