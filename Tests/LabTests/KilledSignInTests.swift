// Signing in while the process dies at an effect: the browser ends on the page on which it ends without that.

import TestKit
import Testing

/// A guest who signs in to one kind of account, and the effects on the way.
private struct KilledSignIn: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The journey whose stage has the account.
    let journey: String
    let device: Int
    let effects: [String]
    let entersBefore: Bool
    /// The page of the device at the end, with a sentence on it.
    let end: (path: String, sentence: String, state: String)

    static let all = [
        KilledSignIn(
            testDescription: "a new account",
            journey: "guest-new-account",
            device: 1,
            effects: ["move_to_account"],
            entersBefore: false,
            end: ("/transactions", "Bakery on the square", "local_only")
        ),
        KilledSignIn(
            testDescription: "an account with nothing in the cloud",
            journey: "welcome-existing-account",
            device: 2,
            effects: ["ask_cloud", "clear_book", "seed_defaults"],
            entersBefore: true,
            end: ("/", Sentence.nothingInTheCloud, "local_only")
        ),
        KilledSignIn(
            testDescription: "an account whose subscription has ended",
            journey: "blocked-subscribe",
            device: 2,
            effects: ["ask_cloud", "clear_book"],
            entersBefore: true,
            end: ("/", Sentence.needsSubscription, "blocked_no_sync")
        ),
        KilledSignIn(
            testDescription: "an account with premium",
            journey: "guest-existing-account",
            device: 3,
            effects: ["ask_cloud", "clear_book", "attach_sync"],
            entersBefore: true,
            end: ("/transactions", "Bakery on the square", "synced")
        ),
    ]
}

@Suite struct KilledSignIns {
    private static let lost = "You have signed in, but the answer did not reach this browser."

    @Test(.sharedDemo, arguments: KilledSignIn.all)
    private func endWhereAnUndisturbedOneEnds(_ account: KilledSignIn) throws {
        let reviewer = try WalkingReviewer(port: try #require(SharedDemo.port))
        for effect in account.effects {
            try reviewer.setStage(of: account.journey)
            let device = try reviewer.device(account.device)
            if account.entersBefore { try device.says("Get started").onboard().record("Mine") }
            try reviewer.kill(account.device, at: effect)
            try device.cloudLink("Sign in").signIn()
            try reviewer.waits(
                for: account.end.sentence,
                orFor: Self.lost,
                on: account.end.path,
                of: account.device
            )
            // The process may have died before its answer to the sign-in was sent, and says so.
            if device.page.shows(Self.lost) {
                try device.link("Sign in again to open your book").signIn()
                try reviewer.waits(for: account.end.sentence, on: account.end.path, of: account.device)
            }
            try device.has("body", ["data-state": account.end.state])
            try #require(try !reviewer.isKillDue(of: account.device), "it never came to \(effect)")
        }
        try reviewer.leave()
    }
}
