// The notifications of a device, and the streams that carry them to waiting tasks.

/// A change of a device. It carries no values: a listener reads them from the device, so that notifications
/// in the wrong order still lead to the current values.
public enum DeviceNotification: Hashable, Sendable {
    /// The lifecycle's state, the session, or the status of sync.
    case status
    /// Rows of the book that another device wrote, or exchange rates that came from the cloud.
    case rows
    /// The device has no work under way any more, or a verification was answered.
    case idle
}

/// The notification streams of one device.
struct NotificationStreams {
    private var continuations: [Int: AsyncStream<DeviceNotification>.Continuation] = [:]
    private var next = 0

    mutating func add(_ continuation: AsyncStream<DeviceNotification>.Continuation) -> Int {
        next += 1
        continuations[next] = continuation
        return next
    }

    mutating func remove(_ key: Int) { continuations[key] = nil }

    /// The streams to notify, outside of the lock.
    var all: [AsyncStream<DeviceNotification>.Continuation] { Array(continuations.values) }
}
