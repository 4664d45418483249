// A refusal of a group of calls: its code and its status on the wire, and its words for the log.

/// A refusal of a group of calls.
protocol Refusal: Hashable, Sendable {
    /// Its code, status and words, for a response and for the log.
    var wire: WireRefusal { get }
    /// Adds its values to the body of a response.
    func fill(_ message: inout FailureMessage)
    /// The refusal of a received body; nil for the code of another group, and if a value is missing.
    init?(_ message: FailureMessage)
}

/// The code, the HTTP status and the words of a refusal.
struct WireRefusal {
    /// Such as `op_gap`.
    let code: String
    let status: Int
    /// A few words for the log, without personal data.
    let words: String

    init(_ code: String, _ status: Int, _ words: String) {
        self.code = code
        self.status = status
        self.words = words
    }
}
