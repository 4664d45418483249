// The phrase to type before data is permanently deleted.

import Templates
import Texts

/// A phrase that the user types into the field `confirm`.
struct Confirmation: TemplateModel, Equatable {
    /// The text that the user must type.
    let phrase: Text
    let error: Text?
    /// The losses that the phrase counts; nil if it contains no number.
    private let loss: Loss?

    /// The numbers of changes and of files of receipts that the cloud does not have.
    private struct Loss: Equatable {
        let changes: Int
        let files: Int

        var phrase: Text {
            let words: [String: Text.Argument] = ["count": .count(changes), "files": .count(files)]
            return switch (changes, files) {
            case (_, 0): Text("user-account.phrase-changes-will-be-lost", words)
            case (0, _): Text("user-account.phrase-files-will-be-lost", words)
            default: Text("user-account.phrase-changes-and-files-will-be-lost", words)
            }
        }

        /// The losses that a text with the given numbers may be about.
        static func all(with numbers: [Int]) -> [Loss] {
            switch numbers.count {
            case 1: [Loss(changes: numbers[0], files: 0), Loss(changes: 0, files: numbers[0])]
            case 2: [Loss(changes: numbers[0], files: numbers[1])]
            default: []
            }
        }

        func covers(_ other: Loss) -> Bool { changes >= other.changes && files >= other.files }
    }

    private init(_ phrase: Text, error: Text? = nil, loss: Loss? = nil) {
        self.phrase = phrase
        self.error = error
        self.loss = loss
    }

    private init(_ loss: Loss) { self.init(loss.phrase, loss: loss) }

    /// Signing out without a copy in the cloud.
    static let allIsLost = Confirmation(Text("user-account.phrase-all-my-data"))
    /// Deleting all data on the cloud.
    static let serverData = Confirmation(Text("user-account.phrase-delete-all-server-data"))
    /// Deleting the account.
    static let account = Confirmation(Text("user-account.phrase-delete-my-account"))

    /// Signing out while the cloud lacks changes, or files of receipts.
    static func isLost(changes: Int, files: Int = 0) -> Confirmation {
        Confirmation(Loss(changes: changes, files: files))
    }

    /// Whether the phrase was typed; white space around it is ignored. A phrase with greater numbers is
    /// accepted too: the page may be from a time when more would have been lost.
    /// - Parameter texts: the language in which the phrase was shown.
    func isGiven(_ typed: String?, in texts: TextCatalogue) -> Bool {
        guard let typed, let first = typed.firstIndex(where: { !$0.isWhitespace }),
            let last = typed.lastIndex(where: { !$0.isWhitespace })
        else { return false }
        let words = String(typed[first...last])
        let asked = texts.string(phrase)
        guard let loss, words != asked else { return words == asked }
        let numbers = words.split(separator: " ").compactMap { Int($0) }
        return Loss.all(with: numbers).contains { $0.covers(loss) && words == texts.string($0.phrase) }
    }

    /// The same phrase after another text was typed.
    var refused: Confirmation {
        Confirmation(
            phrase,
            error: Text("user-account.type-the-sentence-exactly"),
            loss: loss
        )
    }

    static let keys = Keys<Confirmation>()
        .message("phrase") { $0.phrase }
        .text("name") { _ in "confirm" }
        .text("id") { _ in "confirm" }
        .optionalMessage("error") { $0.error }
}
