// The phrase to type before data is permanently deleted.

public import Templates
public import Texts

/// A phrase that the user types into the field `confirm`.
public struct Confirmation: TemplateModel, Equatable {
    /// The text that the user must type.
    public let phrase: Text
    let error: Text?
    /// The number of lost changes; nil if the phrase contains no number.
    private let count: Int?

    private init(_ phrase: Text, error: Text? = nil, count: Int? = nil) {
        self.phrase = phrase
        self.error = error
        self.count = count
    }

    /// Signing out without a copy in the cloud.
    package static let allIsLost = Confirmation(Text("user-account.phrase-all-my-data"))
    /// Deleting all data on the cloud.
    public static let serverData = Confirmation(Text("user-account.phrase-delete-all-server-data"))
    /// Deleting the account.
    public static let account = Confirmation(Text("user-account.phrase-delete-my-account"))

    /// Signing out while changes wait for the cloud.
    package static func changesAreLost(_ count: Int) -> Confirmation {
        Confirmation(Text("user-account.phrase-changes-will-be-lost", ["count": .count(count)]), count: count)
    }

    /// Whether the phrase was typed; white space around it is ignored. A phrase with a greater number is
    /// accepted too: the page may be from a time when more changes would have been lost.
    /// - Parameter texts: the language in which the phrase was shown.
    public func isGiven(_ typed: String?, in texts: TextCatalogue) -> Bool {
        guard let typed, let first = typed.firstIndex(where: { !$0.isWhitespace }),
            let last = typed.lastIndex(where: { !$0.isWhitespace })
        else { return false }
        let words = String(typed[first...last])
        let asked = texts.string(phrase)
        guard let count, words != asked else { return words == asked }
        let number = words.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        return number >= count && words == texts.string(Self.changesAreLost(number).phrase)
    }

    /// The same phrase after another text was typed.
    public var refused: Confirmation {
        Confirmation(
            phrase,
            error: Text("user-account.type-the-sentence-exactly"),
            count: count
        )
    }

    /// The values for the template.
    public static let keys = Keys<Confirmation>()
        .message("phrase") { $0.phrase }
        .text("name") { _ in "confirm" }
        .text("id") { _ in "confirm" }
        .optionalMessage("error") { $0.error }
}
