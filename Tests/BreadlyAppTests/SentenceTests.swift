// The texts for users in each situation: every sentence is on the pages for which it is true, and on no
// others.
import BreadlyApp
import Foundation
import GRDB
import TestKit
import Testing

private let password = "correct horse battery"

/// A situation that a person can be in.
private enum Situation: CaseIterable {
    case guest, guestWithFive, free, premium, premiumWithSyncOff, premiumWithSyncOffAndChanges, unverified
    /// As `unverified`, and the server has not been started anew.
    case unverifiedWhileItRuns
    case offlineAndPending, draining, stalled, verifying, expired, expiredAndChanged, blocked, revokedFree
    case revokedPremium
    case newBrowser, guestWithDollars, freeWithDollars, premiumWithDollars
    /// Without a budget: nothing is in the base currency.
    case guestWithDollarsOnly
    /// With dollars: rates of the day before, the same a day later, without the cloud, and roubles beside the dollars.
    case freshRates, staleRates, cachedRates, noRate
}

/// A sentence, the page that it is read on, and where it must stand. In all other situations it must not.
private struct Sentence {
    let page: String
    let text: String
    let stands: Set<Situation>

    init(_ page: String, _ text: String, _ stands: Set<Situation>) {
        (self.page, self.text, self.stands) = (page, text, stands)
    }
}

private let everybody = Set(Situation.allCases)
private let guests: Set<Situation> = [.guest, .guestWithFive, .guestWithDollars, .guestWithDollarsOnly]
private let frees: Set<Situation> = [.free, .freeWithDollars, .newBrowser]
private let expireds: Set<Situation> = [.expired, .expiredAndChanged]
/// With dollars that are in no total of the base currency.
private let withoutTotals: Set<Situation> = [.guestWithDollars, .freeWithDollars, .guestWithDollarsOnly]
private let withRates: Set<Situation> = [.freshRates, .staleRates, .noRate]
private let premiums: Set<Situation> = withRates.union([.premium, .premiumWithDollars])
private let localPremiums: Set<Situation> = [.premiumWithSyncOff, .premiumWithSyncOffAndChanges]
private let withRetainedCopy = localPremiums.union(expireds)
/// Other devices may have changed the copy since: the cloud cannot be asked.
private let withDoubtfulCopy: Set<Situation> = [.unverified, .unverifiedWhileItRuns]
private let changedBesideCopy: Set<Situation> = [.premiumWithSyncOffAndChanges, .expiredAndChanged]

