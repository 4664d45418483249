// The form of a transaction that is sent along with its files, as browsers without a script send it: nothing that was
// typed is lost, whatever becomes of the files.
import TestKit
import Testing

@testable import BreadlyApp

@Suite struct FormsWithFiles {
    let server: Running
    let guest: Visitor
    let id: String
    let cash: String

    init() throws {
        server = try Running { $0.receipts.fileBytes = 64 << 10 }
        guest = try server.guest()
        cash = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions/new")
        _ = try guest.post("/transactions", Self.fields(cash) + [("category", "")])
        id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
    }

    private static func fields(_ cash: String, payee: String = "Market", note: String = "") -> [(
        String, String
    )] {
        [
            ("kind", "expense"), ("amount", "12.00"), ("currency", "EUR"), ("account", cash),
            ("date", "2026-11-20"), ("payee", payee), ("note", note), ("tags", ""),
        ]
    }

    private var adding: String { "/transactions/\(id)/attachments" }

    /// The hidden fields of the form.
    private func open() throws -> [(String, String)] {
        let page = try guest.get(
            "/transactions/\(id)",
            headers: [("Referer", "http://127.0.0.1:\(guest.port)/transactions?q=market")]
        )
        return ["seen", "back", "once", "decimal"].compactMap { name in
            page.html.elements.first { $0["name"] == name }?["value"].map { (name, $0) }
        }
    }

    private func value(_ name: String, _ page: Reply) -> String? {
        let field = page.html.elements.first { $0["name"] == name && $0["type"] != "file" }
        return field.map { $0["value"] ?? $0.text }
    }

    private func notice(_ page: Reply) -> String? {
        page.html.elements.first { ["meanwhile", "unsaved"].contains($0["data-notice"]) }?.text
    }

