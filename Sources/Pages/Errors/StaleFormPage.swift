// A form came back from a page that was open for too long: what was typed in it, and one button to send it again.

public import Templates

/// What an old form held. Nothing of it was carried out.
public struct StaleFormPage: Page {
    /// Where its template is.
    public static let template = "errors/stale"

    let chrome: Chrome
    let action: String?
    let fields: [Field]
    let typed: [TypedField]
    let secrets: [TypedField]

    /// The page.
    /// - Parameters:
    ///   - action: where the form is sent again; nil where this device cannot send it any more.
    ///   - fields: what is sent again, in its order.
    ///   - typed: of these, what a person reads.
    ///   - secrets: what has to be typed again: a page never repeats a password.
    public init(
        chrome: Chrome,
        action: String?,
        fields: [(name: String, value: String)],
        typed: [TypedField],
        secrets: [(name: String, label: String)]
    ) {
        self.chrome = chrome
        self.action = action
        self.fields = fields.map { Field(name: $0.name, value: $0.value) }
        self.typed = typed
        self.secrets = secrets.map { TypedField(name: $0.name, label: $0.label, value: "") }
    }

    /// What the template reads.
    public static let keys = Keys<StaleFormPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .optional("action") { $0.action }
        .list("fields", of: Field.self) { $0.fields }
        .flag("has_typed") { !$0.typed.isEmpty }
        .list("typed", of: TypedField.self) { $0.typed }
        .list("secrets", of: TypedField.self) { $0.secrets }
}

/// A field with what was typed into it.
public struct TypedField: TemplateModel {
    let name: String
    let label: String
    let value: String

    /// A field.
    public init(name: String, label: String, value: String) {
        self.name = name
        self.label = label
        self.value = value
    }

    /// What the template reads.
    public static let keys = Keys<TypedField>()
        .text("name") { $0.name }
        .text("label") { $0.label }
        .text("value") { $0.value }
}
