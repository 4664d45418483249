// The engine's own order of things, where no chance would bring it about often enough.
import Foundation
import Ledger
import SyncCore
import SyncEngine
import TestKit
import Testing

@testable import Book

@Suite struct AnEngine {
    @Test func whatIsHeardOfWhileAPageIsOnItsWayIsFetched() throws {
        let path = NSTemporaryDirectory() + "/breadly-engine-\(UUID().uuidString).sqlite"
        let book = try Book.open(at: path) { 1_795_262_400 }
        defer {
            book.close()
            try? FileManager.default.removeItem(atPath: path)
        }
        try book.attach(as: EntityID(high: 1, low: 1), .download)
        var engine = SyncEngine(
            SimulatedStore(book, bug: nil, random: SplitMix(seed: 1)),
            mode: .run,
            random: SplitMix(seed: 1),
            newReplica: { EntityID(high: 1, low: 2) }
        )
        func asked() throws -> SyncRequest? {
            if case .ask(let request) = try engine.next(at: 0) { request } else { nil }
        }
        func page(at head: Int64) -> SyncAnswer {
            .changes(
                ChangesPage(
                    epoch: 1,
                    head: head,
                    cursor: head,
                    hasMore: false,
                    remaining: 0,
                    lastN: 0,
                    rows: []
                )
            )
        }
        let first = try #require(try asked())
        try engine.take(.head(Head(epoch: 1, seq: 7)), to: first, at: 0)
        let all = try #require(try asked())
        try engine.take(page(at: 7), to: all, at: 0)
        let request = try #require(try asked())
        // The page was read at 8; the news of 9 is here before it.
        engine.note(Head(epoch: 1, seq: 9))
        try engine.take(page(at: 8), to: request, at: 0)
        guard case .changes(let query)? = try asked() else {
            Issue.record("nobody asks for what was heard of")
            return
        }
        #expect(query.range == .since(8))
        // Once, also where the news turns out to be of a cloud that is not there any more.
        try engine.take(page(at: 8), to: .changes(query), at: 0)
        #expect(try asked() == nil)
    }
}
