// The plan of automatic refreshes: its limits, its order, and a simulated week with a clock that stands still.
import Encoding
import Foundation
import Ledger
import TestKit
import Testing

@testable import Devices

private func id(_ number: Int) -> EntityID { EntityID(high: 7, low: UInt64(number)) }

@Suite struct BankSchedules {
    @Test func aDeviceWaitsForItsTimeAndHasOneTurn() {
        var schedule = BankSchedule()
        schedule.add(id(1), on: .use, at: 2_000)
        schedule.add(id(1), on: .use, at: 2_000)
        #expect(schedule.next(at: 1_999) == nil)
        let turn = schedule.next(at: 2_000)
        #expect(turn?.device == id(1) && turn?.occasion == .use)
        #expect(schedule.next(at: 9_000) == nil && schedule.contains(id(1)))
        if let turn { schedule.end(turn, .nothingDue, at: 9_000) }
        #expect(!schedule.contains(id(1)) && schedule.next(at: 99_000) == nil)
    }

    @Test func aVisitDuringATurnOfTheTimerIsNotLost() throws {
        var schedule = BankSchedule()
        schedule.add(id(1), on: .timer, at: 0)
        let next = schedule.next(at: 0)
        let turn = try #require(next)
        schedule.add(id(1), on: .use, at: 0)
        #expect(schedule.next(at: 0) == nil)
        schedule.end(turn, .nothingDue, at: 0)
        #expect(schedule.next(at: 0)?.occasion == .use)
    }

    @Test func aVisitMakesAWaitingDeviceFaster() {
        var schedule = BankSchedule()
        schedule.add(id(1), on: .timer, at: 5_000)
        schedule.add(id(1), on: .use, at: 1_000)
        #expect(schedule.next(at: 1_000)?.occasion == .use)
    }

    /// Each turn refreshes one connection, and then the others have their turn.
    @Test func devicesTakeTurns() throws {
        var schedule = BankSchedule()
        for number in 1...3 { schedule.add(id(number), on: .timer, at: 0) }
        var order: [EntityID] = []
        for _ in 0..<9 {
            let next = schedule.next(at: 0)
            let turn = try #require(next)
            order.append(turn.device)
            schedule.end(turn, .refreshed, at: 0)
        }
        #expect(order == (0..<9).map { id($0 % 3 + 1) })
    }

    @Test func fourTurnsRunAtOnceAndNoTwoOfADevice() throws {
        var schedule = BankSchedule()
        for number in 1...9 { schedule.add(id(number), on: .timer, at: 0) }
        let turns = (0..<4).compactMap { _ in schedule.next(at: 0) }
        #expect(Set(turns.map(\.device)).count == 4 && schedule.next(at: 0) == nil)
        schedule.end(turns[2], .refreshed, at: 0)
        #expect(schedule.next(at: 0)?.device == id(5))
    }

    @Test func visitsComeFirstButTheTimerIsNotForgotten() throws {
        var schedule = BankSchedule()
        schedule.add(id(100), on: .timer, at: 0)
        for number in 1...8 { schedule.add(id(number), on: .use, at: 0) }
        var order: [EntityID] = []
        while let turn = schedule.next(at: 0) {
            order.append(turn.device)
            schedule.end(turn, .nothingDue, at: 0)
        }
        #expect(order == [1, 2, 3, 100, 4, 5, 6, 7, 8].map(id))
    }

    @Test func aPassingStateIsTriedAgainForAMinute() {
        var schedule = BankSchedule()
        var now: Int64 = 0
        schedule.add(id(1), on: .use, at: 0)
        var count = 0
        while let turn = schedule.next(at: now) {
            count += 1
            schedule.end(turn, .notYet, at: now)
            #expect(schedule.next(at: now + 1_999) == nil)
            now += 2_000
        }
        #expect(count == 31 && !schedule.contains(id(1)))
    }

