// Single-use values, such as a state or a nonce, remembered for as long as they are valid.

/// Remembers a limited number of used values.
struct UsedOnce {
    private let most: Int
    private var ends: [String: Int64] = [:]

    /// - Parameter most: the greatest number of remembered values.
    init(most: Int) { self.most = most }

    /// The number of remembered values.
    var count: Int { ends.count }

    /// Marks a value as used.
    /// - Parameters:
    ///   - end: the end of its validity, in UTC seconds.
    ///   - now: UTC seconds.
    /// - Returns: false if it was used before.
    mutating func use(_ what: String, until end: Int64, now: Int64) -> Bool {
        guard ends[what].map({ $0 <= now }) ?? true else { return false }
        if ends.count >= most, ends[what] == nil { makeRoom(now) }
        ends[what] = end
        return true
    }

    /// Forgets expired values and, if these are too few, the half that expires first. Such a value could be
    /// replayed, but the provider still accepts its code only once. Without a limit, anonymous clients could
    /// fill the memory.
    private mutating func makeRoom(_ now: Int64) {
        ends = ends.filter { $0.value > now }
        guard ends.count >= most else { return }
        let kept = ends.sorted { $0.value > $1.value }.prefix(most / 2)
        ends = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
