// The names that a page gives to its template, declared without reflection.

public import Texts

/// A value that a template can render. Its keys are declared once, beside its properties.
public protocol TemplateModel: Sendable {
    /// The values that a template may read, by name.
    static var keys: Keys<Self> { get }
}

/// Markup that is printed without escaping. The code that creates it guarantees that every byte is safe.
public struct Markup: Sendable {
    @usableFromInline let bytes: [UInt8]

    /// Markup that is safe by construction.
    public init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// Markup that is safe by construction.
    public init(trusted text: String) { bytes = Array(text.utf8) }
}

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

/// The names that a model gives to its template.
public struct Keys<Model: Sendable>: Sendable {
    private(set) var accesses: [String: Access] = [:]

    /// A model without names.
    public init() {}

    @usableFromInline
    func adding(_ name: String, _ access: Access) -> Keys {
        var copy = self
        copy.accesses[name] = access
        return copy
    }

    /// Text, printed escaped. A section of it is rendered if it is not empty.
    @inlinable
    public func text(_ name: String, _ get: @escaping @Sendable (Model) -> String) -> Keys {
        adding(
            name,
            Access(
                escaped: { value, out in out.appendEscaped(get(value.pointer(to: Model.self).pointee)) },
                isTruthy: { !get($0.pointer(to: Model.self).pointee).isEmpty }
            )
        )
    }

    /// Optional text. A section of it is rendered if there is text, and `{{.}}` in the section prints it.
    @inlinable
    public func optional(_ name: String, _ get: @escaping @Sendable (Model) -> String?) -> Keys {
        adding(
            name,
            Access(
                escaped: { value, out in
                    if let text = get(value.pointer(to: Model.self).pointee) { out.appendEscaped(text) }
                },
                isTruthy: { get($0.pointer(to: Model.self).pointee)?.isEmpty == false },
                inner: Access.Inner(
                    enumerate: { value, body in
                        if let text = get(value.pointer(to: Model.self).pointee), !text.isEmpty {
                            ValuePointer.lend(text, body)
                        }
                    },
                    scope: { .text }
                )
            )
        )
    }

    /// A text of the catalogue, printed escaped. A section of it is always rendered.
    @inlinable
    public func message(_ name: String, _ get: @escaping @Sendable (Model) -> Text) -> Keys {
        adding(
            name,
            Access(localized: { texts in
                Access(
                    escaped: { value, out in
                        out.appendEscaped(texts.string(get(value.pointer(to: Model.self).pointee)))
                    },
                    isTruthy: { _ in true }
                )
            })
        )
    }

    /// A text that may be missing. A section of it is rendered if there is one, and `{{.}}` in the section prints it.
    @inlinable
    public func optionalMessage(_ name: String, _ get: @escaping @Sendable (Model) -> Text?) -> Keys {
        adding(
            name,
            Access(localized: { texts in
                Access(
                    escaped: { value, out in
                        if let text = get(value.pointer(to: Model.self).pointee) {
                            out.appendEscaped(texts.string(text))
                        }
                    },
                    isTruthy: { get($0.pointer(to: Model.self).pointee) != nil },
                    inner: Access.Inner(
                        enumerate: { value, body in
                            if let text = get(value.pointer(to: Model.self).pointee) {
                                ValuePointer.lend(text, body)
                            }
                        },
                        scope: { .message(texts) }
                    )
                )
            })
        )
    }

    /// Texts of the catalogue, for a section that enumerates them and prints each with `{{.}}`.
    @inlinable
    public func messages(_ name: String, _ get: @escaping @Sendable (Model) -> [Text]) -> Keys {
        adding(
            name,
            Access(localized: { texts in
                Access(
                    isTruthy: { !get($0.pointer(to: Model.self).pointee).isEmpty },
                    inner: Access.Inner(
                        isList: true,
                        enumerate: { value, body in
                            ValuePointer.lend(eachOf: get(value.pointer(to: Model.self).pointee), body)
                        },
                        scope: { .message(texts) }
                    )
                )
            })
        )
    }

    /// An address of the application, printed escaped and after the base path of the library.
    ///
    /// The text that all values share costs nothing to print, because the binder makes it text of the
    /// template.
    /// - Parameters:
    ///   - head: constant text before the value.
    ///   - tail: constant text after it.
    @inlinable
    public func address(
        _ name: String,
        head: String = "",
        tail: String = "",
        _ get: @escaping @Sendable (Model) -> String
    ) -> Keys {
        adding(
            name,
            Access(
                escaped: { value, out in out.appendEscaped(get(value.pointer(to: Model.self).pointee)) },
                address: AddressParts(head: head, tail: tail)
            )
        )
    }

