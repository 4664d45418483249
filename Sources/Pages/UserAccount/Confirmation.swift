// The phrase to type before data is permanently deleted.

public import Templates
public import Texts

/// A phrase that the user types into the field `confirm`.
public struct Confirmation: TemplateModel, Equatable {
    /// The text that the user must type.
    public let phrase: Text
    let error: Text?
    /// The losses that the phrase counts; nil if it contains no number.
    private let loss: Loss?

    private enum Loss: Equatable {
        case changes(Int)
        case files(Int)

        var count: Int {
            switch self {
            case .changes(let count), .files(let count): count
            }
        }

        /// The phrase for another number of the same.
        func phrase(_ count: Int) -> Text {
            switch self {
            case .changes: Text("user-account.phrase-changes-will-be-lost", ["count": .count(count)])
            case .files: Text("user-account.phrase-files-will-be-lost", ["count": .count(count)])
            }
        }
    }

    private init(_ phrase: Text, error: Text? = nil, loss: Loss? = nil) {
        self.phrase = phrase
        self.error = error
        self.loss = loss
    }

    private init(_ loss: Loss) { self.init(loss.phrase(loss.count), loss: loss) }

    /// Signing out without a copy in the cloud.
    package static let allIsLost = Confirmation(Text("user-account.phrase-all-my-data"))
    /// Deleting all data on the cloud.
    public static let serverData = Confirmation(Text("user-account.phrase-delete-all-server-data"))
    /// Deleting the account.
    public static let account = Confirmation(Text("user-account.phrase-delete-my-account"))

    /// Signing out while changes wait for the cloud.
    package static func changesAreLost(_ count: Int) -> Confirmation {
        Confirmation(.changes(count))
    }

    /// Signing out while the cloud has all changes, but not the files of receipts.
    package static func filesAreLost(_ count: Int) -> Confirmation { Confirmation(.files(count)) }

    /// Whether the phrase was typed; white space around it is ignored. A phrase with a greater number is
    /// accepted too: the page may be from a time when more changes would have been lost.
    /// - Parameter texts: the language in which the phrase was shown.
    public func isGiven(_ typed: String?, in texts: TextCatalogue) -> Bool {
        guard let typed, let first = typed.firstIndex(where: { !$0.isWhitespace }),
            let last = typed.lastIndex(where: { !$0.isWhitespace })
        else { return false }
        let words = String(typed[first...last])
        let asked = texts.string(phrase)
        guard let loss, words != asked else { return words == asked }
        let number = words.split(separator: " ").lazy.compactMap { Int($0) }.first ?? 0
        return number >= loss.count && words == texts.string(loss.phrase(number))
    }

    /// The same phrase after another text was typed.
    public var refused: Confirmation {
        Confirmation(
            phrase,
            error: Text("user-account.type-the-sentence-exactly"),
            loss: loss
        )
    }

    /// The values for the template.
    public static let keys = Keys<Confirmation>()
        .message("phrase") { $0.phrase }
        .text("name") { _ in "confirm" }
        .text("id") { _ in "confirm" }
        .optionalMessage("error") { $0.error }
}
