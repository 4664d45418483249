// The script of the journey of currencies and rates: it walks as its card says.

import TestKit
import Testing

extension JourneyWalk {
    static let currencies: [JourneyWalk] = [
        JourneyWalk("currencies") { lab in
            let device = try lab.device(1).open("/accounts").says("Rates of")
            #expect(device.page.place(nil, ["data-converted": ""]) != nil)
            try lab.setRates("Two days old")
            try device.says("Rates updated 45 hours ago")
            try lab.setNetwork(of: 1, "Off")
            try device.says("Using cached rates from")
            try lab.setNetwork(of: 1, "On")
            try lab.setRates("None")
            try device.says("Together, CHF").says("Together, GBP")
            #expect(device.page.place(nil, ["data-converted": ""]) == nil)
            try lab.pressStore("Expire")
            try device.says("Upgrade to Breadly Premium to see converted totals in your base currency.")
            try device.open("/transactions/new")
            let options = device.page.html.all("option").filter { $0.text.contains("Zürich account") }
            let account = try #require(options.first?["value"])
            try device.button(
                "Save",
                typing: ["amount": "12.50", "payee": "Tram", "account": account, "currency": "CHF"]
            )
            .says("This transaction is in CHF and won't be included in your budget totals.")
        }
    ]
}