private let sentences = [
    // The icon that stays, and the settings.
    Sentence("/", "Your data is only on this device. Sign in and upgrade to protect your data.", guests),
    Sentence(
        "/",
        "You are signed in, but your data is NOT backed up to the cloud. Upgrade to Premium to enable cloud backup.",
        frees
    ),
    Sentence("/settings", "Your data is only on this device. Sign in to protect your data.", guests),
    Sentence(
        "/settings",
        "Not signed in – your data is only on this device. Sign in and upgrade to back up your data in the cloud.",
        guests
    ),
    Sentence(
        "/settings",
        "Your data is only on this device. Upgrade to back up your data in the cloud.",
        frees.union([.revokedFree])
    ),
    Sentence("/", "All changes backed up", premiums),
    Sentence("/", "Backup has ended", expireds),
    // The header, the settings and the page of the subscription say the same about a copy that stays.
    Sentence("/", "Your copy in the cloud stays as it was on ", withRetainedCopy),
    Sentence("/settings", "Your copy in the cloud stays as it was on ", withRetainedCopy),
    Sentence("/subscription", "Your copy in the cloud stays as it was on ", withRetainedCopy),
    Sentence("/", "Your copy in the cloud last changed on ", withDoubtfulCopy),
    Sentence("/settings", "Your copy in the cloud last changed on ", withDoubtfulCopy),
    Sentence("/subscription", "Your copy in the cloud last changed on ", withDoubtfulCopy),
    Sentence("/sign-out", "Your copy in the cloud last changed on ", withDoubtfulCopy),
    Sentence("/", "1 change is only on this device.", changedBesideCopy),
    Sentence("/settings", "1 change is only on this device.", changedBesideCopy),
    Sentence("/subscription", "1 change is only on this device.", changedBesideCopy),
    Sentence("/", "Renew your subscription to continue syncing.", expireds),
    Sentence("/", "Switch sync on in the settings to continue.", localPremiums),
    Sentence("/verifying", "NOT backed up", []),
    Sentence("/", "Sync is off", localPremiums),
    Sentence("/", "Verifying subscription...", [.unverified, .unverifiedWhileItRuns]),
    Sentence("/", "Offline", [.offlineAndPending, .cachedRates]),
    Sentence("/", "Syncing your data...", [.draining, .stalled]),
    Sentence(
        "/",
        "The cloud cannot be reached. 1 change is saved here and will be uploaded later.",
        [.draining, .stalled]
    ),
    Sentence("/", "The cloud cannot be reached.", [.offlineAndPending, .draining, .stalled, .cachedRates]),
    Sentence("/verifying", "Verifying account...", [.verifying]),
    Sentence("/verifying", "Nothing on this device has been changed yet.", [.verifying]),
    Sentence("/", upgradeForTotals, withoutTotals),
    Sentence("/accounts", upgradeForTotals, withoutTotals),
    Sentence("/transactions", upgradeForTotals, withoutTotals),
    Sentence("/reports", upgradeForTotals, withoutTotals),
    Sentence("/reports?group=month", upgradeForTotals, withoutTotals),
    Sentence("/reports?group=flow", upgradeForTotals, withoutTotals),
    Sentence("/reports?group=worth", upgradeForTotals, withoutTotals),
    Sentence(
        "/",
        "Nothing spent in EUR so far; spending in other currencies is below.",
        [.guestWithDollarsOnly]
    ),

    // The exchange rates.
    Sentence("/", "Rates of Friday 20 November 2026", [.freshRates, .noRate]),
    Sentence("/accounts", "Rates of Friday 20 November 2026", [.freshRates, .noRate]),
    Sentence("/", "Rates updated 31 hours ago", [.staleRates]),
    Sentence("/accounts", "Rates updated 31 hours ago", [.staleRates]),
    Sentence("/rates", "Rates updated 31 hours ago", [.staleRates]),
    Sentence("/", "Using cached rates from Friday 20 November 2026", [.cachedRates]),
    Sentence("/rates", "Using cached rates from Friday 20 November 2026", [.cachedRates]),
    Sentence("/", "Without a rate, not in the total: ", [.noRate]),
    Sentence("/accounts", "Without a rate, not in the total: ", [.noRate]),
    Sentence(
        "/budgets",
        "1 expense of this month is in a currency without an exchange rate and is not counted.",
        [.noRate]
    ),
    Sentence(
        "/budgets",
        "1 expense of this month is in another currency and is not counted. Upgrade to Premium to track all currencies.",
        withoutTotals
    ),
    Sentence("/", "Sign in again to sync", [.revokedPremium]),
    Sentence("/", "Your session on this device has ended.", [.revokedFree]),
    Sentence(
        "/",
        "Sync has been disabled because your subscription ended. Don't worry, your data is still on this device. "
            + "Renew your subscription to continue syncing.",
        expireds
    ),
    Sentence("/", "No cloud backup found. Your data is stored locally on your other device.", [.newBrowser]),

    // Signing out.
    Sentence(
        "/sign-out",
        "All your data will be permanently deleted. You have no cloud backup.",
        [.free, .freeWithDollars, .newBrowser, .revokedFree]
    ),
    Sentence(
        "/sign-out",
        "I understand that all my data will be permanently lost",
        [.free, .freeWithDollars, .newBrowser, .revokedFree]
    ),
    Sentence(
        "/sign-out",
        "Your data stays in the cloud and comes back at the next sign-in.",
        premiums.union([.revokedPremium, .unverifiedWhileItRuns])
    ),
    Sentence(
        "/sign-out",
        "Your copy in the cloud stays as it was on ",
        withRetainedCopy
    ),
    Sentence("/sign-out", "1 change is only on this device.", changedBesideCopy),
    Sentence(
        "/sign-out",
        "I understand 1 change will be lost",
        changedBesideCopy.union([.offlineAndPending, .cachedRates, .draining, .stalled])
    ),
    Sentence(
        "/sign-out",
        "Cannot upload unsynced data. You have 1 unsynced transaction. These will be lost if you sign out now.",
        [.offlineAndPending, .cachedRates, .draining, .stalled]
    ),
    Sentence(
        "/sign-out",
        "You have unsynced data. Without network, this data will be lost if you sign out now.",
        [.offlineAndPending, .cachedRates, .draining, .stalled]
    ),
    Sentence(
        "/settings",
        "You have unsynced data. Without network, this data will be lost if you sign out now.",
        [.offlineAndPending, .cachedRates, .draining, .stalled]
    ),
    Sentence(
        "/sign-out",
        "Data already on the server is safe.",
        [.offlineAndPending, .cachedRates, .draining, .stalled]
    ),
    Sentence("/sign-out", "It comes back when you sign in with a subscription.", expireds.union([.blocked])),

    // Without an end of the subscription, nothing ends the uploads.
    Sentence("/sync", "still be uploaded through", []),

    // Blocked, the subscription, the account.
    Sentence(
        "/blocked",
        "You have data stored on this account that requires a subscription to access.",
        [.blocked]
    ),
    Sentence("/subscription", "Your data is in the cloud, and none of it is on this device.", [.blocked]),
    Sentence(
        "/subscription",
        "Your data is on this device only.",
        [.free, .freeWithDollars, .newBrowser, .revokedFree]
    ),
    // Nothing is paid for Premium that the operator has granted.
    Sentence("/account/delete", "Cancel your subscription first", []),
    Sentence(
        "/account/delete",
        "Download my book",
        everybody.subtracting(guests).subtracting([.blocked, .verifying])
    ),

    // The sign-in of a guest who has something to lose.
    Sentence("/sign-in", "You have 5 entries on this device.", [.guestWithFive]),
]

