// Builds the nodes of a template from its tokens, and finds standalone tags: tags that share their lines with
// white space only, as the Mustache specification defines them.

/// The nodes of a template.
struct ParsedTemplate: Sendable {
    let name: String
    let nodes: [Node]

    /// - Parameter source: UTF-8.
    init(name: String, source: [UInt8], limits: TemplateLimits) throws(TemplateError) {
        self.name = name
        var scanner = Scanner(file: name, source: source)
        var nesting = Nesting(tokens: try scanner.tokens(), file: name, limit: limits.depth)
        let pieces = try nesting.pieces(until: nil)
        var builder = Builder(pieces)
        nodes = try builder.nodes(startsLine: true, endsLine: true)
    }
}

/// Text, a tag, or a parent or block with all pieces inside it.
private indirect enum Piece {
    case text([UInt8])
    case tag(Tag)
    case parent(Tag, [Piece])
    case block(Tag, [Piece])
    /// White space on the line of a standalone tag: it is not printed.
    case nothing
}

/// Matches opening and closing tags.
private struct Nesting {
    private let tokens: [Token]
    private let file: String
    private let limit: Int
    private var index = 0
    private var depth = 0

    init(tokens: [Token], file: String, limit: Int) {
        self.tokens = tokens
        self.file = file
        self.limit = limit
    }

    /// The pieces up to the end tag of `opener`, or to the end of the template.
    mutating func pieces(until opener: Tag?) throws(TemplateError) -> [Piece] {
        var pieces: [Piece] = []
        var open: [Tag] = []
        while index < tokens.count {
            let token = tokens[index]
            index += 1
            guard case .tag(let tag) = token else {
                if case .text(let bytes) = token { pieces.append(.text(bytes)) }
                continue
            }
            switch tag.kind {
            case .openParent, .openBlock:
                try enter(tag)
                let inside = try self.pieces(until: tag)
                depth -= 1
                if case .openParent = tag.kind {
                    pieces.append(.parent(tag, inside))
                } else {
                    pieces.append(.block(tag, inside))
                }
            case .open, .openInverted:
                try enter(tag)
                open.append(tag)
                pieces.append(.tag(tag))
            case .end:
                if let last = open.popLast() {
                    guard last.endName == tag.name else {
                        throw TemplateError(reason: .unexpectedEnd(tag.name), place: tag.place)
                    }
                    depth -= 1
                    pieces.append(.tag(tag))
                } else if let opener, opener.name == tag.name {
                    return pieces
                } else {
                    throw TemplateError(reason: .unexpectedEnd(tag.name), place: tag.place)
                }
            case .value, .partial, .comment, .delimiters:
                pieces.append(.tag(tag))
            }
        }
        if let unclosed = open.last ?? opener {
            throw TemplateError(reason: .unclosedSection(unclosed.endName), place: unclosed.place)
        }
        return pieces
    }

    private mutating func enter(_ tag: Tag) throws(TemplateError) {
        depth += 1
        guard depth <= limit else { throw TemplateError(reason: .tooDeep, place: tag.place) }
    }
}

/// Turns pieces into nodes.
private struct Builder {
    /// The result of `markStandalone` for a tag.
    private struct Standalone {
        /// The white space before the tag; nil if the tag is not standalone.
        var indent: [UInt8]?
        var body: BlockBody?
    }

    private var pieces: [Piece]
    private var standalone: [Int: Standalone] = [:]
    private var index = 0
    /// Whether the next output begins a line.
    private(set) var atLineStart = true
    private var startsLine = true
    private var endsLine = true

    init(_ pieces: [Piece]) { self.pieces = pieces }

    /// - Parameters:
    ///   - startsLine: whether the pieces begin at the beginning of a line.
    ///   - endsLine: whether a line ends after the pieces.
    mutating func nodes(startsLine: Bool, endsLine: Bool) throws(TemplateError) -> [Node] {
        self.startsLine = startsLine
        self.endsLine = endsLine
        atLineStart = startsLine
        for here in pieces.indices { markStandalone(here) }
        return try run()
    }