    @Test func aClockThatIsSetBackHoldsNothingUp() {
        var schedule = BankSchedule()
        schedule.add(id(1), on: .use, at: 90_000_000)
        #expect(schedule.next(at: 1_000)?.device == id(1))
    }

    @Test func theConnectionThatWasTriedLeastRecentlyIsNext() {
        func candidate(_ number: Int, readAt: Int64?, triedAt: Int64? = nil) -> BankCandidate {
            var plan = BankRefreshPlan()
            if let triedAt { plan.began(at: triedAt) }
            return BankCandidate(id: id(number), plan: plan, readAt: readAt)
        }
        func next(_ candidates: [BankCandidate]) -> EntityID? {
            BankCandidate.next(of: candidates, on: .use, at: noon, perDay: 4)
        }
        // The first one fails all the time.
        let failing = candidate(1, readAt: noon - 90_000, triedAt: noon - 7_200)
        let other = candidate(2, readAt: noon - 10_000)
        #expect(next([failing, other]) == id(2))
        #expect(next([failing, candidate(2, readAt: noon - 10)]) == id(1))
        #expect(next([candidate(3, readAt: nil), failing, other]) == id(3))
        #expect(next([candidate(1, readAt: noon - 10)]) == nil)
    }

    @Test func theTimerSpreadsRefreshesOverTheDay() {
        let plan = BankRefreshPlan()
        func isDue(_ seconds: Int64, _ perDay: Int) -> Bool {
            plan.isDue(on: .timer, at: noon, readAt: noon - seconds, perDay: perDay)
        }
        #expect(!isDue(21_599, 4) && isDue(21_600, 4) && !isDue(86_399, 1) && isDue(86_400, 1))
        var tried = plan
        tried.began(at: noon - 21_599)
        #expect(!tried.isDue(on: .timer, at: noon, readAt: noon - 90_000, perDay: 4))
        #expect(tried.isDue(on: .use, at: noon, readAt: noon - 90_000, perDay: 4))
        #expect(plan.isDue(on: .timer, at: noon, readAt: nil, perDay: 1))
    }

    @Test(arguments: [1, 4])
    func theNextTimeIsTheFirstOneAtWhichARefreshIsDue(perDay: Int) throws {
        var plan = BankRefreshPlan()
        var (now, readAt): (Int64, Int64?) = (noon, nil)
        // Every third refresh fails, and the provider asks for some hours then.
        for number in 0..<12 {
            let next = try #require(plan.nextAt(after: now, readAt: readAt, perDay: perDay))
            #expect(next >= now)
            for time in stride(from: now, to: next, by: 300) {
                #expect(!plan.isDue(on: .timer, at: time, readAt: readAt, perDay: perDay), "\(number)")
            }
            #expect(plan.isDue(on: .timer, at: next, readAt: readAt, perDay: perDay), "\(number)")
            now = next
            plan.began(at: now)
            if number % 3 == 0 {
                plan.failed(at: now, until: now + 10_000, isAutomatic: true)
            } else {
                plan.succeeded()
                readAt = now
            }
        }
    }

    @Test func timesOfAClockThatWasSetBackCountForNothing() {
        var plan = BankRefreshPlan()
        plan.began(at: noon + 30 * day)
        plan.failed(at: noon + 30 * day, until: nil, isAutomatic: true)
        for occasion in [BankOccasion.use, .timer] {
            #expect(plan.isDue(on: occasion, at: noon, readAt: noon + 30 * day, perDay: 1))
        }
        // A clock that is a little ahead does not allow two within an hour.
        plan = BankRefreshPlan()
        plan.began(at: noon + 60)
        #expect(!plan.isDue(on: .use, at: noon, readAt: nil, perDay: 4))
        plan.began(at: noon)
        #expect(plan.automaticAt == [noon + 60, noon])
    }
}

