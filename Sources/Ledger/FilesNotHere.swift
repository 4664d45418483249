// The files of receipts that are not on a device after sync has ended, as its pages count them.

/// The numbers of files of live receipts that are not on a device, by the cloud's last answer.
public struct FilesNotHere: Hashable, Sendable {
    /// The files that the cloud has.
    public var fetchable = 0
    /// The files of which the cloud has not said whether it has them. A process that begins after the end of a subscription
    /// gets no answer.
    public var unanswered = 0
    /// The files that are nowhere.
    public var absent = AbsentFiles()

    /// None unless given.
    public init(fetchable: Int = 0, unanswered: Int = 0, absent: AbsentFiles = AbsentFiles()) {
        (self.fetchable, self.unanswered, self.absent) = (fetchable, unanswered, absent)
    }

    /// The number of all of them.
    public var count: Int { fetchable.addingClamped(unanswered).addingClamped(absent.count) }
}
