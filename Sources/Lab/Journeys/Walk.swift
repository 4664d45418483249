// The walk of one journey: which of its expectations have come true.

import CloudProtocol
import Devices
import Ledger
import Lifecycle
import SyncEngine
import Templates
import Texts

/// The state of a journey for one reviewer.
enum WalkState: String, Sendable {
    case open, staged, reached
}

/// A journey under way.
struct Walk: Sendable {
    let journey: Journey
    /// The sentences to find, as they stand in a page, by the place of their expectation.
    private let sentences: [Int: (device: Int, bytes: [UInt8])]
    private var seen: Set<Int> = []
    /// The number of expectations that have come true.
    private(set) var reached = 0

    init(_ journey: Journey, _ texts: TextCatalogue) {
        self.journey = journey
        var sentences: [Int: (Int, [UInt8])] = [:]
        for (place, expectation) in journey.expectations.enumerated() {
            guard case .reads(let device, let text) = expectation else { continue }
            let escaped = ByteBuffer(capacity: 256)
            escaped.appendEscaped(texts.string(text))
            sentences[place] = (device, escaped.bytes)
        }
        self.sentences = sentences
    }

    var isReached: Bool { reached == journey.expectations.count }

    /// Notes the sentences of a page.
    mutating func note(_ page: ByteBuffer, of device: Int) {
        for (place, sentence) in sentences
        where sentence.device == device && !seen.contains(place) && page.contains(sentence.bytes) {
            seen.insert(place)
        }
    }

    /// Takes over what another copy of the same walk has noted.
    mutating func join(_ other: Walk) {
        seen.formUnion(other.seen)
        reached = max(reached, other.reached)
    }

    /// Moves on past each expectation that is true now.
    mutating func check(_ world: World) {
        while reached < journey.expectations.count, isTrue(reached, in: world) { reached += 1 }
    }

    private func isTrue(_ place: Int, in world: World) -> Bool {
        func device(_ number: Int) -> Device? { world.device(number)?.device }
        switch journey.expectations[place] {
        case .reads: return seen.contains(place)
        case .isIn(let number, let state): return device(number)?.state.name == state
        case .has(let number, let tier): return device(number)?.tier == tier
        case .isInStep(let number):
            guard let device = device(number), let lease = device.leaseIfOpen() else { return false }
            defer { lease.giveBack() }
            let status = device.syncStatus(in: lease.book)
            return status?.phase == .idle && status?.pending == 0
        case .sameBooks(let one, let other):
            let counts = [one, other].map { number -> Int? in
                guard let lease = device(number)?.leaseIfOpen() else { return nil }
                defer { lease.giveBack() }
                return try? lease.book.counts().transactions
            }
            return counts[0] == counts[1] && counts[0] ?? 0 > 0
        }
    }
}