/// A week of devices with connections that are slow, fail and have limits of their providers.
private struct SimulatedWeek {
    struct Connection {
        var plan = BankRefreshPlan()
        var readAt: Int64?
        var failsOften = false
        var startedAt: [Int64] = []
        var succeededAt: [Int64] = []
        /// The beginnings of the refreshes that succeeded.
        var readStarts: [Int64] = []
    }

    struct Device {
        var perDay: Int
        var seenAt: Int64
        /// Whether the user visits the device at all.
        var isUsed: Bool
        var isLocked = false
        var connections: [Connection]
    }

    enum Event {
        case round
        case use(Int)
        case lock(Int)
        case end(BankSchedule.Turn, Int, Int)
    }

    var random: SplitMix
    var schedule = BankSchedule()
    var devices: [Device] = []
    /// Sorted by time, in seconds.
    var events: [(at: Int64, event: Event)] = []
    var now = noon
    var turns = 0
    var running = 0
    var violations: [String] = []

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
        for _ in 0..<Int.random(in: 2...7, using: &random) {
            let connections = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                var connection = Connection()
                connection.failsOften = Int.random(in: 0..<4, using: &random) == 0
                connection.readAt = noon - Int64.random(in: 0..<100_000, using: &random)
                return connection
            }
            let isUsed = Bool.random(using: &random)
            devices.append(
                Device(
                    perDay: Bool.random(using: &random) ? 4 : 1,
                    seenAt: noon - Int64.random(in: 0..<50 * day, using: &random),
                    isUsed: isUsed,
                    connections: connections
                )
            )
            let index = devices.count - 1
            if isUsed { add(.use(index), after: Int64.random(in: 0..<day, using: &random)) }
            if Int.random(in: 0..<5, using: &random) == 0 {
                add(.lock(index), after: Int64.random(in: 0..<7 * day, using: &random))
            }
        }
        add(.round, after: 0)
    }

    mutating func add(_ event: Event, after seconds: Int64) {
        let at = now + seconds
        let place = events.firstIndex { $0.at > at } ?? events.endIndex
        events.insert((at, event), at: place)
    }

    mutating func run() {
        while !events.isEmpty, events[0].at < noon + 7 * day {
            let (at, event) = events.removeFirst()
            now = at
            switch event {
            case .round:
                for index in devices.indices where devices[index].seenAt > now - DeviceManager.unseenSeconds {
                    schedule.add(id(index), on: .timer, at: now * 1_000)
                }
                add(.round, after: 300)
            case .use(let index):
                devices[index].seenAt = now
                schedule.add(id(index), on: .use, at: now * 1_000)
                add(.use(index), after: Int64.random(in: 60..<60_000, using: &random))
            case .lock(let index): devices[index].isLocked = true
            case .end(let turn, let index, let connection):
                running -= 1
                schedule.end(turn, .refreshed, at: now * 1_000)
                end(index, connection)
            }
            begin()
        }
    }

    private mutating func end(_ index: Int, _ number: Int) {
        var connection = devices[index].connections[number]
        let fails = Int.random(in: 0..<10, using: &random) < (connection.failsOften ? 8 : 1)
        if fails {
            let until = Bool.random(using: &random) ? now + Int64.random(in: 1..<90_000, using: &random) : nil
            connection.plan.failed(at: now, until: until, isAutomatic: true)
        } else {
            connection.plan.succeeded()
            connection.readAt = now
            connection.succeededAt.append(now)
            if let start = connection.startedAt.last { connection.readStarts.append(start) }
        }
        devices[index].connections[number] = connection
    }

    private mutating func begin() {
        while let turn = schedule.next(at: now * 1_000) {
            turns += 1
            guard let index = devices.indices.first(where: { id($0) == turn.device }) else { continue }
            let device = devices[index]
            let candidates = device.connections.enumerated().map {
                BankCandidate(id: id($0.offset), plan: $0.element.plan, readAt: $0.element.readAt)
            }
            let next = BankCandidate.next(of: candidates, on: turn.occasion, at: now, perDay: device.perDay)
            guard !device.isLocked, let number = device.connections.indices.first(where: { id($0) == next })
            else {
                schedule.end(turn, .nothingDue, at: now * 1_000)
                continue
            }
            if device.seenAt <= now - 30 * day { violations.append("device \(index) was not seen for long") }
            devices[index].connections[number].plan.began(at: now)
            devices[index].connections[number].startedAt.append(now)
            // Some providers need ten minutes.
            let isSlow = Int.random(in: 0..<20, using: &random) == 0
            add(
                .end(turn, index, number),
                after: isSlow ? 600 : Int64.random(in: 1..<20, using: &random)
            )
            running += 1
            if running > 4 { violations.append("\(running) turns at once") }
        }
    }

    /// Checks the limits of the whole week.
    mutating func check() {
        for (index, device) in devices.enumerated() {
            for (number, connection) in device.connections.enumerated() {
                let name = "connection \(number) of device \(index)"
                let starts = connection.startedAt
                for (place, start) in starts.enumerated() {
                    if place > 0, start - starts[place - 1] < 3_600 {
                        violations.append("\(name): two within an hour")
                    }
                    func count(_ starts: [Int64]) -> Int { starts.count { (0..<day).contains(start - $0) } }
                    if count(starts) > 4 || count(connection.readStarts) > device.perDay {
                        violations.append("\(name): too many within a day")
                    }
                }
                guard !device.isLocked, !connection.failsOften, connection.plan.failureCount == 0 else {
                    continue
                }
                let isSeen = device.isUsed || device.seenAt > noon - 23 * day
                if isSeen, connection.succeededAt.count < 3 {
                    violations.append("\(name): \(connection.succeededAt.count) refreshes in a week")
                }
                if !device.isUsed, device.seenAt <= noon - 30 * day, !starts.isEmpty {
                    violations.append("\(name): refreshed without a user")
                }
            }
        }
    }
}

