// Renders a template with data of any shape, for `breadly template` and the people who design pages.

public import Texts

/// Returns the source of a named template; nil if there is none.
public typealias TemplateLoader = (_ name: String) -> [UInt8]?

/// A template that looks names up while it renders.
///
/// A missing name and a missing partial print nothing, as the Mustache specification requires.
public struct DynamicTemplate {
    private let root: ParsedTemplate
    private let links: TemplateLinks
    private let texts: TextCatalogue
    private let loader: TemplateLoader
    private let limits: TemplateLimits

    /// - Parameters:
    ///   - name: the name of the template in errors.
    ///   - source: UTF-8.
    ///   - links: the addresses for `{{link NAME}}`.
    ///   - texts: the sentences for `{{text KEY}}`.
    ///   - loader: where partials and parents come from.
    /// - Throws: `TemplateError` where the template cannot be read.
    public init(
        name: String,
        source: [UInt8],
        links: TemplateLinks = TemplateLinks(),
        texts: TextCatalogue = .empty,
        limits: TemplateLimits = TemplateLimits(),
        loader: @escaping TemplateLoader = { _ in nil }
    ) throws(TemplateError) {
        root = try ParsedTemplate(name: name, source: source, limits: limits)
        self.links = links
        self.texts = texts
        self.loader = loader
        self.limits = limits
    }

    /// Prints the template.
    /// - Throws: `TemplateError` where a partial cannot be read, a link or a text is unknown, or a limit is reached.
    public func render(_ data: TemplateValue) throws(TemplateError) -> ByteBuffer {
        var run = DynamicRun(data: data, links: links, texts: texts, loader: loader, limits: limits)
        try run.print(root.nodes, indent: [])
        return run.output
    }
}

private struct DynamicRun {
    let output: ByteBuffer
    private let links: TemplateLinks
    private let texts: TextCatalogue
    private let loader: TemplateLoader
    private let limits: TemplateLimits
    private var parsed: [String: ParsedTemplate?] = [:]
    private var stack: [TemplateValue]
    private var arguments: [String: [Node]] = [:]
    private var depth = 0
    private var steps = 0

    init(
        data: TemplateValue,
        links: TemplateLinks,
        texts: TextCatalogue,
        loader: @escaping TemplateLoader,
        limits: TemplateLimits
    ) {
        stack = [data]
        self.links = links
        self.texts = texts
        self.loader = loader
        self.limits = limits
        output = ByteBuffer(limit: limits.outputBytes)
    }

    mutating func print(_ nodes: [Node], indent: [UInt8], skipsFirstIndent: Bool = false)
        throws(TemplateError)
    {
        var skips = skipsFirstIndent
        for node in nodes {
            switch node {
            case .lineStart:
                if !skips { output.append(indent) }
            case .text(let bytes): output.append(bytes)
            case .value(let name, let escaped, let place):
                try count(place)
                if escaped, let sentence = try texts.sentence(name, place) {
                    try print(sentence, indent: [])
                } else {
                    let link = escaped ? try links.address(name, place) : nil
                    let text = link ?? lookUp(name)?.printed ?? ""
                    if escaped { output.appendEscaped(text) } else { output.append(text) }
                }
            case .section(let name, let body, let place):
                if let sentence = try texts.sentence(name, body: body, place) {
                    try print(sentence, indent: indent)
                } else {
                    try section(lookUp(name), body, indent, place)
                }
            case .inverted(let name, let body, let place):
                if lookUp(name)?.isTruthy != true {
                    try nested(place) { run throws(TemplateError) in try run.print(body, indent: indent) }
                }
            case .partial(let name, let own, let place):
                try inject(name, [:], own.map { indent + $0 } ?? [], place)
            case .parent(let name, let given, let own, let place):
                try inject(name, given, own.map { indent + $0 } ?? [], place)
            case .block(let block): try print(block, indent: indent)
            }
            skips = false
        }
    }

    private mutating func section(
        _ value: TemplateValue?,
        _ body: [Node],
        _ indent: [UInt8],
        _ place: SourceLocation
    ) throws(TemplateError) {
        guard let value, value.isTruthy else { return }
        let items = if case .list(let items) = value { items } else { [value] }
        for item in items {
            stack.append(item)
            try nested(place) { run throws(TemplateError) in try run.print(body, indent: indent) }
            stack.removeLast()
        }
    }

    private mutating func print(_ block: Block, indent: [UInt8]) throws(TemplateError) {
        let replacement = arguments[block.name]
        try nested(block.place) { run throws(TemplateError) in
            guard let replacement else { return try run.print(block.content, indent: indent) }
            if block.opensAlone, case .lineStart? = replacement.first {
            } else if block.opensAlone {
                run.output.append(indent + block.indent)
            }
            try run.print(replacement, indent: indent + block.indent, skipsFirstIndent: !block.opensAlone)
        }
    }

    private mutating func inject(
        _ name: PartialName,
        _ given: [String: [Node]],
        _ indent: [UInt8],
        _ place: SourceLocation
    ) throws(TemplateError) {
        let file: String
        switch name {
        case .fixed(let fixed): file = fixed
        case .dynamic(let path):
            guard let found = lookUp(path)?.printed else { return }
            file = found
        }
        guard let template = try template(file) else { return }
        let outer = arguments
        // A block of a child overrides the same block in its parent's own parent.
        arguments = given.merging(outer) { _, outer in outer }
        try nested(place) { run throws(TemplateError) in try run.print(template.nodes, indent: indent) }
        arguments = outer
    }

    private mutating func template(_ name: String) throws(TemplateError) -> ParsedTemplate? {
        if let known = parsed[name] { return known }
        var template: ParsedTemplate?
        if let source = loader(name) {
            template = try ParsedTemplate(name: name, source: source, limits: limits)
        }
        parsed[name] = .some(template)
        return template
    }

    /// Looks the first part of a name up from the innermost value outwards, and the other parts only inside
    /// it.
    private func lookUp(_ name: Name) -> TemplateValue? {
        guard let first = name.parts.first else { return stack.last }
        for value in stack.reversed() {
            guard case .object(let members) = value, var found = members[first] else { continue }
            for part in name.parts.dropFirst() {
                guard case .object(let inner) = found, let next = inner[part] else { return nil }
                found = next
            }
            return found
        }
        return nil
    }

    private mutating func nested(
        _ place: SourceLocation,
        _ body: (inout DynamicRun) throws(TemplateError) -> Void
    ) throws(TemplateError) {
        try count(place)
        depth += 1
        guard depth <= limits.depth else { throw TemplateError(reason: .tooDeep, place: place) }
        try body(&self)
        depth -= 1
    }

    private mutating func count(_ place: SourceLocation) throws(TemplateError) {
        steps += 1
        guard steps <= limits.steps else { throw TemplateError(reason: .tooManySteps, place: place) }
        guard !output.isOverfull else { throw TemplateError(reason: .tooLarge, place: place) }
    }
}
