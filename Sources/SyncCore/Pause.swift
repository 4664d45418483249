// Lets time pass.

import Dispatch

/// Lets so many milliseconds pass, or fewer where the task is cancelled.
///
/// Not `Task.sleep`: on Linux the job that it schedules stays in memory until its time has come, also where the task is
/// cancelled long before. Two thousand devices that rest for an hour at most, and are woken every minute, would keep a
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
