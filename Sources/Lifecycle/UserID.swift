// The identity of a user account.

/// The id of a user account: letters, digits, `-` and `_`, at most 64.
public struct UserID: Hashable, Sendable {
    /// The id as the cloud writes it.
    public let text: String

    /// Returns nil if the text is not a valid id.
    public init?(_ text: some StringProtocol) {
        let isAllowed: (UInt8) -> Bool = {
            switch $0 {
            case 48...57, 65...90, 97...122, 45, 95: true
            default: false
            }
        }
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isAllowed) else { return nil }
        self.text = String(text)
    }
}
