// The parts of a lab, and worlds without a server.

import BreadlyApp
import Foundation
import Ledger
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Lab

/// The folder of the program's own files.
let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

/// The same, read once for all labs of the process.
let resources = Resources(folder: repository, cache: ResourceCache())

/// Real seconds that only move by `advance`.
final class Hands: Sendable {
    private let seconds = Mutex<Int64>(0)

    func advance(_ by: Int64) { seconds.withLock { $0 += by } }

    var now: Int64 { seconds.withLock { $0 } }
}

/// The parts of a lab with a clock of its own for the visitors' absence.
func labParts(_ hands: Hands = Hands(), _ change: (inout LabParts.Limits) -> Void = { _ in }) throws
    -> LabParts
{
    var limits = LabParts.Limits()
    limits.clock = { hands.now }
    change(&limits)
    return try resources.labParts(log: .off, seed: 1, limits: limits)
}

/// The guided journeys, as a lab reads them at its start.
let allJourneys: Journeys = {
    do { return try resources.journeys(try resources.texts()) } catch { preconditionFailure("\(error)") }
}()

/// Waits for something that happens in the background.
func eventually(
    _ what: String,
    at place: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let isSo = try await eventuallyBecomesTrue(condition)
    #expect(isSo, "this did not happen: \(what)", sourceLocation: place)
}

extension WorldClock {
    /// The number of pauses under way.
    var pauseCount: Int { state.withLock { $0.sleepers.count } }
}

extension Reviewers {
    /// The number of worlds that have files.
    var worldCount: Int { state.withLock { Array($0.reviewers.values) }.count { $0.now.world != nil } }
}
