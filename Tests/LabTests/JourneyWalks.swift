// The scripts of the journeys of the product, of banks and conflicts, of signing out and of safety: each walks as its card
// says.

import TestKit
import Testing

/// The script of a card.
struct JourneyWalk: Sendable, CustomTestStringConvertible {
    /// The id of the card.
    let journey: String
    let script: @Sendable (WalkingReviewer) throws -> Void

    init(_ journey: String, _ script: @escaping @Sendable (WalkingReviewer) throws -> Void) {
        (self.journey, self.script) = (journey, script)
    }

    var testDescription: String { journey }
}

/// Sentences that several journeys wait for.
enum Sentence {
    static let notBackedUp = "You are signed in, but your data is NOT backed up to the cloud."
    static let activated = "Premium activated! Cloud sync is on."
    static let ended = "Sync has been disabled because your subscription ended."
    static let needsSubscription = "requires a subscription to access."
    static let nothingInTheCloud = "No cloud backup found."
    static let oneChangeWaits = "1 change is waiting here and will be uploaded later."
    static let consentIsNeeded = "A bank needs your consent again."
}

extension WalkingReviewer {
    /// Signs in on a new device.
    @discardableResult
    func signInFromWelcome(on number: Int, as person: String = anna) throws -> WalkingDevice {
        try device(number).says("Get started").link("Sign in").signIn(as: person)
    }

    /// Waits for the check mark of the cloud, and opens the page behind it.
    @discardableResult
    func openSync(on number: Int) throws -> WalkingDevice {
        try device(number).has("button", ["data-look": "check"]).cloudLink("Sync")
    }

    /// Finds all twelve transactions of the guest.
    func findAllTwelve() throws {
        let device = try device(1).open("/transactions")
        let areThere = try device.tab.becomes { $0.page.transactions.count == 12 }
        try #require(areThere, "\(device.page.words)")
    }

    /// Opens the page of signing out from the settings.
    @discardableResult
    func openSignOut() throws -> WalkingDevice { try device(1).open("/settings").link("Sign out") }
}

extension SeenPage {
    /// The rows of transactions in sight.
    var transactions: [Int] {
        places(nil, ["data-kind": "transaction", "data-id": ""]).filter { isInSight($0) }
    }
}

extension JourneyWalk {
    /// The scripts of all cards.
    static let all: [JourneyWalk] = [
        arrival, existingAccount, premium, ofEntries, receipts, currencies, secondDevice, signingOut, safety,
        cloud, scenarios,
    ].flatMap { $0 }

    static let arrival: [JourneyWalk] = [
        JourneyWalk("first-visit") { lab in
            try lab.device(1).says("Get started").onboard()
            try lab.device(1).cloudSays("Your data is only on this device.")
        },
        JourneyWalk("guest-new-account") { lab in
            try lab.device(1).cloudLink("Sign in").says("You have 12 entries on this device.").signIn()
            try lab.findAllTwelve()
            try lab.device(1).cloudSays(Sentence.notBackedUp)
        },
        JourneyWalk("welcome-new-account") { lab in
            try lab.signInFromWelcome(on: 1, as: ben).onboard().cloudSays(Sentence.notBackedUp)
        },
    ]

    static let existingAccount: [JourneyWalk] = [
        JourneyWalk("welcome-existing-account") { lab in
            try lab.signInFromWelcome(on: 2).says(Sentence.nothingInTheCloud)
        },
        JourneyWalk("existing-premium") { lab in
            let device = try lab.signInFromWelcome(on: 2).says("Downloading your data...")
            try device.has("progress", ["max": ""]).button("Go to my book").record("While it arrives")
            // A hundred thousand rows can take some minutes.
            for _ in 0..<4 where try lab.report().expectations.contains(false) {
                _ = try becomesTrue { try lab.report().expectations.allSatisfy(\.self) }
            }
        },
        JourneyWalk("blocked-subscribe") { lab in
            try lab.signInFromWelcome(on: 2).says(Sentence.needsSubscription)
                .link("Subscribe").button("Subscribe (demo)")
        },
        JourneyWalk("blocked-delete") { lab in
            try lab.signInFromWelcome(on: 2).says(Sentence.needsSubscription)
                .unfold("Delete all server data").confirm("Delete all server data")
        },
        JourneyWalk("blocked-sign-out") { lab in
            try lab.signInFromWelcome(on: 2).says(Sentence.needsSubscription)
                .link("Sign out").button("Sign out").says("Get started")
        },
    ]

