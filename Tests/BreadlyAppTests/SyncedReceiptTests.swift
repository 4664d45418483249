// Files beside transactions with a cloud elsewhere: on their way to it, in it, and on another device.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp
@testable import Devices

@Suite struct ReceiptsOfAnAccount {
    private static let user = [("email", "anna@x.test"), ("password", "correct horse battery")]

    let server: Running
    let cloud: CloudServer

    init() throws { try self.init { _ in } }

    private init(_ change: (inout DeviceManager.Limits) -> Void) throws {
        server = try Running(change)
        let cloud = try server.cloud(in: server.folder + "/elsewhere", premiumForEveryone: true)
        self.cloud = cloud
        try server.restart { $0.cloudAddress = cloud.url }
    }

    /// The first device of a new account, and the address of its transaction.
    private func first() throws -> (visitor: Visitor, transaction: String) {
        let visitor = try server.guest()
        let cash = try #require(try visitor.accounts()["Cash"])
        _ = try visitor.get("/transactions/new")
        try #require(try visitor.record(account: cash).status == 303)
        let id = try #require(try visitor.get("/transactions").rows("transaction").first?["data-id"])
        _ = try visitor.get("/sign-in")
        try #require(try visitor.post("/sign-up", Self.user).status == 303)
        try until("premium") { try visitor.get("/budgets").html.body("data-tier") == "premium" }
        return (visitor, "/transactions/\(id)")
    }

    /// Another device of the account, which has received the transaction.
    private func second(_ transaction: String) throws -> Visitor {
        let visitor = server.visitor()
        _ = try visitor.get("/sign-in")
        try #require(try visitor.post("/sign-in", Self.user).status == 303)
        try until("the transaction arrives") { try visitor.get(transaction).status == 200 }
        return visitor
    }

    private let photo = SampleFiles.jpeg(width: 320, height: 200)

    /// As `first`, with a photo that is in the cloud.
    private func withPhoto() throws -> (visitor: Visitor, transaction: String) {
        let (visitor, transaction) = try first()
        _ = try visitor.get(transaction)
        try #require(try visitor.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
        try until("it is backed up") {
            try lines(visitor, transaction).first?["data-status"] == "uploaded"
        }
        return (visitor, transaction)
    }

    /// As `second`, with the row of the photo and without its file.
    private func secondWithRow(_ transaction: String) throws -> (visitor: Visitor, receipt: String) {
        let visitor = try second(transaction)
        try until("its row arrives") { try !lines(visitor, transaction).isEmpty }
        return (visitor, try #require(try lines(visitor, transaction).first?["data-attachment"]))
    }

    /// The words beside the cloud in the header.
    private func label(of page: Reply) throws -> String {
        try #require(page.html.first(nil, ["data-cloud-label": ""])?.text)
    }

    private func lines(_ visitor: Visitor, _ path: String) throws -> [HTMLElement] {
        try visitor.get(path).html.elements.filter { $0["data-attachment"] != nil }
    }

    @Test func areBackedUpAndFetchedWhereTheyAreOpened() throws {
        let (one, transaction) = try withPhoto()
        #expect(try one.get(transaction).text.contains("Backed up"))
        let other = try second(transaction)
        try until("its row arrives") { try !lines(other, transaction).isEmpty }
        let line = try #require(try lines(other, transaction).first)
        #expect(line["data-status"] == "elsewhere" && line.text.contains("Not on this device yet"))
        let receipt = try #require(line["data-attachment"])
        #expect(try other.get("/attachments/\(receipt)").body == photo)
        #expect(try lines(other, transaction).first?["data-status"] == "uploaded")
        let space = try other.get("/attachments").text
        #expect(space.contains("1 file, which was fetched from the cloud, takes 1 KB on this device."))
        #expect(space.contains("Breadly may remove it by itself to make room"))
        let part = try other.get("/attachments/\(receipt)", headers: [("Range", "bytes=2-5")])
        #expect(part.status == 206 && part.body == Array(photo[2...5]))
        #expect(try server.guest().get("/attachments/\(receipt)").status == 404)
    }

    /// The page that cannot show it knows that it is nowhere: no other page says "Backed up" after that.
    @Test func aFileThatIsNowhereIsMissingOnceThatIsKnown() throws {
        let (one, transaction) = try withPhoto()
        let manager = FileManager.default
        let paths = try manager.subpathsOfDirectory(atPath: server.folder).filter { path in
            path.contains("files/") && path.split(separator: "/").last?.count == 64
        }
        #expect(paths.count == 2)
        for path in paths { try manager.removeItem(atPath: "\(server.folder)/\(path)") }
        let receipt = try #require(try lines(one, transaction).first?["data-attachment"])
        #expect(try one.get("/attachments/\(receipt)").text.contains("does not have it either"))
        let line = try #require(try lines(one, transaction).first)
        #expect(
            line["data-status"] == "failed" && line.text.contains("The file is missing on the server.")
        )
        let page = try one.get("/")
        #expect(try label(of: page) == "Not all backed up")
        #expect(page.text.contains("1 file of your receipts is missing on the server."))
        #expect(try one.get("/sync").text.contains("1 file of your receipts is missing on the server."))
        let words =
            "1 file of your receipts is neither in the cloud nor on this device, and comes back only if"
        #expect(try one.get("/sign-out").text.contains(words))
        #expect(page.html.elements.contains { $0["href"] == "/attachments?status=local" })
        #expect(try lines(one, "/attachments?status=local").count == 1)
        // It is whole again once it is added again.
        #expect(try one.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
        try until("it is backed up again") {
            try lines(one, transaction).first?["data-status"] == "uploaded"
        }
        #expect(try one.get("/attachments/\(receipt)").body == photo)
    }

