// The scripts of the journeys of a cloud that has lost data or refuses changes: each walks as its card says.

import TestKit
import Testing

extension JourneyWalk {
    static let cloud: [JourneyWalk] = [
        JourneyWalk("data-deleted-elsewhere") { lab in
            try lab.signInFromWelcome(on: 3).says(Sentence.needsSubscription)
                .unfold("Delete all server data").confirm("Delete all server data")
            try lab.waits(forFirst: 3)
            try lab.pressStore("Subscribe")
            try lab.waits(forFirst: 4)
            try lab.setNetwork(of: 1, "On")
            let device = try lab.device(1)
                .says("All data of your account was deleted from the cloud on another device")
            try device.cloudLink("Sync").says("Your data on the server was deleted on another device.")
                .button("Upload this device’s data")
            try lab.openSync(on: 1).says("All caught up")
            try lab.waits(for: "Bakery on the square", on: "/transactions", of: 3)
        },
        JourneyWalk("change-refused") { lab in
            let device = try lab.device(1).record("Lemon tart").record("Lime pie").cloudLink("Sync")
            let areRefused = try device.tab.becomes { tab in
                let buttons = tab.page.places("button").map { tab.page.html.elements[$0].text }
                return buttons.count { $0.hasPrefix("Retry L") } == 2
            }
            try #require(areRefused, "\(device.page.words)")
            try device.says("Some changes were not accepted. See them below.")
                .says("Your account on the cloud is full: it may hold 1 GB.")
                .button("Revert Lime pie", isWhole: false).says("The change was reverted")
            try #require(!device.page.shows("Lime pie"))
            let signs = try lab.report().expectations
            try #require(signs == [true, true, true, false, false, false])
            try lab.setCloud("On")
            try device.button("Retry Lemon tart", isWhole: false)
            try lab.openSync(on: 1).says("All caught up")
            try lab.waits(for: "Lemon tart", on: "/transactions", of: 2)
            let second = try lab.device(2)
            try #require(!second.page.shows("Lime pie"))
        },
    ]
}
