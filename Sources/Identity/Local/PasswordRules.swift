// What a password must not be: one that is guessed first.

/// Passwords that are refused though they are long enough. What is asked for beyond that, signs and capitals, makes
/// passwords harder to keep in mind and no harder to guess (NIST SP 800-63B, section 3.1.1.2).
public struct PasswordRules: Sendable {
    private let common: Set<String>
    /// The product's name, the first thing that comes to mind.
    private static let product = "breadly"
    /// So much has to be left of a password without its user's address and the product's name, in characters.
    private static let fewestLeft = 6

    /// - Parameter common: in lower case; those that are too short anyway may be left out.
    public init(common: Set<String>) { self.common = common }

    /// Reads a list with one password in each line.
    public init(list: String) {
        let lines = list.split(whereSeparator: \.isNewline)
        common = Set(lines.filter { $0.count >= LocalAccounts.fewestCharacters }.map { $0.lowercased() })
    }

    /// Whether it is one that many have, or consists of the address or the product's name and little more.
    func isCommon(_ password: String, of email: String) -> Bool {
        let text = password.lowercased()
        if common.contains(text) { return true }
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
