// A guided journey: its story, the stage to set, the steps to click, and the signs that all is well.

import BankFeeds
import Ledger
import Texts

/// One card of the list of journeys.
struct Journey: Sendable {
    /// The place in the specification that a journey shows.
    enum Source: Hashable, Sendable {
        /// A row of the table of what happens to data.
        case safety(Int)
        /// A journey of the product.
        case journey(Int)
        /// A row of the table of signing out.
        case signOut(Int)
        /// A scenario of the entitlements, such as `14b`.
        case scenario(String)
        /// Bank connections.
        case banks
        /// Two devices that change the same.
        case conflicts
        /// Files beside transactions.
        case receipts
        /// Several currencies, and the rates between them.
        case currencies
        /// Changes that the cloud does not accept.
        case refusals
    }

    /// For its address: `guest-new-account`.
    let id: String
    let sources: [Source]
    let title: Text
    /// The course of the journey, and why it matters.
    let story: Text
    let world: WorldKind
    /// The steps of the lab after the world is made, in order.
    let stage: [StageStep]
    let steps: [JourneyStep]
    let expectations: [Expectation]
    /// The number of the step by which each expectation comes true, from 1 and never less than the one before.
    let turns: [Int]

    init(
        _ id: String,
        _ sources: [Source],
        _ title: Text,
        _ story: Text,
        in world: WorldKind,
        stage: [StageStep] = [],
        steps: [JourneyStep],
        expecting expectations: [Expectation],
        at turns: [Int]
    ) {
        self.id = id
        self.sources = sources
        self.title = title
        self.story = story
        self.world = world
        self.stage = stage
        self.steps = steps
        self.expectations = expectations
        self.turns = turns
    }
}

extension Journey {
    /// Whether a step means the third device.
    var needsThirdDevice: Bool { steps.contains { $0.places.contains(.device(3)) } }

    /// Whether the reviewer chooses a file of a receipt.
    var needsReceipt: Bool { sources.contains(.receipts) }

    /// The steps that lead to the next expectation, with their numbers; none at the end.
    /// - Parameter reached: how many expectations have come true.
    func dueSteps(after reached: Int) -> [(number: Int, step: JourneyStep)] {
        guard turns.indices.contains(reached) else { return [] }
        let last = turns[reached]
        let first = reached == 0 ? 1 : min(turns[reached - 1] + 1, last)
        return steps.enumerated().compactMap { place, step in
            first <= place + 1 && place + 1 <= last ? (number: place + 1, step: step) : nil
        }
    }
}

/// A step of a journey, which the reviewer takes.
struct JourneyStep: Sendable {
    let text: Text
    /// The parts of the page in which the reviewer presses or reads something.
    let places: [LabPlace]
}

/// A part of the page of the lab that a step can mean.
enum LabPlace: Hashable, Sendable {
    case device(Int)
    /// The buttons below a device.
    case network(Int)
    case kill(Int)
    case session(Int)
    case clock, store, cloud, rates, bank
}

/// Something that the lab does to a world: by a button, or to set the stage.
enum StageStep: Hashable, Sendable {
    case advance(TimeStep)
    case line(Int, LineState)
    case cloud(LineState)
    case store(StoreAction)
    /// The store sells to the user of a device.
    case customer(Int)
    case rates(RateState)
    case bank(DemoBank.Behaviour)
    case kill(Int, KillPoint)
    /// The effect of the device fails once, for want of room on the disk.
    case fail(Int, KillPoint)
    /// The cloud no longer accepts the session of the device, as after a year without use. Nothing is locked.
    case expireSession(Int)
}

/// A step of the clock.
enum TimeStep: String, CaseIterable, Sendable {
    case hour = "1h"
    case day = "1d"
    case fourDays = "4d"
    case eightDays = "8d"

    var milliseconds: Int64 {
        switch self {
        case .hour: 3_600_000
        case .day: 86_400_000
        case .fourDays: 4 * 86_400_000
        case .eightDays: 8 * 86_400_000
        }
    }
}

/// A sign that a journey has gone well. The signs come true in their order.
enum Expectation: Sendable {
    /// A page of the device has shown the sentence in one of its parts since the stage was set. An argument
    /// `Expectation.any` stands for every text.
    case reads(Int, Text, in: PagePart = .any)
    /// A page of the device has shown the sentence since the sign before this one came true.
    case readsNext(Int, Text, in: PagePart = .any)
    /// A page of the device has shown one of two sentences since the sign before this one came true.
    case readsEither(Int, Text, Text)
    /// A page of the device has shown the sentence, and only one.
    case readsOnce(Int, Text)
    /// No page of the device has shown the sentence.
    case readsNever(Int, Text)
    /// Nothing on the device waits for the cloud, and that was so within so many seconds of the return of the cloud.
    case isInStepWithin(Int, seconds: Int64)
    /// The device is in a state, such as `local_only`.
    case isIn(Int, String)
    /// The device's user has these rights.
    case has(Int, Tier)
    /// Nothing on the device waits for the cloud.
    case isInStep(Int)
    /// The book of the device has this many transactions.
    case holds(Int, transactions: Int)
    /// The books of two devices have the same accounts, numbers of rows and newest transactions, and more than none.
    case sameBooks(Int, Int)
}

extension Expectation {
    /// A part of a sentence that can be any text, such as a day that depends on the reviewer's steps.
    static let any = Text.Argument.string("…")
}
