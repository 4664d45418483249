// Waiting for something that another process or thread does by itself.
import Foundation

/// Polls a condition that nothing can signal to this test, such as a page of another process.
///
/// The deadline is minutes away, because the machine may be busy; the pause leaves the processor to the process that is
/// waited for.
/// - Returns: whether the condition came true in time.
public func becomesTrue(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(240)
    while try !condition() {
        guard ContinuousClock.now < deadline else { return try condition() }
        Thread.sleep(forTimeInterval: 0.02)
    }
    return true
}

/// The same for a condition that has to be awaited.
public func eventuallyBecomesTrue(_ condition: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(240)
    // Where other tests keep the threads, what is waited for had as little time as this: the rounds count as well.
    var rounds = 0
    while try await !condition() {
        rounds += 1
        guard rounds < 1_000 || ContinuousClock.now < deadline else { return try await condition() }
        try await Task.sleep(for: .milliseconds(2))
    }
    return true
}
