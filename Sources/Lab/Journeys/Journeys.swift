// All guided journeys, in the order of the list.

import Texts

enum Journeys {
    /// The journeys that belong together, under a heading.
    struct Group: Sendable {
        let label: Text
        let journeys: [Journey]
    }

    static let groups = [
        Group(label: Text("lab.group-product"), journeys: product),
        Group(label: Text("lab.group-conflicts"), journeys: conflicts),
        Group(label: Text("lab.group-receipts"), journeys: receipts),
        Group(label: Text("lab.group-banks"), journeys: banks),
        Group(label: Text("lab.group-signing-out"), journeys: signingOut),
        Group(label: Text("lab.group-safety"), journeys: safety),
        Group(label: Text("lab.group-scenarios"), journeys: scenarios),
    ]

    static let all: [Journey] = groups.flatMap(\.journeys)
}
