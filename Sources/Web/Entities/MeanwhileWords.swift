// Sentences about concurrent changes of an entity while its form was open.

import Book
import Ledger
import Pages

/// Writes a sentence for each concurrent change.
struct MeanwhileWords {
    private let words: ChangeWords

    init(_ context: RequestContext) throws { words = try ChangeWords(context) }

    /// One sentence for each field: "Amount was changed to 99.99 on Anna's phone while this page was open."
    func sentences(_ changes: [MeanwhileChange], of kind: String) -> [String] {
        // Within one currency, the account's amount equals the amount and is omitted.
        let (entity, changed) = (words.declaration[kind], Set(changes.map(\.field)))
        let told = changes.filter { entity?.isSilent($0.field, among: changed, inHistory: false) != true }
        return told.map { change in
            let field = words.label(change.field, kind)
            let shown = words.plainValue(change.field, change.value, kind, change.row)
            let what = "\(field.capitalizedFirst) was changed to \(shown)"
            let sentence = "\(what) \(Self.place(change.device)) while this page was open"
            return sentence + (change.isOverwritten ? "; your value counts now." : ".")
        }
    }

    /// The place of a change, as the user reads it.
    /// - Parameter device: the name of another device, empty if it is unknown; nil for this device.
    static func place(_ device: String?) -> String {
        guard let device else { return "in another window" }
        return device.isEmpty ? "on another device" : "on \(device)"
    }
}

extension EntityVersion {
    /// The message if the version in a form is of another release or was tampered with.
    static let unreadable = "This page is too old to be saved as it is. Have a look at it, then save again."
}
