// Files beside transactions with a cloud elsewhere: on their way to it, in it, and on another device.
import Foundation
import TestKit
import Testing

@testable import BreadlyApp
@testable import Devices

extension SuitesThatWait {
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

        private func lines(_ visitor: Visitor, _ path: String) throws -> [HTMLElement] {
            try visitor.get(path).html.elements.filter { $0["data-attachment"] != nil }
        }

        @Test func areBackedUpAndFetchedWhereTheyAreOpened() throws {
            let (one, transaction) = try first()
            _ = try one.get(transaction)
            let photo = SampleFiles.jpeg(width: 320, height: 200)
            #expect(try one.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
            try until("it is backed up") { try lines(one, transaction).first?["data-status"] == "uploaded" }
            #expect(try one.get(transaction).text.contains("Backed up"))
            let other = try second(transaction)
            try until("its row arrives") { try !lines(other, transaction).isEmpty }
            let line = try #require(try lines(other, transaction).first)
            #expect(line["data-status"] == "elsewhere" && line.text.contains("Not on this device yet"))
            let receipt = try #require(line["data-attachment"])
            #expect(try other.get("/attachments/\(receipt)").body == photo)
            #expect(try lines(other, transaction).first?["data-status"] == "uploaded")
            let part = try other.get("/attachments/\(receipt)", headers: [("Range", "bytes=2-5")])
            #expect(part.status == 206 && part.body == Array(photo[2...5]))
            #expect(try server.guest().get("/attachments/\(receipt)").status == 404)
        }

        /// A file that the disk of the cloud has lost or changed is neither shown nor stored on another device.
        @Test(arguments: ["lost", "changed"])
        func aFileThatTheCloudHasNotIsNotShown(fault: String) throws {
            let (one, transaction) = try first()
            _ = try one.get(transaction)
            let photo = SampleFiles.jpeg(width: 320, height: 200)
            #expect(try one.upload("\(transaction)/attachments", [("a.jpg", photo)]).status == 303)
            try until("it is backed up") { try lines(one, transaction).first?["data-status"] == "uploaded" }
            let other = try second(transaction)
            try until("its row arrives") { try !lines(other, transaction).isEmpty }
            let receipt = try #require(try lines(other, transaction).first?["data-attachment"])
            let folder = URL(fileURLWithPath: server.folder + "/elsewhere")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            let name = try #require(
                names.first { $0.contains(".files/") && $0.split(separator: "/").last?.count == 64 }
            )
            let stored = folder.appendingPathComponent(name)
            if fault == "lost" {
                try FileManager.default.removeItem(at: stored)
            } else {
                try Data(photo.reversed()).write(to: stored)
            }
            let page = try other.get("/attachments/\(receipt)")
            #expect(page.status == 404 && page.text.contains("the cloud has lost it"))
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
            let photo = SampleFiles.jpeg(width: 320, height: 200)
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
            let photo = SampleFiles.jpeg(width: 320, height: 200)
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
            for path in ["/sync", "/sign-out"] {
                let links = try one.get(path).html.elements.compactMap { $0["href"] }
                #expect(
                    links.contains("/attachments?status=local"),
                    "\(path) leads to the files that it counts"
                )
            }
            #expect(try lines(one, "/attachments?status=local").count == 1)
        }
    }
}
