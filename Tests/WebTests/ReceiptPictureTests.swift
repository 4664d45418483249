// The pictures beside files: small ones, and files that are shown themselves without a script.
import Ledger
import Testing

@testable import Web

@Suite struct PicturesOfReceipts {
    private func shown(
        _ type: ReceiptType = .jpeg,
        size: Int64 = 3 << 20,
        width: Int64? = 4_000,
        height: Int64? = 3_000,
        failure: String? = nil
    ) -> ShownReceipt {
        let receipt = Receipt(
            id: EntityID(high: 1, low: 1),
            transaction: nil,
            name: "till",
            type: type.rawValue,
            size: size,
            sha256: String(repeating: "0", count: 64),
            width: width,
            height: height,
            created: 0
        )
        let file = ReceiptFile(sha256: receipt.sha256, size: size, failure: failure)
        return ShownReceipt(receipt, file: file)
    }

    private func picture(_ shown: ShownReceipt, hasThumbnail: Bool = false) -> ReceiptPicture {
        var pictures = ReceiptPictures()
        return pictures.next(shown, hasThumbnail: hasThumbnail)
    }

    @Test func areSmallOnesOrElseThePhotosThemselves() {
        #expect(picture(shown(), hasThumbnail: true) == .thumbnail)
        for type in [ReceiptType.jpeg, .png, .webp] { #expect(picture(shown(type)) == .file) }
        for type in [ReceiptType.heic, .pdf] { #expect(picture(shown(type)) == .icon) }
    }

    @Test func areNotThoseOfFilesThatCannotBeShown() {
        var elsewhere = shown()
        elsewhere.file = nil
        var pictures = ReceiptPictures()
        #expect(pictures.next(elsewhere, hasThumbnail: true) == .icon)
        #expect(pictures.next(elsewhere, isDraft: true, hasThumbnail: false) == .file)
        #expect(picture(shown(failure: ReceiptFile.missing), hasThumbnail: true) == .icon)
        #expect(picture(shown(failure: UploadFailure.wrongContent.code)) == .icon)
    }

    /// Another device may have stated any numbers.
    @Test func areNotThoseOfLargeFiles() {
        #expect(picture(shown(size: Receipt.mostBytesInLists)) == .file)
        for size in [Receipt.mostBytesInLists + 1, 0, -1, .max] {
            #expect(picture(shown(size: size)) == .icon, "\(size)")
        }
        let sides: [(Int64?, Int64?)] = [(5_000, 5_000), (.max, .max), (.max, 1), (0, 9), (-9, -9), (nil, 9)]
        for (width, height) in sides {
            #expect(picture(shown(width: width, height: height)) == .icon)
        }
    }

    @Test func ofAPageTakeFewBytes() {
        var pictures = ReceiptPictures()
        let found = (0..<7).map { _ in pictures.next(shown(), hasThumbnail: false) }
        #expect(found.filter { $0 == .file }.count == 5 && found.prefix(5).allSatisfy { $0 == .file })
        #expect(pictures.next(shown(size: 1 << 20), hasThumbnail: false) == .file, "a smaller one fits")
        #expect(pictures.next(shown(), hasThumbnail: true) == .thumbnail)
    }
}
