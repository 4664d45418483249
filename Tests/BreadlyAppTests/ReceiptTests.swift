// Receipts as the pages show them: adding, listing, sending and deleting files, and every way in which a file is refused.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp

extension Visitor {
    /// Sends files as the browser sends a form with them.
    func upload(
        _ path: String,
        _ files: [(name: String, bytes: [UInt8])],
        _ fields: [(String, String)] = [],
        field: String = "file"
    ) throws -> Reply {
        var body: [UInt8] = []
        for (name, value) in fields + [("csrf", csrf)] {
            body += Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        for (name, bytes) in files {
            let head = "--b\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\"\r\n"
            body += Array("\(head)Content-Type: text/html\r\n\r\n".utf8) + bytes + Array("\r\n".utf8)
        }
        body += Array("--b--\r\n".utf8)
        let type = ("Content-Type", "multipart/form-data; boundary=b")
        return try send("POST", path, headers: [type], body: body)
    }
}

@Suite struct ReceiptPages {
    let server: Running
    let guest: Visitor
    let id: String

    init() throws {
        server = try Running { limits in
            limits.receipts.fileBytes = 64 << 10
            limits.receipts.deviceBytes = 300 << 10
        }
        guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions/new")
        let fields = [
            ("kind", "expense"), ("amount", "12"), ("currency", "EUR"), ("account", cash),
            ("date", "2026-11-20"),
            ("payee", "Market"),
        ]
        _ = try guest.post("/transactions", fields)
        id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        _ = try guest.get("/transactions/\(id)")
    }

    private var adding: String { "/transactions/\(id)/attachments" }

    private func attachments(_ path: String? = nil) throws -> [HTMLElement] {
        try guest.get(path ?? "/transactions/\(id)").html.elements.filter { $0["data-attachment"] != nil }
    }

    private func onlyID() throws -> String { try #require(try attachments().first?["data-attachment"]) }

    private func files() -> [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: server.folder + "/devices")) ?? []
        return paths.filter { $0.contains(".files/") || $0.contains("incoming") }
    }

    @Test func aFileIsAddedListedSentAndDeleted() throws {
        let photo = SampleFiles.jpeg(segments: [SampleFiles.exif(hasLocation: false)])
        #expect(try guest.upload(adding, [("Kassenbon März.jpg", photo)]).status == 303)
        var page = try guest.get("/transactions/\(id)")
        #expect(page.toasts.contains("receipt-added"))
        let line = try #require(try attachments().first)
        #expect(line["data-status"] == "local_only" && line.text.contains("Kassenbon März.jpg"))
        #expect(
            line.text.contains("1 KB") && line.text.contains("64 × 48")
                && line.text.contains("On this device only")
        )
        #expect(try guest.get("/transactions").text.contains("Has receipts"))
        #expect(try guest.get("/").text.contains("Has receipts"))

