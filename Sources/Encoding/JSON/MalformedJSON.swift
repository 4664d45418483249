// The error of a JSON text that is malformed or has an unexpected value.

/// The error of a text that is not JSON or has an unexpected value.
public struct MalformedJSON: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as a sentence about the position.
    public enum Reason: String, Hashable, Sendable {
        case valueMissing = "A value is missing here."
        case notAValue = "This is not a JSON value."
        case nameMissing = "A name in quotation marks is missing here."
        case colonMissing = "A colon is missing here."
        case objectNotClosed = "This object is not closed."
        case arrayNotClosed = "This list is not closed."
        case stringNotClosed = "This string is not closed."
        case controlCharacter = "A control character must be written as an escape."
        case unknownEscape = "There is no such escape."
        case digitsMissing = "Four hexadecimal digits are missing here."
        case loneSurrogate = "Half a character is missing."
        case nul = "A text must not contain U+0000."
        case notUTF8 = "This text is not UTF-8."
        case tooDeep = "Lists and objects are nested too deeply."
        case trailing = "Nothing may follow the value."
        /// Valid JSON with a value that the message does not allow.
        case unexpected = "Another value is expected here."
    }

    /// The position in bytes from the beginning.
    public let at: Int
    /// The reason for the error.
    public let reason: Reason

    /// An error at a position.
    public init(at: Int, _ reason: Reason = .unexpected) {
        self.at = at
        self.reason = reason
    }

    /// For the log: `byte 12: A colon is missing here.`
    public var description: String { "byte \(at): \(reason.rawValue)" }
}
