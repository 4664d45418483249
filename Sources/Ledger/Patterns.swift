// Regular expressions as this target knows them: the library for them is above it.

/// Compiles regular expressions.
public protocol PatternCompiling: Sendable {
    /// Compiles a regular expression, which does not tell upper and lower case apart.
    func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern
}

/// A compiled regular expression, which several threads may use at once.
public protocol CompiledPattern: Sendable {
    /// Looks for the first match anywhere in a text, with a limit on the work.
    func match(in text: String) -> PatternMatch
}

/// The result of a search by a regular expression.
public enum PatternMatch: Hashable, Sendable {
    case found, notFound
    /// The search reached the limit on its work. Nothing is known.
    case tooCostly
}

/// The reason why a regular expression is refused.
public struct PatternFault: Error, Hashable, Sendable {
    /// The message of the library, in English.
    public let message: String
    /// The number of characters before the fault.
    public let position: Int

    /// A fault after a number of characters.
    public init(message: String, position: Int) {
        self.message = message
        self.position = position
    }
}
