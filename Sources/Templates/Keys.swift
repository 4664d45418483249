// How a page says what its template may read: by name, without reflection.

/// A value that a template can show. Its keys are declared once, beside its properties.
public protocol TemplateModel: Sendable {
    /// What the template may read, by name.
    static var keys: Keys<Self> { get }
}

/// Markup that is printed as it is. Whoever makes one vouches for every byte of it.
public struct Markup: Sendable {
    @usableFromInline let bytes: [UInt8]

    /// Markup that is known to be safe.
    public init(trusted bytes: [UInt8]) { self.bytes = bytes }

    /// Markup that is known to be safe.
    public init(trusted text: String) { bytes = Array(text.utf8) }
}

/// The value that a level of a template's context holds while it is rendered.
///
/// A program asks a cell of depth d only for the type that it was bound with at that depth, and `Program` puts
/// exactly that type there: so the downcasts in `Keys` cannot fail.
///
/// The value is a constant, and what reads it is compiled where the model's type is known: only so is one
/// property taken out of it without a copy of all the others.
@usableFromInline
final class Cell<Value> {
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) { self.value = value }

    @inlinable
    static func of(_ cell: AnyObject) -> Cell { unsafeDowncast(cell, to: Cell<Value>.self) }
}

@usableFromInline typealias Writer = @Sendable (AnyObject, ByteBuffer) -> Void
@usableFromInline typealias Test = @Sendable (AnyObject) -> Bool
@usableFromInline typealias Visit = @Sendable (AnyObject, (AnyObject) -> Void) -> Void

/// What one name gives.
@usableFromInline
struct Access: Sendable {
    /// Prints it as text; nil where it cannot be printed so.
    var escaped: Writer?
    /// Prints it as markup; nil where it is not markup.
    var raw: Writer?
    /// Whether a section of it shows.
    var isTruthy: Test?
    /// The values that a section of it goes through, and what can be read from each; nil: the section only shows.
    var inner: (visit: Visit, scope: @Sendable () -> Scope)?

    @usableFromInline
    init(
        escaped: Writer? = nil,
        raw: Writer? = nil,
        isTruthy: Test? = nil,
        inner: (visit: Visit, scope: @Sendable () -> Scope)? = nil
    ) {
        self.escaped = escaped
        self.raw = raw
        self.isTruthy = isTruthy
        self.inner = inner
    }
}

/// What can be read at one level of the context.
@usableFromInline
struct Scope: Sendable {
    /// What `{{.}}` prints.
    var itself: Writer?
    var accesses: [String: Access]

    init(itself: Writer?, accesses: [String: Access]) {
        self.itself = itself
        self.accesses = accesses
    }

    /// What can be read from a model.
    @usableFromInline
    init<Model: TemplateModel>(of _: Model.Type) {
        self.init(itself: nil, accesses: Model.keys.accesses)
    }

    /// What can be read from a text.
    @usableFromInline static let text = Scope(
        itself: { cell, out in out.appendEscaped(Cell<String>.of(cell).value) },
        accesses: [:]
    )
}

/// The names that a model gives to its template.
public struct Keys<Model: Sendable>: Sendable {
    private(set) var accesses: [String: Access] = [:]

    /// No names yet.
    public init() {}

    @usableFromInline
    func adding(_ name: String, _ access: Access) -> Keys {
        var copy = self
        copy.accesses[name] = access
        return copy
    }

    /// Text, printed escaped. As a section it shows where it is not empty.
    @inlinable
    public func text(_ name: String, _ get: @escaping @Sendable (Model) -> String) -> Keys {
        adding(
            name,
            Access(
                escaped: { cell, out in out.appendEscaped(get(Cell<Model>.of(cell).value)) },
                isTruthy: { !get(Cell<Model>.of($0).value).isEmpty }
            )
        )
    }

    /// Text that may be missing. As a section it shows where there is some, and `{{.}}` in it prints it.
    @inlinable
    public func optional(_ name: String, _ get: @escaping @Sendable (Model) -> String?) -> Keys {
        adding(
            name,
            Access(
                escaped: { cell, out in
                    if let text = get(Cell<Model>.of(cell).value) { out.appendEscaped(text) }
                },
                isTruthy: { get(Cell<Model>.of($0).value)?.isEmpty == false },
                inner: (
                    visit: { cell, body in
                        if let text = get(Cell<Model>.of(cell).value), !text.isEmpty { body(Cell(text)) }
                    }, scope: { .text }
                )
            )
        )
    }

    /// A whole number in plain digits. As a section it shows where it is not 0.
    @inlinable
    public func integer(_ name: String, _ get: @escaping @Sendable (Model) -> Int64) -> Keys {
        let write: Writer = { cell, out in out.append(get(Cell<Model>.of(cell).value)) }
        return adding(name, Access(escaped: write, isTruthy: { get(Cell<Model>.of($0).value) != 0 }))
    }

    /// Yes or no, for sections.
    @inlinable
    public func flag(_ name: String, _ get: @escaping @Sendable (Model) -> Bool) -> Keys {
        adding(name, Access(isTruthy: { get(Cell<Model>.of($0).value) }))
    }

    /// Text that the model writes into the page by itself; it must write no markup.
    @inlinable
    public func written(_ name: String, _ write: @escaping @Sendable (Model, ByteBuffer) -> Void) -> Keys {
        adding(name, Access(escaped: { cell, out in write(Cell<Model>.of(cell).value, out) }))
    }

    /// Markup, printed as it is by `{{{name}}}` only.
    @inlinable
    public func markup(_ name: String, _ get: @escaping @Sendable (Model) -> Markup?) -> Keys {
        adding(
            name,
            Access(
                raw: { cell, out in
                    if let markup = get(Cell<Model>.of(cell).value) { out.append(markup.bytes) }
                },
                isTruthy: { get(Cell<Model>.of($0).value) != nil }
            )
        )
    }

    /// Models, for a section that goes through them.
    @inlinable
    public func list<Element: TemplateModel>(
        _ name: String,
        of _: Element.Type,
        _ get: @escaping @Sendable (Model) -> [Element]
    ) -> Keys {
        adding(
            name,
            Access(
                isTruthy: { !get(Cell<Model>.of($0).value).isEmpty },
                inner: (
                    visit: { cell, body in
                        for element in get(Cell<Model>.of(cell).value) { body(Cell(element)) }
                    }, scope: { Scope(of: Element.self) }
                )
            )
        )
    }

    /// Texts, for a section that goes through them and prints each with `{{.}}`.
    @inlinable
    public func strings(_ name: String, _ get: @escaping @Sendable (Model) -> [String]) -> Keys {
        adding(
            name,
            Access(
                isTruthy: { !get(Cell<Model>.of($0).value).isEmpty },
                inner: (
                    visit: { cell, body in
                        for text in get(Cell<Model>.of(cell).value) { body(Cell(text)) }
                    }, scope: { .text }
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
                isTruthy: { get(Cell<Model>.of($0).value) != nil },
                inner: (
                    visit: { cell, body in
                        if let inner = get(Cell<Model>.of(cell).value) { body(Cell(inner)) }
                    }, scope: { Scope(of: Inner.self) }
                )
            )
        )
    }
}
