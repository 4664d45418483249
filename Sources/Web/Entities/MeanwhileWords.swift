// What others did to an entity while its form was open, in words.

import Book
import Ledger
import Pages

/// Puts what others changed meanwhile into sentences.
struct MeanwhileWords {
    private let words: ChangeWords

    init(_ context: RequestContext) throws { words = try ChangeWords(context) }

    /// One sentence for each field: "Amount was changed to 99.99 on Anna's phone while this page was open."
    func sentences(_ changes: [MeanwhileChange], of kind: String) -> [String] {
        // In one currency, what the account loses is the amount once more.
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

    /// Where somebody did something.
    /// - Parameter device: the name of another device, empty where that is not known; nil for this one.
    static func place(_ device: String?) -> String {
        guard let device else { return "in another window" }
        return device.isEmpty ? "on another device" : "on \(device)"
    }
}

extension EntityVersion {
    /// Said where a form's version is of another release, or was tampered with.
    static let unreadable = "This page is too old to be saved as it is. Have a look at it, then save again."
}
