// All guided journeys, in the order of the list, and the tour through a few of them.

import Texts

enum Journeys {
    /// The journeys that belong together, under a heading.
    struct Group: Sendable {
        /// For its place on the page.
        let id: String
        let label: Text
        let journeys: [Journey]
    }

    static let groups = [
        Group(id: "of-the-product", label: Text("lab.group-product"), journeys: product),
        Group(id: "of-currencies", label: Text("lab.group-currencies"), journeys: currencies),
        Group(id: "of-conflicts", label: Text("lab.group-conflicts"), journeys: conflicts + deletions),
        Group(id: "of-receipts", label: Text("lab.group-receipts"), journeys: receipts),
        Group(id: "of-banks", label: Text("lab.group-banks"), journeys: banks + reconnections),
        Group(id: "of-signing-out", label: Text("lab.group-signing-out"), journeys: signingOut),
        Group(id: "of-safety", label: Text("lab.group-safety"), journeys: safety + cloud),
        Group(id: "of-scenarios", label: Text("lab.group-scenarios"), journeys: scenarios),
    ]

    static let all: [Journey] = groups.flatMap(\.journeys)

    /// Each journey by its id.
    static let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }

    /// The journeys for a first look, each of less than a minute.
    static let tour: [Journey] = [
        "first-visit", "guest-new-account", "goes-premium", "conflict", "sign-out-premium",
    ].compactMap { byID[$0] }
}
