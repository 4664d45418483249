// The templates of an application, and the binding of a template to the type of its page.

public import Texts

/// The addresses of an application, as its templates print them.
public struct TemplateLinks: Sendable {
    /// The text before each address: the path that the application is served below.
    public var base: String
    /// The text that `{{link NAME}}` prints after it, by that name.
    public var named: [String: String]

    /// - Parameters:
    ///   - base: the path prefix of all addresses.
    ///   - named: the addresses for `{{link NAME}}`.
    public init(base: String = "", named: [String: String] = [:]) {
        self.base = base
        self.named = named
    }

    /// The address that a tag such as `{{link transactions}}` prints; nil for any other tag. No key has a space in it.
    func address(_ name: Name, _ place: SourceLocation) throws(TemplateError) -> String? {
        let words = name.text.split(separator: " ")
        guard words.count == 2, words[0] == "link" else { return nil }
        let link = String(words[1])
        guard let address = named[link] else { throw TemplateError(reason: .unknownLink(link), place: place) }
        return base + address
    }
}

/// A set of templates that name one another.
public struct TemplateLibrary: Sendable {
    private let templates: [String: ParsedTemplate]
    private let links: TemplateLinks
    private let texts: TextCatalogue
    private let limits: TemplateLimits

    /// Parses all templates.
    /// - Parameters:
    ///   - sources: UTF-8 by name, such as `transactions/index`.
    ///   - texts: the sentences for `{{text KEY}}` and `{{#text KEY}}`, and the language of the pages' texts.
    /// - Throws: `TemplateError` for the first that cannot be read.
    public init(
        sources: [String: [UInt8]],
        links: TemplateLinks = TemplateLinks(),
        texts: TextCatalogue = .empty,
        limits: TemplateLimits = TemplateLimits()
    ) throws(TemplateError) {
        var templates: [String: ParsedTemplate] = [:]
        for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
            templates[name] = try ParsedTemplate(name: name, source: source, limits: limits)
        }
        self.templates = templates
        self.links = links
        self.texts = texts
        self.limits = limits
    }

    /// Binds a template to the type of its page.
    /// - Throws: `TemplateError` for a name that the page does not have, a use that does not fit the name's
    ///   type, and a partial or parent that is missing or includes itself.
    public func page<Model: TemplateModel>(
        _ name: String,
        for _: Model.Type
    ) throws(TemplateError) -> PageTemplate<Model> {
        guard let template = templates[name] else {
            throw TemplateError(
                reason: .missingTemplate(name),
                place: SourceLocation(file: name, line: 1, column: 1)
            )
        }
        var binder = Binder(
            templates: templates,
            links: links,
            texts: texts,
            limits: limits,
            page: Scope(of: Model.self)
        )
        try binder.bind(template.nodes, indent: [])
        var program = binder.program
        program.seal()
        return PageTemplate(program: program)
    }

    /// The source locations of all tags that print without escaping.
    package func unescaped() -> [SourceLocation] {
        var places: [SourceLocation] = []
        func collect(_ nodes: [Node]) {
            for node in nodes {
                switch node {
                case .value(_, escaped: false, let place): places.append(place)
                case .section(_, let body, _), .inverted(_, let body, _): collect(body)
                case .parent(_, let arguments, _, _):
                    for key in arguments.keys.sorted() { collect(arguments[key] ?? []) }
                case .block(let block): collect(block.content)
                case .lineStart, .text, .value, .partial: break
                }
            }
        }
        for name in templates.keys.sorted() { collect(templates[name]?.nodes ?? []) }
        return places
    }
}

/// Walks the nodes with the types of their context and builds the program.
private struct Binder {
    private let templates: [String: ParsedTemplate]
    private let links: TemplateLinks
    private let texts: TextCatalogue
    private let limits: TemplateLimits
    private(set) var program = Program()
    private var scopes: [Scope]
    private var arguments: [String: [Node]] = [:]
    private var depth = 0
    private var parts = 0

    init(
        templates: [String: ParsedTemplate],
        links: TemplateLinks,
        texts: TextCatalogue,
        limits: TemplateLimits,
        page: Scope
    ) {
        self.templates = templates
        self.links = links
        self.texts = texts
        self.limits = limits
        scopes = [page]
    }

    mutating func bind(_ nodes: [Node], indent: [UInt8], skipsFirstIndent: Bool = false) throws(TemplateError)
    {
        var skips = skipsFirstIndent
        for node in nodes {
            switch node {
            case .lineStart:
                if !skips { program.add(literal: indent) }
            case .text(let bytes): program.add(literal: bytes)
            case .value(let name, let escaped, let place): try bindValue(name, escaped: escaped, place)
            case .section(let name, let body, let place):
                if let sentence = try texts.sentence(name, body: body, place) {
                    try bind(sentence, indent: indent)
                } else {
                    try bindSection(name, body, indent, place)
                }
            case .inverted(let name, let body, let place):
                let found = try find(name, place)
                guard let test = found.access.isTruthy else {
                    throw wrongUse("'\(name.text)' is never empty.", place)
                }
                try bindBody(found.origin, body, indent, place) { .when(test, expected: false, end: $0) }
            case .partial(let name, let own, let place):
                try inject(name, [:], own.map { indent + $0 } ?? [], place)
            case .parent(let name, let given, let own, let place):
                try inject(name, given, own.map { indent + $0 } ?? [], place)
            case .block(let block): try bindBlock(block, indent)
            }
            skips = false
        }
    }

