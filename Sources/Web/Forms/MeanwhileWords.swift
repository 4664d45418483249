// Sentences about concurrent changes of an entity while its form was open.

import Book
import Ledger
import Texts

/// Writes a sentence for each concurrent change.
struct MeanwhileWords {
    private let words: ChangeWords

    init(_ context: RequestContext) throws { words = try ChangeWords(context) }

    /// One sentence for each field, such as "Amount was changed to 99.99 on Anna's phone while this page was
    /// open."; nil without a change to mention.
    func sentences(_ changes: [MeanwhileChange], of kind: String) -> Text? {
        // Within one currency, the account's amount equals the amount and is omitted.
        let (entity, changed) = (words.declaration[kind], Set(changes.map(\.field)))
        let told = changes.filter { entity?.isSilent($0.field, among: changed, inHistory: false) != true }
        return Text.joined(
            told.map { change in
                let shown = words.plainValue(change.field, change.value, kind, change.row)
                let arguments: [String: Text.Argument] = [
                    "field": .text(words.heading(change.field, kind)),
                    "value": .text(shown),
                    "place": .text(Self.place(change.device)),
                ]
                return change.isOverwritten
                    ? Text("changes.changed-meanwhile-overwritten", arguments)
                    : Text("changes.changed-meanwhile", arguments)
            },
            by: { Text("changes.one-sentence-after-another", ["first": .text($0), "next": .text($1)]) }
        )
    }

    /// The place of a change, as the user reads it.
    /// - Parameter device: the name of another device, empty if it is unknown; nil for this device.
    static func place(_ device: String?) -> Text {
        guard let device else { return Text("changes.in-another-window") }
        return device.isEmpty
            ? Text("changes.on-another-device")
            : Text("changes.on-device", ["device": .string(device)])
    }
}

extension Text {
    /// The texts as one.
    /// - Parameter join: a text and its successor as one text of the catalogue.
    /// - Returns: nil for no texts.
    static func joined(_ texts: [Text], by join: (Text, Text) -> Text) -> Text? {
        texts.first.map { first in texts.dropFirst().reduce(first, join) }
    }
}

extension EntityVersion {
    /// The message if the version in a form is of another release or was tampered with.
    static let unreadable = Text("forms.too-old-to-be-saved")
}