    /// Finds out whether a tag is standalone, and removes the white space around it if it is.
    private mutating func markStandalone(_ here: Int) {
        switch pieces[here] {
        case .text, .nothing: break
        case .tag(let tag):
            if case .value = tag.kind { return }
            standalone[here] = Standalone(indent: removeStandaloneLine(here))
        case .parent:
            standalone[here] = Standalone(indent: removeStandaloneLine(here))
        case .block(_, let inside):
            let before = blankBefore(here)
            let body = BlockBody(inside, opensLine: before != nil, closesLine: blankAfter(here))
            if body.opensAlone { blank(before) }
            if body.closesAlone { blank(after: here) }
            standalone[here] = Standalone(indent: before?.bytes, body: body)
        }
    }

    private mutating func run() throws(TemplateError) -> [Node] {
        var nodes: [Node] = []
        while index < pieces.count {
            let here = index
            index += 1
            switch pieces[here] {
            case .nothing: break
            case .text(let bytes):
                beginLine(&nodes)
                nodes.append(.text(bytes))
                atLineStart = bytes.last == UInt8(ascii: "\n")
            case .tag(let tag):
                if case .end = tag.kind {
                    if standalone[here]?.indent != nil { atLineStart = true }
                    return nodes
                }
                try add(tag, at: here, to: &nodes)
            case .parent(let tag, let inside):
                let indent = indent(here, &nodes)
                nodes.append(
                    .parent(
                        partialName(tag.name),
                        arguments: try arguments(inside),
                        indent: indent,
                        tag.place
                    )
                )
            case .block(let tag, _):
                try add(block: tag, at: here, to: &nodes)
            }
        }
        return nodes
    }

    private mutating func add(_ tag: Tag, at here: Int, to nodes: inout [Node]) throws(TemplateError) {
        switch tag.kind {
        case .value(let escaped):
            beginLine(&nodes)
            nodes.append(.value(Name(tag.name), escaped: escaped, tag.place))
        case .open, .openInverted:
            _ = indent(here, &nodes)
            let body = try run()
            if case .open = tag.kind {
                nodes.append(.section(Name(tag.name), body, tag.place))
            } else {
                nodes.append(.inverted(Name(tag.name), body, tag.place))
            }
        case .partial:
            let indent = indent(here, &nodes)
            nodes.append(.partial(partialName(tag.name), indent: indent, tag.place))
        case .comment, .delimiters:
            if standalone[here]?.indent != nil { atLineStart = true }
        case .end, .openParent, .openBlock: break
        }
    }

    /// The white space before a standalone tag. Before any other tag, begins a line if one is due.
    private mutating func indent(_ here: Int, _ nodes: inout [Node]) -> [UInt8]? {
        let indent = standalone[here]?.indent
        if indent == nil { beginLine(&nodes) } else { atLineStart = true }
        return indent
    }

    private mutating func add(block tag: Tag, at here: Int, to nodes: inout [Node]) throws(TemplateError) {
        guard let standalone = standalone[here], let body = standalone.body else { return }
        if body.opensAlone { atLineStart = true } else { beginLine(&nodes) }
        var builder = Builder(body.pieces)
        let content = try builder.nodes(startsLine: body.opensAlone, endsLine: false)
        nodes.append(
            .block(
                Block(
                    name: tag.name,
                    content: content,
                    indent: body.opensAlone && !content.isEmpty
                        ? content.intrinsicIndent : standalone.indent ?? [],
                    opensAlone: body.opensAlone,
                    place: tag.place
                )
            )
        )
        atLineStart = body.closesAlone || (body.opensAlone && builder.atLineStart)
    }

