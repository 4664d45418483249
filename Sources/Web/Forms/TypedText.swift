// Texts of entities that forms edit as they are typed, each declared once.

import Templates
import Texts

/// A text of an entity, such as a note: its input, how it is shown and read, and its limit.
struct TypedText<Value>: Sendable {
    /// How a text is normalised, and which input it has.
    private enum Shape {
        case line, paragraphs, tags
    }

    /// The name of the input, which is that of the field on the wire.
    let name: String
    private let shape: Shape
    private let label: Text
    private let hint: Text?
    /// The greatest number of characters; of tags, that of each.
    private let limit: Int
    /// The stored text as the form would have been typed.
    let shown: @Sendable (Value) -> String
    private let store: @Sendable (FormState, inout Value) -> Void

    /// A text in one line.
    static func line(
        _ name: String,
        _ path: any WritableKeyPath<Value, String> & Sendable,
        label: Text,
        limit: Int
    ) -> Self {
        TypedText(name: name, shape: .line, label: label, hint: nil, limit: limit) {
            $0[keyPath: path]
        } store: {
            $1[keyPath: path] = $0[name].asLine
        }
    }

    /// The user's note, in paragraphs.
    static func note(_ path: any WritableKeyPath<Value, String> & Sendable) -> Self {
        let label = Text("transactions.note")
        return TypedText(name: "note", shape: .paragraphs, label: label, hint: nil, limit: TextLimit.note) {
            $0[keyPath: path]
        } store: {
            $1[keyPath: path] = $0["note"].asParagraphs
        }
    }

    /// Tags, with commas between them.
    static func tags(_ path: any WritableKeyPath<Value, [String]> & Sendable) -> Self {
        TypedText(
            name: "tags",
            shape: .tags,
            label: Text("transactions.tags"),
            hint: Text("transactions.separate-with-commas"),
            limit: TextLimit.tag
        ) {
            $0[keyPath: path].joined(separator: ", ")
        } store: {
            $1[keyPath: path] = $0["tags"].asTags
        }
    }

    /// Reads the entered text, and sets the error of the field if it is too long.
    /// - Returns: stores the text in an entity.
    func read(_ state: inout FormState) -> @Sendable (inout Value) -> Void {
        let text = state[name]
        let isTooLong =
            switch shape {
            case .line: !text.asLine.fits(limit)
            case .paragraphs: !text.asParagraphs.fits(limit)
            case .tags: text.asTags.contains { !$0.fits(limit) }
            }
        if shape == .tags, text.asTags.count > TextLimit.tags {
            state.refuse(name, Text("transactions.too-many-tags", ["limit": .count(TextLimit.tags)]))
        }
        if isTooLong { state.refuse(name, tooLong) }
        return { [store, state] value in store(state, &value) }
    }

    /// The error of a text beyond the limit, from the form or from the book.
    var tooLong: Text {
        shape == .tags
            ? Text("forms.keep-each-tag-to-limit", ["limit": .count(limit)])
            : Text("forms.keep-it-to-limit", ["limit": .count(limit)])
    }

    /// The input as its template shows it.
    func input(_ state: FormState) -> TextInput {
        TextInput(
            field: state.field(name),
            label: label,
            hint: hint,
            maximum: shape == .paragraphs ? limit : nil
        )
    }
}

/// The input of a text, as `transactions/extras` shows it.
struct TextInput: TemplateModel {
    let field: Field
    let label: Text
    let hint: Text?
    /// The greatest number of characters of a text in paragraphs; nil for a line.
    let maximum: Int?

    static let keys = Keys<TextInput>()
        .model("field", of: Field.self) { $0.field }
        .message("label") { $0.label }
        .optionalMessage("hint") { $0.hint }
        .optional("maximum") { $0.maximum.map { "\($0)" } }
}
