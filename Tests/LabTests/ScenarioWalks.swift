// The scripts of the scenarios of the entitlements: each walks as its card says.

import TestKit
import Testing

extension JourneyWalk {
    static let scenarios: [JourneyWalk] = subscriptions + changes

    /// The scenarios of the subscription and of its cache.
    private static let subscriptions: [JourneyWalk] = [
        JourneyWalk("scenario-1") { lab in
            try lab.device(1).cloudLink("Sign in").signIn(as: ben).cloudSays(Sentence.notBackedUp)
        },
        JourneyWalk("scenario-2") { lab in
            try lab.device(1).cloudSays(Sentence.notBackedUp).cloudLink("See Premium").button("Check again")
                .says("Checked: you do not have Premium")
        },
        JourneyWalk("scenario-3") { lab in
            try lab.device(1).cloudLink("See Premium").button("Subscribe (demo)").says(Sentence.activated)
        },
        JourneyWalk("scenario-4") { lab in
            try lab.device(1).says("Backed up").checkAgain().says("You have Premium")
        },
        JourneyWalk("scenario-5") { lab in
            try lab.device(1).cloudSays("The cloud cannot be reached.").record("Bakery")
                .cloudSays(Sentence.oneChangeWaits)
            try lab.setNetwork(of: 1, "On")
        },
        JourneyWalk("scenario-6") { lab in
            try lab.device(1).says("Verifying subscription...").record("Bakery")
            try lab.setNetwork(of: 1, "On")
        },
        JourneyWalk("scenario-7") { lab in
            try lab.device(1).cloudSays("The cloud cannot be reached.").record("Bakery")
            try lab.setNetwork(of: 1, "On")
            try lab.device(1).says(Sentence.ended)
        },
        JourneyWalk("scenario-8") { lab in
            try lab.device(1).settings().says("Verifying subscription...").says("Signed in as")
            try lab.setNetwork(of: 1, "On")
            try lab.device(1).says("Backed up")
        },
        JourneyWalk("scenario-9") { lab in
            for number in 1...2 { try lab.device(number).says(Sentence.ended) }
            try lab.device(1).record("Bakery")
            try lab.device(2).record("Market")
            try lab.pressStore("Subscribe")
            try lab.device(1).says(Sentence.activated)
        },
        JourneyWalk("scenario-10") { lab in
            try lab.device(1).settings().button("Switch sync off").says("Sync is off")
            try lab.kill(1)
            try lab.device(1).checkAgain().says("You have Premium").cloudSays("Sync is off.")
        },
    ]

    /// The scenarios from the switch of sync on: switched, signed out, renewed, and bought at a bad time.
    private static let changes: [JourneyWalk] = [
        JourneyWalk("scenario-11") { lab in
            let device = try lab.device(1).settings().button("Switch sync off")
            try device.waits { $0.state == "local_only" }
            try device.record("Bakery")
            try lab.device(2).record("Market")
            try device.settings().button("Switch sync on")
                .says("Sync is on. What is only on this device will be uploaded and merged.")
        },
        JourneyWalk("scenario-12") { lab in
            try lab.setNetwork(of: 1, "Off")
            try lab.device(1).record("Bakery").settings().button("Switch sync off")
                .says("Syncing your data...")
            try lab.setNetwork(of: 1, "On")
            try lab.device(1).cloudSays("Sync is off.")
        },
        JourneyWalk("scenario-13") { lab in
            try lab.device(3).link("Sign in").signIn().says("Downloading your data...")
        },
        JourneyWalk("scenario-14") { lab in
            try lab.device(1).says("Backed up")
            try lab.expireSession(of: 1)
            try lab.device(1).says("Sign in again to sync").record("Bakery").says("Sign in again to sync")
        },
        JourneyWalk("scenario-14b") { lab in
            try lab.device(1).record("Bakery")
            try lab.device(2).settings().link("Signed-in devices")
                .button("Sign out Anna’s phone", isWhole: false)
            try lab.setNetwork(of: 1, "On")
            try lab.device(1).says("Sign in as anna@example.com to open this book").signIn()
        },
        JourneyWalk("scenario-15") { lab in
            try lab.device(1).record("Bakery")
            try lab.device(2).record("Market")
            try lab.device(1).settings().link("Sign in again").signIn()
        },
        JourneyWalk("scenario-16") { lab in
            try lab.device(1).says("Backed up")
            try lab.setCloud("Off")
            try lab.device(1).record("Bakery").cloudSays(Sentence.oneChangeWaits)
            try lab.waits(forFirst: 1)
            try lab.setCloud("On")
        },
        JourneyWalk("scenario-17") { lab in
            try lab.device(1).says("Backed up")
            try lab.pressStore("Refund")
            try lab.device(1).says(Sentence.ended).cloudLink("See Premium")
                .says("Your subscription was revoked")
        },
        JourneyWalk("scenario-18") { lab in
            try lab.device(1).says("Backed up")
            try lab.pressStore("Renew")
            try lab.device(1).cloudLink("Subscription")
                .says("It renews automatically on Wednesday 20 January 2027.")
        },
        JourneyWalk("scenario-19") { lab in
            try lab.device(1).says("Not backed up")
            try lab.pressStore("Approval pending")
            try lab.device(1).settings().says("Waiting for approval")
            try lab.pressStore("Subscribe")
            try lab.device(1).says(Sentence.activated)
        },
        JourneyWalk("scenario-20") { lab in
            try lab.device(1).says("Not backed up")
            try lab.pressStore("Subscribe")
            let device = try lab.device(1).says(Sentence.activated)
            try device.checkAgain().says("You have Premium").button("Check again").says("You have Premium")
            #expect(!device.page.html.elements.contains { $0.text.contains(Sentence.activated) })
        },
        JourneyWalk("scenario-21") { lab in
            let device = try lab.device(1).link("Sign in").signIn(as: ben)
                .says("Which currency do you mostly use?")
            try lab.pressStore("Subscribe")
            try device.onboard().says(Sentence.activated)
        },
        JourneyWalk("scenario-21-restart") { lab in
            try lab.kill(1)
            try lab.pressStore("Subscribe")
            try lab.device(1).says(Sentence.activated)
        },
    ]
}

extension WalkingDevice {
    /// Checks the subscription once more, from the sheet of the cloud.
    fileprivate func checkAgain() throws -> Self { try cloudLink("Subscription").button("Check again") }
}
