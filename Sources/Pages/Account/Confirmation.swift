// The phrase to type before data is permanently deleted.

public import Templates

/// A phrase to be typed letter by letter, into the field `confirm`.
public struct Confirmation: TemplateModel, Equatable {
    /// The text that the user must type.
    public let phrase: String
    let error: String?
    /// How many changes are lost; nil where the phrase names no number.
    private let count: Int?

    private init(_ phrase: String, error: String? = nil, count: Int? = nil) {
        self.phrase = phrase
        self.error = error
        self.count = count
    }

    /// Signing out without a copy in the cloud.
    public static let allIsLost = Confirmation("I understand that all my data will be permanently lost")
    /// Deleting what the cloud holds.
    public static let serverData = Confirmation("Delete all server data")
    /// Deleting the account.
    public static let account = Confirmation("Delete my account")

    /// Signing out while changes wait for the cloud.
    public static func changesAreLost(_ count: Int) -> Confirmation {
        Confirmation("I understand \(counted(count, "change")) will be lost", count: count)
    }

    /// Whether it was typed; white space around it does not count. A page may have been opened when there was more to
    /// lose: who agreed to that agrees to less.
    public func isGiven(_ typed: String?) -> Bool {
        guard let typed, let first = typed.firstIndex(where: { !$0.isWhitespace }),
            let last = typed.lastIndex(where: { !$0.isWhitespace })
        else { return false }
        let words = String(typed[first...last])
        guard let count, words != phrase else { return words == phrase }
        let number = words.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        return number >= count && words == Self.changesAreLost(number).phrase
    }

    /// The same, after something else was typed.
    public var refused: Confirmation {
        Confirmation(
            phrase,
            error: "Type the sentence exactly as it is shown. Nothing was changed.",
            count: count
        )
    }

    /// The values for the template.
    public static let keys = Keys<Confirmation>()
        .text("phrase") { $0.phrase }
        .text("name") { _ in "confirm" }
        .text("id") { _ in "confirm" }
        .optional("error") { $0.error }
}
