// The documents that the product comes from, in rows that a reviewer can check one by one.

import Texts

/// A statement of a document: a row of a table, a scenario, a rule, or a step of a flow.
struct CoverageRow: Sendable {
    /// The statement in short.
    let claim: Text
    /// The way in which Breadly has it on the web.
    let ours: Text
    /// The ids of the journeys that show it.
    let journeys: [String]
    /// Where else it can be seen.
    let places: [CoveragePlace]
    /// Why `ours` differs from `claim`; empty if it does not.
    let rulings: [Ruling]

    init(
        _ claim: Text,
        ours: Text,
        journeys: [String] = [],
        at places: [CoveragePlace] = [],
        rulings: [Ruling] = []
    ) {
        self.claim = claim
        self.ours = ours
        self.journeys = journeys
        self.places = places
        self.rulings = rulings
    }

    /// How far the reviewer has come: the best state of its journeys. Nil without any.
    /// - Parameter states: of all journeys, by their ids.
    func state(_ states: [String: WalkState]) -> WalkState? {
        guard !journeys.isEmpty else { return nil }
        let own = journeys.compactMap { states[$0] }
        return own.contains(.reached) ? .reached : own.contains(.staged) ? .staged : .open
    }
}

/// The rows under one heading of a document.
struct CoverageSection: Sendable {
    let title: Text
    let rows: [CoverageRow]
}

/// One of the documents.
struct CoverageDocument: Sendable {
    /// For links to it: `tiers`.
    let id: String
    let title: Text
    let sections: [CoverageSection]
}
