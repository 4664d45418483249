// What is good once only, as a state or a nonce is, remembered for as long as it is good.

/// Remembers what was used, up to a number of things.
struct UsedOnce {
    private let most: Int
    private var ends: [String: Int64] = [:]

    /// - Parameter most: how much is remembered at once.
    init(most: Int) { self.most = most }

    /// How much is remembered.
    var count: Int { ends.count }

    /// Uses something.
    /// - Parameters:
    ///   - end: until when it is good, in UTC seconds.
    ///   - now: the moment, in UTC seconds.
    /// - Returns: false where it was used before.
    mutating func use(_ what: String, until end: Int64, now: Int64) -> Bool {
        guard ends[what].map({ $0 <= now }) ?? true else { return false }
        if ends.count >= most, ends[what] == nil { makeRoom(now) }
        ends[what] = end
        return true
    }

    /// Forgets what is good no more; where that is not enough, the half that ends first. It could be shown again then,
    /// but its code is taken once only by the provider as well. Kept in full it would be a stranger's way to fill the
    /// memory.
    private mutating func makeRoom(_ now: Int64) {
        ends = ends.filter { $0.value > now }
        guard ends.count >= most else { return }
        let kept = ends.sorted { $0.value > $1.value }.prefix(most / 2)
        ends = Dictionary(kept.map { ($0.key, $0.value) }) { first, _ in first }
    }
}
