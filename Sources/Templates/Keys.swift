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

@usableFromInline typealias Writer = @Sendable (Spot, ByteBuffer) -> Void
@usableFromInline typealias Test = @Sendable (Spot) -> Bool
@usableFromInline typealias Visit = @Sendable (Spot, (Spot) -> Void) -> Void

/// What one name gives.
@usableFromInline
struct Access: Sendable {
    /// Prints it as text; nil where it cannot be printed so.
    var escaped: Writer?
    /// Prints it as markup; nil where it is not markup.
    var raw: Writer?
    /// Whether a section of it shows.
    var isTruthy: Test?
    /// The values that a section of it goes through; nil: the section only shows.
    var inner: Inner?
    /// The constant text around it, where it is an address of the application; nil for any other value.
    var address: AddressParts?

    /// The values of a section.
    @usableFromInline
    struct Inner: Sendable {
        /// Goes through them.
        var visit: Visit
        /// What can be read from each.
        var scope: @Sendable () -> Scope
        /// Whether there can be more than one.
        var isList: Bool

        @usableFromInline
        init(isList: Bool = false, visit: @escaping Visit, scope: @escaping @Sendable () -> Scope) {
            self.visit = visit
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
        address: AddressParts? = nil
    ) {
        self.escaped = escaped
        self.raw = raw
        self.isTruthy = isTruthy
        self.inner = inner
        self.address = address
    }
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

/// What can be read at one level of the context.
@usableFromInline
struct Scope: Sendable {
    /// What `{{.}}` prints.
    var itself: Writer?
    /// Whether that is an address of the application.
    var isAddress = false
    var accesses: [String: Access]

    init(itself: Writer?, isAddress: Bool = false, accesses: [String: Access]) {
        self.itself = itself
        self.isAddress = isAddress
        self.accesses = accesses
    }

    /// What can be read from a model.
    @usableFromInline
    init<Model: TemplateModel>(of _: Model.Type) {
        self.init(itself: nil, accesses: Model.keys.accesses)
    }

    /// What can be read from a text.
    @usableFromInline static let text = Scope(
        itself: { spot, out in out.appendEscaped(spot.pointer(to: String.self).pointee) },
        accesses: [:]
    )

    /// What can be read from an address.
    @usableFromInline static let address = Scope(itself: text.itself, isAddress: true, accesses: [:])
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
                escaped: { spot, out in out.appendEscaped(get(spot.pointer(to: Model.self).pointee)) },
                isTruthy: { !get($0.pointer(to: Model.self).pointee).isEmpty }
            )
        )
    }

    /// Text that may be missing. As a section it shows where there is some, and `{{.}}` in it prints it.
    @inlinable
    public func optional(_ name: String, _ get: @escaping @Sendable (Model) -> String?) -> Keys {
        adding(
            name,
            Access(
                escaped: { spot, out in
                    if let text = get(spot.pointer(to: Model.self).pointee) { out.appendEscaped(text) }
                },
                isTruthy: { get($0.pointer(to: Model.self).pointee)?.isEmpty == false },
                inner: Access.Inner(
                    visit: { spot, body in
                        if let text = get(spot.pointer(to: Model.self).pointee), !text.isEmpty {
                            Spot.lend(text, body)
                        }
                    },
                    scope: { .text }
                )
            )
        )
    }

    /// An address of the application, printed escaped and after the base path of the library.
    ///
    /// What is the same in every one of them costs nothing to print, because it is text of the template.
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
                escaped: { spot, out in out.appendEscaped(get(spot.pointer(to: Model.self).pointee)) },
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
                escaped: { spot, out in
                    if let text = get(spot.pointer(to: Model.self).pointee) { out.appendEscaped(text) }
                },
                isTruthy: { get($0.pointer(to: Model.self).pointee) != nil },
                inner: Access.Inner(
                    visit: { spot, body in
                        if let text = get(spot.pointer(to: Model.self).pointee) { Spot.lend(text, body) }
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
        let write: Writer = { spot, out in out.append(get(spot.pointer(to: Model.self).pointee)) }
        return adding(
            name,
            Access(escaped: write, isTruthy: { get($0.pointer(to: Model.self).pointee) != 0 })
        )
    }

    /// Yes or no, for sections.
    @inlinable
    public func flag(_ name: String, _ get: @escaping @Sendable (Model) -> Bool) -> Keys {
        adding(name, Access(isTruthy: { get($0.pointer(to: Model.self).pointee) }))
    }

    /// Text that the model writes into the page by itself; it must write no markup.
    @inlinable
    public func written(_ name: String, _ write: @escaping @Sendable (Model, ByteBuffer) -> Void) -> Keys {
        adding(name, Access(escaped: { spot, out in write(spot.pointer(to: Model.self).pointee, out) }))
    }

    /// Markup, printed as it is by `{{{name}}}` only.
    @inlinable
    public func markup(_ name: String, _ get: @escaping @Sendable (Model) -> Markup?) -> Keys {
        adding(
            name,
            Access(
                raw: { spot, out in
                    if let markup = get(spot.pointer(to: Model.self).pointee) { out.append(markup.bytes) }
                },
                isTruthy: { get($0.pointer(to: Model.self).pointee) != nil }
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
                isTruthy: { !get($0.pointer(to: Model.self).pointee).isEmpty },
                inner: Access.Inner(
                    isList: true,
                    visit: { spot, body in
                        Spot.lend(eachOf: get(spot.pointer(to: Model.self).pointee), body)
                    },
                    scope: { Scope(of: Element.self) }
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
                isTruthy: { !get($0.pointer(to: Model.self).pointee).isEmpty },
                inner: Access.Inner(
                    isList: true,
                    visit: { spot, body in
                        Spot.lend(eachOf: get(spot.pointer(to: Model.self).pointee), body)
                    },
                    scope: { .text }
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
                    visit: { spot, body in
                        if let inner = get(spot.pointer(to: Model.self).pointee) { Spot.lend(inner, body) }
                    },
                    scope: { Scope(of: Inner.self) }
                )
            )
        )
    }
}