    @Test func whatWasTypedComesBackWithTheFiles() throws {
        let typed = Self.fields(cash, payee: "Baker & Sons", note: "half\r\ntyped") + [("category", "")]
        let reply = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)], try open() + typed)
        #expect(reply.status == 200 && reply.toasts.contains("receipt-added"))
        #expect(reply.html.elements.contains { $0["data-attachment"] != nil })
        #expect(value("payee", reply) == "Baker & Sons")
        #expect(value("note", reply) == "half typed")
        #expect(value("back", reply) == "/transactions?q=market")
        #expect(notice(reply)?.contains("not saved yet") == true)
        // Nothing was saved, and saving the form does.
        #expect(try !guest.get("/transactions").text.contains("Baker"))
        let hidden = ["seen", "back"].compactMap { name in value(name, reply).map { (name, $0) } }
        let saved = try guest.post("/transactions/\(id)", typed + hidden)
        #expect(saved.header("location") == "/transactions?q=market#t\(id)")
        #expect(try guest.get("/transactions").text.contains("Baker"))
    }

    @Test func aFormThatWasNotTouchedLeadsBackToItsPage() throws {
        // A browser sends the first choice of a list, whatever is stored.
        let fields = try open() + Self.fields(cash) + [("to_account", cash), ("category", "")]
        let reply = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)], fields)
        #expect(reply.status == 303 && reply.header("location") == "/transactions/\(id)#receipts")
    }

    struct Refused: Sendable {
        var name: String
        var bytes: [UInt8]
        var count = 1
        var status = 422
    }

    private static let refused: [Refused] = [
        Refused(name: "page.jpg", bytes: Array("<script>".utf8)), Refused(name: "empty.pdf", bytes: []),
        Refused(name: "none.pdf", bytes: [], count: 0),
        Refused(
            name: "long.pdf",
            bytes: SampleFiles.pdf + [UInt8](repeating: 0, count: 65_536),
            status: 413
        ),
        Refused(name: "many.pdf", bytes: SampleFiles.pdf, count: 11),
    ]

    @Test(arguments: refused) func whatWasTypedComesBackWithARefusal(refused: Refused) throws {
        // An amount that cannot be saved comes back too.
        let typed = Self.fields(cash, payee: "Baker").map { $0.0 == "amount" ? ("amount", "twelve") : $0 }
        let fields = try open() + typed + [("keep_location", "on")]
        let files = (0..<refused.count).map {
            (name: refused.name, bytes: refused.bytes + [UInt8](repeating: 1, count: $0))
        }
        let reply = try guest.upload(adding, files, fields)
        #expect(reply.status == refused.status)
        #expect(reply.html.elements.contains { $0["role"] == "alert" && $0["data-field"] == "file" })
        #expect(value("payee", reply) == "Baker" && value("amount", reply) == "twelve")
        #expect(notice(reply)?.contains("not saved yet") == true)
        let location = reply.html.elements.first { $0["name"] == "keep_location" }
        if refused.count > 10 {
            // Ten were added, and a transaction that has ten offers no field for further ones.
            #expect(reply.html.elements.count { $0["data-attachment"] != nil } == 10 && location == nil)
        } else {
            #expect(location?["checked"] != nil)
        }
    }

    @Test func whatWasTypedComesBackWithAnOldToken() throws {
        let fields = try open() + Self.fields(cash, payee: "Baker")
        guest.csrf = "wrong"
        let reply = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)], fields)
        #expect(reply.status == 403 && reply.text.contains("Choose them again."))
        #expect(value("payee", reply) == "Baker")
    }

    @Test func whatWasTypedComesBackIfTheTransactionIsDeletedMeanwhile() throws {
        let fields = try open() + Self.fields(cash, payee: "Baker")
        _ = try guest.post("/transactions/\(id)/delete")
        let reply = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)], fields)
        #expect(reply.status == 422 && value("payee", reply) == "Baker")
        #expect(notice(reply)?.contains("deleted") == true)
        #expect(reply.html.elements.contains { $0["action"] == "/transactions" && $0["method"] == "post" })
    }

    @Test func deletingAFileKeepsWhatWasTyped() throws {
        _ = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)])
        let page = try guest.get("/transactions/\(id)")
        let receipt = try #require(page.html.elements.compactMap { $0["data-attachment"] }.first)
        let reply = try guest.post(
            "/attachments/\(receipt)/delete",
            try open() + Self.fields(cash, payee: "Baker") + [("file", ""), ("file", "")]
        )
        #expect(reply.status == 200 && reply.toasts.contains("receipt-deleted"))
        #expect(value("payee", reply) == "Baker")
        #expect(reply.html.elements.allSatisfy { $0["data-attachment"] == nil })
        // The page begins at its files, and says so there, without any sign of an error.
        let button = try #require(
            page.html.elements.first { $0["formaction"]?.hasPrefix("/attachments/\(receipt)/delete") == true }
        )
        #expect(button["formaction"] == "/attachments/\(receipt)/delete#receipts")
        #expect(reply.html.elements.allSatisfy { $0["role"] != "alert" })
        let remark = try #require(reply.html.elements.first { $0["data-notice"] == "unsaved" })
        #expect(remark["role"] == "status" && remark["class"] == "note")
        let section = try #require(reply.html.elements.first { $0["id"] == "receipts" })
        #expect(section.text.contains(remark.text))
    }

    /// The button of a toast belongs to the form of the page where there is no script.
    @Test func undoingKeepsWhatWasTyped() throws {
        _ = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)])
        var page = try guest.get("/transactions/\(id)")
        let receipt = try #require(page.html.elements.compactMap { $0["data-attachment"] }.first)
        _ = try guest.post("/attachments/\(receipt)/delete")
        page = try guest.get("/transactions/\(id)")
        let button = try #require(page.html.elements.first { $0["formaction"]?.contains("/undo") == true })
        #expect(button["form"] == "entry" && button["formnovalidate"] != nil)
        let undo = try #require(button["formaction"])
        let typed = Self.fields(cash, payee: "Baker") + [("category", "")]
        page = try guest.post(undo, try open() + typed)
        #expect(page.status == 200 && page.toasts == ["change-undone"])
        #expect(value("payee", page) == "Baker" && notice(page)?.contains("not saved yet") == true)
        #expect(page.html.elements.contains { $0["data-attachment"] == receipt })

        // The same for a change whose values have changed since.
        _ = try guest.post(
            "/transactions/\(id)",
            try open() + Self.fields(cash, payee: "Green") + [("category", "")]
        )
        let changed = try #require(
            try guest.get("/transactions").html.elements.compactMap { $0["action"] }.first {
                $0.hasSuffix("/undo")
            }
        )
        _ = try guest.post(
            "/transactions/\(id)",
            try open() + Self.fields(cash, payee: "Blue") + [("category", "")]
        )
        page = try guest.post("\(changed)?beside=\(id)", try open() + typed)
        #expect(
            page.status == 200 && page.toasts.contains("change-not-undone") && value("payee", page) == "Baker"
        )
        #expect(try guest.get("/transactions").text.contains("Blue"))
        // With nothing typed, the page of the change asks whether to undo it anyway.
        page = try guest.post("\(changed)?beside=\(id)", try open() + Self.fields(cash, payee: "Blue"))
        #expect(page.header("location")?.hasPrefix("/history/") == true)
        // The transaction was deleted in another tab.
        let fields = try open() + typed
        _ = try guest.post("/transactions/\(id)/delete")
        page = try guest.post("\(changed)?beside=\(id)", fields)
        #expect(page.status == 422 && value("payee", page) == "Baker")
    }

    /// A second press, or another tab.
    @Test(arguments: ["delete", "retry"])
    func whatWasTypedComesBackIfTheFileWasDeletedAlready(action: String) throws {
        _ = try guest.upload(adding, [("bill.pdf", SampleFiles.pdf)])
        let page = try guest.get("/transactions/\(id)")
        let receipt = try #require(page.html.elements.compactMap { $0["data-attachment"] }.first)
        let fields = try open() + Self.fields(cash, payee: "Baker") + [("file", ""), ("file", "")]
        _ = try guest.post("/attachments/\(receipt)/delete")
        var reply = try guest.post("/attachments/\(receipt)/\(action)", fields)
        #expect(reply.status == 200 && value("payee", reply) == "Baker")
        _ = try guest.get("/transactions/\(id)")
        _ = try guest.post("/transactions/\(id)/delete")
        _ = try guest.get("/transactions")
        reply = try guest.post("/attachments/\(receipt)/\(action)", fields)
        #expect(reply.status == 422 && value("payee", reply) == "Baker")
        #expect(try guest.post("/attachments/\(id)/retry", fields).status == 404)
    }
}