        let receipt = try onlyID()
        let reply = try guest.get("/attachments/\(receipt)")
        #expect(reply.status == 200 && reply.body == photo && reply.header("content-type") == "image/jpeg")
        #expect(
            reply.header("content-disposition")
                == "inline; filename=\"Kassenbon M_rz.jpg\"; filename*=UTF-8''Kassenbon%20M%C3%A4rz.jpg"
        )
        #expect(reply.header("content-security-policy") == "sandbox; default-src 'none'")
        #expect(reply.header("x-content-type-options") == "nosniff")
        #expect(reply.header("cache-control") == "private, no-cache")
        let part = try guest.get("/attachments/\(receipt)", headers: [("Range", "bytes=2-5")])
        #expect(part.status == 206 && part.body == Array(photo[2...5]))
        #expect(part.header("content-range") == "bytes 2-5/\(photo.count)")
        #expect(try guest.get("/attachments/\(receipt)", headers: [("Range", "bytes=9999-")]).status == 416)
        let tag = try #require(reply.header("etag"))
        #expect(try guest.get("/attachments/\(receipt)", headers: [("If-None-Match", tag)]).status == 304)
        // No script has made a small picture of it.
        #expect(page.html.all("img", ["src": "/attachments/\(receipt)/thumbnail"]).count == 1)
        let picture = try guest.get("/attachments/\(receipt)/thumbnail")
        #expect(picture.body == photo && picture.header("content-type") == "image/jpeg")
        #expect(picture.header("cache-control") == "private, no-cache" && picture.header("etag") == tag)
        // No other device may see it.
        #expect(try server.guest().get("/attachments/\(receipt)").status == 404)

        page = try guest.get("/attachments")
        #expect(page.text.contains("Market") && page.text.contains("1 file takes 1 KB on this device"))
        #expect(try guest.get("/export/breadly.json").text.contains("\"name\":\"Kassenbon März.jpg\""))

        _ = try guest.get("/transactions/\(id)")
        #expect(
            try guest.post("/attachments/\(receipt)/delete").header("location")
                == "/transactions/\(id)#receipts"
        )
        page = try guest.get("/transactions/\(id)")
        #expect(
            page.toasts.contains("receipt-deleted")
                && page.html.elements.allSatisfy { $0["data-attachment"] == nil }
        )
        #expect(try guest.get("/attachments/\(receipt)").status == 404)
        // The deletion can be undone, so the file stays.
        #expect(files().count == 1)
    }

    /// There is no other copy.
    @Test func aDamagedFileIsNeverShownAndCanBeAddedAgain() throws {
        let photo = SampleFiles.jpeg(width: 300, height: 200)
        _ = try guest.upload(adding, [("a.jpg", photo), ("b.pdf", SampleFiles.pdf)])
        let line = try #require(try attachments().first { $0.text.contains("a.jpg") })
        let receipt = try #require(line["data-attachment"])
        #expect(try guest.get("/attachments/\(receipt)").body == photo)
        let path = try #require(
            files().map { server.folder + "/devices/" + $0 }
                .first { FileManager.default.contents(atPath: $0) == Data(photo) }
        )
        try damage(path)
        for headers in [[], [("Range", "bytes=9-12")]] {
            let page = try guest.get("/attachments/\(receipt)", headers: headers)
            #expect(page.status == 404 && page.text.contains("The file is damaged"), "\(page.text)")
        }
        let damaged = try #require(try attachments().first { $0["data-attachment"] == receipt })
        #expect(damaged.text.contains("The file on the server is damaged"), "\(damaged.text)")
        #expect(damaged["data-status"] == "failed")
        let archive = String(decoding: try guest.get("/export/breadly.zip").body, as: UTF8.self)
        #expect(archive.contains("These files are damaged") && archive.contains("2026-11-20 a.jpg"))
        // A guest has no cloud from which opening it could fetch another copy.
        #expect(archive.contains("no copy of them in a cloud") && !archive.contains("Open them in Breadly"))
        #expect(archive.contains("b.pdf") && !archive.contains("\(receipt)-a.jpg"))
        #expect(FileManager.default.fileExists(atPath: path), "most of it may still be seen")
        _ = try guest.get("/transactions/\(id)")
        #expect(try guest.upload(adding, [("again.jpg", photo), ("b.pdf", SampleFiles.pdf)]).status == 303)
        let page = try guest.get("/transactions/\(id)")
        #expect(page.text.contains("This file was missing or damaged on the server, and is whole again"))
        #expect(page.toasts == ["receipt-repaired"])
        #expect(try guest.get("/attachments/\(receipt)").body == photo)
        #expect(try attachments().allSatisfy { $0["data-status"] == "local_only" })
        #expect(try attachments().count == 2 && files().count == 2)
    }

    @Test func whatTheArchiveFindsOutIsOnThePages() throws {
        let photo = SampleFiles.jpeg(width: 300, height: 200)
        _ = try guest.upload(adding, [("a.jpg", photo), ("b.pdf", SampleFiles.pdf)])
        for path in files().map({ server.folder + "/devices/" + $0 }) {
            if FileManager.default.contents(atPath: path) == Data(photo) {
                try damage(path)
            } else {
                try FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(try attachments().allSatisfy { $0["data-status"] == "local_only" }, "no request has met them")
        _ = try guest.get("/export/breadly.zip")
        let lines = try attachments()
        #expect(lines.count == 2 && lines.allSatisfy { $0["data-status"] == "failed" })
        for (name, words) in [
            ("a.jpg", "The file on the server is damaged"), ("b.pdf", "The file is missing on the server"),
        ] {
            let line = try #require(lines.first { $0.text.contains(name) })
            #expect(line.text.contains(words), "\(line.text)")
        }
    }

    /// A sign-out counts them and offers the archive.
    @Test func theArchiveHasTheFilesOfDeletedTransactionsInAFolderOfTheirOwn() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        let receipt = try onlyID()
        func archive() throws -> String {
            String(decoding: try guest.get("/export/breadly.zip").body, as: UTF8.self)
        }
        #expect(try archive().contains("attachments/\(receipt)-a.pdf"))
        #expect(try !archive().contains("deleted.txt"))
        _ = try guest.get("/transactions/\(id)")
        #expect(try guest.post("/transactions/\(id)/delete").status == 303)
        let deleted = try archive()
        #expect(deleted.contains("deleted/\(receipt)-a.pdf") && !deleted.contains("attachments/\(receipt)"))
        #expect(deleted.contains("deleted.txt") && deleted.contains("2026-11-20 a.pdf"))
        #expect(deleted.contains("transactions that you have deleted") && !deleted.contains("missing.txt"))
        // The book in it has neither the transaction nor its file.
        let book = try guest.get("/export/breadly.json").text
        #expect(!book.contains(receipt) && !book.contains(id))
        // The lists do not show it.
        #expect(try attachments("/attachments").isEmpty)
    }

    @Test func filesOfAFormAreListedInItsOrder() throws {
        let files = (0..<6).map { ("\($0).jpg", SampleFiles.jpeg(width: 90 - $0, height: 90)) }
        #expect(try guest.upload(adding, files).status == 303)
        let names = try attachments().map { String($0.text.prefix(5)) }
        #expect(names == (0..<6).map { "\($0).jpg" })
        #expect(try attachments("/attachments").map { String($0.text.prefix(5)) } == names.reversed())
    }

    @Test func undoBringsAReceiptBack() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        let receipt = try onlyID()
        _ = try guest.post("/attachments/\(receipt)/delete", [("list", "on")])
        let page = try guest.get("/attachments")
        let undo = try #require(
            page.html.elements.compactMap { $0["action"] }.first { $0.contains("/undo") }
        )
        _ = try guest.post(undo)
        #expect(try attachments("/attachments").count == 1)
        #expect(try guest.get("/attachments/\(receipt)").body == SampleFiles.pdf)
    }

    struct Refused: Sendable {
        var name: String
        var bytes: [UInt8]
        var status: Int
        var words: String
    }

    @Test(arguments: [
        Refused(name: "empty.jpg", bytes: [], status: 422, words: "empty.jpg is empty."),
        Refused(
            name: "page.jpg",
            bytes: Array("<script>alert(1)</script>".utf8),
            status: 422,
            words: "page.jpg is no JPEG, PNG, WebP, HEIC or PDF file."
        ),
        Refused(
            name: "cut.png",
            bytes: Array(SampleFiles.png().prefix(18)),
            status: 422,
            words: "cut.png is damaged"
        ),
        Refused(
            name: "bomb.png",
            bytes: SampleFiles.png(width: 50_000, height: 50_000),
            status: 422,
            words: "it has 50000 × 50000 pixels"
        ),
        Refused(
            name: "long.pdf",
            bytes: SampleFiles.pdf + [UInt8](repeating: 0, count: 65_536),
            status: 413,
            words: "long.pdf is larger than 64 KB."
        ),
    ])
    func aFileThatIsRefusedIsNamedWithTheReason(refused: Refused) throws {
        let files = [(refused.name, refused.bytes), ("good.pdf", SampleFiles.pdf)]
        let reply = try guest.upload(adding, files)
        #expect(reply.status == refused.status)
        let words =
            reply.html.elements.first { $0["role"] == "alert" && $0["data-field"] == "file" }?.text ?? ""
        #expect(words.filter { !"\u{2068}\u{2069}".contains($0) }.contains(refused.words), "\(words)")
        // The others were added.
        let lines = try attachments()
        #expect(lines.count == 1 && lines.first?.text.contains("good.pdf") == true)
        #expect(self.files().count == 1)
    }

    /// The limit itself is allowed, and one byte more is not.
    @Test func aFileMayBeAsLargeAsTheLimit() throws {
        let largest = SampleFiles.pdf + [UInt8](repeating: 0, count: (64 << 10) - SampleFiles.pdf.count)
        #expect(try guest.upload(adding, [("largest.pdf", largest)]).status == 303)
        #expect(try guest.upload(adding, [("larger.pdf", largest + [0])]).status == 413)
        #expect(try attachments().count == 1)
    }

    /// A file that is a picture and a page at once is shown as a picture only, whatever its name says.
    @Test(arguments: ["photo.html", "photo.jpg", "photo.svg"])
    func aFileThatIsTwoThingsIsShownAsTheFirst(name: String) throws {
        let page = Array("<html><script>document.title = 'run'</script></html>".utf8)
        #expect(try guest.upload(adding, [(name, SampleFiles.jpeg() + page)]).status == 303)
        let reply = try guest.get("/attachments/\(try onlyID())")
        #expect(reply.header("content-type") == "image/jpeg")
        #expect(reply.header("x-content-type-options") == "nosniff")
        #expect(reply.header("content-security-policy") == "sandbox; default-src 'none'")
        #expect(reply.header("content-disposition")?.contains(".jpg\"; ") == true)
        // The other way round it is no picture.
        #expect(try guest.upload(adding, [(name, page + SampleFiles.jpeg())]).status == 422)
        #expect(try attachments().count == 1)
    }

    @Test func namesAreShownAndSentAsTheyMayBe() throws {
        let names = [
            "../../secret.pdf", "a\u{1}b\u{7F}.pdf", String(repeating: "n", count: 4_000) + ".pdf",
            "<b>x</b>.pdf",
        ]
        for (number, name) in names.enumerated() {
            let content = SampleFiles.pdf + [UInt8(number)]
            #expect(try guest.upload(adding, [(name, content)]).status == 303)
        }
        let lines = try attachments()
        #expect(lines.count == 4)
        let page = try guest.get("/transactions/\(id)").text
        #expect(page.contains("secret.pdf") && !page.contains("../../secret") && page.contains("ab.pdf"))
        #expect(!page.contains("<b>x</b>") && !page.contains(String(repeating: "n", count: 201)))
        for line in lines {
            let header = try guest.get("/attachments/\(line["data-attachment"] ?? "")").header(
                "content-disposition"
            )
            #expect(header?.allSatisfy { $0.isASCII && !$0.isNewline } == true)
        }
    }

    /// Not every browser opens these in a sandbox.
    @Test(arguments: [
        ("a.pdf", SampleFiles.pdf, true), ("a.heic", SampleFiles.heic(), true),
        ("a.jpg", SampleFiles.jpeg(), false),
    ])
    func whatBrowsersMayNotShowCanBeDownloaded(name: String, content: [UInt8], hasLink: Bool) throws {
        #expect(try guest.upload(adding, [(name, content)]).status == 303)
        let address = "/attachments/\(try onlyID())?save=1"
        #expect(try guest.get("/transactions/\(id)").text.contains("href=\"\(address)\"") == hasLink)
        let reply = try guest.get(address)
        #expect(reply.status == 200 && reply.header("content-disposition")?.hasPrefix("attachment; ") == true)
        #expect(reply.header("content-security-policy") == "sandbox; default-src 'none'")
    }

    @Test func theQuotaSaysHowMuchAndOfWhat() throws {
        for number in 0..<5 {
            let bytes = SampleFiles.pdf + [UInt8](repeating: UInt8(number), count: 60_000)
            #expect(try guest.upload(adding, [("\(number).pdf", bytes)]).status == 303)
        }
        let deleted = try onlyID()
        _ = try guest.get("/transactions/\(id)")
        _ = try guest.post("/attachments/\(deleted)/delete")
        let bytes = SampleFiles.pdf + [UInt8](repeating: 9, count: 60_000)
        let reply = try guest.upload(adding, [("more.pdf", bytes)])
        #expect(reply.status == 507)
        #expect(
            reply.text.contains(
                "There is no room for more files: 4 files take 234 KB of 300 KB, and 1 deleted file"
            )
        )
        #expect(try attachments().count == 4)

        // The deleted one gives up its place, once the user has been asked.
        #expect(reply.html.elements.contains { $0["href"] == "/attachments/deleted" })
        #expect(try guest.get("/attachments").html.elements.contains { $0["href"] == "/attachments/deleted" })
        let question = try guest.get("/attachments/deleted")
        #expect(
            question.text.contains("1 deleted file")
                && question.text.contains("Remove 1 file from this device")
        )
        #expect(question.text.contains("After that, these receipts cannot be brought back on this device: "))
        #expect(files().count == 5, "asking removes nothing")
        #expect(try guest.post("/attachments/deleted").header("location") == "/attachments")
        #expect(try guest.get("/attachments").toasts.contains("receipts-removed"))
        #expect(files().count == 4)
        #expect(try guest.get("/attachments/deleted").text.contains("No deleted receipt takes room"))
        _ = try guest.get("/transactions/\(id)")
        #expect(try guest.upload(adding, [("more.pdf", bytes)]).status == 303)
        #expect(try attachments().count == 5)
    }

    /// Pages count the file of a deleted transaction, which can be restored: it is listed among the files that are not
    /// backed up, where it can be opened and deleted.
    @Test func theFileOfADeletedTransactionIsListedWhereItIsCounted() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        let receipt = try onlyID()
        _ = try guest.record(account: try #require(try guest.accounts()["Cash"]))
        _ = try guest.post("/transactions/\(id)/delete")
        #expect(try guest.get("/sign-in").text.contains("1 file of a receipt"))
        #expect(try attachments("/attachments").isEmpty)
        let line = try #require(try attachments("/attachments?status=local").first)
        #expect(line.text.contains("Market") && line.text.contains("deleted transaction"))
        let list = try guest.get("/attachments?status=local").html.elements
        #expect(!list.contains { $0["href"] == "/transactions/\(id)" }, "its page does not exist")
        #expect(try guest.get("/attachments/\(receipt)").body == SampleFiles.pdf)
        #expect(try guest.post("/attachments/\(receipt)/delete", [("list", "on")]).status == 303)
        #expect(try attachments("/attachments?status=local").isEmpty)
        #expect(try !guest.get("/sign-in").text.contains("1 file of a receipt"))
    }

    /// A restored transaction is without them, and an undo of before finds nothing.
    @Test func receiptsThatWereRemovedForGoodDoNotComeBack() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf), ("b.jpg", SampleFiles.jpeg())])
        _ = try guest.get("/transactions/\(id)")
        _ = try guest.post("/attachments/\(try onlyID())/delete")
        let page = try guest.get("/transactions/\(id)")
        let undo = try #require(
            page.html.elements.compactMap { $0["action"] }.first { $0.hasSuffix("/undo") }
        )
        _ = try guest.post("/transactions/\(id)/delete")
        _ = try guest.get("/attachments/deleted")
        _ = try guest.post("/attachments/deleted")
        #expect(files().isEmpty)
        // The button of a page that was open before says so, and leads to a page.
        #expect(try guest.post(undo).header("location") == "/history")
        let history = try guest.get("/history")
        #expect(history.toasts.contains("change-not-undone"))
        #expect(history.text.contains("This change is no longer kept"))
        #expect(try guest.post("/transactions/\(id)/restore").status == 303)
        #expect(try attachments().isEmpty)
        #expect(try guest.get("/history").status == 200)
    }

    /// One that is too large for the room that is left does not keep the smaller ones behind it from being added.
    @Test func filesOfAFormThatHaveRoomAreAddedAndTheOthersNamed() throws {
        func file(_ number: Int, _ bytes: Int) -> (String, [UInt8]) {
            ("\(number).pdf", SampleFiles.pdf + [UInt8](repeating: UInt8(number), count: bytes))
        }
        _ = try guest.upload(adding, (0..<4).map { file($0, 60_000) })
        let reply = try guest.upload(
            adding,
            [file(4, 30_000), file(5, 60_000), file(6, 20_000), file(7, 50_000)]
        )
        #expect(reply.status == 507 && reply.text.contains("Not everything was added"))
        #expect(reply.text.contains("Not added: 5.pdf, 7.pdf."))
        #expect(reply.text.contains("There is no room for more files: 6 files take"))
        #expect(reply.toasts.contains("receipt-added"))
        let texts = try attachments().map(\.text)
        let names = (0..<8).filter { number in texts.contains { $0.contains("\(number).pdf") } }
        #expect(texts.count == 6 && names == [0, 1, 2, 3, 4, 6])
    }

    @Test func aTransactionHasTenAtMost() throws {
        let files = (0..<11).map { ("\($0).pdf", SampleFiles.pdf + [UInt8($0)]) }
        let reply = try guest.upload(adding, files)
        #expect(reply.status == 422 && reply.text.contains("Not everything was added"))
        #expect(reply.text.contains("A transaction can have 10 files at most. Not added: 10.pdf."))
        let more = try guest.upload(adding, [files[10]])
        #expect(more.status == 422 && more.text.contains("Nothing was added"))
        #expect(more.text.contains("Not added: 10.pdf.") && !more.text.contains("9.pdf."))
        #expect(try attachments().count == 10)
        #expect(try guest.get("/transactions/\(id)").text.contains("as many files as it can have"))
        // The same again is no further file.
        #expect(try guest.upload(adding, [files[0]]).status == 303)
        #expect(try guest.get("/transactions/\(id)").toasts.contains("receipt-already"))
    }

    @Test func onlyFormsOfTheDeviceMayAdd() throws {
        let other = server.visitor()
        let refusal = try other.upload(adding, [("a.pdf", SampleFiles.pdf)])
        #expect(refusal.status == 403 && refusal.text.contains("the browser does not send its cookie"))
        guest.csrf = "wrong"
        let reply = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        #expect(reply.status == 403 && reply.text.contains("not added: a.pdf. Choose them again."))
        _ = try guest.get("/transactions/\(id)")
        #expect(try guest.upload(adding, []).status == 422)
        #expect(try guest.upload("/transactions/00000000000000000000000000/attachments", []).status == 404)
        #expect(try guest.get(adding).status == 405)
        #expect(files().isEmpty)
    }

    @Test func aThumbnailOfTheBrowserIsShown() throws {
        let photo = SampleFiles.jpeg(width: 3_000, height: 2_000)
        let small = SampleFiles.jpeg(width: 176, height: 117)
        var body: [UInt8] = []
        func part(_ field: String, _ name: String?, _ bytes: [UInt8]) {
            let file = name.map { "; filename=\"\($0)\"" } ?? ""
            body +=
                Array("--b\r\nContent-Disposition: form-data; name=\"\(field)\"\(file)\r\n\r\n".utf8) + bytes
            body += Array("\r\n".utf8)
        }
        part("csrf", nil, Array(guest.csrf.utf8))
        part("file", "a.jpg", photo)
        part("thumbnail", "0", small)
        body += Array("--b--\r\n".utf8)
        let type = ("Content-Type", "multipart/form-data; boundary=b")
        #expect(try guest.send("POST", adding, headers: [type], body: body).status == 303)
        let receipt = try onlyID()
        #expect(try guest.get("/transactions/\(id)").text.contains("/attachments/\(receipt)/thumbnail"))
        #expect(try guest.get("/attachments/\(receipt)/thumbnail").body == small)
    }

    @Test func aThumbnailFollowsAFileThatCameWithoutOne() throws {
        let photo = SampleFiles.jpeg(width: 3_000, height: 2_000)
        _ = try guest.upload(adding, [("a.jpg", photo), ("b.pdf", SampleFiles.pdf)])
        let picture = try #require(try attachments().first { $0.text.contains("a.jpg") })
        let document = try #require(try attachments().first { $0.text.contains("b.pdf") })
        let id = try #require(picture["data-attachment"])
        let place = try #require(picture["data-draw"])
        #expect(place == "/attachments/\(id)/thumbnail" && document["data-draw"] == nil)
        let small = SampleFiles.jpeg(width: 160, height: 160)
        // A picture that is none, and one of another device.
        #expect(try guest.upload(place, [("0", SampleFiles.pdf)], field: "thumbnail").status == 400)
        #expect(try guest.upload(place, [], field: "thumbnail").status == 400)
        let other = try server.guest()
        _ = try other.get("/transactions/new")
        #expect(try other.upload(place, [("0", small)], field: "thumbnail").status == 404)
        #expect(try guest.get(place).body == photo, "the file itself takes its place")
        #expect(try guest.upload(place, [("0", small)], field: "thumbnail").status == 204)
        #expect(try guest.get("/attachments/\(id)/thumbnail").body == small)
        let line = try #require(try attachments().first { $0["data-attachment"] == id })
        #expect(line["data-draw"] == nil)
        // One that is there stays.
        let another = SampleFiles.jpeg(width: 20, height: 20)
        #expect(try guest.upload(place, [("0", another)], field: "thumbnail").status == 204)
        #expect(try guest.get("/attachments/\(id)/thumbnail").body == small)
        guest.csrf = "x" + guest.csrf.dropFirst()
        #expect(try guest.upload(place, [("0", small)], field: "thumbnail").status == 403)
    }

    @Test func aThumbnailThatTheDiskHasDamagedIsMadeAgain() throws {
        let photo = SampleFiles.jpeg(width: 3_000, height: 2_000)
        _ = try guest.upload(adding, [("a.jpg", photo)])
        let id = try onlyID()
        let place = "/attachments/\(id)/thumbnail"
        let small = SampleFiles.jpeg(width: 160, height: 160)
        #expect(try guest.upload(place, [("0", Array(small.dropLast(2)))], field: "thumbnail").status == 400)
        #expect(try guest.upload(place, [("0", small)], field: "thumbnail").status == 204)
        #expect(try attachments().first?["data-draw"] == nil)
        let name = try #require(files().first { $0.hasSuffix(".thumbnail") })
        try Data().write(to: URL(fileURLWithPath: server.folder + "/devices/" + name))
        #expect(try guest.get(place).body == photo, "no browser could show the small one")
        #expect(try attachments().first?["data-draw"] == place, "the script of the page makes another one")
        #expect(try guest.upload(place, [("0", small)], field: "thumbnail").status == 204)
        #expect(try guest.get(place).body == small)
    }

    /// Those that every browser shows, and that are not large.
    @Test func onlySomeFilesAreShownInListsThemselves() throws {
        let large = SampleFiles.jpeg(width: 9_000, height: 9_000)
        _ = try guest.upload(adding, [("a.jpg", large), ("b.pdf", SampleFiles.pdf)])
        let list = try guest.get("/attachments").html
        #expect(list.elements.allSatisfy { $0["class"]?.contains("thumb") != true })
        for id in try attachments().compactMap({ $0["data-attachment"] }) {
            #expect(try guest.get("/attachments/\(id)/thumbnail").status == 404)
        }
    }

    @Test func aDamagedFileIsNoPictureOfAList() throws {
        let photo = SampleFiles.jpeg()
        _ = try guest.upload(adding, [("a.jpg", photo)])
        let id = try onlyID()
        let place = "/attachments/\(id)/thumbnail"
        #expect(try guest.get(place).body == photo)
        let path = try #require(files().first)
        try damage(server.folder + "/devices/" + path)
        #expect(try guest.get(place).status == 404)
        // The picture has found it out.
        #expect(try guest.get("/attachments").html.all("img", ["src": place]).isEmpty)
        #expect(try attachments().first?.text.contains("The file on the server is damaged") == true)
        #expect(try guest.get("/attachments/\(id)").text.contains("The file is damaged"))
    }

    @Test func filesWithoutARowAreRemovedAtTheNextStart() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        let path = try #require(files().first)
        let folder = URL(fileURLWithPath: server.folder + "/devices/" + path).deletingLastPathComponent()
        let orphan = folder.appendingPathComponent(String(repeating: "0", count: 64))
        try Data("orphan".utf8).write(to: orphan)
        try Data("half".utf8).write(to: URL(fileURLWithPath: server.folder + "/devices/incoming-abcdef"))
        try server.restart()
        let again = server.visitor()
        again.cookies = guest.cookies
        #expect(try again.get("/transactions/\(id)").text.contains("a.pdf"))
        #expect(files() == [path])
    }

    /// A disk that returns errors, or a process with too many open files: the file is there, and will be read again.
    @Test func aFileThatCannotBeOpenedIsNotCalledMissing() throws {
        let photo = SampleFiles.jpeg()
        _ = try guest.upload(adding, [("a.jpg", photo)])
        let receipt = try onlyID()
        let path = server.folder + "/devices/" + (try #require(files().first))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".aside")
        // The server follows no links, so that opening it is an error.
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".aside")
        let page = try guest.get("/attachments/\(receipt)")
        #expect(page.status == 500 && page.text.contains("Something broke on our side"))
        #expect(try guest.get("/export/breadly.zip").status == 500, "and no archive without the file")
        try FileManager.default.removeItem(atPath: path)
        #expect(try guest.get("/attachments/\(receipt)").status == 404, "this one is missing")
        #expect(try attachments().first?.text.contains("The file is missing on the server") == true)
        try FileManager.default.moveItem(atPath: path + ".aside", toPath: path)
        #expect(try guest.get("/attachments/\(receipt)").body == photo)
        #expect(try attachments().first?["data-status"] == "local_only")
    }

    /// One browser sends as much as it can, slowly.
    @Test func aBrowserThatSendsTooMuchAtOnceLosesNothingAndRefusesNothingToOthers() throws {
        let cookies = guest.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        var slow: [Wire] = []
        for number in 0..<20 {
            let wire = try Wire(port: guest.port)
            wire.send(
                """
                POST \(adding) HTTP/1.1\r\nHost: 127.0.0.1:\(guest.port)\r\nCookie: \(cookies)\r\n\
                Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 60000\r\n\r\n--b\r\n\
                Content-Disposition: form-data; name="file"; filename="\(number).pdf"\r\n\r\n%PDF-1.7 \(number)
                """ + String(repeating: "x", count: 1_000)
            )
            slow.append(wire)
        }
        let typed = [("payee", "Baker"), ("amount", "13.50")]
        var refused: Reply?
        // The server may not have seen all of them yet.
        let isRefused = try becomesTrue {
            let reply = try guest.upload(adding, [("mine.pdf", SampleFiles.pdf)], typed)
            if reply.status == 503 { refused = reply }
            return refused != nil
        }
        #expect(isRefused)
        let page = try #require(refused)
        #expect(
            page.text.contains("mine.pdf") && page.text.contains("too many files are arriving at the moment")
        )
        #expect(page.header("retry-after") != nil)
        let form = try #require(page.html.form("/transactions/\(id)"))
        #expect(form.contains { $0 == ("payee", "Baker") } && form.contains { $0 == ("amount", "13.50") })
        // Its other requests, and users. The guests of an address are one sender.
        #expect(try guest.get("/transactions/\(id)").status == 200)
        let other = try server.guest()
        try other.signUp()
        try until("it is signed in") { try other.get("/").status == 200 }
        let cash = try #require(try other.accounts()["Cash"])
        _ = try other.get("/transactions/new")
        try #require(try other.record(account: cash).status == 303)
        let theirs = try #require(try other.get("/transactions").rows("transaction").first?["data-id"])
        _ = try other.get("/transactions/\(theirs)")
        #expect(
            try other.upload("/transactions/\(theirs)/attachments", [("b.pdf", SampleFiles.pdf)]).status
                == 303
        )
        for wire in slow { wire.finish() }
        #expect(
            try becomesTrue {
                _ = try guest.get("/transactions/\(id)")
                return try guest.upload(adding, [("mine.pdf", SampleFiles.pdf)]).status == 303
            }
        )
    }

    /// Deleting, trying again and Undo lead back to the same part of the list.
    @Test func theListStaysWhereItWas() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf), ("b.jpg", SampleFiles.jpeg())])
        let place = "/attachments?month=2026-11&type=application/pdf&q=market"
        var page = try guest.get(place)
        let list = try #require(page.html.elements.first { $0["name"] == "list" }?["value"])
        let receipt = try #require(page.html.elements.compactMap { $0["data-attachment"] }.first)
        for action in ["retry", "delete"] {
            let reply = try guest.post("/attachments/\(receipt)/\(action)", [("list", list)])
            #expect(reply.status == 303 && reply.header("location") == list)
        }
        page = try guest.get(list)
        #expect(page.text.contains("No receipt matches this.") && page.toasts == ["receipt-deleted"])
        #expect(page.html.elements.first { $0["name"] == "q" }?["value"] == "market")
        let undo = try #require(
            page.html.elements.compactMap { $0["action"] }.first { $0.hasPrefix("/history/") }
        )
        #expect(try guest.post(undo).header("location") == list)
        page = try guest.get(list)
        #expect(page.html.elements.compactMap { $0["data-attachment"] } == [receipt])

        // No form leads to another page, or away from this server.
        for other in [
            "https://x.test/", "//x.test/attachments", "/attachments/../settings", "/settings", "on", "",
            "/attachments#x", "/attachments?q=" + String(repeating: "x", count: 2_000),
        ] {
            let reply = try guest.post("/attachments/\(receipt)/retry", [("list", other)])
            #expect(reply.header("location") == "/attachments", "\(other)")
        }
    }

    /// The last file of the last page leaves no page that says that there are no files at all.
    @Test func aPageThatHasBecomeEmptyLeadsToAllReceipts() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        let page = try guest.get("/attachments?after=0-\(try onlyID())")
        #expect(page.text.contains("No receipt matches this.") && page.text.contains("Show all receipts"))
    }

    @Test func someFilesAreAddedAndTheOthersNamed() throws {
        let reply = try guest.upload(adding, [("a.pdf", SampleFiles.pdf), ("b.pdf", [1, 2, 3])])
        #expect(reply.status == 422 && reply.text.contains("Not everything was added"))
        #expect(
            reply.text.contains("b.pdf") && reply.text.contains("is no JPEG, PNG, WebP, HEIC or PDF file.")
        )
        #expect(try guest.upload(adding, [("b.pdf", [1, 2, 3])]).text.contains("Nothing was added"))
    }

    @Test func aMissingFileSaysWhatCanBeDone() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        let receipt = try onlyID()
        for path in files() { try FileManager.default.removeItem(atPath: "\(server.folder)/devices/\(path)") }
        let page = try guest.get("/attachments/\(receipt)")
        #expect(page.status == 404 && page.text.contains("The file is missing"))
        #expect(page.text.contains("This file was added on this device and should be on this server"))
        #expect(page.text.contains("add it to the transaction again"))
        let archive = String(decoding: try guest.get("/export/breadly.zip").body, as: UTF8.self)
        #expect(archive.contains("missing.txt") && archive.contains("2026-11-20 a.pdf"))
        #expect(!archive.contains("\(receipt)-a.pdf"))
        try server.restart()
        let again = server.visitor()
        again.cookies = guest.cookies
        let list = try again.get("/attachments").html.elements
        let line = try #require(list.first { $0["data-attachment"] == receipt })
        #expect(line["data-status"] == "failed")
        #expect(line.text.contains("The file is missing on the server. Add it to the transaction again"))
        // It takes no room.
        #expect(try !again.get("/attachments").text.contains("on this device. All files can take"))
        _ = try again.get("/transactions/\(id)")
        #expect(try again.upload(adding, [("b.pdf", SampleFiles.pdf)]).status == 303)
        #expect(try again.get("/transactions/\(id)").toasts == ["receipt-repaired"])
        #expect(try again.get("/attachments").text.contains("1 file takes 1 KB on this device"))
    }

    @Test func theRoomOfDeletedFilesIsNamedWithoutOthers() throws {
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf)])
        _ = try guest.post("/attachments/\(try onlyID())/delete")
        for place in ["/attachments", "/attachments/deleted"] {
            let page = try guest.get(place)
            #expect(
                page.text.contains("1 deleted file that you can still bring back takes 1 KB on this device.")
            )
            #expect(!page.text.contains("0 files"))
        }
    }

    /// A form without the script may have any number of files. Of very many, the page names some.
    @Test func aFormOfVeryManyFilesIsRefusedForItsOwnLimit() throws {
        let files = (0..<50).map { ("\($0).pdf", SampleFiles.pdf) }
        let fields = [("payee", "Half typed")]
        let reply = try guest.upload("/transactions/\(id)", files, fields)
        #expect(reply.status == 422)
        let sentence =
            "20 files can be sent at once. Not added: 20.pdf, 21.pdf, 22.pdf, 23.pdf, 24.pdf, 25.pdf, 26.pdf, 27.pdf, 28.pdf, 29.pdf and 20 more."
        let text = reply.text.filter { !"\u{2068}\u{2069}".contains($0) }
        #expect(text.contains(sentence), "\(text)")
        #expect(!text.contains("A transaction can have 10 files at most. Not added: 2"))
        #expect(text.contains("Not saved yet: 30 files were not added. Below you see which ones"))
        #expect(reply.html.all("input", ["name": "payee", "value": "Half typed"]).count == 1)
        #expect(try attachments().count == 1, "those that were read are equal")
        let one = try guest.upload("/transactions/\(id)", [("x.pdf", [1])], fields)
        #expect(one.text.contains("Not saved yet: a file was not added. Below you see which one, and why."))
    }

    @Test func theListHasFiltersAndAnEmptyPage() throws {
        #expect(
            try guest.get("/attachments").text.contains("Photos of receipts, invoices and other documents")
        )
        _ = try guest.upload(adding, [("a.pdf", SampleFiles.pdf), ("b.jpg", SampleFiles.jpeg())])
        #expect(try attachments("/attachments").count == 2)
        #expect(try attachments("/attachments?type=application/pdf").count == 1)
        #expect(try attachments("/attachments?month=2026-11&q=market&status=local").count == 2)
        #expect(try attachments("/attachments?month=2026-10").isEmpty)
        #expect(try guest.get("/attachments?q=nothing").text.contains("No receipt matches this."))
        for query in ["month=x", "type=x", "status=x", "after=x"] {
            #expect(try guest.get("/attachments?\(query)").status == 400)
        }
    }
}
