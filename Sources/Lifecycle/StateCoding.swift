// The parts of a state's coding that the compiler does not derive: user ids, and the limit of nesting.

extension State {
    /// The greatest `depth` of a state: an error of a deletion with the state in which the user asked for it.
    public static let deepest = 3

    /// The number of states in this one: itself, and each state to which one of them returns.
    public var depth: Int {
        switch self {
        case .deletingAccount(_, let from): 1 + from.depth
        case .error(let failure): 1 + failure.from.depth
        default: 1
        }
    }
}

extension UserID: Codable {
    /// Throws for an invalid id: a state that is decoded without its user would be a guest's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let user = UserID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an invalid user id")
        }
        self = user
    }

    /// Encodes the text alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
