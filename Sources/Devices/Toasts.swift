// Short messages for the next page. Messages that announce a change of the subscription survive the process.

import DeviceStore
import Lifecycle
public import Texts

extension Device {
    /// A message that is shown once.
    public struct Toast: Hashable, Sendable {
        /// Its subject: `transaction-deleted`.
        public let key: String
        /// The text for the user.
        public let text: Text
        /// The address of the form that undoes the action.
        public let undo: String?
        /// The address of the form that answers the question of the text: two transactions are the same.
        public let same: String?
        /// The address of the form that answers it otherwise: the one is another one.
        public let another: String?
        /// The address of the form that hides the bank's transaction of which the text says that it is listed again.
        public let hide: String?

        /// A toast with optional forms.
        public init(
            key: String,
            text: Text,
            undo: String? = nil,
            same: String? = nil,
            another: String? = nil,
            hide: String? = nil
        ) {
            self.key = key
            self.text = text
            self.undo = undo
            self.same = same
            self.another = another
            self.hide = hide
        }

        static let signedOutElsewhere = Toast(
            key: "signed-out-elsewhere",
            text: Text("notices.signed-out-elsewhere")
        )
    }
}

extension Device {
    /// Queues a toast for the next page.
    public func show(_ toast: Toast) { machine { $0.toasts.add(toast) } }

    /// Removes a toast from the queue and returns it, if it waits.
    public func consumeToast(_ key: String) -> Toast? {
        let toast = machine { $0.toasts.consume(key) }
        if let toast { forgetStored([toast]) }
        return toast
    }

    /// Removes the toasts from the queue and returns them. Only one of two concurrent pages gets them.
    @discardableResult
    public func consumeToasts(but held: Set<String> = []) -> [Toast] {
        let toasts = machine { $0.toasts.consume(but: held) }
        forgetStored(toasts)
        return toasts
    }

    private func forgetStored(_ toasts: [Toast]) {
        for toast in toasts where Announcement.isPassing(toast.key) {
            do {
                try keeping { store throws(DeviceStoreError) in _ = try store.dismiss(toast.key, of: id) }
            } catch {
                // The next process shows it again.
                services.dependencies.log.error("a message could not be removed: \(error) (device \(id))")
            }
        }
    }
}

extension Announcement {
    /// Whether the user must not miss it: it stays until it is dismissed, and is no toast.
    var stays: Bool { self != .premiumActivated }

    /// The messages that are no longer true once this one is.
    var withdrawn: [Announcement] {
        switch self {
        case .premiumActivated:
            [.subscriptionEnded, .changesNotUploaded, .filesNotUploaded, .noCloudBackup, .ownDataDeleted]
        case .subscriptionEnded: [.premiumActivated]
        case .noCloudBackup, .accountGone, .dataDeleted, .ownDataDeleted, .changesNotUploaded,
            .filesNotUploaded:
            []
        }
    }

    /// Whether a stored notice is shown once, as a toast.
    static func isPassing(_ key: String) -> Bool { Announcement(rawValue: key).map { !$0.stays } ?? false }
}

/// The toasts that wait for a page: the newest of each key, and five at most.
struct ToastQueue: Sendable {
    private var toasts: [Device.Toast] = []
    private static let most = 5

    mutating func add(_ toast: Device.Toast) {
        toasts.removeAll { $0.key == toast.key }
        toasts.append(toast)
        if toasts.count > Self.most { toasts.removeFirst() }
    }

    mutating func consume(_ key: String) -> Device.Toast? {
        defer { toasts.removeAll { $0.key == key } }
        return toasts.first { $0.key == key }
    }

    /// Of two pages, one shows the toasts.
    /// - Parameter held: the keys of the toasts that wait for a later page.
    mutating func consume(but held: Set<String>) -> [Device.Toast] {
        defer { toasts.removeAll { !held.contains($0.key) } }
        return toasts.filter { !held.contains($0.key) }
    }
}