    static let premium: [JourneyWalk] = [
        JourneyWalk("goes-premium") { lab in
            try lab.device(1).cloudLink("See Premium").button("Subscribe (demo)").says(Sentence.activated)
            try lab.openSync(on: 1).says("All caught up")
        },
        JourneyWalk("guest-goes-premium") { lab in
            try lab.device(1).cloudLink("Sign in").signIn()
                .cloudLink("See Premium").button("Subscribe (demo)").says(Sentence.activated)
        },
        JourneyWalk("expires") { lab in
            let device = try lab.device(1).record("On its way")
            try lab.pressStore("Expire")
            let isSyncing = try device.tab.becomes { tab in
                tab.page.html.first(nil, ["data-cloud-label": ""])?.text == "Syncing your data..."
            }
            try #require(isSyncing, "\(device.page.words)")
            try device.says(Sentence.ended)
            try lab.device(2).says(Sentence.ended)
        },
        JourneyWalk("subscribes-again") { lab in
            try lab.device(1).says(Sentence.ended).record("First").record("Second")
            try lab.device(2).record("Third")
            try lab.device(1).cloudLink("See Premium").button("Subscribe (demo)").says(Sentence.activated)
            for number in 1...2 {
                for payee in ["First", "Second", "Third"] {
                    try lab.waits(for: payee, on: "/transactions", of: number)
                }
            }
        },
        JourneyWalk("deletes-account") { lab in
            let device = try lab.device(1).open("/settings").link("Delete the account")
            try device.signIn().confirm("Delete my account").says("Get started")
            try lab.device(2)
                .says("Your account was deleted, so its data was removed from this device as well.")
        },
        JourneyWalk("lost-device") { lab in
            try lab.device(1).record("Lost").cloudSays(Sentence.oneChangeWaits)
            let device = try lab.signInFromWelcome(on: 3).has("button", ["data-look": "check"])
            try device.open("/transactions")
            try #require(!device.page.transactions.isEmpty && !device.page.shows("Lost"))
        },
    ]

    /// The journeys of one entry or account: of a bank, and of a conflict.
    static let ofEntries: [JourneyWalk] = [
        JourneyWalk("connect-a-bank") { lab in
            let device = try lab.device(1).open("/settings").link("Banks", isWhole: false)
                .link("Connect a bank").button("Connect with Lindenbank (demo)")
                .link("Continue at Lindenbank (demo)")
            try #require(device.tab.address.hasPrefix("/lab/bank?"))
            try device.button("Allow").says("Bank connected").says("Everyday account").says("Travel card")
            try device.has(nil, ["data-kind": "bank-connection", "data-bank-state": "connected"])
            let known = try device.bankBalances()
            try #require(known.count == 3)
            try lab.setBank("Down")
            try device.button("Refresh").says("The provider cannot be reached.")
            // The earlier "Refreshed" is not that of the next step.
            try #require(try lab.report().expectations.prefix(4) == [true, true, true, false])
            try #require(try device.bankBalances() == known)
            try lab.setBank("Works")
            try lab.moveClock("+1 day")
            try device.open("/banks").button("Refresh").says("Refreshed")
            try lab.setBank("Consent ends")
            try device.open("/banks").button("Refresh").says(Sentence.consentIsNeeded)
            try device.open("/").says(Sentence.consentIsNeeded)
            try device.open("/banks").link("Reconnect").button("Connect with Lindenbank (demo)")
                .link("Continue at Lindenbank (demo)").button("Allow").says("Bank connected")
            try #require(device.page.place(nil, ["data-notice": "bank-consent-ended"]) == nil)
            try device.has(nil, ["data-kind": "bank-connection", "data-bank-state": "connected"])
            try device.unfold("Disconnect").button("Disconnect now")
                .says("Disconnected. What the bank reported was removed from this device.")
            try #require(device.page.place(nil, ["data-amount": ""]) == nil)
        },
        JourneyWalk("conflict") { lab in
            let device = try lab.device(1).open("/").link("Review").says("Two devices changed the same value")
            let conflict = try #require(device.page.place(nil, ["data-kind": "conflict"]))
            let (page, buttons) = (device.page, device.page.places("button", in: conflict))
            let other = try #require(
                buttons.first { page.html.elements[$0]["class"]?.contains("primary") == false }
            )
            let line = try #require(page.html.elements[other].ancestors.last)
            let chosen = page.html.elements[try #require(page.place("strong", in: line))].text
            try device.tab.press(other)
            try device.says("Decided. It counts here, and on your other devices as soon as they have it.")
                .says("There is nothing to decide.")
            try lab.waits(for: chosen, on: "/transactions", of: 2)
            // The other device counts once both books are the same.
            try lab.waits(forFirst: 6)
            try lab.device(2).open("/transactions").says(chosen)
        },
    ]

