// Files beside transactions on a device that is not synced any more: no page promises an upload, and each says how a file
// can be fetched that is in the cloud only.
import Book
import Foundation
import GRDB
import Ledger
import TestKit
import Testing

@testable import BreadlyApp

@Suite struct ReceiptsWithoutSync {
    private static let user = [("email", "anna@x.test"), ("password", "correct horse battery")]

    enum End: CaseIterable, Sendable { case premium, sync, session }

    let server: Running
    let cloud: CloudServer
    private var cloudFolder: String { server.folder + "/elsewhere" }

    init() throws {
        server = try Running()
        let cloud = try server.cloud(in: server.folder + "/elsewhere")
        self.cloud = cloud
        try server.restart { $0.cloudAddress = cloud.url }
    }

    private func operate(_ work: (UserAccounts) throws -> Void) throws {
        let accounts = try UserAccounts(cloudFolder, dependencies: Running.dependencies(server.clock))
        defer { accounts.close() }
        try work(accounts)
        // The device is not in use: it learns of the change by itself.
        server.clock.advance(by: 50)
    }

    private func state(_ visitor: Visitor, _ state: String) throws {
        try until(state) { try visitor.get("/status.json").text.contains(#""state":"\#(state)""#) }
    }

    private func lines(_ visitor: Visitor, _ path: String) throws -> [HTMLElement] {
        try visitor.get(path).html.elements.filter { $0["data-attachment"] != nil }
    }

    /// Two devices of an account: the second has fetched the row of a file, and not the file.
    private func synced() throws -> (visitor: Visitor, transaction: String, receipt: String) {
        let (_, transaction) = try sent()
        let other = server.visitor()
        _ = try other.get("/sign-in")
        try #require(try other.post("/sign-in", Self.user).status == 303)
        try until("its row arrives") {
            try lines(other, transaction).first?["data-status"] == "elsewhere"
        }
        return (other, transaction, try #require(try lines(other, transaction).first?["data-attachment"]))
    }

    /// A device whose file is in the cloud.
    private func sent() throws -> (visitor: Visitor, transaction: String) {
        let one = try server.guest()
        let cash = try #require(try one.accounts()["Cash"])
        _ = try one.get("/transactions/new")
        try #require(try one.record(account: cash).status == 303)
        let id = try #require(try one.get("/transactions").rows("transaction").first?["data-id"])
        let transaction = "/transactions/\(id)"
        _ = try one.get("/sign-in")
        try #require(try one.post("/sign-up", Self.user).status == 303)
        try operate { _ = try $0.grant("anna@x.test", through: nil) }
        try state(one, "synced")
        _ = try one.get(transaction)
        let photo = SampleFiles.jpeg(width: 320, height: 200)
        #expect(try one.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
        try until("it is backed up") { try lines(one, transaction).first?["data-status"] == "uploaded" }
        return (one, transaction)
    }

    private func come(_ end: End, _ visitor: Visitor) throws {
        switch end {
        case .premium:
            try operate { _ = try $0.revoke("anna@x.test") }
            try state(visitor, "local_only")
        case .sync:
            _ = try visitor.get("/settings")
            _ = try visitor.post("/settings/sync", [("sync", "off")])
            try state(visitor, "local_only")
        case .session:
            try DatabaseQueue(path: cloudFolder + "/cloud.sqlite").write {
                try $0.execute(sql: "DELETE FROM sessions")
            }
            server.clock.advance(by: 50)
            try until("told") { try visitor.get("/settings").text.contains("Sign in again") }
        }
    }

    @Test(arguments: End.allCases) func aFileInTheCloudSaysHowItIsFetched(end: End) throws {
        let (visitor, transaction, receipt) = try synced()
        try come(end, visitor)
        let (word, todo, href) =
            switch end {
            case .premium: ("subscribe again", "Subscribe again, then open the file.", "/subscription")
            case .sync: ("switch sync on", "Switch sync on in the settings", "/settings")
            case .session: ("sign in again", "Sign in again, then open the file.", "/sign-in")
            }
        for path in [transaction, "/attachments"] {
            let line = try #require(try lines(visitor, path).first)
            #expect(line.text.contains("Not on this device: \(word) to fetch it"), "\(line.text)")
            #expect(line["data-status"] == "elsewhere")
        }
        let page = try visitor.get("/attachments/\(receipt)")
        #expect(
            page.status == 404 && page.text.contains("Not on this device") && page.text.contains(todo)
        )
        #expect(page.html.elements.contains { $0["href"] == href })
        if end == .premium {
            let sentence =
                "1 file of your receipts is not on this device: it can be fetched when you subscribe again."
            let all = try visitor.get("/").text
            #expect(all.contains("Renew your subscription to continue syncing. \(sentence)"))
            #expect(try visitor.get("/subscription").text.contains(sentence))
            // Without sync, no file can be opened first.
            let deletion = try visitor.get("/account/delete").text
            #expect(deletion.contains("so that the download does not have it"))
            #expect(!deletion.contains("Open it first"))
        }
        #expect(!page.text.contains("This page does not exist"))
    }

    /// Nothing says that the cloud does not have the file: it cannot be asked.
    @Test(arguments: End.allCases) func aFileThatIsMissingHereMayBeInTheCloud(end: End) throws {
        let (visitor, transaction) = try sent()
        let receipt = try #require(try lines(visitor, transaction).first?["data-attachment"])
        try come(end, visitor)
        let folder = server.folder + "/devices"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for path in files where path.contains(".files/") && path.split(separator: "/").last?.count == 64 {
            try FileManager.default.removeItem(atPath: "\(folder)/\(path)")
        }
        for path in files where path.hasSuffix(".sqlite") {
            let clock = server.clock
            let book = try Book.open(at: "\(folder)/\(path)") { clock.now }
            defer { book.close() }
            for file in try book.receiptFilesInBoth(limit: 10) {
                try book.noteLoss(ofReceiptFile: file.sha256)
            }
        }
        // Also when it is looked for once more.
        for _ in 1...2 {
            let page = try visitor.get("/attachments/\(receipt)")
            #expect(page.status == 404 && page.text.contains("then open the file"), "\(page.text)")
            #expect(!page.text.contains("The cloud does not have it"))
        }
    }

    /// An upload that had begun, or was refused, before sync ended.
    @Test(arguments: [ReceiptStatus.uploading, .failed])
    func aFileOnThisDevicePromisesNoUpload(status: ReceiptStatus) throws {
        let (visitor, transaction, _) = try synced()
        try come(.sync, visitor)
        _ = try visitor.get(transaction)
        #expect(
            try visitor.upload("\(transaction)/attachments", [("b.pdf", SampleFiles.pdf)]).status == 303
        )
        let clock = server.clock
        let files = FileManager.default.subpaths(atPath: server.folder + "/devices") ?? []
        for path in files where path.hasSuffix(".sqlite") {
            let book = try Book.open(at: "\(server.folder)/devices/\(path)") { clock.now }
            defer { book.close() }
            for file in try book.receiptFilesOnlyHere(limit: 10) {
                try book.setReceiptFile(
                    file.sha256,
                    status,
                    sent: 4,
                    failure: status == .failed ? "refused" : nil
                )
            }
        }
        let line = try #require(
            try lines(visitor, transaction).first { $0.text.contains("b.pdf") }
        )
        #expect(line.text.contains("On this device only"), "\(line.text)")
        #expect(line["data-status"] == "local_only" && !line.text.contains("Try again"))
    }
}
