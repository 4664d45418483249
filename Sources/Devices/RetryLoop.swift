// Work in the background that is tried again until nothing of it is left.

/// Does work that waits in a store, whenever it is woken.
///
/// Three events wake it: its first run, because the previous process may have left work; `wake`, after more was stored,
/// also while it pauses; and the end of the pause after an attempt that has left some. The pauses begin with a second and
/// double up to a limit; `wake` begins them anew. Work that is left when its task is cancelled waits for the next process.
struct RetryLoop: Sendable {
    private enum Event {
        case moreWork, endOfPause
    }

    private static let shortestPause: Int64 = 1_000
    private let longestPause: Int64
    private let pause: @Sendable (_ milliseconds: Int64) async -> Void
    private let events: AsyncStream<Event>
    private let noted: AsyncStream<Event>.Continuation

    /// - Parameter longestPause: milliseconds.
    init(longestPause: Int64, pause: @escaping @Sendable (_ milliseconds: Int64) async -> Void) {
        self.longestPause = longestPause
        self.pause = pause
        // An event during an attempt is followed by another attempt; more of them are followed by the same one.
        (events, noted) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(1))
        noted.yield(.moreWork)
    }

    /// Notes that there is more work.
    func wake() { noted.yield(.moreWork) }

    /// Runs until its task is cancelled. Call it once.
    /// - Parameter attempt: does what it can, and returns false if some work is left.
    func run(_ attempt: () async -> Bool) async {
        var next = Self.shortestPause
        var pausing: Task<Void, Never>?
        defer { pausing?.cancel() }
        for await event in events {
            pausing?.cancel()
            if event == .moreWork { next = Self.shortestPause }
            guard !(await attempt()) else { continue }
            let milliseconds = next
            next = min(next * 2, longestPause)
            pausing = Background.run { [pause, noted] in
                await pause(milliseconds)
                if !Task.isCancelled { noted.yield(.endOfPause) }
            }
        }
    }
}
