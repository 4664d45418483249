// The name of the other party, from the words of a bank.

extension BankTransaction {
    /// The merchant or payer if the bank reports one; otherwise its words without numbers of cards, shops and payments,
    /// and not in capital letters only. Up to 200 characters.
    public var payee: String {
        if let counterparty { return counterparty }
        let words = description.split(separator: " ")
        // Numbers are at the end, or before it; a name may begin with one.
        let kept = words.enumerated().filter { index, word in index == 0 || !Self.isNumber(word) }.map(
            \.element
        )
        let isShouted = description == description.uppercased() && description != description.lowercased()
        let name = (isShouted ? kept.map { Substring($0.inSmallLetters) } : kept).joined(separator: " ")
        return String(name.prefix(200))
    }

    /// Whether a word is the number of something: it has a digit and no lower-case letter, or is a mark such as `*`.
    private static func isNumber(_ word: Substring) -> Bool {
        let scalars = word.unicodeScalars
        if !scalars.contains(where: { $0.properties.isAlphabetic || ("0"..."9").contains($0) }) {
            return true
        }
        return scalars.contains { ("0"..."9").contains($0) }
            && !scalars.contains { $0.properties.isLowercase }
    }
}

extension Substring {
    /// The word with a capital letter first and small letters after it.
    fileprivate var inSmallLetters: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
