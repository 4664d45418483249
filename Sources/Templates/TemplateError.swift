/// A place in a template.
public struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The template's name.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in bytes.
    public let column: Int

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}

/// What is wrong with a template, or with what it was to print.
public struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public enum Reason: Hashable, Sendable {
        case unclosedTag
        case emptyTag
        case badDelimiters
        case unclosedSection(String)
        case unexpectedEnd(String)
        case unknownKey(String)
        case unknownLink(String)
        case wrongUse(String)
        case missingTemplate(String)
        case tooDeep
        case tooLarge
        case tooManySteps
        case badData(String)
    }

    /// The fault.
    public let reason: Reason
    /// Where it is.
    public let place: Place

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
        case .wrongUse(let what): what
        case .missingTemplate(let name): "There is no template '\(name)'."
        case .tooDeep: "Templates or sections stand in one another too deeply, or for ever."
        case .tooLarge: "What this template prints is larger than the limit."
        case .tooManySteps: "This template takes more steps than the limit."
        case .badData(let what): what
        }
    }
}

/// How far a template may go before it is stopped.
public struct TemplateLimits: Sendable {
    /// Sections, partials and blocks inside one another.
    public var depth = 100
    /// Bytes printed.
    public var outputBytes = 64 << 20
    /// Tags and lines executed.
    public var steps = 50_000_000
    /// What a page is made of once its partials are in their places: sections, partials and blocks, and steps.
    public var parts = 100_000

    /// The usual limits.
    public init() {}
}
