// Rules that refuse the passwords that attackers guess first.

/// Refuses common passwords of sufficient length. Further requirements, such as signs and capitals, make
/// passwords harder to remember and no harder to guess (NIST SP 800-63B, section 3.1.1.2).
public struct PasswordRules: Sendable {
    private let common: Set<String>
    /// The product's name, which is guessed early.
    private static let product = "breadly"
    /// The fewest characters that must be left of a password without its user's address and the product's
    /// name.
    private static let fewestLeft = 6

    /// - Parameter common: in lower case; passwords that are too short anyway may be missing.
    public init(common: Set<String>) { self.common = common }

    /// Reads a list with one password in each line.
    public init(list: String) {
        let lines = list.split(whereSeparator: \.isNewline)
        common = Set(
            lines.filter { $0.count >= PasswordAuthenticator.fewestCharacters }.map { $0.lowercased() }
        )
    }

    /// Whether a text repeats a few characters, or runs through an alphabet: `aaaaaaaaaa`, `abcabcabca`, `9876543210`.
    private static func isPattern(_ text: String) -> Bool {
        let scalars = text.unicodeScalars.map { Int($0.value) }
        let repeats = (1...4).contains { period in
            zip(scalars, scalars.dropFirst(period)).allSatisfy { $0 == $1 }
        }
        let steps = Set(zip(scalars, scalars.dropFirst()).map { $1 - $0 })
        return repeats || steps == [1] || steps == [-1]
    }

    /// Whether the password is common, a pattern, or consists of the address or the product's name and little more.
    func isCommon(_ password: String, of email: String) -> Bool {
        let text = password.lowercased()
        if common.contains(text) || Self.isPattern(text) { return true }
        let address = email.lowercased()
        let sides = address.split(separator: "@").map(String.init)
        let host = (sides.last ?? "").split(separator: ".").first.map(String.init) ?? ""
        var left = text
        for word in [address] + sides + [host, Self.product] where word.count >= 3 {
            left = left.replacing(word, with: "")
        }
        return left.count < text.count && left.count < Self.fewestLeft
    }
}