    static let signingOut: [JourneyWalk] = [
        JourneyWalk("sign-out-guest") { lab in
            let device = try lab.device(1).open("/settings").says("Sign in to protect your data.")
            #expect(!device.page.html.elements.contains { $0.text.lowercased().contains("sign out") })
        },
        JourneyWalk("sign-out-free") { lab in
            try lab.openSignOut()
                .says("All your data will be permanently deleted. You have no cloud backup.")
                .confirm("Sign out").says("Get started")
        },
        JourneyWalk("sign-out-premium") { lab in
            try lab.openSignOut().button("Sign out").says("Get started")
        },
        JourneyWalk("sign-out-pending") { lab in
            try lab.device(1).record("On its way")
            try lab.openSignOut().says("Uploading 0 of 1 transactions...")
                .button("Sign out when everything is uploaded").says("Get started")
        },
        JourneyWalk("sign-out-unreachable") { lab in
            try lab.device(1).record("Stuck").cloudSays("1 change is waiting here")
            try lab.openSignOut().says("Cannot upload unsynced data.")
                .confirm("Sign out now").says("Get started")
        },
        JourneyWalk("sign-out-sync-off") { lab in
            try lab.device(1).open("/settings").button("Switch sync off").says("Switch sync on")
                .record("Only here")
            try lab.openSignOut().says("1 change is only on this device.")
                .confirm("Sign out").says("Get started")
        },
        JourneyWalk("sign-out-offline") { lab in
            try lab.device(1).record("Stuck").cloudSays("1 change is waiting here").open("/settings")
                .says("You have unsynced data. Without network, this data will be lost if you sign out now.")
            try lab.setNetwork(of: 1, "On")
            try lab.openSync(on: 1)
        },
    ]

    static let safety: [JourneyWalk] = [
        JourneyWalk("guest-existing-account") { lab in
            try lab.device(3).says("Get started").onboard().record("Mine").cloudLink("Sign in")
                .says("You have 1 entry on this device.").says("Download my book").signIn()
        },
        JourneyWalk("expires-offline") { lab in
            let device = try lab.device(1).record("One").record("Two").cloudSays("2 changes are waiting here")
            try lab.pressStore("Expire")
            try lab.device(2).says(Sentence.ended)
            try device.has("body", ["data-state": "synced"])
            try lab.setNetwork(of: 1, "On")
            try device.says(Sentence.ended)
        },
        JourneyWalk("killed-while-moving") { lab in
            try lab.device(1).cloudLink("Sign in").signIn()
            try lab.waits(for: "Bakery on the square", on: "/transactions", of: 1)
            try lab.findAllTwelve()
            try lab.device(1).cloudSays(Sentence.notBackedUp)
        },
        JourneyWalk("killed-with-changes") { lab in
            try lab.device(1).record("Saved").cloudSays("1 change is waiting here")
            try lab.kill(1)
            try lab.waits(for: "Saved", on: "/transactions", of: 1)
            try lab.setNetwork(of: 1, "On")
            try lab.openSync(on: 1)
        },
        JourneyWalk("killed-while-signing-out") { lab in
            try lab.openSignOut().confirm("Sign out")
            try lab.waits(for: "Get started", on: "/", of: 1)
        },
        JourneyWalk("migration-fails") { lab in
            try lab.device(1).cloudLink("Sign in").signIn().says("A step did not finish").button("Retry")
            try lab.findAllTwelve()
        },
        JourneyWalk("stale-error") { lab in
            try lab.device(1).cloudLink("Sign in").signIn().says("A step did not finish")
            try lab.moveClock("+1 day")
            try lab.kill(1)
            try lab.findAllTwelve()
        },
        JourneyWalk("not-verified") { lab in
            let device = try lab.signInFromWelcome(on: 2).says("Verifying account...")
            try #require(device.page.place(.button, "Cancel") == nil)
            try lab.moveClock("+1 hour")
            try device.says("This is taking longer than usual")
            try #require(device.page.place(.button, "Cancel") != nil)
            try lab.setNetwork(of: 2, "On")
            // It also asks by itself, and may have been answered by then.
            try device.says(Sentence.nothingInTheCloud)
        },
        JourneyWalk("two-at-once") { lab in
            let first = try lab.device(1).cloudLink("Sign in").link(provider)
            let second = try lab.device(2).says("Get started").link("Sign in").link(provider)
            let choice = try #require(first.page.place(.button, anna, isWhole: false))
            // Device 1 makes the account, because its user is a moment ahead.
            try first.tab.press(choice) {
                try first.waits { $0.tier == "free" }
                try second.button(anna, isWhole: false)
            }
            try first.cloudSays(Sentence.notBackedUp)
            try second.says(Sentence.nothingInTheCloud)
        },
    ]
}
