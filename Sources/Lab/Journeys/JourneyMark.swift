// The mark of a journey that a reviewer has walked or begun, which stays when another stage is set.

/// How far a reviewer has come with a journey, in all walks of it.
struct JourneyMark: Hashable, Sendable {
    /// The greatest number of expectations that have come true in one walk.
    private(set) var most = 0
    /// How often it was walked to its end.
    private(set) var walks = 0
    /// The real time of the last walk to the end or, before there is one, of the last sign, in UTC seconds.
    private(set) var at: Int64 = 0

    var isWalked: Bool { walks > 0 }

    /// Counts signs that have come true.
    /// - Parameters:
    ///   - reached: their number in the present walk.
    ///   - isEnd: whether these are all.
    mutating func count(_ reached: Int, isEnd: Bool, at seconds: Int64) {
        most = max(most, reached)
        if isEnd { walks += 1 }
        if isEnd || walks == 0 { at = seconds }
    }
}
