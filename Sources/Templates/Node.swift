// The syntax tree of a template.

/// A name in a tag: `.` is the empty path, `a.b` has two parts.
struct Name: Hashable, Sendable {
    let parts: [String]
    let text: String

    init(_ text: String) {
        self.text = text
        parts =
            text == "." ? [] : text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

/// A piece of a template.
indirect enum Node: Sendable {
    /// The beginning of a line, where the indentation of an including template is printed.
    case lineStart
    /// Text whose only line break is at its end.
    case text([UInt8])
    case value(Name, escaped: Bool, SourceLocation)
    case section(Name, [Node], SourceLocation)
    case inverted(Name, [Node], SourceLocation)
    /// `indent` is nil unless the tag is standalone.
    case partial(PartialName, indent: [UInt8]?, SourceLocation)
    case parent(PartialName, arguments: [String: [Node]], indent: [UInt8]?, SourceLocation)
    case block(Block)
}

/// The name of a template to inject: written out, or found in the context.
enum PartialName: Hashable, Sendable {
    case fixed(String)
    case dynamic(Name)
}

/// A part of a template that a child may replace.
struct Block: Sendable {
    let name: String
    let content: [Node]
    /// The indentation of each line of a replacement.
    let indent: [UInt8]
    /// Whether the opening tag is standalone. Then a replacement begins before the indentation is printed.
    let opensAlone: Bool
    let place: SourceLocation
}

extension [Node] {
    /// The same nodes with this indentation removed from each line, as far as the line has it.
    func dedented(by indent: [UInt8]) -> [Node] {
        guard !indent.isEmpty else { return self }
        var result: [Node] = []
        var atStart = false
        for node in self {
            switch node {
            case .text(let bytes) where atStart:
                let shared = zip(bytes, indent).prefix { $0 == $1 }.count
                result.append(.text(Array<UInt8>(bytes.dropFirst(shared))))
            case .section(let name, let body, let place):
                result.append(.section(name, body.dedented(by: indent), place))
            case .inverted(let name, let body, let place):
                result.append(.inverted(name, body.dedented(by: indent), place))
            case .block(let block):
                let shared = block.indent.starts(with: indent) ? indent.count : 0
                result.append(
                    .block(
                        Block(
                            name: block.name,
                            content: block.content.dedented(by: indent),
                            indent: Array<UInt8>(block.indent.dropFirst(shared)),
                            opensAlone: block.opensAlone,
                            place: block.place
                        )
                    )
                )
            case .partial(let name, let own?, let place):
                let shared = own.starts(with: indent) ? indent.count : 0
                result.append(.partial(name, indent: Array<UInt8>(own.dropFirst(shared)), place))
            default:
                result.append(node)
            }
            if case .lineStart = node { atStart = true } else { atStart = false }
        }
        return result
    }

    /// The white space at the beginning of the first line, if the nodes begin with a line.
    var intrinsicIndent: [UInt8] {
        guard case .lineStart? = first, count > 1 else { return [] }
        switch self[1] {
        case .text(let bytes): return Array<UInt8>(bytes.prefix { $0 == 32 || $0 == 9 })
        default: return []
        }
    }
}
