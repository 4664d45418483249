// A journey as a card: its steps, its signs, and how far the reviewer has come.

import Links
import Templates
import Texts

/// A journey as a card.
struct JourneyCard: TemplateModel {
    /// The id of the heading of the card on stage.
    static let headingID = "journey-title"
    let journey: Journey
    let state: WalkState
    /// The number of expectations that have come true: in the walk on stage or, without one, at most in one walk.
    let reached: Int
    let mark: JourneyMark?
    /// The journey to walk after this one, once it is walked.
    let next: Journey?
    /// Whether this was the last journey of the tour that was left to walk.
    let endsTour: Bool
    /// Whether the steps to do now lead the card, because it is on stage.
    let leads: Bool
    /// The event that has ended the walk on stage early.
    let interruption: Interruption?

    /// - Parameter journeys: all journeys, of which one follows this one.
    init(_ journey: Journey, of journeys: Journeys, _ present: Reviewer.Present, leads: Bool = false) {
        let walk = present.walk.flatMap { $0.journey.id == journey.id ? $0 : nil }
        self.journey = journey
        self.leads = leads
        interruption = leads ? present.interruption : nil
        state = present.state(of: journey)
        mark = present.marks[journey.id]
        reached = walk?.reached ?? mark?.most ?? 0
        next = state == .reached ? present.journey(after: journey, of: journeys) : nil
        endsTour =
            state == .reached && journeys.tour.contains { $0.id == journey.id }
            && journeys.tour.allSatisfy { present.marks[$0.id]?.isWalked == true }
    }

    /// Whether it was walked to its end, now or before.
    var isWalked: Bool { mark?.isWalked == true }

    static let keys = Keys<JourneyCard>()
        .text("id") { $0.journey.id }
        .address("stage", head: Link.labJourneyStage.head, tail: Link.labJourneyStage.tail) { $0.journey.id }
        .message("title") { $0.journey.title }
        .message("story") { $0.journey.story }
        .messages("sources") { $0.journey.sources.map(\.label) }
        .list("steps", of: StepLine.self) { card in
            let due = card.due.map { $0.number }
            return card.journey.steps.enumerated().map { place, step in
                StepLine(text: step.text, isDue: due.contains(place + 1))
            }
        }
        .list("expectations", of: ExpectationLine.self) { card in
            card.journey.expectations.enumerated().map { place, expectation in
                ExpectationLine(
                    text: expectation.label,
                    isReached: place < card.reached || card.state == .reached,
                    isNext: card.leads && place == card.reached
                )
            }
        }
        .text("state") { $0.state.rawValue }
        .message("state_label") { $0.state.label }
        .optionalMessage("mark") { $0.markText }
        .flag("leads") { $0.leads }
        .text("heading_id") { _ in headingID }
        .optionalMessage("interrupted") { $0.interruption?.text }
        .text("interruption_key") { $0.interruption?.key ?? "" }
        .model("lead", of: JourneyLead.self) { $0.lead }
        .flag("ends_tour") { $0.endsTour }
        .model("next", of: NextJourney.self) { $0.next.map { NextJourney(journey: $0) } }
        .flag("needs_receipt") { $0.journey.needsReceipt }
        .optionalMessage("patience") { $0.journey.world == .bigBook ? Text("lab.first-big-book") : nil }

    private var due: [(number: Int, step: JourneyStep)] { leads ? journey.dueSteps(after: reached) : [] }

    private var lead: JourneyLead? {
        let due = due
        guard let first = due.first, journey.expectations.indices.contains(reached) else { return nil }
        return JourneyLead(
            first: first.number,
            steps: due.map { $0.step.text },
            sign: journey.expectations[reached].label
        )
    }

    /// How often it was walked or, before that, how far; and when.
    private var markText: Text? {
        guard let mark else { return nil }
        let time = Text.Argument.string(LabState.time(mark.at * 1_000))
        if mark.isWalked { return Text("lab.walked-times", ["count": .count(mark.walks), "time": time]) }
        let (reached, all) = ("\(mark.most)", "\(journey.expectations.count)")
        return Text("lab.signs-so-far", ["reached": .string(reached), "all": .string(all), "time": time])
    }
}

/// An instruction for the reviewer, and whether it is the next one.
struct StepLine: TemplateModel {
    let text: Text
    /// Whether it leads to the next sign.
    let isDue: Bool

    static let keys = Keys<StepLine>()
        .message("text") { $0.text }
        .flag("is_due") { $0.isDue }
}

/// An expectation of a journey, with its check mark.
struct ExpectationLine: TemplateModel {
    let text: Text
    let isReached: Bool
    /// Whether it comes true next.
    let isNext: Bool

    static let keys = Keys<ExpectationLine>()
        .message("text") { $0.text }
        .flag("is_reached") { $0.isReached }
        .flag("is_next") { $0.isNext }
}

/// The steps to do now, and the sign that follows them.
struct JourneyLead: TemplateModel {
    /// The number of the first step.
    let first: Int
    let steps: [Text]
    let sign: Text

    static let keys = Keys<JourneyLead>()
        .integer("first") { Int64($0.first) }
        .messages("steps") { $0.steps }
        .message("sign") { Text("lab.next-sign", ["sign": .text($0.sign)]) }
}

/// The button for the journey after a walked one.
struct NextJourney: TemplateModel {
    let journey: Journey

    static let keys = Keys<NextJourney>()
        .address("stage", head: Link.labJourneyStage.head, tail: Link.labJourneyStage.tail) { $0.journey.id }
        .message("label") { Text("lab.next-journey", ["title": .text($0.journey.title)]) }
}
