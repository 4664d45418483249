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
