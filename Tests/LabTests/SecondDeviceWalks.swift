// The scripts of the journeys in which a second device has a part in the same entry or account: each walks as its card
// says.

import TestKit
import Testing

extension JourneyWalk {
    static let secondDevice: [JourneyWalk] = [
        JourneyWalk("reconnect-a-bank") { lab in
            let first = try lab.device(1).open("/settings").link("Banks", isWhole: false)
                .link("Connect a bank").consentToLindenbank()
            try first.link("Choose accounts").button("Save").says("Accounts joined to the bank")
            try lab.waits(for: "Everyday account", on: "/accounts", of: 2)
            let second = try lab.device(2).says("Not connected on this device")
            try #require(second.page.accountRows(named: "Everyday account").count == 1)
            try second.link("Everyday account", isWhole: false).link("Reconnect").consentToLindenbank()
            try second.open("/accounts").says("as of today")
            try #require(second.page.accountRows(named: "Everyday account").count == 1)
        },
        JourneyWalk("delete-against-edit") { lab in
            let first = try lab.device(1).open("/transactions")
            let row = try #require(first.page.transactions.first)
            let id = try #require(first.page.html.elements[row]["data-id"])
            let entry = "/transactions/\(id)"
            try first.open(entry).button("Save", typing: ["note": "for Sunday"]).says("Transaction changed")
                .cloudSays(Sentence.oneChangeWaits)
            try lab.device(2).open(entry).button("Delete transaction").says("Transaction deleted")
            try lab.openSync(on: 2)
            try lab.setNetwork(of: 1, "On")
            try first.open("/").link("Review").says("deleted this while you changed it.").says("for Sunday")
                .button("Leave it deleted").says("There is nothing to decide.")
        },
    ]
}

extension WalkingDevice {
    /// From the page with the providers: a consent at the bank of the demo.
    @discardableResult
    fileprivate func consentToLindenbank() throws -> Self {
        try button("Connect with Lindenbank (demo)").link("Continue at Lindenbank (demo)").button("Allow")
            .says("Bank connected")
    }
}

extension SeenPage {
    /// The rows of accounts with a name.
    fileprivate func accountRows(named name: String) -> [Int] {
        places(nil, ["data-kind": "account"]).filter { html.elements[$0].text.contains(name) }
    }
}
