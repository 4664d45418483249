// A file as a line of a list: whether an open page follows what the cloud has, and what stands beside a damaged one.
import Ledger
import TestKit
import Testing

@testable import Web

@Suite struct LinesOfReceipts {
    private let sample = Sample()

    private func page(
        _ file: ReceiptFile?,
        isInCloud: Bool? = nil,
        _ cloud: ReceiptCloud = .on,
        hasThumbnail: Bool = false
    ) throws -> HTMLReader {
        let receipt = Receipt(
            id: EntityID(high: 1, low: 1),
            transaction: sample.transactions[0].id,
            name: "till.jpg",
            type: ReceiptType.jpeg.rawValue,
            size: 500,
            sha256: String(repeating: "0", count: 64),
            width: 40,
            height: 30,
            created: 0
        )
        let shown = ShownReceipt(receipt, file: file, isInCloud: isInCloud)
        let page = ReceiptsPage(
            chrome: sample.chrome,
            formats: sample.formats,
            catalog: sample.catalog,
            query: ReceiptQuery(),
            result: ReceiptPage(
                entries: [ReceiptEntry(shown, beside: sample.transactions[0])],
                next: nil
            ),
            space: ReceiptSpace(live: .init(count: 1, bytes: 500), deleted: .init(count: 0, bytes: 0)),
            limit: 1 << 30,
            cloud: cloud,
            hasThumbnail: { _ in hasThumbnail }
        )
        return HTMLReader(try Renderer().render(page))
    }

    private func line(_ file: ReceiptFile?, isInCloud: Bool? = nil, _ cloud: ReceiptCloud = .on) throws
        -> HTMLElement
    {
        let elements = try page(file, isInCloud: isInCloud, cloud).elements
        return try #require(elements.first { $0["data-attachment"] != nil })
    }

    private func file(_ status: ReceiptStatus, _ failure: String? = nil) -> ReceiptFile {
        ReceiptFile(
            sha256: String(repeating: "0", count: 64),
            size: 500,
            status: status,
            failure: failure
        )
    }

    /// The words of one that this device has lost depend on it, too.
    @Test func followTheCloudUnlessTheirFilesAreHere() throws {
        let lost = file(.failed, ReceiptFile.missing)
        #expect(try line(nil)["data-follows"] != nil && line(lost)["data-follows"] != nil)
        #expect(try line(file(.uploaded))["data-follows"] == nil)
        #expect(try line(lost, .switchedOff)["data-follows"] == nil)
        #expect(try line(lost, isInCloud: true).text.contains("Open it to fetch it"))
        #expect(try !line(lost, isInCloud: false).text.contains("Open it to fetch it"))
    }

    /// One with the script loads it once, to make the small picture.
    @Test func havePhotosThatOnlyABrowserWithoutTheScriptLoads() throws {
        for hasThumbnail in [false, true] {
            let page = try page(file(.uploaded), hasThumbnail: hasThumbnail)
            let image = try #require(page.first("img", ["class": hasThumbnail ? "dot thumb" : "thumb"]))
            let tags = image.ancestors.map { page.elements[$0].tag }
            #expect(
                tags.contains("noscript") != hasThumbnail
                    && page.all("img", ["src": image["src"] ?? ""]).count == 1
            )
        }
    }

    @Test func sayWhatCanBeDoneAboutDamage() throws {
        let damaged = file(.uploaded, UploadFailure.wrongContent.code)
        #expect(try line(damaged).text.contains("Open it to fetch it from the cloud"))
        // One that is read once more does not wait for the cloud until it is found to be whole.
        for cloud in [ReceiptCloud.on, .away] {
            let lines = try [ReceiptStatus.failed, .localOnly].map { status in
                try line(file(status, UploadFailure.wrongContent.code), cloud)
            }
            #expect(lines.map { $0["data-status"] } == ["failed", "failed"])
            #expect(lines[0].text == lines[1].text && lines[0].text.contains("damaged"))
        }
        // The good copy in the cloud is not given up for the want of sync.
        for (cloud, words) in [
            (ReceiptCloud.needsPremium, "with Premium"), (.switchedOff, "switch sync on"),
            (.needsSignIn, "sign in again"),
        ] {
            let uploaded = try line(damaged, cloud)
            let text = "The file on the server is damaged. The cloud had a good copy: \(words)"
            #expect(uploaded["data-status"] == "failed" && uploaded.text.contains(text))
            let other = try line(file(.failed, UploadFailure.wrongContent.code), cloud)
            #expect(other.text.contains("The file on the server is damaged. Add"))
        }
    }
}
