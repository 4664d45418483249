// Builds the nodes of a template from its tokens and settles which tags stand alone on their lines.

/// A template that was read.
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

/// Text, a tag, or a parent or block with all that is inside it.
private indirect enum Piece {
    case text([UInt8])
    case tag(Tag)
    case parent(Tag, [Piece])
    case block(Tag, [Piece])
    /// White space of a line that a tag has for itself: nothing is printed for it.
    case nothing
}

/// Finds what encloses what.
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
                    guard last.name == tag.name else {
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
            throw TemplateError(reason: .unclosedSection(unclosed.name), place: unclosed.place)
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
    /// What a tag that may stand alone was found to be.
    private struct Standing {
        /// The white space before it; nil where something else is on the line.
        var indent: [UInt8]?
        var body: BlockBody?
    }

    private var pieces: [Piece]
    private var standing: [Int: Standing] = [:]
    private var index = 0
    /// Whether the next thing that is printed begins a line.
    private(set) var atLineStart = true
    private var startsLine = true
    private var endsLine = true

    init(_ pieces: [Piece]) { self.pieces = pieces }

    /// - Parameters:
    ///   - startsLine: whether a line begins where the pieces begin.
    ///   - endsLine: whether the line ends where the pieces end.
    mutating func nodes(startsLine: Bool, endsLine: Bool) throws(TemplateError) -> [Node] {
        self.startsLine = startsLine
        self.endsLine = endsLine
        atLineStart = startsLine
        for here in pieces.indices { settle(here) }
        return try run()
    }

    /// Finds out whether a tag stands alone, and takes away the white space that it then has for itself.
    private mutating func settle(_ here: Int) {
        switch pieces[here] {
        case .text, .nothing: break
        case .tag(let tag):
            if case .value = tag.kind { return }
            standing[here] = Standing(indent: standAlone(here))
        case .parent:
            standing[here] = Standing(indent: standAlone(here))
        case .block(_, let inside):
            let before = blankBefore(here)
            let body = BlockBody(inside, opensLine: before != nil, closesLine: blankAfter(here))
            if body.opensAlone { blank(before) }
            if body.closesAlone { blank(after: here) }
            standing[here] = Standing(indent: before?.bytes, body: body)
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
                    if standing[here]?.indent != nil { atLineStart = true }
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
            if standing[here]?.indent != nil { atLineStart = true }
        case .end, .openParent, .openBlock: break
        }
    }

    /// The white space before a tag that stands alone; for another one a line is begun, if one is to begin.
    private mutating func indent(_ here: Int, _ nodes: inout [Node]) -> [UInt8]? {
        let indent = standing[here]?.indent
        if indent == nil { beginLine(&nodes) } else { atLineStart = true }
        return indent
    }

    private mutating func add(block tag: Tag, at here: Int, to nodes: inout [Node]) throws(TemplateError) {
        guard let standing = standing[here], let body = standing.body else { return }
        if body.opensAlone { atLineStart = true } else { beginLine(&nodes) }
        var builder = Builder(body.pieces)
        let content = try builder.nodes(startsLine: body.opensAlone, endsLine: false)
        nodes.append(
            .block(
                Block(
                    name: tag.name,
                    content: content,
                    indent: body.opensAlone && !content.isEmpty
                        ? content.intrinsicIndent : standing.indent ?? [],
                    opensAlone: body.opensAlone,
                    place: tag.place
                )
            )
        )
        atLineStart = body.closesAlone || (body.opensAlone && builder.atLineStart)
    }

    /// The blocks inside a parent tag; all else there is not printed.
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

    /// Where a tag has its line for itself: takes the line's white space away and returns what was before it.
    private mutating func standAlone(_ here: Int) -> [UInt8]? {
        guard let before = blankBefore(here), blankAfter(here) else { return nil }
        blank(before)
        blank(after: here)
        return before.bytes
    }

    /// The white space between the line's beginning and a piece; nil where there is something else.
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
            // What was taken away before a tag is followed by the tag: this is the end of a tag's own line.
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

/// The pieces inside a block without the white space that its tags' own lines have.
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
