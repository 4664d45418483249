// The notifications of a device, and the streams that carry them to waiting tasks.

/// Something about a device has changed. It carries nothing: whoever hears of it asks the device, so that two that
/// cross on their way still end with what is so.
public enum DeviceNotification: Hashable, Sendable {
    /// The lifecycle's state, the session, or how sync goes.
    case status
    /// Rows of the book that another device wrote.
    case rows
    /// Nothing of the device is under way any more, or a verification was answered.
    case idle
}

/// Those who listen to one device.
struct NotificationStreams {
    private var continuations: [Int: AsyncStream<DeviceNotification>.Continuation] = [:]
    private var next = 0

    mutating func add(_ continuation: AsyncStream<DeviceNotification>.Continuation) -> Int {
        next += 1
        continuations[next] = continuation
        return next
    }

    mutating func remove(_ key: Int) { continuations[key] = nil }

    /// Those to tell, outside of the lock.
    var all: [AsyncStream<DeviceNotification>.Continuation] { Array(continuations.values) }
}
