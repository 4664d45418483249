// The content of a form that could not be saved, with one button that sends it again.

public import Links
public import Templates
public import Texts

/// The fields of a form that came back, to be sent again.
public struct PreservedForm: TemplateModel {
    let action: Link?
    let csrf: String
    let fields: [Field]
    let typed: [TypedField]
    let secrets: [TypedField]

    /// A form that came back.
    /// - Parameters:
    ///   - action: where it is sent again; nil where this device cannot send it any more.
    ///   - csrf: the token that goes with it.
    ///   - fields: what is sent again, in its order.
    ///   - typed: of these, what a person reads.
    ///   - secrets: what has to be typed again: a page never repeats a password.
    public init(
        action: Link?,
        csrf: String,
        fields: [(name: String, value: String)],
        typed: [TypedField],
        secrets: [(name: String, label: Text)]
    ) {
        self.action = action
        self.csrf = csrf
        self.fields = fields.map { Field(name: $0.name, value: $0.value) }
        self.typed = typed
        self.secrets = secrets.map { TypedField(name: $0.name, label: $0.label, value: "") }
    }

    /// The values for the template.
    public static let keys = Keys<PreservedForm>()
        .optionalLink("action") { $0.action }
        .text("csrf") { $0.csrf }
        .list("fields", of: Field.self) { $0.fields }
        .flag("has_typed") { !$0.typed.isEmpty }
        .list("typed", of: TypedField.self) { $0.typed }
        .list("secrets", of: TypedField.self) { $0.secrets }
}

/// A field with what was typed into it.
public struct TypedField: TemplateModel {
    let name: String
    let label: Text
    let value: String

    /// A named value of the form.
    public init(name: String, label: Text, value: String) {
        self.name = name
        self.label = label
        self.value = value
    }

    /// The values for the template.
    public static let keys = Keys<TypedField>()
        .text("name") { $0.name }
        .message("label") { $0.label }
        .text("value") { $0.value }
}
