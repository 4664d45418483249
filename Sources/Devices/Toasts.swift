// Short messages for the next page, in memory only.

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

        /// A toast with an optional undo form.
        public init(key: String, text: Text, undo: String? = nil) {
            self.key = key
            self.text = text
            self.undo = undo
        }

        static let signedOutElsewhere = Toast(
            key: "signed-out-elsewhere",
            text: Text("notices.signed-out-elsewhere")
        )
    }
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

    /// Of two pages, one shows them.
    /// - Parameter held: the keys of those that wait for a later page.
    mutating func consume(but held: Set<String>) -> [Device.Toast] {
        defer { toasts.removeAll { !held.contains($0.key) } }
        return toasts.filter { !held.contains($0.key) }
    }
}
