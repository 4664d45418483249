// The journey of currencies and rates: fresh, old, cached and without any, and then without Premium.

import Ledger
import Texts

extension Journeys {
    static let currencies: [Journey] = [
        Journey(
            "currencies",
            [.currencies],
            Text("journeys.currencies"),
            Text("journeys.currencies-story"),
            in: .threeCurrencies,
            steps: [
                JourneyStep(Text("journeys.currencies-1"), .device(1)),
                JourneyStep(Text("journeys.currencies-2"), .rates, .device(1)),
                JourneyStep(Text("journeys.currencies-3"), .network(1), .device(1)),
                JourneyStep(Text("journeys.currencies-4"), .network(1), .rates, .device(1)),
                JourneyStep(Text("journeys.currencies-5"), .store, .device(1)),
                JourneyStep(Text("journeys.currencies-6"), .device(1)),
            ],
            expecting: [
                .reads(1, Text("rates.of-day", ["day": Expectation.any])),
                // The rates of two days ago were published 45 hours before the beginning of a world.
                .reads(1, Text("rates.updated-hours-ago", ["count": .count(45)])),
                .reads(1, Text("rates.cached-from", ["day": Expectation.any])),
                .reads(1, Text("accounts.together-currency", ["currency": .string("CHF")])),
                .reads(1, Text("chrome.upgrade-for-totals")), .has(1, .free),
                .reads(1, Text("transactions.left-out-of-budgets", ["currency": .string("CHF")])),
            ],
            at: [1, 2, 3, 4, 5, 5, 6]
        )
    ]
}
