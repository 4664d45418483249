// Files beside a transaction that is still being entered, as the pages show them without a script.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp

@Suite struct FilesOfANewTransaction {
    let server: Running
    let guest: Visitor
    let cash: String

    init() throws {
        server = try Running { limits in
            limits.receipts.fileBytes = 64 << 10
            limits.receipts.deviceBytes = 300 << 10
        }
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
    }

    private let photo = SampleFiles.jpeg(segments: [SampleFiles.exif(hasLocation: false)])

    private func entry(_ once: String, amount: String = "12", _ more: [(String, String)] = [])
        -> [(String, String)]
    {
        [
            ("once", once), ("kind", "expense"), ("amount", amount), ("currency", "EUR"), ("account", cash),
            ("date", "2026-11-20"), ("payee", "Market"), ("note", "two \"bags\""),
        ] + more
    }

    private func newForm(_ path: String = "/transactions/new") throws -> String {
        try #require(once(try guest.get(path)))
    }

    /// The id of the form; pages may have others, of entries that were not saved.
    private func once(_ reply: Reply) -> String? {
        reply.html.elements.first { $0["data-uploads"] != nil }?["data-once"]
    }

    private func files(_ reply: Reply) -> [HTMLElement] {
        reply.html.elements.filter { $0["data-attachment"] != nil }
    }