    /// The blocks inside a parent tag; other content there is not printed.
    private func arguments(_ inside: [Piece]) throws(TemplateError) -> [String: [Node]] {
        var arguments: [String: [Node]] = [:]
        var builder = Builder(inside)
        for node in try builder.nodes(startsLine: true, endsLine: true) {
            guard case .block(let block) = node else { continue }
            arguments[block.name] = block.content.dedented(by: block.content.intrinsicIndent)
        }
        return arguments
    }

    private func partialName(_ text: String) -> PartialName {
        guard text.hasPrefix("*") else { return .fixed(text) }
        return .dynamic(Name(String(text.dropFirst().drop { $0 == " " })))
    }

    private mutating func beginLine(_ nodes: inout [Node]) {
        if atLineStart { nodes.append(.lineStart) }
        atLineStart = false
    }

    /// If a tag is standalone, removes the white space around it and returns the part before it.
    private mutating func removeStandaloneLine(_ here: Int) -> [UInt8]? {
        guard let before = blankBefore(here), blankAfter(here) else { return nil }
        blank(before)
        blank(after: here)
        return before.bytes
    }

    /// The white space between the beginning of the line and a piece; nil if there is other content.
    private func blankBefore(_ here: Int) -> (range: Range<Int>, bytes: [UInt8])? {
        var first = here
        while first > 0, case .text(let bytes) = pieces[first - 1], isBlank(bytes),
            bytes.last != UInt8(ascii: "\n")
        {
            first -= 1
        }
        let isLineStart: Bool
        if first == 0 {
            isLineStart = startsLine
        } else {
            switch pieces[first - 1] {
            case .text(let bytes): isLineStart = bytes.last == UInt8(ascii: "\n")
            // White space is removed around standalone tags only, so that this is the end of such a tag's
            // line.
            case .nothing: isLineStart = true
            case .tag, .parent, .block: isLineStart = false
            }
        }
        guard isLineStart else { return nil }
        var bytes: [UInt8] = []
        for piece in pieces[first..<here] {
            if case .text(let text) = piece { bytes += text }
        }
        return (first..<here, bytes)
    }

    /// Whether only white space follows a piece on its line.
    private func blankAfter(_ here: Int) -> Bool {
        var next = here + 1
        while next < pieces.count, case .text(let bytes) = pieces[next], isBlank(bytes) {
            if bytes.last == UInt8(ascii: "\n") { return true }
            next += 1
        }
        return next == pieces.count && endsLine
    }

    private mutating func blank(_ before: (range: Range<Int>, bytes: [UInt8])?) {
        for index in before?.range ?? 0..<0 { pieces[index] = .nothing }
    }

    private mutating func blank(after here: Int) {
        var next = here + 1
        while next < pieces.count, case .text(let bytes) = pieces[next] {
            pieces[next] = .nothing
            next += 1
            if bytes.last == UInt8(ascii: "\n") { break }
        }
    }
}

/// The pieces inside a block without the white space on the lines of its standalone tags.
private struct BlockBody {
    private(set) var pieces: [Piece]
    private(set) var opensAlone = false
    private(set) var closesAlone = false

    init(_ inside: [Piece], opensLine: Bool, closesLine: Bool) {
        pieces = inside
        if opensLine, case .text(let first)? = inside.first, isBlank(first), first.last == UInt8(ascii: "\n")
        {
            opensAlone = true
            pieces.removeFirst()
        }
        guard closesLine else { return }
        if case .text(let last)? = pieces.last {
            if last.last == UInt8(ascii: "\n") {
                closesAlone = true
            } else if isBlank(last), pieces.count == 1 || endsInBreak(pieces[pieces.count - 2]) {
                closesAlone = pieces.count > 1 || opensAlone
                if closesAlone { pieces.removeLast() }
            }
        } else if pieces.isEmpty {
            closesAlone = opensAlone
        }
    }

    private func endsInBreak(_ piece: Piece) -> Bool {
        if case .text(let bytes) = piece { return bytes.last == UInt8(ascii: "\n") }
        return false
    }
}

private func isBlank(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { $0 == 32 || $0 == 9 || $0 == 13 || $0 == 10 }
}
