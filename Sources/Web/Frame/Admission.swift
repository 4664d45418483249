// Decides whether a request can be answered at once, or must wait for its device first.

import Book
import Devices
import Lifecycle

extension Device {
    /// Whether the lifecycle has failed and waits for the user to retry. Its page needs no book.
    var hasFailed: Bool { if case .error = state { true } else { false } }
}

extension Device {
    /// Whether the device was signed out from elsewhere: no page shows its book until the same user signs in
    /// again.
    var isLocked: Bool { session?.isLocked ?? false }

    /// The name of the device's state for pages and their scripts.
    var shownState: String { isLocked ? "locked" : state.name }
}

/// The admission of a request to its device.
enum Admission {
    /// The device is ready; the lease is nil if it has no book to show.
    case ready(BookLease?)
    case mustWait

    /// The longest time that a request waits for its device, in milliseconds. Moving a large book to an
    /// account takes seconds.
    private static let patience: Int64 = 60_000

    init(_ device: Device, _ method: String) {
        guard device.isIdle else {
            self = .mustWait
            return
        }
        if device.hasFailed || device.isLocked {
            self = .ready(nil)
        } else if let lease = device.leaseIfOpen(), !Self.waitsForChanges(method, lease), device.isIdle {
            // With the lease, because a sign-out that has counted the changes since would clear this request's changes.
            self = .ready(lease)
        } else {
            self = .mustWait
        }
    }

    /// Waits until the device is idle and its book is open.
    /// - Parameter clock: the current time in milliseconds.
    static func wait(
        for device: Device,
        _ method: String,
        clock: @Sendable () -> Int64
    ) async -> Result<BookLease?, DevicesError> {
        let deadline = clock() + patience
        do throws(DevicesError) {
            // The next event may arrive as soon as the previous one is handled.
            var failure: DevicesError?
            while true {
                try await device.waitUntilIdle(withinMilliseconds: max(1, deadline - clock()))
                guard device.isIdle else {
                    guard clock() < deadline else { throw .busy }
                    continue
                }
                if device.hasFailed || device.isLocked { return .success(nil) }
                do throws(DevicesError) {
                    let lease = try await device.lease()
                    guard device.isIdle else {
                        lease.giveBack()
                        continue
                    }
                    if waitsForChanges(method, lease) { lease.book.waitForChanges() }
                    return .success(lease)
                } catch {
                    guard !error.isClosed, failure == nil else { throw error }
                    failure = error
                    // The lifecycle meets the same error, and its page shows it and offers to retry.
                    device.reload()
                }
            }
        } catch { return .failure(error) }
    }

    /// Whether a request waits for the end of a write of downloaded rows. Without this, a form would block
    /// its worker for as long.
    private static func waitsForChanges(_ method: String, _ lease: BookLease) -> Bool {
        method == "POST" && lease.book.isChanging
    }
}
