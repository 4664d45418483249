// The walk of one journey: which of its expectations have come true.

import Book
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
    /// The sentences to find, by the place of their expectation.
    private let sentences: [Int: SoughtSentence]
    /// The number of pages that have shown each of them.
    private var seen: [Int: Int] = [:]
    /// The number of expectations that have come true.
    private(set) var reached = 0

    init(_ journey: Journey, _ texts: TextCatalogue) {
        self.journey = journey
        var sentences: [Int: SoughtSentence] = [:]
        for (place, expectation) in journey.expectations.enumerated() {
            guard let (device, part, wordings) = expectation.sentence else { continue }
            sentences[place] = SoughtSentence(
                device: device,
                part: part,
                wordings: wordings.map { text in
                    // "…" stands for any text.
                    texts.string(text).split(separator: "…").map { piece in
                        let escaped = ByteBuffer(capacity: 256)
                        escaped.appendEscaped(String(piece))
                        return escaped.bytes
                    }
                }
            )
        }
        self.sentences = sentences
    }

    var isReached: Bool { reached == journey.expectations.count }

    /// The places of the sentences that are in the words of a part of a page. The words are escaped as in a page.
    func found(in words: ByteBuffer, of device: Int, part: PagePart = .any) -> [Int] {
        sentences.filter { _, sentence in
            sentence.device == device && sentence.part == part
                && sentence.wordings.contains { pieces in pieces.allSatisfy { words.contains($0) } }
        }.map(\.key)
    }

    /// The places of the sentences that a page shows at once.
    func found(on page: PageText, of device: Int) -> [Int] {
        found(in: page.shown, of: device)
            + found(in: page.files, of: device, part: .file)
            + found(in: page.toasts, of: device, part: .toast)
    }

    /// Notes that a page has shown sentences.
    mutating func note(_ places: [Int]) {
        for place in places {
            switch journey.expectations[place] {
            case .readsNext where place > reached, .readsEither where place > reached: continue
            default: break
            }
            seen[place, default: 0] += 1
        }
    }

    /// Notes sentences in a part of a page that is still closed. They count only if a page must never say them.
    mutating func note(folded places: [Int]) {
        for place in places {
            if case .readsNever = journey.expectations[place] { seen[place, default: 0] += 1 }
        }
    }

    /// Takes over how far another copy of the same walk has come.
    mutating func join(_ other: Walk) {
        reached = max(reached, other.reached)
    }

    /// Moves on past each expectation that is true now.
    mutating func check(_ world: World) {
        while reached < journey.expectations.count, isTrue(reached, in: world) {
            reached += 1
        }
    }

    private func isTrue(_ place: Int, in world: World) -> Bool {
        func device(_ number: Int) -> Device? { world.device(number)?.device }
        switch journey.expectations[place] {
        case .reads, .readsNext, .readsEither: return seen[place] != nil
        case .readsOnce: return seen[place] == 1
        case .readsNever: return seen[place] == nil
        case .isIn(let number, let state): return device(number)?.state.name == state
        case .has(let number, let tier): return device(number)?.tier == tier
        case .isInStep(let number): return inStepSince(number, in: world) != nil
        case .isInStepWithin(let number, let seconds):
            guard let since = inStepSince(number, in: world), let returned = world.returnOfCloud else {
                return false
            }
            return (0...seconds).contains(since - returned)
        case .holds(let number, let transactions):
            return content(number, in: world)?.counts.transactions == transactions
        case .sameBooks(let one, let other):
            guard let first = content(one, in: world), first.counts.transactions > 0 else { return false }
            return first == content(other, in: world)
        }
    }
}

extension Walk {
    /// The parts of the page that the steps to do now mean.
    var places: Set<LabPlace> { Set(journey.dueSteps(after: reached).flatMap { $0.step.places }) }
}

/// The words that an expectation looks for in the pages of a device.
private struct SoughtSentence: Sendable {
    let device: Int
    let part: PagePart
    /// The pieces of each wording as they stand in a page; one wording is enough.
    let wordings: [[[UInt8]]]
}

/// The parts of a book by which a walk compares two of them.
private struct BookContent: Equatable {
    let counts: BookCounts
    let accounts: [AccountBalance]
    let newest: [Transaction]
}

extension Walk {
    /// The time of the last answer of the cloud, in UTC seconds, if nothing on a device waits for it; otherwise nil.
    private func inStepSince(_ number: Int, in world: World) -> Int64? {
        guard let device = world.device(number)?.device, let lease = device.glance() else { return nil }
        defer { lease.giveBack() }
        guard let status = device.syncStatus(in: lease.book), status.phase == .idle, status.pending == 0
        else {
            return nil
        }
        return status.syncedAt
    }

    /// The content of the book of a device; nil while the book is closed.
    private func content(_ number: Int, in world: World) -> BookContent? {
        guard let lease = world.device(number)?.device?.glance() else { return nil }
        defer { lease.giveBack() }
        let book = lease.book
        do {
            return BookContent(
                counts: try book.counts(),
                accounts: try book.accountBalances(),
                newest: try book.transactions(TransactionQuery()).page.rows
            )
        } catch { return nil }
    }
}

extension Expectation {
    /// The sentence that pages are searched for, in each of its wordings.
    fileprivate var sentence: (device: Int, part: PagePart, wordings: [Text])? {
        switch self {
        case .reads(let device, let text, let part), .readsNext(let device, let text, let part):
            (device, part, [text])
        case .readsEither(let device, let one, let other): (device, .any, [one, other])
        case .readsOnce(let device, let text), .readsNever(let device, let text): (device, .any, [text])
        case .isIn, .has, .isInStep, .isInStepWithin, .holds, .sameBooks: nil
        }
    }
}
