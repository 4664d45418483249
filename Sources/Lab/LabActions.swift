// The buttons of the lab: each form changes the reviewer's world and returns to the page.

import BankFeeds
import Devices
import HTTPServer
import Ledger
import Links
import SyncCore

/// `POST /lab/worlds`: makes a world, in place of the present one if there is one.
enum WorldChange {
    static func answer(_ call: LabCall) -> Response {
        guard let kind = call.form.first("world").flatMap({ WorldKind(rawValue: $0) }) else {
            return call.malformed()
        }
        let (reviewers, reviewer, lab) = (call.lab.reviewers, call.reviewer, call.lab)
        return call.lab.later { () async throws(LabError) in
            try await reviewers.renew(reviewer, kind)
        } then: { _, result in
            if case .failure(let error) = result { return lab.problem(error) }
            return .seeOther(Link.lab.text)
        }
    }
}

/// `POST /lab/clock`: moves the clock of the world forward.
enum ClockMove {
    static func answer(_ call: LabCall) -> Response {
        guard let step = call.form.first("by").flatMap({ TimeStep(rawValue: $0) }) else {
            return call.malformed()
        }
        return call.perform(.advance(step))
    }
}

/// `POST /lab/network`: changes the line of a device or of the cloud.
enum LineChange {
    static func answer(_ call: LabCall) -> Response {
        guard let state = call.form.first("state").flatMap({ LineState(rawValue: $0) }),
            let place = call.form.first("device")
        else { return call.malformed() }
        if place == "cloud" { return call.perform(.cloud(state)) }
        guard let number = call.number(place) else { return call.malformed() }
        return call.perform(.line(number, state))
    }
}

/// `POST /lab/store`: lets something happen to the subscription, or chooses the device of its user.
enum StoreEvent {
    static func answer(_ call: LabCall) -> Response {
        if let customer = call.form.first("customer") {
            guard let number = call.number(customer) else { return call.malformed() }
            return call.perform(.customer(number))
        }
        guard let action = call.form.first("action").flatMap({ StoreAction(rawValue: $0) }) else {
            return call.malformed()
        }
        return call.perform(.store(action))
    }
}

/// `POST /lab/rates`: publishes exchange rates.
enum RatesChange {
    static func answer(_ call: LabCall) -> Response {
        guard let state = call.form.first("state").flatMap({ RateState(rawValue: $0) }) else {
            return call.malformed()
        }
        return call.perform(.rates(state))
    }
}

/// `POST /lab/bank/behaviour`: changes the behaviour of the bank.
enum BankBehaviourChange {
    static func answer(_ call: LabCall) -> Response {
        guard let behaviour = call.form.first("state").flatMap({ DemoBank.Behaviour(rawValue: $0) }) else {
            return call.malformed()
        }
        return call.perform(.bank(behaviour))
    }
}

/// `POST /lab/kill`: lets the process of a device die, now or at an effect.
enum Kill {
    static func answer(_ call: LabCall) -> Response {
        guard let number = call.form.first("device").flatMap({ call.number($0) }),
            let point = KillPoint(rawValue: call.form.first("effect") ?? KillPoint.now.rawValue)
        else { return call.malformed() }
        return call.perform(.kill(number, point))
    }
}

/// `POST /lab/session`: lets the session of a device expire.
enum SessionEnd {
    static func answer(_ call: LabCall) -> Response {
        guard let number = call.form.first("device").flatMap({ call.number($0) }) else {
            return call.malformed()
        }
        return call.perform(.expireSession(number))
    }
}

