// The simulation in numbers: many seeds without a fault, and each fault that is put in is caught.
import Foundation
import Synchronization
import Testing

/// How many seeds there are to be; `SEEDS` says otherwise.
private let seeds = ProcessInfo.processInfo.environment["SEEDS"].flatMap { Int($0) } ?? 100
private let firstSeed = ProcessInfo.processInfo.environment["FIRST_SEED"].flatMap { UInt64($0) } ?? 1

/// The result of a simulated life.
private struct Life {
    var steps = 0
    var faults: [String: Int] = [:]
    var violation: String?
    var trace: [String] = []
}

private func live(_ seed: UInt64, _ bug: Bug? = nil, length: Int = 120) -> Life {
    var life = Life()
    do {
        let world = try World(seed: seed, bug: bug)
        defer { world.close() }
        do { try world.live(length) } catch { life.violation = "\(error)" }
        life.steps = world.trace.count
        life.faults = world.faults
        life.trace = world.trace
    } catch { life.violation = "\(error)" }
    return life
}

@Suite struct Simulation {
    @Test func whateverHappensAllEndsEqual() {
        struct Sum {
            var steps = 0
            var faults: [String: Int] = [:]
            var failures: [(UInt64, String, [String])] = []
        }
        let sum = Mutex(Sum())
        DispatchQueue.concurrentPerform(iterations: seeds) { index in
            let seed = firstSeed + UInt64(index)
            let life = live(seed)
            sum.withLock { sum in
                sum.steps += life.steps
                sum.faults.merge(life.faults) { $0 + $1 }
                if let violation = life.violation { sum.failures.append((seed, violation, life.trace)) }
            }
        }
        let all = sum.withLock { $0 }
        let faults = all.faults.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(
            separator: ", "
        )
        print("simulation: \(seeds) seeds from \(firstSeed), \(all.steps) events, \(faults)")
        for (seed, violation, trace) in all.failures.sorted(by: { $0.0 < $1.0 }).prefix(3) {
            print("seed \(seed): \(violation)\n  " + trace.suffix(400).joined(separator: "\n  "))
        }
        let failed = all.failures.map(\.0).sorted()
        #expect(failed.isEmpty, "\(failed.count) seeds")
    }
}

/// The faults of one share that no life catches. Each share is a suite, and so a process, of its own: together they would run
/// for longer than anything else, and on a busy machine for longer than a process may.
private func faultsThatEscape(inShare share: Int) -> [Bug] {
    Bug.allCases.enumerated().filter { $0.offset % 6 == share }.map(\.element).filter { bug in
        for seed in UInt64(1)...400 {
            if let violation = live(seed, bug).violation {
                print("\(bug): caught at seed \(seed): \(violation.prefix(160))")
                return false
            }
        }
        return true
    }
}

@Suite struct FaultsThatArePutInFirst {
    @Test func areCaught() { #expect(faultsThatEscape(inShare: 0) == []) }
}

@Suite struct FaultsThatArePutInSecond {
    @Test func areCaught() { #expect(faultsThatEscape(inShare: 1) == []) }
}

@Suite struct FaultsThatArePutInThird {
    @Test func areCaught() { #expect(faultsThatEscape(inShare: 2) == []) }
}

@Suite struct FaultsThatArePutInFourth {
    @Test func areCaught() { #expect(faultsThatEscape(inShare: 3) == []) }
}

@Suite struct FaultsThatArePutInFifth {
    @Test func areCaught() { #expect(faultsThatEscape(inShare: 4) == []) }
}

@Suite struct FaultsThatArePutInSixth {
    @Test func areCaught() { #expect(faultsThatEscape(inShare: 5) == []) }
}
