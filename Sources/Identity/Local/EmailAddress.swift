// An e-mail address as a name to sign in with.

/// An e-mail address with a valid form. It only names an account: no message is sent to it.
public struct EmailAddress: Hashable, Sendable {
    /// As it was typed, without white space around it.
    public let text: String
    /// The key that finds the address: in lower case.
    public let key: String

    /// Nil for what can be no address: no or several `@`, an empty side, white space or control characters within,
    /// more than 254 bytes (RFC 5321, section 4.5.3.1.3).
    public init?(_ typed: String) {
        var trimmed = Substring(typed)
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        let sides = trimmed.split(separator: "@", omittingEmptySubsequences: false)
        guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty, trimmed.utf8.count <= 254,
            !trimmed.unicodeScalars.contains(where: {
                $0.properties.isWhitespace || $0.value < 32 || $0.value == 127
            })
        else { return nil }
        text = String(trimmed)
        key = text.lowercased()
    }
}
