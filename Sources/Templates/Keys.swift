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

    /// A sum in plain digits. As a section it shows where the sum has 64 bits, and its inverse where it is too large to
    /// be shown.
    @inlinable
    public func sum(_ name: String, _ get: @escaping @Sendable (Model) -> Int128) -> Keys {
        adding(
            name,
            Access(
                escaped: { value, out in
                    if let sum = Int64(exactly: get(value.pointer(to: Model.self).pointee)) {
                        out.append(sum)
                    }
                },
                isTruthy: { Int64(exactly: get($0.pointer(to: Model.self).pointee)) != nil }
            )
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