    /// The files on the disk.
    private func stored() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: server.folder + "/devices").filter {
            $0.contains(".files/")
        }
    }

    private func transactions() throws -> [String] {
        try guest.get("/transactions?month=2026-11").rows("transaction").compactMap { $0["data-id"] }
    }

    private func value(_ name: String, _ reply: Reply) -> String? {
        reply.html.elements.first { $0.tag == "input" && $0["name"] == name }?["value"]
    }

    @Test func areAddedBeforeItIsSavedAndComeWithIt() throws {
        let once = try newForm()
        var page = try guest.upload("/transactions/new/attachments", [("a.jpg", photo)], entry(once))
        #expect(page.status == 200 && files(page).count == 1)
        #expect(
            files(page)[0].text.contains("a.jpg") && files(page)[0].text.contains("Added as soon as you save")
        )
        #expect(files(page)[0]["data-status"] == "draft")
        // Nothing that was typed is lost, and nothing is recorded.
        #expect(
            value("amount", page) == "12" && value("payee", page) == "Market"
                && page.text.contains("two &quot;bags")
        )
        #expect(page.html.hidden("once") == once)
        #expect(try transactions().isEmpty)
        #expect(files(try guest.get("/attachments")).isEmpty)

        page = try guest.upload("/transactions/new/attachments", [("b.pdf", SampleFiles.pdf)], entry(once))
        #expect(files(page).count == 2)
        let draft = try #require(files(page).first { $0.text.contains("a.jpg") }?["data-attachment"])
        #expect(try guest.get("/attachments/\(draft)").body == photo)
        #expect(try server.guest().get("/attachments/\(draft)").status == 404)

        _ = try guest.get("/transactions/new?once=\(once)")
        let saved = try guest.upload("/transactions", [], entry(once))
        #expect(saved.status == 303 && saved.header("location")?.hasPrefix("/transactions") == true)
        let id = try #require(try transactions().first)
        page = try guest.get("/transactions/\(id)")
        #expect(files(page).map { $0["data-status"] } == ["local_only", "local_only"])
        #expect(try guest.get("/attachments/\(draft)").body == photo)
        #expect(try guest.get("/transactions?month=2026-11").text.contains("Has receipts"))
        // The next one has none.
        #expect(files(try guest.get("/transactions/new")).isEmpty)
    }

    @Test func areAddedWithTheButtonThatSaves() throws {
        let once = try newForm()
        let more = [("again", "on")]
        let saved = try guest.upload(
            "/transactions",
            [("a.jpg", photo), ("b.pdf", SampleFiles.pdf)],
            entry(once, more)
        )
        #expect(
            saved.status == 303
                && saved.header("location")?.hasPrefix("/transactions/new?kind=expense") == true
        )
        let next = try guest.get("/transactions/new")
        #expect(next.toasts.contains("transaction-added") && files(next).isEmpty)
        #expect(!next.text.contains("was not saved"))
        let id = try #require(try transactions().first)
        #expect(files(try guest.get("/transactions/\(id)")).count == 2)
        // The same form sent once more, because its answer was lost, changes nothing.
        _ = try guest.get("/transactions/new")
        _ = try guest.upload("/transactions", [("a.jpg", photo)], entry(once))
        #expect(try transactions() == [id] && files(try guest.get("/transactions/\(id)")).count == 2)
    }

    @Test func areNotLostWhereTheFormIsRefused() throws {
        let once = try newForm()
        var page = try guest.upload("/transactions", [("a.jpg", photo)], entry(once, amount: ""))
        #expect(page.status == 422 && page.text.contains("data-field=\"amount\""))
        #expect(files(page).count == 1 && files(page)[0].text.contains("a.jpg"))
        #expect(page.html.hidden("once") == once && value("payee", page) == "Market")
        // More rows for the parts of a split are no reason to lose them either.
        page = try guest.upload("/transactions", [], entry(once, [("more_parts", "on")]))
        #expect(page.status == 200 && files(page).count == 1)
        #expect(try guest.upload("/transactions", [], entry(once)).status == 303)
        let id = try #require(try transactions().first)
        #expect(files(try guest.get("/transactions/\(id)")).count == 1)
    }

    @Test func thatAreRefusedKeepItFromBeingSaved() throws {
        let once = try newForm()
        let page = try guest.upload(
            "/transactions",
            [("a.jpg", photo), ("notes.txt", Array("hello".utf8))],
            entry(once)
        )
        #expect(page.status == 422 && files(page).count == 1)
        #expect(
            page.text.contains("notes.txt") && page.text.contains("is no JPEG, PNG, WebP, HEIC or PDF file")
        )
        #expect(page.text.contains("Not saved yet: a file was not added."))
        #expect(value("amount", page) == "12" && value("payee", page) == "Market")
        #expect(try transactions().isEmpty)
        let large = try guest.upload(
            "/transactions/new/attachments",
            [("big.pdf", SampleFiles.pdf + [UInt8](repeating: 32, count: 70_000))],
            entry(once)
        )
        #expect(large.status == 413 && large.text.contains("is larger than 64 KB") && files(large).count == 1)
        #expect(try guest.upload("/transactions", [], entry(once)).status == 303)
        #expect(try transactions().count == 1)
    }

    @Test func canBeDeletedWithoutLosingWhatWasTyped() throws {
        let once = try newForm()
        let page = try guest.upload("/transactions/new/attachments", [("a.jpg", photo)], entry(once))
        let draft = try #require(files(page).first?["data-attachment"])
        let next = try guest.post("/attachments/\(draft)/delete", entry(once))
        #expect(next.status == 200 && files(next).isEmpty && value("payee", next) == "Market")
        #expect(next.toasts.contains("receipt-deleted") && next.html.hidden("once") == once)
        #expect(try stored().isEmpty)
        #expect(try guest.get("/attachments/\(draft)").status == 404)
        _ = try guest.get("/transactions/new")
        _ = try guest.post("/transactions", entry(once))
        let id = try #require(try transactions().first)
        #expect(files(try guest.get("/transactions/\(id)")).isEmpty)
    }

    /// A person reads it wherever the files are looked for, and where they would be deleted.
    private let unsaved = "added to an entry that was not saved."

    @Test func ofOneThatWasNotSavedAreOffered() throws {
        let once = try newForm()
        _ = try guest.upload(
            "/transactions/new/attachments",
            [("a.jpg", photo), ("c.pdf", SampleFiles.pdf)],
            entry(once)
        )
        let other = try newForm()
        _ = try guest.upload("/transactions/new/attachments", [("b.jpg", SampleFiles.jpeg())], entry(other))
        var page = try guest.get("/transactions/new")
        #expect(self.once(page) != once && files(page).isEmpty)
        #expect(page.text.contains("and 1 more file were\u{20}\(unsaved)"))
        #expect(page.html.elements.filter { $0["data-unsaved"] != nil }.count == 2)
        let address = "/transactions/new?once=\(once)"
        #expect(page.html.elements.contains { $0.text == "Continue with it" && $0["href"] == address })
        page = try guest.get(address)
        #expect(self.once(page) == once && files(page).count == 2)
        #expect(!page.text.contains(unsaved))
        page = try guest.get("/attachments")
        #expect(page.text.contains(unsaved) && page.text.contains("3 files take"))
        // One of them is not needed any more.
        #expect(try guest.post("/transactions/new/attachments/discard", [("once", other)]).status == 303)
        page = try guest.get("/attachments")
        #expect(page.html.elements.filter { $0["data-unsaved"] != nil }.map { $0["data-unsaved"] } == [once])
        #expect(page.toasts.contains("receipt-deleted") && page.text.contains("2 files take"))
        // It counts no more, and takes no room either.
        #expect(try stored().count == 2)
        #expect(try guest.post("/transactions/new/attachments/discard", []).status == 400)
        // A restart, and what it removes, changes nothing about the others.
        try server.restart()
        let again = server.visitor()
        again.cookies = guest.cookies
        page = try again.get(address)
        #expect(files(page).count == 2)
        let draft = try #require(files(page).first { $0.text.contains("a.jpg") }?["data-attachment"])
        #expect(try again.get("/attachments/\(draft)").body == photo)
    }

    @Test func areNotLostWithoutAWordWhereTheBookIsReplacedOrDeleted() throws {
        let once = try newForm()
        _ = try guest.upload("/transactions/new/attachments", [("a.jpg", photo)], entry(once))
        var page = try guest.get("/sign-in")
        #expect(
            page.text.contains("You have 1 entry on this device.")
                && page.text.contains("The same applies to 1 file of a receipt.")
                && page.text.contains("Download my book with its files")
        )
        let archive = String(decoding: try guest.get("/export/breadly.zip").body, as: UTF8.self)
        #expect(archive.contains("-a.jpg") && !archive.contains("missing.txt"))
        _ = try guest.get("/sign-in")
        let fields = [("email", "anna@x.test"), ("password", "correct horse battery")]
        #expect(try guest.post("/sign-up", fields).status == 303)
        page = try guest.get("/sign-out")
        #expect(page.text.contains(unsaved))
        #expect(try guest.post("/sign-out").status == 422)
        #expect(files(try guest.get("/transactions/new?once=\(once)")).count == 1)
    }

    @Test(arguments: ["", "/attachments"])
    func ofATransactionThatWasDeletedMeanwhileBelongToTheOneInItsPlace(form: String) throws {
        _ = try guest.post("/transactions", entry(try newForm()))
        let id = try #require(try transactions().first)
        let opened = try guest.get("/transactions/\(id)")
        let (once, seen) = (
            try #require(opened.html.hidden("once")), try #require(opened.html.hidden("seen"))
        )
        _ = try guest.post("/transactions/\(id)/delete")
        _ = try guest.get("/transactions/new")
        let fields = entry(once, [("seen", seen)])
        var page = try guest.upload("/transactions/\(id)\(form)", [("a.jpg", photo)], fields)
        #expect(page.status == 422 && page.text.contains("This transaction was deleted"))
        #expect(files(page).count == 1 && value("payee", page) == "Market")
        #expect(page.html.hidden("once") == once)
        #expect(try guest.upload("/transactions", [], entry(once)).status == 303)
        let living = try #require(try transactions().first)
        #expect(living != id)
        #expect(files(try guest.get("/transactions/\(living)")).count == 1)
        // One that is refused is named, and nothing that was typed is lost.
        page = try guest.upload("/transactions/\(id)\(form)", [("b.txt", Array("x".utf8))], fields)
        #expect(page.status == 422 && page.text.contains("b.txt") && value("payee", page) == "Market")
    }

    /// A page that comes back from the browser's history is filled in again: it is another transaction, with its own files.
    @Test func followATransactionThatGetsAnotherID() throws {
        let once = try newForm()
        #expect(try guest.upload("/transactions", [("a.jpg", photo)], entry(once)).status == 303)
        let first = try #require(try transactions().first)
        _ = try guest.get("/transactions/new")
        let saved = try guest.upload("/transactions", [("b.pdf", SampleFiles.pdf)], entry(once, amount: "7"))
        #expect(saved.status == 303)
        let second = try #require(try transactions().first { $0 != first })
        #expect(files(try guest.get("/transactions/\(first)")).map { $0.text.contains("a.jpg") } == [true])
        #expect(files(try guest.get("/transactions/\(second)")).map { $0.text.contains("b.pdf") } == [true])
    }

    @Test func ofAnOutdatedPageAreToBeChosenAgain() throws {
        let once = try newForm()
        let token = guest.csrf
        guest.csrf = "x" + token.dropFirst()
        for path in ["/transactions", "/transactions/new/attachments"] {
            let page = try guest.upload(path, [("a.jpg", photo)], entry(once))
            #expect(page.status == 403 && page.text.contains("not added: a.jpg. Choose them again."))
            #expect(
                value("payee", page) == "Market" && page.html.hidden("once") == once && files(page).isEmpty
            )
            guest.csrf = "x" + token.dropFirst()
        }
        #expect(try transactions().isEmpty)
    }

    /// The session of the browser is over, so that nothing can be saved: all that was typed and chosen is named.
    @Test(arguments: ["/transactions", "/transactions/new/attachments"])
    func ofABrowserThatLostItsCookieAreNamed(path: String) throws {
        let lost = server.visitor()
        lost.csrf = guest.csrf
        let extra = [("date", "2026-11-21"), ("list", "/transactions?month=2026-11"), ("note", "two\nlines")]
        let fields = entry(try newForm()).filter { !["date", "note"].contains($0.0) } + extra
        let page = try lost.upload(path, [("a.jpg", photo), ("b.pdf", SampleFiles.pdf)], fields)
        #expect(page.status == 403)
        #expect(page.html.elements.first { $0.tag == "h1" }?.text == "Not saved: New transaction")
        #expect(page.text.contains("a.jpg, b.pdf were not added. Choose them again."))
        let typed = page.html.elements.filter { $0.tag == "dd" }.map(\.text)
        #expect(typed.contains("Expense") && typed.contains("Market") && typed.contains("12"))
        #expect(typed.contains("21 Nov 2026") || typed.contains("Nov 21, 2026"), "\(typed)")
        #expect(typed.contains { $0.contains("two") && $0.contains("lines") })
        #expect(!typed.contains { $0.contains("month=") || $0 == "expense" })
        #expect(page.html.elements.first { $0.tag == "form" } == nil, "it cannot be sent again")
    }

    @Test func needAFormAndAFile() throws {
        let once = try newForm()
        let none = try guest.upload("/transactions/new/attachments", [], entry(once))
        #expect(none.status == 422 && none.text.contains("Choose a file first."))
        #expect(try guest.upload("/transactions/new/attachments", [("a.jpg", photo)]).status == 400)
        let noOnce = Array(entry(once).dropFirst())
        #expect(try guest.upload("/transactions", [("a.jpg", photo)], noOnce).status == 400)
        let unknown = server.visitor()
        unknown.csrf = guest.csrf
        #expect(
            try unknown.upload("/transactions/new/attachments", [("a.jpg", photo)], entry(once)).status
                != 200
        )
        #expect(try transactions().isEmpty)
    }

    @Test func thatAreThereAlreadyAreAddedWithTheButtonThatSavesAChange() throws {
        let once = try newForm()
        _ = try guest.post("/transactions", entry(once))
        let id = try #require(try transactions().first)
        func edited(
            _ files: [(name: String, bytes: [UInt8])],
            payee: String = "Market",
            amount: String = "12"
        ) throws -> Reply {
            let page = try guest.get("/transactions/\(id)")
            let seen = try #require(page.html.hidden("seen"))
            let fields = entry(once, amount: amount, [("seen", seen)]).map {
                $0.0 == "payee" ? ("payee", payee) : $0
            }
            return try guest.upload("/transactions/\(id)", files, fields)
        }
        // A file alone.
        var reply = try edited([("a.jpg", photo)])
        #expect(reply.status == 303 && reply.header("location")?.hasPrefix("/transactions?") == true)
        var page = try guest.get("/transactions/\(id)")
        #expect(page.toasts == ["receipt-added"] && files(page).count == 1)
        // A file and a change.
        reply = try edited([("b.pdf", SampleFiles.pdf)], payee: "Baker")
        #expect(reply.status == 303)
        page = try guest.get("/transactions/\(id)")
        #expect(page.toasts.sorted() == ["receipt-added", "transaction-changed"] && files(page).count == 2)
        #expect(value("payee", page) == "Baker")
        // A file that is refused: nothing is saved, and what was typed is there.
        reply = try edited([("c.txt", Array("x".utf8))], payee: "Butcher")
        #expect(reply.status == 422 && reply.text.contains("Not saved yet: a file was not added."))
        #expect(reply.text.contains("c.txt") && value("payee", reply) == "Butcher")
        #expect(value("payee", try guest.get("/transactions/\(id)")) == "Baker")
        // A change that is refused: the file is added.
        reply = try edited([("d.jpg", SampleFiles.jpeg())], payee: "Butcher", amount: "")
        #expect(reply.status == 422 && files(reply).count == 3 && value("payee", reply) == "Butcher")
    }
}