private let upgradeForTotals =
    "Upgrade to Breadly Premium to see converted totals in your base currency."

/// A server with its cloud elsewhere, and one browser in a situation.
private final class Stage {
    let running: Running
    let visitor: Visitor
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    private let cloud: CloudServer

    init(_ situation: Situation) throws {
        running = try Running()
        cloud = try running.cloud(in: folder)
        let address = cloud.url
        try running.restart { $0.cloudAddress = address }
        visitor = try running.guest()
        try set(situation)
    }

    deinit {
        cloud.stop(withinSeconds: 0)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func set(_ situation: Situation) throws {
        switch situation {
        case .guest: break
        case .guestWithFive: try record(3); try changeTheSeeded()
        case .free: try enter(visitor, "/sign-up")
        case .premium: try becomePremium()
        case .premiumWithSyncOff: try switchOff()
        case .premiumWithSyncOffAndChanges:
            try switchOff()
            try record(1)
        case .unverified:
            try becomePremium()
            cloud.stop(withinSeconds: 0)
            running.clock.advance(by: 4 * 86_400)
            try running.restart { [address = cloud.url] in $0.cloudAddress = address }
            visitor.port = Int(running.app.port)
        case .unverifiedWhileItRuns:
            try becomePremium()
            cloud.stop(withinSeconds: 0)
            running.clock.advance(by: 4 * 86_400)
        case .offlineAndPending:
            try becomePremium()
            cloud.stop(withinSeconds: 0)
            try record(1)
            try phase("offline")
        case .expired: try expire()
        case .expiredAndChanged:
            try expire()
            _ = try visitor.get("/")
            try record(1)
        case .blocked:
            try becomePremium()
            try operate { _ = try $0.revoke("anna@x.test") }
            let other = running.visitor()
            try enter(other, "/sign-in")
            try until("blocked") {
                try other.get("/status.json").text.contains(#""state":"blocked_no_sync""#)
            }
            visitor.cookies = other.cookies
        case .draining, .stalled:
            try becomePremium()
            cloud.stop(withinSeconds: 0)
            try record(1)
            try phase("offline")
            _ = try visitor.post("/settings/sync", [("sync", "off")])
            try until("draining") {
                try isIn("draining_upload_queue")
            }
            _ = try visitor.get("/")
            guard situation == .stalled else { return }
            running.clock.advance(by: 40)
            try until("stalled") { try visitor.get("/").text.contains("saved here and will be uploaded") }
        case .verifying:
            let other = try running.guest()
            try enter(other, "/sign-up")
            // A cloud that knows the user, and cannot say what it has of theirs.
            try DatabaseQueue(path: folder + "/cloud.sqlite").write {
                try $0.execute(sql: "ALTER TABLE holdings RENAME TO holdings_away")
            }
            try enter(visitor, "/sign-in")
            try #require(try visitor.get("/").header("location") == "/verifying")
        case .guestWithDollars: try addDollars()
        case .guestWithDollarsOnly: try addAccount(in: "USD")
        case .freeWithDollars:
            try enter(visitor, "/sign-up")
            try addDollars()
        case .premiumWithDollars:
            try becomePremium()
            try addDollars()
            try phase("idle")
        case .freshRates, .staleRates, .cachedRates, .noRate: try receiveRates(situation)
        case .revokedFree:
            try enter(visitor, "/sign-up")
            try endSession()
        case .revokedPremium:
            try becomePremium()
            try endSession()
        case .newBrowser:
            try enter(running.guest(), "/sign-up")
            try enter(visitor, "/sign-in")
            try until("local") { try isIn("local_only") }
        }
    }

    /// Dollars with rates of the day before, which the cloud published 21 hours ago.
    private func receiveRates(_ situation: Situation) throws {
        try becomePremium()
        try addDollars()
        if situation == .noRate { try addAccount(in: "RUB") }
        try phase("idle")
        let address = cloud.url
        try running.restartWithRates(
            in: folder,
            settings: {
                $0.premiumForEveryone = false
                $0.cloudAddress = address
            }
        )
        visitor.port = Int(running.app.port)
        try until("rates") { try visitor.get("/").html.first(nil, ["data-rates": ""]) != nil }
        try phase("idle")
        switch situation {
        case .staleRates:
            running.clock.advance(by: 10 * 3_600)
            try until("verified") { try visitor.get("/").text.contains("hours ago") }
            try phase("idle")
        case .cachedRates:
            cloud.stop(withinSeconds: 0)
            _ = try visitor.get("/settings")
            try record(1)
            try phase("offline")
        default: break
        }
    }

    private func enter(_ visitor: Visitor, _ path: String) throws {
        _ = try visitor.get("/sign-in")
        let words = [("email", "anna@x.test"), ("password", password)]
        try #require(try visitor.post(path, words).status == 303)
    }

    private func operate(_ work: (UserAccounts) throws -> Void) throws {
        let accounts = try UserAccounts(folder, dependencies: Running.dependencies(running.clock))
        defer { accounts.close() }
        try work(accounts)
        // The device is not in use: it learns of the change by itself.
        running.clock.advance(by: 50)
    }

    private func becomePremium() throws {
        try enter(visitor, "/sign-up")
        try beginPremium()
        _ = try visitor.get("/")
    }

    func beginPremium() throws {
        try operate { _ = try $0.grant("anna@x.test", through: nil) }
        try phase("idle")
    }

    private func expire() throws {
        try becomePremium()
        try operate { _ = try $0.revoke("anna@x.test") }
        try until("expired") { try isIn("local_only") }
    }

    /// The subscription has ended, and the cloud takes nothing more for a while: the last change waits.
    func whileTheLastChangeWaits(_ look: () throws -> Void) throws {
        try becomePremium()
        // The server looks for changes of operators by itself. If it looks before the change is there, nothing waits, and
        // the subscription begins anew.
        while try !looks(look) {
            try until("local") { try isIn("local_only") }
            try operate { _ = try $0.grant("anna@x.test", through: nil) }
            try phase("idle")
        }
        try until("local") { try isIn("local_only") }
    }

    /// - Returns: whether a change waited.
    private func looks(_ look: () throws -> Void) throws -> Bool {
        let accounts = try UserAccounts(folder, dependencies: Running.dependencies(running.clock))
        _ = try accounts.revoke("anna@x.test")
        accounts.close()
        return try DatabaseQueue(path: folder + "/cloud.sqlite").inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            defer { try? database.execute(sql: "ROLLBACK") }
            try record(1)
            running.clock.advance(by: 50)
            try until("the end is known") { try isIn("draining_upload_queue") || isIn("local_only") }
            guard try isIn("draining_upload_queue") else { return false }
            try look()
            return true
        }
    }

    private func isIn(_ state: String) throws -> Bool {
        try visitor.get("/status.json").text.contains("\"state\":\"\(state)\"")
    }

    /// Another device of the same user.
    func signInElsewhere() throws -> Visitor {
        let other = running.visitor()
        try enter(other, "/sign-in")
        return other
    }

    /// The cloud takes nothing more that makes the account larger.
    func fillAccount() throws {
        try DatabaseQueue(path: folder + "/cloud.sqlite").write {
            try $0.execute(sql: "UPDATE sync_accounts SET bytes = 1 << 50")
        }
    }

    func forgetSessions() throws {
        try DatabaseQueue(path: folder + "/cloud.sqlite").write {
            try $0.execute(sql: "DELETE FROM sessions")
        }
        running.clock.advance(by: 50)
    }

    func stopCloud() { cloud.stop(withinSeconds: 0) }

    /// From now on, the cloud fails where it is to delete an account.
    func refuseDeletions() throws {
        try DatabaseQueue(path: folder + "/cloud.sqlite").write {
            try $0.execute(
                sql: "CREATE TRIGGER stays BEFORE DELETE ON users BEGIN SELECT RAISE(ABORT, 'stays'); END"
            )
        }
    }

    /// Another browser, which is blocked, deletes what the account has in the cloud.
    func deleteServerDataElsewhere() throws {
        let other = running.visitor()
        try enter(other, "/sign-in")
        try until("blocked") { try other.get("/blocked").status == 200 }
        let phrase = [("confirm", "Delete all server data")]
        try #require(try other.post("/blocked/delete-server-data", phrase).status == 303)
        try until("deleted") { try other.get("/").status == 200 }
    }

    private func switchOff() throws {
        try becomePremium()
        _ = try visitor.get("/settings")
        _ = try visitor.post("/settings/sync", [("sync", "off")])
        try until("off") { try isIn("local_only") }
        _ = try visitor.get("/")
        // The cloud's holdings are queried again.
        running.clock.advance(by: 50)
        try until("counted") { try visitor.get("/sign-out").text.contains("Your copy in the cloud stays") }
    }

    /// The cloud knows nothing of the session any more, as one that was put back from a backup.
    fileprivate func endSession() throws {
        try forgetSessions()
        try until("told") { try visitor.get("/settings").text.contains("Sign in again") }
    }

    func record(_ count: Int) throws {
        let account = try #require(try visitor.accounts()["Cash"])
        for number in 0..<count {
            try #require(try visitor.record([("payee", "P\(number)")], account: account).status == 303)
        }
    }

    /// Renames an account and deletes a category: what a new book begins with is the guest's own from then on.
    private func changeTheSeeded() throws {
        let account = try #require(try visitor.accounts()["Cash"])
        _ = try visitor.post("/accounts/\(account)", [("name", "Purse")])
        let category = try #require(try visitor.get("/categories").rows("category").first?["data-id"])
        _ = try visitor.post("/categories/\(category)/delete")
    }

    private func addDollars() throws {
        try addAccount(in: "USD")
        try #require(try visitor.post("/budgets", [("limit", "100"), ("from", "2026-11")]).status == 303)
    }

    private func addAccount(in currency: String) throws {
        _ = try visitor.get("/accounts")
        let account = [("name", currency), ("type", "cash"), ("currency", currency), ("opening", "20")]
        try #require(try visitor.post("/accounts", account).status == 303)
        let id = try #require(try visitor.accounts()[currency])
        try #require(try visitor.record([("currency", currency)], account: id).status == 303)
        _ = try visitor.get("/")
    }

    private func phase(_ phase: String) throws {
        try until(phase) { try visitor.get("/status.json").text.contains("\"phase\":\"\(phase)\"") }
    }

}

@Suite struct Sentences {
    @Test func whoSignsOutJustAfterTheirCopyWasDeletedIsToldThatAllIsLost() throws {
        let stage = try Stage(.expired)
        try stage.deleteServerDataElsewhere()
        #expect(try stage.visitor.get("/sign-out").text.contains("Your copy in the cloud stays"))
        let refused = try stage.visitor.post("/sign-out")
        #expect(refused.status == 422)
        #expect(
            refused.text.contains("All your data will be permanently deleted. You have no cloud backup.")
        )
        #expect(try stage.visitor.get("/").html.body("data-tier") == "free")
    }

