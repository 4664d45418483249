// The journeys of the entitlements: one for each scenario.

extension Journeys {
    static let scenarios: [Journey] = []
}
