// A pause that a cancelled task leaves early.

import Dispatch

/// Suspends for a number of milliseconds, or until the task is cancelled.
///
/// `Task.sleep` is not used: on Linux its job stays in memory until its time, even if the task was cancelled
/// long before. Two thousand devices that wait for up to an hour, and are woken every minute, would retain a
/// hundred megabytes of such jobs.
@Sendable public func pause(milliseconds: Int64) async {
    let (ring, end) = AsyncStream.makeStream(of: Never.self)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.setEventHandler { end.finish() }
    timer.schedule(deadline: .now() + .milliseconds(Int(clamping: max(0, milliseconds))))
    timer.activate()
    for await _ in ring {}
    timer.cancel()
}