    @Test func anEndedSessionPromisesNoSyncThatIsSwitchedOff() throws {
        let stage = try Stage(.premiumWithSyncOffAndChanges)
        try stage.endSession()
        for path in ["/", "/settings"] {
            let page = try stage.visitor.get(path)
            #expect(page.text.contains("Your session on this device has ended."), "\(path)")
            #expect(page.text.contains("1 change is only on this device."), "\(path)")
            #expect(!page.text.contains("syncs again"), "\(path)")
        }
    }

    @Test func pagesAndReportsCountTheSameChanges() throws {
        for situation in [Situation.premiumWithSyncOffAndChanges, .expiredAndChanged, .offlineAndPending] {
            let stage = try Stage(situation)
            #expect(try stage.visitor.get("/settings").html.body("data-pending") == "1", "\(situation)")
            #expect(try stage.visitor.get("/status.json").text.contains(#""pending":1"#), "\(situation)")
        }
    }

    @Test func theSettingsSayOnceThatTheSessionHasEnded() throws {
        let stage = try Stage(.expired)
        try stage.endSession()
        let settings = try stage.visitor.get("/settings").html.first("main")?.text ?? ""
        #expect(settings.ranges(of: "Your session on this device has ended.").count == 1)
        #expect(settings.ranges(of: "Your copy in the cloud").count == 1)
    }