    /// Sync is on, whatever became of a file before.
    @Test func aFileThatIsNowhereHoldsBackNoNewsOfPremium() throws {
        let guest = try server.guest()
        let cash = try #require(try guest.accounts()["Cash"])
        _ = try guest.get("/transactions/new")
        try #require(try guest.record(account: cash).status == 303)
        let id = try #require(try guest.get("/transactions").rows("transaction").first?["data-id"])
        _ = try guest.get("/transactions/\(id)")
        try #require(try guest.upload("/transactions/\(id)/attachments", [("a.jpg", photo)]).status == 303)
        for path in try paths(server.folder + "/devices") { try FileManager.default.removeItem(atPath: path) }
        _ = try guest.get("/sign-in")
        try #require(try guest.post("/sign-up", Self.user).status == 303)
        // Such a page uses up no toast.
        let quiet = [("Accept", "text/html;quiet")]
        try until("it is known") { try guest.get("/", headers: quiet).text.contains("Not all backed up") }
        #expect(try guest.get("/").toasts.contains("premium-activated"))
    }

    /// The cloud has lost it, and only the device that has added it has it.
    @Test func aFileThatIsNeitherHereNorInTheCloudIsCountedAndListed() throws {
        let (one, transaction) = try withPhoto()
        let (other, receipt) = try secondWithRow(transaction)
        try until("all is backed up") { try label(of: other.get("/")) == "Backed up" }
        #expect(try lines(other, "/attachments?status=local").isEmpty)
        try until("the cloud has said that it has the file") {
            try lines(other, "/attachments").first?.text.contains("open it to fetch it") == true
        }
        let elsewhere = server.folder + "/elsewhere"
        try damage(try #require(try paths(elsewhere).first))
        #expect(try other.get("/attachments/\(receipt)").status == 404)
        // No device is about to send what the cloud had.
        try until("the header says so") { try label(of: other.get("/")) == "Not all backed up" }
        #expect(try !other.get("/").text.contains("still to come"))
        #expect(try lines(other, "/attachments?status=local").count == 1)
        let page = try other.get("/sync")
        #expect(page.text.contains("1 file of your receipts is neither in the cloud nor on this device."))
        #expect(!page.text.contains("All caught up"))
        #expect(page.html.elements.contains { $0["href"] == "/attachments?status=local" })
        let listed = try lines(other, "/attachments?status=local")
        #expect(listed.map { $0["data-status"] } == ["elsewhere"])
        // A new connection has the device that has the file send it again.
        try server.restart { $0.cloudAddress = cloud.url }
        for visitor in [one, other] { visitor.port = Int(server.app.port) }
        _ = try one.get(transaction)
        try until("it is sent again") { try !paths(elsewhere).isEmpty }
        try until("all is backed up again") {
            try label(of: other.get("/")) == "Backed up" && lines(other, "/attachments?status=local").isEmpty
        }
    }

    /// Everything else is in the cloud, and these are nowhere else.
    @Test func aSignOutCountsTheFilesOfEntriesThatWereNotSaved() throws {
        let (one, _) = try first()
        let stays = "Your data stays in the cloud"
        try until("all is in the cloud") { try one.get("/sign-out").text.contains(stays) }
        let once = try #require(try one.get("/transactions/new").html.hidden("once"))
        let place = "/transactions/new/attachments"
        #expect(try one.upload(place, [("a.jpg", photo)], [("once", once)]).status == 200)
        let page = try one.get("/sign-out")
        #expect(page.text.contains("1 file of your receipts is only on this device, and will be deleted"))
        #expect(!page.text.contains(stays) && !page.text.contains("/sign-out/wait"))
        #expect(try one.get("/sync").text.contains("added to an entry that was not saved."))
        #expect(try one.post("/sign-out").status == 422)
        _ = try one.get("/sign-out")
        _ = try one.post("/sign-out/wait")
        #expect(try one.get("/transactions/new?once=\(once)").text.contains("a.jpg"))
    }

    /// The same words as at a sign-out: nothing is in the cloud any more after it, so that the downloads have it.
    @Test func theDeletionOfTheAccountCountsWhatTheCloudDoesNotHave() throws {
        let (one, _) = try first()
        try until("all is in the cloud") {
            try !one.get("/account/delete").text.contains("only on this device")
        }
        let once = try #require(try one.get("/transactions/new").html.hidden("once"))
        let photo = SampleFiles.jpeg(width: 320, height: 200)
        let place = "/transactions/new/attachments"
        #expect(try one.upload(place, [("a.jpg", photo)], [("once", once)]).status == 200)
        let page = try one.get("/account/delete")
        #expect(page.text.contains("1 file is only on this device."))
        #expect(page.html.elements.contains { $0["data-unsaved"] == once && $0.text.contains("a.jpg") })
        #expect(page.text.contains("Download my book with its files"), "the archive has it")
    }

    /// A file that the disk of the cloud has lost or changed is neither shown nor stored on another device.
    @Test(arguments: ["lost", "changed"])
    func aFileThatTheCloudHasNotIsNotShown(fault: String) throws {
        let (one, transaction) = try withPhoto()
        let (other, receipt) = try secondWithRow(transaction)
        let stored = URL(fileURLWithPath: try #require(try paths(server.folder + "/elsewhere").first))
        if fault == "lost" {
            try FileManager.default.removeItem(at: stored)
        } else {
            try Data(photo.reversed()).write(to: stored)
        }
        let page = try other.get("/attachments/\(receipt)")
        let words = ["the cloud has lost it", "The file arrived damaged"]
        #expect(page.status >= 400 && words.contains { page.text.contains($0) })
        #expect(!page.text.contains("cannot be reached"))
        #expect(try lines(other, transaction).first?["data-status"] == "elsewhere")
        #expect(try one.get("/attachments/\(receipt)").body == photo)
    }

    /// No download has its turn on this server.
    @Test func aFileThatHasToWaitForOthersIsAskedForLater() throws {
        let busy = try Self { limits in
            limits.receipts.downloads.runningOfDevice = 0
            limits.receipts.downloads.patienceMilliseconds = 1
        }
        let (one, transaction) = try busy.first()
        _ = try one.get(transaction)
        #expect(try one.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
        try until("it is backed up") { try lines(one, transaction).first?["data-status"] == "uploaded" }
        let other = try busy.second(transaction)
        try until("its row arrives") { try !lines(other, transaction).isEmpty }
        let receipt = try #require(try lines(other, transaction).first?["data-attachment"])
        let page = try other.get("/attachments/\(receipt)")
        #expect(page.status == 503 && page.text.contains("Try again in a few seconds."))
        #expect(page.header("retry-after") == "10")
        #expect(try lines(other, transaction).first?["data-status"] == "elsewhere")
        #expect(
            try one.get("/attachments/\(receipt)").body == photo,
            "the device that has it does not wait"
        )
    }

    @Test func whatIsNotHereIsSaidOnAPage() throws {
        let (one, transaction) = try first()
        let other = try second(transaction)
        _ = try one.get(transaction)
        #expect(try one.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
        try until("it is backed up") { try lines(one, transaction).first?["data-status"] == "uploaded" }
        try until("its row arrives") { try !lines(other, transaction).isEmpty }
        let receipt = try #require(try lines(other, transaction).first?["data-attachment"])
        cloud.stop()
        let page = try other.get("/attachments/\(receipt)")
        #expect(page.status == 503 && page.text.contains("The cloud is away"))
        #expect(
            try one.get("/attachments/\(receipt)").body == photo,
            "the device that has it needs no cloud"
        )
        // A file that waits for the cloud is counted on the page of sync.
        let more = SampleFiles.jpeg(width: 200, height: 100)
        _ = try one.get(transaction)
        #expect(try one.upload("\(transaction)/attachments", [("b.jpg", more)]).status == 303)
        let waits = "1 file of your receipts waits here until the cloud can be reached."
        try until("the page of sync says so") { try one.get("/sync").text.contains(waits) }
        #expect(try one.get(transaction).text.contains("Waiting for the cloud, which cannot be reached"))
        // A receipt is no transaction, and its file is lost with it.
        let loss = "You have 1 unsynced change, 1 file. These will be lost if you sign out now."
        let leaving = try one.get("/sign-out")
        #expect(leaving.text.contains(loss))
        #expect(leaving.text.contains("I understand 1 change, 1 file will be lost"))
        #expect(leaving.html.elements.contains { $0["href"] == "/export/breadly.zip" })
        #expect(
            try one.get("/").text.contains(
                "1 change, 1 file are waiting here and will be uploaded later."
            )
        )
        let settings = try one.get("/settings").text
        #expect(settings.contains("Without network, this data will be lost if you sign out now."))
        #expect(settings.contains("1 change, 1 file that wait here are uploaded first."))
        #expect(
            try one.get("/account/delete").html.elements.contains { $0["href"] == "/export/breadly.zip" }
        )
        for path in ["/sync", "/sign-out"] {
            let links = try one.get(path).html.elements.compactMap { $0["href"] }
            #expect(
                links.contains("/attachments?status=local"),
                "\(path) leads to the files that it counts"
            )
        }
        #expect(try lines(one, "/attachments?status=local").count == 1)
    }

    /// The bytes of a receipt on a disk, in the folder of a device or of the cloud.
    private func paths(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.contains(".files/") && $0.split(separator: "/").last?.count == 64 }
            .map { "\(folder)/\($0)" }
    }

    @Test func aFileThatTheDiskHasDamagedIsFetchedAgain() throws {
        let (one, transaction) = try withPhoto()
        let receipt = try #require(try lines(one, transaction).first?["data-attachment"])
        #expect(try one.get("/attachments/\(receipt)").body == photo)
        let path = try #require(try paths(server.folder + "/devices").first)
        try damage(path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != Data(photo))
        // A part without the damaged byte.
        let part = try one.get("/attachments/\(receipt)", headers: [("Range", "bytes=9-12")])
        #expect(part.status == 206 && part.body == Array(photo[9...12]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(photo), "it is whole again")
        #expect(try lines(one, transaction).first?["data-status"] == "uploaded")
        // Without the cloud, none can take its place.
        try damage(path)
        cloud.stop()
        let page = try one.get("/attachments/\(receipt)")
        #expect(page.status == 404 && page.text.contains("The file is damaged"), "\(page.text)")
        #expect(
            try lines(one, transaction).first?["data-status"] == "uploaded",
            "it is in the cloud"
        )
    }

    @Test func aFileThatTheDiskOfTheCloudHasDamagedIsSentAgainByTheDeviceThatHasIt() throws {
        let (one, transaction) = try withPhoto()
        let (other, receipt) = try secondWithRow(transaction)
        let elsewhere = server.folder + "/elsewhere"
        let path = try #require(try paths(elsewhere).first)
        try damage(path)
        let page = try other.get("/attachments/\(receipt)")
        #expect(page.status == 404 && page.text.contains("the cloud has lost it"))
        #expect(try paths(elsewhere).isEmpty)
        // A new connection has the device ask what the cloud lacks.
        try server.restart { $0.cloudAddress = cloud.url }
        for visitor in [one, other] { visitor.port = Int(server.app.port) }
        _ = try one.get(transaction)
        try until("it is sent again") { try !paths(elsewhere).isEmpty }
        try until("the other device gets it") { try other.get("/attachments/\(receipt)").body == photo }
    }

    /// Two devices that do not know of each other add as many as they may.
    @Test func aTransactionWithMoreFilesThanItCanHaveKeepsThemAllAndGetsNoFurtherOnes() throws {
        let (one, transaction) = try first()
        let other = try second(transaction)
        let port = cloud.port
        cloud.stop()
        func photo(_ number: Int) -> [UInt8] { SampleFiles.jpeg(width: 100 + number, height: 90) }
        for (device, visitor) in [one, other].enumerated() {
            _ = try visitor.get(transaction)
            let files = (0..<6).map { ("\(device)\($0).jpg", photo(device * 6 + $0)) }
            #expect(try visitor.upload("\(transaction)/attachments", files).status == 303)
            #expect(try lines(visitor, transaction).count == 6)
        }
        let cloud = try server.cloud(
            in: server.folder + "/elsewhere",
            port: port,
            premiumForEveryone: true
        )
        defer { cloud.stop() }
        for visitor in [one, other] { _ = try visitor.post("/sync/retry") }
        for visitor in [one, other] {
            try until("all are there") { try lines(visitor, transaction).count == 12 }
            try until("and in the cloud") {
                try lines(visitor, transaction).count { $0["data-status"] == "uploaded" } == 6
            }
        }
        let names = try lines(one, transaction).map { $0.text.prefix { $0 != " " } }
        #expect(names == (try lines(other, transaction)).map { $0.text.prefix { $0 != " " } })
        for device in ["0", "1"] {
            let ofDevice = names.filter { $0.hasPrefix(device) }
            #expect(ofDevice == ofDevice.sorted() && ofDevice.count == 6, "in the order of the form")
        }
        var page = try one.get(transaction)
        #expect(page.text.contains("12 files, more than the 10"), "\(page.text)")
        #expect(page.text.contains("Delete 3 to add another."))
        #expect(!page.html.elements.contains { $0["type"] == "file" })
        let more = try one.upload("\(transaction)/attachments", [("more.jpg", photo(99))])
        #expect(more.status == 422 && more.text.contains("A transaction can have 10 files at most."))
        // One that is here already is no further one, and may be damaged.
        _ = try one.get(transaction)
        let again = try one.upload("\(transaction)/attachments", [("again.jpg", photo(0))])
        #expect(again.status == 303)
        #expect(try lines(one, transaction).count == 12)
        let book = try one.get("/export/breadly.json").text
        #expect(names.allSatisfy { book.contains("\"name\":\"\($0)\"") })
        #expect(try one.get("/export/breadly.zip").status == 200)
        for left in [11, 10, 9] {
            let id = try #require(try lines(one, transaction).first?["data-attachment"])
            #expect(try one.post("/attachments/\(id)/delete").status == 303)
            page = try one.get(transaction)
            #expect(page.html.elements.contains { $0["type"] == "file" } == (left == 9))
        }
        #expect(page.html.elements.contains { $0["data-left"] == "1" })
        try until("the other device follows") { try lines(other, transaction).count == 9 }
        let last = try one.upload("\(transaction)/attachments", [("more.jpg", photo(99))])
        #expect(last.status == 303)
        #expect(try lines(one, transaction).count == 10)
        try until("it gets the new one, too") { try lines(other, transaction).count == 10 }
    }
}
