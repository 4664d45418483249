// The place where a photo was taken, of each type of file that is accepted.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp

@Suite struct ThePlaceOfAReceipt {
    let server: Running
    let guest: Visitor
    let cash: String
    let id: String

    init() throws {
        server = try Running()
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions/new")
        _ = try guest.post("/transactions", Self.fields(cash))
        id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        _ = try guest.get("/transactions/\(id)")
    }

    private static func fields(_ cash: String, payee: String = "Market") -> [(String, String)] {
        [
            ("kind", "expense"), ("amount", "12.00"), ("currency", "EUR"), ("account", cash),
            ("date", "2026-11-20"), ("payee", payee), ("note", ""), ("tags", ""), ("category", ""),
        ]
    }

    private var adding: String { "/transactions/\(id)/attachments" }

    private static let packet = SampleFiles.xmp(hasCoordinates: false)

    /// A file of each type of picture with its place in each way that cameras and programs know.
    private static let photos: [(String, [UInt8])] = [
        ("exif.jpg", SampleFiles.jpeg(segments: [SampleFiles.exif(SampleFiles.tiff())])),
        (
            "press.jpg",
            SampleFiles.jpeg(segments: [
                SampleFiles.segment(
                    0xED,
                    SampleFiles.photoshop([(0x0404, SampleFiles.captions([(90, SampleFiles.town)]))])
                )
            ])
        ), ("xmp.jpg", SampleFiles.jpeg(segments: [SampleFiles.segment(xmp: packet)])),
        ("exif.png", SampleFiles.png(chunks: [SampleFiles.chunk("eXIf", SampleFiles.tiff())])),
        ("both.webp", SampleFiles.webP(exif: SampleFiles.tiff(), xmp: packet)),
        ("both.heic", SampleFiles.heic(items: [.exif(SampleFiles.tiff()), .xmp(packet, .small)])),
    ]

    private func attachments(_ page: Reply) -> [HTMLElement] {
        page.html.elements.filter { $0["data-attachment"] != nil }
    }

    private func has(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }

    /// The caution beside the files.
    private func caution(_ page: Reply) -> String? {
        page.html.elements.first { $0["data-notice"] == "place" }?.text.filter {
            !"\u{2068}\u{2069}".contains($0)
        }
    }

    @Test(arguments: photos)
    func isRemovedUnlessTheUserKeepsIt(name: String, photo: [UInt8]) throws {
        #expect(try guest.upload(adding, [(name, photo)]).status == 303)
        let first = try #require(attachments(try guest.get("/transactions/\(id)")).first?["data-attachment"])
        var body = try guest.get("/attachments/\(first)").body
        #expect(body.count == photo.count && body != photo)
        #expect(!has(body, SampleFiles.latitude) && !has(body, Array(SampleFiles.town.utf8)))
        let reply = try guest.upload(adding, [("kept-\(name)", photo)], [("keep_location", "on")])
        #expect(reply.status == 303)
        let lines = attachments(try guest.get("/transactions/\(id)"))
        let last = try #require(lines.first { $0.text.contains("kept-\(name)") }?["data-attachment"])
        body = try guest.get("/attachments/\(last)").body
        #expect(body == photo)
    }

    /// A photo whose place is stored in a way that is not understood: the file is added, and the page says so.
    @Test func isSaidToBeLeftWhereItCannotBeRemoved() throws {
        let odd = SampleFiles.heic(items: [.exif(SampleFiles.tiff(), .derived)])
        let cut = Array(SampleFiles.png().dropLast(4))
        let good = SampleFiles.jpeg(segments: [SampleFiles.exif()])
        var page = try guest.upload(adding, [("odd.heic", odd), ("good.jpg", good)])
        #expect(page.status == 200 && attachments(page).count == 2 && page.toasts.contains("receipt-added"))
        var words = try #require(caution(page))
        #expect(words.hasPrefix("The place where odd.heic was taken may still be in the file"))
        #expect(!words.contains("good.jpg"))
        // It is no error, and the next page is without it.
        #expect(page.html.elements.allSatisfy { $0["data-field"] != "file" || $0["role"] != "alert" })
        #expect(caution(try guest.get("/transactions/\(id)")) == nil)
        // The user chose to keep it.
        page = try guest.upload(adding, [("cut.png", cut)], [("keep_location", "on")])
        #expect(page.status == 303)

        // Of an entry, and together with errors.
        _ = try guest.get("/transactions/new")
        let once = try #require(
            try guest.get("/transactions/new").html.all("input", ["name": "once"]).first?["value"]
        )
        let files = [("odd.heic", odd), ("cut.png", cut), ("none.txt", [UInt8](repeating: 0x61, count: 9))]
        page = try guest.upload("/transactions/new/attachments", files, [("once", once)])
        #expect(page.status == 422 && attachments(page).count == 2)
        words = try #require(caution(page))
        #expect(words.contains("odd.heic, cut.png") && !words.contains("none.txt"))
    }

    /// Saving leads to another page, which says it.
    @Test func isSaidToBeLeftAfterSaving() throws {
        let odd = SampleFiles.heic(items: [.exif(SampleFiles.tiff(), .derived)])
        let page = try guest.get("/transactions/\(id)")
        let hidden = ["seen", "back", "once", "decimal"].compactMap { name -> (String, String)? in
            page.html.elements.first { $0["name"] == name }?["value"].map { (name, $0) }
        }
        let typed = hidden + Self.fields(cash, payee: "Baker")
        #expect(try guest.upload("/transactions/\(id)", [("odd.heic", odd)], typed).status == 303)
        #expect(try guest.get("/transactions").toasts.contains("receipt-place"))
        let blank = try guest.get("/transactions/new")
        let once = try #require(blank.html.all("input", ["name": "once"]).first?["value"])
        let entry = [("once", once)] + Self.fields(cash)
        #expect(try guest.upload("/transactions", [("odd.heic", odd)], entry).status == 303)
        #expect(try guest.get("/transactions").toasts.contains("receipt-place"))
    }

    /// A PDF file stays as it is, also with a mark before its header.
    @Test func aPDFFileWithAMarkBeforeItIsAddedAsItIs() throws {
        let bill = [0xEF, 0xBB, 0xBF] + Array("\r\n".utf8) + SampleFiles.pdf
        #expect(try guest.upload(adding, [("bill", bill)]).status == 303)
        let line = try #require(attachments(try guest.get("/transactions/\(id)")).first)
        let receipt = try #require(line["data-attachment"])
        let reply = try guest.get("/attachments/\(receipt)")
        #expect(line.text.contains("bill.pdf") && reply.body == bill)
        #expect(reply.header("content-type") == "application/pdf")
    }
}
