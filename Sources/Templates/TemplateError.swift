/// A source location in a template.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The name of the template.
    public let file: String
    /// Counted from 1.
    public let line: Int
    /// Counted from 1, in bytes.
    public let column: Int

    /// As compilers print it, so that editors can follow it.
    public var description: String { "\(file):\(line):\(column)" }
}

/// A fault of a template or of its data.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a fault.
    public enum Reason: Hashable, Sendable {
        case unclosedTag
        case emptyTag
        case badDelimiters
        case unclosedSection(String)
        case unexpectedEnd(String)
        case unknownKey(String)
        case unknownLink(String)
        case unknownText(String)
        case wrongUse(String)
        case missingTemplate(String)
        case tooDeep
        case tooLarge
        case tooManySteps
        case badData(String)
    }

    /// The kind of the fault.
    public let reason: Reason
    /// The source location of the fault.
    public let place: SourceLocation

    /// `file:line:column: a sentence that says what to do`.
    public var description: String { "\(place): \(sentence)" }

    private var sentence: String {
        switch reason {
        case .unclosedTag: "This tag is never closed: write its closing delimiter."
        case .emptyTag: "This tag has no name in it."
        case .badDelimiters: "New delimiters are two words without '=' in them, such as {{=<% %>=}}."
        case .unclosedSection(let name): "The section '\(name)' is never closed: write {{/\(name)}}."
        case .unexpectedEnd(let name): "{{/\(name)}} closes nothing that is open here."
        case .unknownKey(let name): "The page has no '\(name)' here."
        case .unknownLink(let name): "There is no link '\(name)'."
        case .unknownText(let key): "There is no text '\(key)' in the catalogue."
        case .wrongUse(let what): what
        case .missingTemplate(let name): "There is no template '\(name)'."
        case .tooDeep: "Templates or sections stand in one another too deeply, or for ever."
        case .tooLarge: "What this template prints is larger than the limit."
        case .tooManySteps: "This template takes more steps than the limit."
        case .badData(let what): what
        }
    }
}

/// Limits of rendering a template.
public struct TemplateLimits: Sendable {
    /// The depth of nested sections, partials and blocks.
    public var depth = 100
    /// The size of the output.
    public var outputBytes = 64 << 20
    /// The number of executed tags and lines.
    public var steps = 50_000_000
    /// The number of sections, partials, blocks and steps of a page after its partials are inserted.
    public var parts = 100_000

    /// The limits for pages of this application.
    public init() {}
}
