// The values behind the names of a template, as the binder uses them.

public import Texts

@usableFromInline typealias Writer = @Sendable (ValuePointer, ByteBuffer) -> Void
@usableFromInline typealias Test = @Sendable (ValuePointer) -> Bool
@usableFromInline typealias Enumerator = @Sendable (ValuePointer, (ValuePointer) -> Void) -> Void

/// The ways in which a template may use one name.
@usableFromInline
struct Access: Sendable {
    /// Prints the value as text; nil if the value is not text.
    var escaped: Writer?
    /// Prints the value as markup; nil if the value is not markup.
    var raw: Writer?
    /// Whether a section of the value is rendered.
    var isTruthy: Test?
    /// The values that a section enumerates; nil if the section has none and is only rendered or not.
    var inner: Inner?
    /// The constant text around it, where it is an address of the application; nil for any other value.
    var address: AddressParts?
    /// The access in a language, where the value is a text of the catalogue; nil for any other value.
    var localized: (@Sendable (TextCatalogue) -> Access)?

    /// The values of a section.
    @usableFromInline
    struct Inner: Sendable {
        /// Calls a closure with each of the values.
        var enumerate: Enumerator
        /// The names inside each of the values.
        var scope: @Sendable () -> Scope
        /// Whether there can be more than one value.
        var isList: Bool

        @usableFromInline
        init(isList: Bool = false, enumerate: @escaping Enumerator, scope: @escaping @Sendable () -> Scope) {
            self.enumerate = enumerate
            self.scope = scope
            self.isList = isList
        }
    }

    @usableFromInline
    init(
        escaped: Writer? = nil,
        raw: Writer? = nil,
        isTruthy: Test? = nil,
        inner: Inner? = nil,
        address: AddressParts? = nil,
        localized: (@Sendable (TextCatalogue) -> Access)? = nil
    ) {
        self.escaped = escaped
        self.raw = raw
        self.isTruthy = isTruthy
        self.inner = inner
        self.address = address
        self.localized = localized
    }

    func inLanguage(of texts: TextCatalogue) -> Access { localized?(texts) ?? self }
}

/// The constant parts of an address: they are printed as text of the template, after the base path of the library.
@usableFromInline
struct AddressParts: Sendable {
    var head = ""
    var tail = ""

    @usableFromInline
    init(head: String = "", tail: String = "") {
        self.head = head
        self.tail = tail
    }
}

/// The names of one level of the context.
@usableFromInline
struct Scope: Sendable {
    /// Prints `{{.}}`.
    var itself: Writer?
    /// Whether that is an address of the application.
    var isAddress = false
    var accesses: [String: Access]

    init(itself: Writer?, isAddress: Bool = false, accesses: [String: Access]) {
        self.itself = itself
        self.isAddress = isAddress
        self.accesses = accesses
    }

    /// The names of a model.
    @usableFromInline
    init<Model: TemplateModel>(of _: Model.Type) {
        self.init(itself: nil, accesses: Model.keys.accesses)
    }

    /// The scope of a text: `{{.}}` and no names.
    @usableFromInline static let text = Scope(
        itself: { value, out in out.appendEscaped(value.pointer(to: String.self).pointee) },
        accesses: [:]
    )

    /// The scope of a text of the catalogue: `{{.}}` and no names.
    @usableFromInline
    static func message(_ texts: TextCatalogue) -> Scope {
        Scope(
            itself: { value, out in out.appendEscaped(texts.string(value.pointer(to: Text.self).pointee)) },
            accesses: [:]
        )
    }

    /// The scope of an address: `{{.}}` and no names.
    @usableFromInline static let address = Scope(itself: text.itself, isAddress: true, accesses: [:])
}