    private mutating func bindValue(_ name: Name, escaped: Bool, _ place: SourceLocation)
        throws(TemplateError)
    {
        if name.parts.isEmpty {
            guard escaped, let scope = scopes.last, let write = scope.itself else {
                throw wrongUse("'.' prints the texts of a list, escaped; here is none.", place)
            }
            if scope.isAddress { program.add(literal: Array(links.base.utf8)) }
            program.add(.level(scopes.count - 1), .write(write))
            return
        }
        if escaped, let address = try links.address(name, place) {
            return program.add(literal: Self.escapedBytes(address))
        }
        if escaped, let sentence = try texts.sentence(name, place) { return try bind(sentence, indent: []) }
        let found = try find(name, place)
        guard let write = escaped ? found.access.escaped : found.access.raw else {
            throw wrongUse(
                escaped
                    ? "'\(name.text)' is not text: a section shows it, or {{{\(name.text)}}} if it is markup."
                    : "'\(name.text)' is not markup: print it with {{\(name.text)}}.",
                place
            )
        }
        let address = found.access.address
        if let address { program.add(literal: Self.escapedBytes(links.base + address.head)) }
        program.add(found.origin, .write(write))
        if let address { program.add(literal: Self.escapedBytes(address.tail)) }
    }

    private static func escapedBytes(_ text: String) -> [UInt8] {
        let out = ByteBuffer(capacity: text.utf8.count)
        out.appendEscaped(text)
        return out.bytes
    }

    private mutating func bindSection(
        _ name: Name,
        _ body: [Node],
        _ indent: [UInt8],
        _ place: SourceLocation
    ) throws(TemplateError) {
        let found = try find(name, place)
        if let inner = found.access.inner {
            scopes.append(inner.scope())
            program.levels = max(program.levels, scopes.count)
            try bindBody(found.origin, body, indent, place) { .each(inner.enumerate, end: $0) }
            scopes.removeLast()
        } else if let test = found.access.isTruthy {
            try bindBody(found.origin, body, indent, place) { .when(test, expected: true, end: $0) }
        } else {
            throw wrongUse("'\(name.text)' is not for sections.", place)
        }
    }

    private mutating func bindBody(
        _ origin: Step.Origin,
        _ body: [Node],
        _ indent: [UInt8],
        _ place: SourceLocation,
        _ work: (_ end: Int) -> Step.Work
    ) throws(TemplateError) {
        let position = program.add(origin, work(0))
        try nested(place) { binder throws(TemplateError) in try binder.bind(body, indent: indent) }
        program.close(position, work)
    }

    private mutating func bindBlock(_ block: Block, _ indent: [UInt8]) throws(TemplateError) {
        let replacement = arguments[block.name]
        try nested(block.place) { binder throws(TemplateError) in
            guard let replacement else { return try binder.bind(block.content, indent: indent) }
            if block.opensAlone, case .lineStart? = replacement.first {
            } else if block.opensAlone {
                binder.program.add(literal: indent + block.indent)
            }
            try binder.bind(replacement, indent: indent + block.indent, skipsFirstIndent: !block.opensAlone)
        }
    }

    private mutating func inject(
        _ name: PartialName,
        _ given: [String: [Node]],
        _ indent: [UInt8],
        _ place: SourceLocation
    ) throws(TemplateError) {
        guard case .fixed(let file) = name else {
            throw wrongUse("A page cannot choose a partial by a name in its data.", place)
        }
        guard let template = templates[file] else {
            throw TemplateError(reason: .missingTemplate(file), place: place)
        }
        let outer = arguments
        arguments = given.merging(outer) { _, outer in outer }
        try nested(place) { binder throws(TemplateError) in try binder.bind(template.nodes, indent: indent) }
        arguments = outer
    }

    private mutating func find(_ name: Name, _ place: SourceLocation) throws(TemplateError) -> (
        origin: Step.Origin, access: Access
    ) {
        guard let first = name.parts.first else { throw wrongUse("'.' is no section here.", place) }
        for depth in scopes.indices.reversed() {
            guard var access = scopes[depth].accesses[first]?.inLanguage(of: texts) else { continue }
            var path: [Enumerator] = []
            var isOne = true
            for part in name.parts.dropFirst() {
                guard let inner = access.inner, let next = inner.scope().accesses[part] else {
                    throw TemplateError(reason: .unknownKey(name.text), place: place)
                }
                path.append(inner.enumerate)
                isOne = isOne && !inner.isList
                access = next.inLanguage(of: texts)
            }
            if path.isEmpty { return (.level(depth), access) }
            guard depth == 0, isOne else { return (.reach(depth, path), access) }
            // The page is the same value throughout a render, and so are the models in it.
            return (program.origin(ofShared: name.parts.dropLast().joined(separator: "."), path), access)
        }
        throw TemplateError(reason: .unknownKey(name.text), place: place)
    }

    private func wrongUse(_ sentence: String, _ place: SourceLocation) -> TemplateError {
        TemplateError(reason: .wrongUse(sentence), place: place)
    }

    private mutating func nested(
        _ place: SourceLocation,
        _ body: (inout Binder) throws(TemplateError) -> Void
    ) throws(TemplateError) {
        depth += 1
        guard depth <= limits.depth else { throw TemplateError(reason: .tooDeep, place: place) }
        // Partials that each include the next one twice grow a page exponentially.
        parts += 1
        guard max(parts, program.steps.count) <= limits.parts else {
            throw TemplateError(reason: .tooManySteps, place: place)
        }
        guard program.pool.count <= limits.outputBytes else {
            throw TemplateError(reason: .tooLarge, place: place)
        }
        try body(&self)
        depth -= 1
    }
}
