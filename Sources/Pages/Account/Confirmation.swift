// What must be typed before data is removed for good.

public import Templates

/// A phrase to be typed letter by letter, into the field `confirm`.
public struct Confirmation: TemplateModel, Equatable {
    /// The phrase.
    public let phrase: String
    let error: String?

    private init(_ phrase: String, error: String? = nil) {
        self.phrase = phrase
        self.error = error
    }

    /// Signing out without a copy in the cloud.
    public static let allIsLost = Confirmation("I understand that all my data will be permanently lost")
    /// Deleting what the cloud holds.
    public static let serverData = Confirmation("Delete all server data")
    /// Deleting the account.
    public static let account = Confirmation("Delete my account")

    /// Signing out while changes wait for the cloud.
    public static func changesAreLost(_ count: Int) -> Confirmation {
        Confirmation("I understand \(counted(count, "change")) will be lost")
    }

    /// Whether it was typed; white space around it does not count.
    public func isGiven(_ typed: String?) -> Bool {
        guard let typed, let first = typed.firstIndex(where: { !$0.isWhitespace }),
            let last = typed.lastIndex(where: { !$0.isWhitespace })
        else { return false }
        return typed[first...last] == phrase
    }

    /// The same, after something else was typed.
    public var refused: Confirmation {
        Confirmation(phrase, error: "Type the sentence exactly as it is shown. Nothing was changed.")
    }

    /// What the template reads.
    public static let keys = Keys<Confirmation>()
        .text("phrase") { $0.phrase }
        .text("name") { _ in "confirm" }
        .text("id") { _ in "confirm" }
        .optional("error") { $0.error }
}