    /// The copy may have been deleted since the cloud was last asked.
    @Test func aCopyThatTheCloudDoesNotConfirmIsNotReliedOn() throws {
        let stage = try Stage(.expired)
        #expect(try stage.visitor.get("/sign-out").text.contains("Your copy in the cloud stays"))
        stage.stopCloud()
        let refused = try stage.visitor.post("/sign-out")
        #expect(refused.status == 422)
        #expect(refused.text.contains("it is not known whether your copy there still exists"))
        #expect(
            !refused.text.contains("stays as it was") && !refused.text.contains("You have no cloud backup")
        )
        let phrase = refused.html.elements.first { $0.attributes.keys.contains("data-phrase") }?.text
        #expect(phrase == "I understand that all my data will be permanently lost")
        #expect(try stage.visitor.post("/sign-out", [("confirm", phrase ?? "")]).status == 303)
        #expect(try stage.visitor.get("/").header("location") == "/onboarding/welcome")
    }

    /// Nothing else tells a device without sync.
    @Test func aCopyThatWasDeletedIsNotNamedForLongOnPagesThatAreRead() throws {
        let stage = try Stage(.expired)
        #expect(try stage.visitor.get("/").text.contains("Your copy in the cloud stays"))
        try stage.deleteServerDataElsewhere()
        stage.running.clock.advance(by: 6)
        try until("it is known") { try !stage.visitor.get("/").text.contains("Your copy in the cloud") }
    }

    /// Both devices upload their books.
    @Test func aNoticeOfNoBackupEndsWithTheBackup() throws {
        let stage = try Stage(.newBrowser)
        #expect(try stage.visitor.get("/").notices == ["no-cloud-backup"])
        try stage.beginPremium()
        #expect(try stage.visitor.get("/").notices == [])
    }

    @Test func theEndOfASubscriptionIsToldOnceTheLastChangeIsUp() throws {
        let stage = try Stage(.guest)
        let notice = "Sync has been disabled because your subscription ended."
        try stage.whileTheLastChangeWaits {
            let page = try stage.visitor.get("/settings").text
            #expect(page.contains("Syncing your data...") && !page.contains(notice))
            // The clock of the test begins on 21 November 2026, and the cloud takes changes for 90 days.
            let deadline =
                "Your subscription ended. The change that waits here can still be uploaded through Friday 19 February 2027. After that it stays on this device until you subscribe again."
            for path in ["/sync", "/subscription"] {
                let text = try stage.visitor.get(path).text
                #expect(text.contains(deadline), "\(path): \(text)")
            }
        }
        #expect(try !stage.visitor.get("/subscription").text.contains("can still be uploaded"))
        let page = try stage.visitor.get("/settings").text
        #expect(page.contains(notice) && !page.contains("Syncing your data..."))
    }

    @Test func aLastDayForUploadsThatIsOverIsNotNamedAsOneToCome() throws {
        let stage = try Stage(.guest)
        try stage.whileTheLastChangeWaits {
            stage.running.clock.advance(by: 91 * 86_400)
            for path in ["/sync", "/subscription"] {
                let text = try stage.visitor.get(path).text
                #expect(text.contains("Friday 19 February 2027 was the last day for uploads."), "\(path)")
                #expect(!text.contains("can still be uploaded"), "\(path)")
                #expect(!text.contains("will be uploaded later"), "\(path)")
            }
            let header = try stage.visitor.get("/").text
            #expect(
                header.contains("the last day for uploads is over")
                    && !header.contains("Syncing your data...")
            )
            let signOut = try stage.visitor.get("/sign-out")
            #expect(signOut.text.contains("was the last day for uploads."))
            #expect(
                signOut.html.form("/sign-out/wait") == nil
                    && !signOut.text.contains("signed out automatically")
            )
        }
    }

    /// Another device may have changed the copy since, which this one learns from the cloud.
    @Test func aCopyThatAnotherDeviceFollowsDoesNotStayAsItWas() throws {
        let stage = try Stage(.premium)
        let other = try stage.signInElsewhere()
        try until("the other one is in step") {
            try other.get("/status.json").text.contains(#""phase":"idle""#)
        }
        _ = try stage.visitor.get("/settings")
        _ = try stage.visitor.post("/settings/sync", [("sync", "off")])
        try until("off") { try stage.visitor.get("/status.json").text.contains("local_only") }
        stage.running.clock.advance(by: 50)
        for path in ["/", "/settings", "/subscription", "/sign-out"] {
            try until("it is known") {
                try stage.visitor.get(path).text.contains("Your copy in the cloud last changed on ")
            }
            let text = try stage.visitor.get(path).text
            #expect(!text.contains("stays as it was"), "\(path)")
            #expect(text.contains("What your other devices have uploaded since sync stopped here"), "\(path)")
        }
    }

    /// A check that is old says nothing of a subscription, and as much as a new one of none.
    @Test(arguments: [Situation.free, .expired, .premiumWithSyncOff, .revokedPremium])
    fileprivate func anOldCheckPromisesNoSync(_ situation: Situation) throws {
        let stage = try Stage(situation)
        stage.stopCloud()
        stage.running.clock.advance(by: 4 * 86_400)
        let texts = try ["/", "/settings", "/subscription"].map { try stage.visitor.get($0).text }
        for text in texts {
            #expect(!text.contains("it syncs again after the next check"))
            #expect(!text.contains("syncs again once the check finds Premium"))
            #expect(!text.contains("All your data is here"))
        }
        let page = try stage.visitor.get("/subscription")
        #expect(page.text.contains("Verifying subscription...") == (situation == .premiumWithSyncOff))
        if situation == .premiumWithSyncOff {
            #expect(page.html.first("a", ["href": "/settings#sync"]) != nil)
            #expect(try stage.visitor.get("/settings").html.form("/settings/sync") != nil)
        }
        if situation == .revokedPremium {
            #expect(page.text.contains("Sign in again to see it."))
        }
    }

    /// No wait would end: the page says why, and leads to the change.
    @Test func aChangeThatTheCloudRefusesIsCountedOnEachPage() throws {
        let stage = try Stage(.premium)
        try stage.fillAccount()
        try stage.record(1)
        let refused = "1 change is only on this device, because the cloud did not accept it."
        try until("it is refused") { try stage.visitor.get("/").text.contains(refused) }
        for path in ["/", "/transactions", "/settings", "/sync", "/sign-out", "/account/delete"] {
            let page = try stage.visitor.get(path)
            #expect(page.html.body("data-pending") == "1", "\(path)")
            #expect(!page.text.contains("All changes backed up"), "\(path)")
            #expect(page.text.contains("See them below") == (path == "/sync"), "\(path)")
        }
        let page = try stage.visitor.get("/sign-out")
        #expect(page.text.contains(refused) && page.text.contains("Your account on the cloud is full"))
        #expect(page.html.form("/sign-out/wait") == nil && page.html.first("a", ["href": "/sync"]) != nil)
        #expect(try stage.visitor.post("/sign-out/wait").status == 303)
        #expect(try !stage.visitor.get("/sign-out").text.contains("signed out automatically"))
    }

    @Test func aPhraseForFewerChangesThanWaitIsAskedAgain() throws {
        let stage = try Stage(.offlineAndPending)
        func phrase(_ page: Reply) -> String? {
            page.html.elements.first { $0.attributes.keys.contains("data-phrase") }?.text
        }
        let first = try #require(phrase(try stage.visitor.get("/sign-out")))
        #expect(first == "I understand 1 change will be lost")
        // Another tab meanwhile.
        try stage.record(1)
        let refused = try stage.visitor.post("/sign-out", [("confirm", first)])
        #expect(refused.status == 422 && refused.refused == ["confirm"])
        #expect(phrase(refused) == "I understand 2 changes will be lost")
        #expect(try stage.visitor.get("/").html.body("data-tier") == "premium")
    }

    /// Nothing would end the wait for the upload: a sign-in comes before it, and it is the safe choice.
    @Test func aSessionThatHasEndedIsBegunAgainBeforeChangesAreGivenUp() throws {
        let stage = try Stage(.revokedPremium)
        try stage.record(1)
        let page = try stage.visitor.get("/sign-out")
        #expect(page.text.contains("I understand 1 change will be lost"))
        let main = try #require(page.html.elements.firstIndex { $0.tag == "main" })
        let ways = page.html.elements.filter {
            $0.ancestors.contains(main) && ["a", "button"].contains($0.tag)
        }
        #expect(ways.first?.text == "Sign in again" && ways.first?["href"] == "/sign-in")
        #expect(page.html.form("/sign-out/wait") == nil)
    }

    /// It would take away what is being typed, and a page without a field looks again by itself.
    @Test func aPageThatAsksForAPhraseDoesNotReloadItself() throws {
        let stage = try Stage(.offlineAndPending)
        func reloadsItself(_ page: Reply) -> Bool {
            page.html.first("meta", ["http-equiv": "refresh"]) != nil
        }
        let asked = try stage.visitor.get("/sign-out")
        #expect(!reloadsItself(asked) && asked.html.first("input", ["name": "confirm"]) != nil)
        #expect(try stage.visitor.post("/sign-out/wait").status == 303)
        let waiting = try stage.visitor.get("/sign-out")
        #expect(reloadsItself(waiting) && waiting.html.first("input", ["name": "confirm"]) == nil)
        #expect(waiting.html.first("a", ["href": "/sign-out?now=1"])?.text == "Sign out now")
        let again = try stage.visitor.get("/sign-out?now=1")
        #expect(!reloadsItself(again) && again.html.first("input", ["name": "confirm"]) != nil)
    }

    /// The cloud may have carried it out.
    @Test func aDeletionThatWasNotAnsweredClaimsNothingAboutTheData() throws {
        let stage = try Stage(.blocked)
        let visitor = stage.visitor
        _ = try visitor.get("/blocked")
        stage.stopCloud()
        _ = try visitor.post("/blocked/delete-server-data", [("confirm", "Delete all server data")])
        try until("the deletion has failed") { try visitor.get("/error").status == 503 }
        let failed = try visitor.get("/error")
        #expect(failed.text.contains("It is not known yet whether your data in the cloud was deleted."))
        for claim in [
            "has not changed", "NOT backed up", "Download my book", "asks the cloud until it knows",
        ] {
            #expect(!failed.text.contains(claim), "\(claim)")
        }
        let ways = failed.html.elements.filter { $0.tag == "button" && $0["type"] == "submit" }.map(\.text)
        #expect(ways == ["Never mind", "Delete it again"])
        #expect(try visitor.post("/error/dismiss").status == 303)
        for path in ["/blocked", "/subscription", "/sign-out"] {
            let page = try visitor.get(path)
            #expect(page.text.contains("it is not known yet whether the data is still there"), "\(path)")
            #expect(!page.text.contains("Subscribe to enable sync"), "\(path)")
            #expect(!page.text.contains("1 transaction"), "\(path)")
        }
    }

    @Test(arguments: [Situation.expired, .premium])
    fileprivate func aDeletionOfTheAccountThatWasNotAnsweredClaimsNothingAboutACopy(situation: Situation)
        throws
    {
        let stage = try Stage(situation)
        let visitor = stage.visitor
        _ = try visitor.get("/account/delete")
        try stage.refuseDeletions()
        let fields = [("confirm", "Delete my account"), ("password", "correct horse battery")]
        _ = try visitor.post("/account/delete", fields)
        try until("the deletion has failed") { try visitor.get("/error").status >= 500 }
        // Otherwise it is asked now what it has.
        stage.stopCloud()
        #expect(try visitor.post("/error/dismiss").status == 303)
        for path in ["/", "/settings", "/subscription", "/sign-out"] {
            let page = try visitor.get(path)
            #expect(page.text.contains("it is not known yet whether the data is still there"), "\(path)")
            for claim in ["stays as it was", "no cloud backup", "NOT backed up", "stays in the cloud"] {
                #expect(!page.text.contains(claim), "\(path): \(claim)")
            }
        }
        #expect(
            try visitor.get("/sign-out").text.contains("All data on this device will be permanently deleted.")
        )
    }

    /// The words of the pages about the subscription and the data may be old.
    @Test func aCloudThatDoesNotAnswerIsNamedWhereTheStatusIs() throws {
        let stage = try Stage(.blocked)
        let words =
            "The cloud has not answered the last question about your account. Breadly keeps trying automatically."
        for path in ["/blocked", "/subscription"] {
            #expect(try !stage.visitor.get(path).text.contains(words), "\(path)")
        }
        #expect(try stage.visitor.get("/subscription").text.contains("Last checked just now."))
        stage.stopCloud()
        stage.running.clock.advance(by: 180)
        for path in ["/blocked", "/subscription"] {
            try until("it is noticed") { try stage.visitor.get(path).text.contains(words) }
        }
        #expect(try stage.visitor.get("/subscription").text.contains("Last checked 3 min ago."))
    }

    /// Nothing of the data is here.
    @Test func aBlockedUserWhoseSessionHasEndedSignsInAgain() throws {
        let stage = try Stage(.blocked)
        try stage.forgetSessions()
        try until("told") { try stage.visitor.get("/blocked").text.contains("Sign in again to continue.") }
        #expect(try !stage.visitor.get("/blocked").text.contains("All your data is here"))
        #expect(try stage.visitor.get("/sign-in").status == 200)
        #expect(try !stage.visitor.get("/account/delete").text.contains("Download my book"))
    }

    @Test func aBlockedUserFindsNoOtherPageAndSignsOut() throws {
        let stage = try Stage(.blocked)
        for path in ["/", "/transactions", "/settings", "/export/breadly.json"] {
            #expect(try stage.visitor.get(path).header("location") == "/blocked", "\(path)")
        }
        let page = try stage.visitor.get("/blocked")
        #expect(page.html.body("data-state") == "blocked_no_sync")
        #expect(page.html.body("data-tier") == "free")
        #expect(page.text.contains("3 accounts") && page.html.first("a", ["href": "/sign-out"]) != nil)
        #expect(try stage.visitor.get("/sign-out").html.form("/sign-out") != nil)
        #expect(try stage.visitor.post("/sign-out").status == 303)
        #expect(try stage.visitor.get("/").header("location") == "/onboarding/welcome")
    }

    @Test func aBlockedUserBeginsAnewWithoutTheDataInTheCloud() throws {
        let stage = try Stage(.blocked)
        let shown = try stage.visitor.get("/blocked").html
        let phrase = "Delete all server data"
        #expect(shown.elements.first { $0.attributes.keys.contains("data-phrase") }?.text == phrase)
        let sent = try stage.visitor.post("/blocked/delete-server-data", [("confirm", phrase)])
        #expect(sent.status == 303)
        try until("deleted") { try stage.visitor.get("/").status == 200 }
        let page = try stage.visitor.get("/accounts")
        #expect(page.html.body("data-state") == "local_only" && page.html.body("data-tier") == "free")
        #expect(page.rows("account").count == 3)
    }

    @Test(arguments: [
        (Situation.premiumWithSyncOffAndChanges, "1"), (.expiredAndChanged, "1"), (.offlineAndPending, "1"),
        (.draining, "1"), (.stalled, "1"), (.unverified, "0"), (.unverifiedWhileItRuns, "0"), (.expired, "0"),
        (.free, "0"),
        (.guestWithFive, "0"),
    ])
    fileprivate func eachPageHasTheNumberOfChangesThatWait(_ situation: Situation, number: String) throws {
        let stage = try Stage(situation)
        for page in ["/", "/transactions", "/settings", "/subscription", "/sign-out", "/no-such-page"] {
            let reply = try stage.visitor.get(page)
            guard [200, 404].contains(reply.status) else { continue }
            #expect(reply.html.body("data-pending") == number, "\(situation), \(page)")
        }
    }

    @Test(arguments: Situation.allCases)
    fileprivate func standWhereTheyAreTrueAndNowhereElse(_ situation: Situation) throws {
        let stage = try Stage(situation)
        for page in Set(sentences.map(\.page)).sorted() {
            let reply = try stage.visitor.get(page)
            let text = [200, 202].contains(reply.status) ? reply.html.first("body")?.text ?? "" : ""
            for sentence in sentences where sentence.page == page {
                let stands = text.contains(sentence.text)
                #expect(
                    stands == sentence.stands.contains(situation),
                    "\(situation), \(page): \(stands ? "says" : "does not say") \"\(sentence.text)\"\n\(text.prefix(900))"
                )
            }
        }
    }
}