    /// An address that may be missing. It is printed in a section of it, by its name or `{{.}}`.
    @inlinable
    public func optionalAddress(_ name: String, _ get: @escaping @Sendable (Model) -> String?) -> Keys {
        adding(
            name,
            Access(
                escaped: { value, out in
                    if let text = get(value.pointer(to: Model.self).pointee) { out.appendEscaped(text) }
                },
                isTruthy: { get($0.pointer(to: Model.self).pointee) != nil },
                inner: Access.Inner(
                    enumerate: { value, body in
                        if let text = get(value.pointer(to: Model.self).pointee) {
                            ValuePointer.lend(text, body)
                        }
                    },
                    scope: { .address }
                ),
                address: AddressParts()
            )
        )
    }

    /// A whole number in plain digits. As a section it shows where it is not 0.
    @inlinable
    public func integer(_ name: String, _ get: @escaping @Sendable (Model) -> Int64) -> Keys {
        let write: Writer = { value, out in out.append(get(value.pointer(to: Model.self).pointee)) }
        return adding(
            name,
            Access(escaped: write, isTruthy: { get($0.pointer(to: Model.self).pointee) != 0 })
        )
    }

    /// A flag, for sections.
    @inlinable
    public func flag(_ name: String, _ get: @escaping @Sendable (Model) -> Bool) -> Keys {
        adding(name, Access(isTruthy: { get($0.pointer(to: Model.self).pointee) }))
    }

    /// Text that the model appends to the page itself. It must not append markup.
    @inlinable
    public func written(_ name: String, _ write: @escaping @Sendable (Model, ByteBuffer) -> Void) -> Keys {
        adding(name, Access(escaped: { value, out in write(value.pointer(to: Model.self).pointee, out) }))
    }

    /// Text that the model appends to the page itself, with sentences of the catalogue. It must not append
    /// markup.
    @inlinable
    public func writtenMessage(
        _ name: String,
        _ write: @escaping @Sendable (Model, TextCatalogue, ByteBuffer) -> Void
    ) -> Keys {
        adding(
            name,
            Access(localized: { texts in
                Access(escaped: { value, out in write(value.pointer(to: Model.self).pointee, texts, out) })
            })
        )
    }

    /// Markup with sentences of the catalogue, printed unchanged by `{{{name}}}` only.
    @inlinable
    public func messageMarkup(
        _ name: String,
        _ get: @escaping @Sendable (Model, TextCatalogue) -> Markup
    ) -> Keys {
        adding(
            name,
            Access(localized: { texts in
                Access(
                    raw: { value, out in
                        out.append(get(value.pointer(to: Model.self).pointee, texts).bytes)
                    },
                    isTruthy: { _ in true }
                )
            })
        )
    }

    /// Markup, printed unchanged by `{{{name}}}` only.
    @inlinable
    public func markup(_ name: String, _ get: @escaping @Sendable (Model) -> Markup?) -> Keys {
        adding(
            name,
            Access(
                raw: { value, out in
                    if let markup = get(value.pointer(to: Model.self).pointee) { out.append(markup.bytes) }
                },
                isTruthy: { get($0.pointer(to: Model.self).pointee) != nil }
            )
        )
    }

    /// Models, for a section that enumerates them.
    @inlinable
    public func list<Element: TemplateModel>(
        _ name: String,
        of _: Element.Type,
        _ get: @escaping @Sendable (Model) -> [Element]
    ) -> Keys {
        adding(
            name,
            Access(
                isTruthy: { !get($0.pointer(to: Model.self).pointee).isEmpty },
                inner: Access.Inner(
                    isList: true,
                    enumerate: { value, body in
                        ValuePointer.lend(eachOf: get(value.pointer(to: Model.self).pointee), body)
                    },
                    scope: { Scope(of: Element.self) }
                )
            )
        )
    }

    /// Another model, for a section or a dotted name.
    @inlinable
    public func model<Inner: TemplateModel>(
        _ name: String,
        of _: Inner.Type,
        _ get: @escaping @Sendable (Model) -> Inner?
    ) -> Keys {
        adding(
            name,
            Access(
                isTruthy: { get($0.pointer(to: Model.self).pointee) != nil },
                inner: Access.Inner(
                    enumerate: { value, body in
                        if let inner = get(value.pointer(to: Model.self).pointee) {
                            ValuePointer.lend(inner, body)
                        }
                    },
                    scope: { Scope(of: Inner.self) }
                )
            )
        )
    }
}
