// Slows down guessing: after some wrong attempts each further one must wait, and longer each time.

/// Counts attempts by key: a user account, an address.
///
/// An attempt counts as wrong from its beginning until it proves right, so that concurrent attempts count
/// too.
struct AttemptLimiter {
    private struct Entry {
        var wrong = 0
        var lastAt: Int64 = 0
    }

    /// The number of wrong attempts before the waits begin.
    let free: Int
    /// The longest wait, in seconds.
    let longestSeconds: Int64
    /// The time without an attempt after which a key is forgotten, in seconds.
    let forgetSeconds: Int64
    /// The greatest number of keys, so that anonymous clients cannot fill the memory.
    let mostKeys: Int
    private var entries: [String: Entry] = [:]

    init(free: Int, longestSeconds: Int64 = 900, forgetSeconds: Int64 = 86_400, mostKeys: Int = 10_000) {
        self.free = free
        self.longestSeconds = longestSeconds
        self.forgetSeconds = forgetSeconds
        self.mostKeys = mostKeys
    }

    /// The wait before the next attempt, in seconds; 0 if it may be made now.
    func wait(_ key: String, now: Int64) -> Int64 {
        guard let entry = entries[key], now - entry.lastAt < forgetSeconds, entry.wrong >= free else {
            return 0
        }
        let delay = min(longestSeconds, Int64(1) << min(30, entry.wrong - free))
        return max(0, entry.lastAt + delay - now)
    }

    /// Counts an attempt that begins.
    mutating func begin(_ key: String, now: Int64) {
        if entries.count >= mostKeys, entries[key] == nil { makeRoom(now) }
        var entry = entries[key] ?? Entry()
        if now - entry.lastAt >= forgetSeconds { entry.wrong = 0 }
        entry.wrong += 1
        entry.lastAt = now
        entries[key] = entry
    }

    /// Discounts one attempt that proved right.
    mutating func discount(_ key: String) {
        guard let entry = entries[key] else { return }
        if entry.wrong <= 1 { entries[key] = nil } else { entries[key]?.wrong -= 1 }
    }

    /// Forgets all attempts of a key, after its owner has signed in.
    mutating func forget(_ key: String) { entries[key] = nil }

    /// Removes old keys first, then the keys with the fewest wrong attempts: a guesser's own keys stay longest.
    private mutating func makeRoom(_ now: Int64) {
        entries = entries.filter { now - $0.value.lastAt < forgetSeconds }
        guard entries.count >= mostKeys else { return }
        let kept = entries.sorted { $0.value.wrong > $1.value.wrong }.prefix(mostKeys / 2)
        entries = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }
}
