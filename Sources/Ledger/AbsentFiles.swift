// The files of receipts that are neither on a device nor in the cloud, as its pages count them.

/// The numbers of files that are neither on this device nor in the cloud, by its last answer.
public struct AbsentFiles: Hashable, Sendable {
    /// The files that have been missing for less than a minute: the device that has added them is about to send them.
    public var expected: Int
    /// The files that another device has not sent in that time.
    public var overdue: Int
    /// The files that this device had, and has lost.
    public var lost: Int

    /// None unless given.
    public init(expected: Int = 0, overdue: Int = 0, lost: Int = 0) {
        (self.expected, self.overdue, self.lost) = (expected, overdue, lost)
    }

    /// The number of all of them.
    public var count: Int { expected.addingClamped(overdue).addingClamped(lost) }
}
