// The content of a form that was not saved, with a button that sends it again.

import Links
import Templates
import Texts

/// The fields of a form that was not saved and can be sent again.
struct PreservedForm: TemplateModel {
    let action: Link?
    let csrf: String
    let fields: [Field]
    let typed: [TypedField]
    let secrets: [TypedField]

    /// Creates a form that can be sent again.
    /// - Parameters:
    ///   - action: the address to send it to; nil if this device can no longer send it.
    ///   - csrf: the token to send with it.
    ///   - fields: the fields to send again, in their order.
    ///   - typed: the fields that the page shows to the user.
    ///   - secrets: the fields that the user must type again, because a page never repeats a password.
    init(
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
        self.secrets = secrets.map { TypedField(name: $0.name, label: $0.label, value: .verbatim("")) }
    }

    static let keys = Keys<PreservedForm>()
        .optionalLink("action") { $0.action }
        .text("csrf") { $0.csrf }
        .list("fields", of: Field.self) { $0.fields }
        .flag("has_typed") { !$0.typed.isEmpty }
        .list("typed", of: TypedField.self) { $0.typed }
        .list("secrets", of: TypedField.self) { $0.secrets }
}

/// A field with its entered value.
struct TypedField: TemplateModel {
    let name: String
    let label: Text
    /// As the page shows it, which need not be as it was sent.
    let value: Text

    static let keys = Keys<TypedField>()
        .text("name") { $0.name }
        .message("label") { $0.label }
        .message("value") { $0.value }
}