/// `POST /lab/journeys/ID/stage`: makes the world of a journey, and sets its stage.
enum JourneyStage {
    static func answer(_ call: LabCall, _ id: Slug) -> Response {
        guard let journey = call.lab.parts.journeys.byID[id.text] else {
            return call.lab.page(ProblemPage(.notFound, call.lab.assets), .notFound)
        }
        let (lab, reviewer) = (call.lab, call.reviewer)
        return lab.later { () async throws(LabError) in
            let world = try await lab.reviewers.renew(reviewer, journey.world)
            try await world.start()
            for step in journey.stage { try await world.perform(step) }
            let walk = Walk(journey, lab.parts.texts)
            reviewer.present.withLock { present in
                if present.world === world { present.walk = walk }
            }
        } then: { _, result in
            if case .failure(let error) = result { return lab.problem(error) }
            // Two devices fit on most screens: the first and the second, or another device that is named.
            let link = journey.needsThirdDevice ? Link.lab.adding(query: [("device", "3")]) : .lab
            // A browser gives the focus to the heading of the new card, also without a script.
            return .seeOther(link.adding(fragment: JourneyCard.headingID).text)
        }
    }
}

extension LabCall {
    /// Performs a step in the reviewer's world, then returns to the page of the lab.
    func perform(_ step: StageStep) -> Response {
        let (lab, reviewer, page) = (lab, reviewer, pageOfForm)
        // A state before the button counts, even if it lasts for a second only.
        reviewer.check()
        return lab.later { () async throws(LabError) in
            let world = try await lab.reviewers.world(of: reviewer)
            // Before the step: it may lead to the death that an earlier press has armed.
            world.killReport.clear()
            try await world.perform(step)
            world.killReport.note(step)
        } then: { _, result in
            if case .failure(let error) = result { return lab.problem(error) }
            return .seeOther(page.text)
        }
    }

    /// The page of the lab, which shows the device that it showed before the button.
    private var pageOfForm: Link {
        guard let shown = form.first("shown").flatMap({ number($0) }) else { return .lab }
        return .lab.adding(query: [("device", "\(shown)")])
    }

    /// The number of a device in a form.
    func number(_ text: String) -> Int? {
        Int(text).flatMap { (1...LabParts.mostDevices).contains($0) ? $0 : nil }
    }

    /// The page for a form with a value that no button sends.
    func malformed() -> Response { lab.page(ProblemPage(.malformed, lab.assets), .unprocessable) }
}

extension World {
    /// The longest time that a stage waits for the start of a device, in milliseconds of the world.
    private static let startMilliseconds: Int64 = 5_000

    /// Starts the prepared devices, so that they follow the clock and the store without a page.
    func start() async throws(LabError) {
        for device in devices where device.token != nil {
            _ = try await device.start()
            // A stage that kills a process must not meet it in the midst of its start, from which the next one would
            // resume: it begins with idle devices, and no answer about a subscription is under way.
            guard let device = device.device else { continue }
            try? await device.waitUntilIdle(withinMilliseconds: Self.startMilliseconds)
            _ = await device.verify(withinMilliseconds: Self.startMilliseconds)
        }
    }

    /// A device that has not started yet does not know its user.
    private func startIfPrepared(_ number: Int) async throws(LabError) {
        if device(number)?.token != nil { _ = try await device(number)?.start() }
    }

    /// Does what a button does.
    /// - Throws: `notPossible` without an account for the store or a purchase to refund, without a session to expire, or
    ///   at the end of the clock; `failed`.
    func perform(_ step: StageStep) async throws(LabError) {
        switch step {
        case .advance(let step):
            guard clock.advance(milliseconds: step.milliseconds) else { throw .notPossible(.clock) }
        case .line(let number, let state): device(number)?.line.set(state)
        case .cloud(let state): setCloud(state)
        case .customer(let number):
            try await startIfPrepared(number)
            setCustomer(number)
        case .store(let action): try perform(action)
        case .rates(let state): setRates(state)
        case .bank(let behaviour): bank.set(behaviour)
        case .kill(let number, let point): await device(number)?.kill(at: point)
        case .fail(let number, let point): device(number)?.fail(at: point)
        case .expireSession(let number):
            try await startIfPrepared(number)
            try expireSession(of: number)
        }
    }
}