@Suite struct SimulatedBankWeeks {
    @Test func everyWeekKeepsTheLimitsAndForgetsNothing() {
        let first = ProcessInfo.processInfo.environment["FIRST_SEED"].flatMap { UInt64($0) } ?? 1
        var (turns, refreshes) = (0, 0)
        for seed in first..<first + 40 {
            var week = SimulatedWeek(seed: seed)
            week.run()
            week.check()
            turns += week.turns
            refreshes += week.devices.flatMap(\.connections).map(\.startedAt.count).reduce(0, +)
            #expect(week.violations.isEmpty, "seed \(seed): \(week.violations.prefix(5))")
        }
        print("bank refreshes: 40 weeks from seed \(first), \(turns) turns, \(refreshes) refreshes")
        #expect(refreshes > 1_000)
    }

    /// Without visits, a premium user's bank is refreshed four times a day, and another one's once.
    @Test(arguments: [(4, 21_600), (1, 86_400)] as [(Int, Int64)])
    func theTimerAloneRefreshesAsOftenAsItMay(perDay: Int, interval: Int64) {
        var (schedule, plan, readAt) = (BankSchedule(), BankRefreshPlan(), noon)
        var starts: [Int64] = []
        for now in stride(from: noon, through: noon + 3 * day, by: 300) {
            schedule.add(id(1), on: .timer, at: now * 1_000)
            while let turn = schedule.next(at: now * 1_000) {
                let candidate = BankCandidate(id: id(2), plan: plan, readAt: readAt)
                let next = BankCandidate.next(of: [candidate], on: .timer, at: now, perDay: perDay)
                if next != nil {
                    starts.append(now)
                    plan.began(at: now)
                    plan.succeeded()
                    readAt = now
                }
                schedule.end(turn, next == nil ? .nothingDue : .refreshed, at: now * 1_000)
            }
        }
        #expect(starts == (1...3 * perDay).map { noon + Int64($0) * interval })
    }
}
