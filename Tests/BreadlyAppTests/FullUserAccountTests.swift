// A change that the cloud has no room for: told with what to do about it, and gone from the list once there is room.
import TestKit
import Testing

@Suite struct AnAccountThatIsFull {
    @Test func aRefusedEntryIsALineToActOn() throws {
        let server = try Running()
        try server.restart {
            $0.premiumForEveryone = true
            $0.userAccountLimits.rowBytes = 400
        }
        let visitor = try server.guest()
        try visitor.signUp()
        try visitor.waitUntilInStep()
        let account = try #require(try visitor.accounts()["Cash"])
        _ = try visitor.record(
            [("payee", "Too much"), ("note", String(repeating: "x", count: 300))],
            account: account
        )
        let sentence =
            "It would be larger than an entry may be on the cloud, which is 100 fields and 256 KB"
        // The list shows it as soon as the book contains it, and the heading as soon as the device is
        // notified.
        try until("it is refused") {
            let page = try visitor.get("/sync").text
            return page.contains(sentence) && page.contains("Some changes were not accepted.")
        }
        #expect(try visitor.get("/sync").text.contains("Too much"))
        let id = try #require(try visitor.get("/transactions").rows("transaction").first?["data-id"])
        _ = try visitor.post("/transactions/\(id)/delete")
        try until("nothing is left to decide") {
            try visitor.isInStep()
                && !visitor.get("/sync").text.contains(sentence)
        }
    }
}
