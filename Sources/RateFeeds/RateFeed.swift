// The interface of an institution that publishes rates. Each institution has a folder of its own, and no detail
// of its files or addresses is outside of it.

public import Ledger

/// An institution that publishes rates at an address.
public protocol RateFeed: Sendable {
    /// The address of the file.
    var address: String { get }

    /// Requests the file. One request is sent, and never repeated.
    /// - Parameters:
    ///   - validators: the validators of the last file from this address; nil without such a file.
    ///   - today: rates of later days are refused.
    func newRates(since validators: RateFileValidators?, today: CivilDate) async throws(RateFeedError)
        -> RateFeedAnswer
}

/// The fields by which a server recognizes the version of a file (RFC 9110, section 8.8).
public struct RateFileValidators: Hashable, Sendable {
    /// The field `ETag`.
    public var entityTag: String?
    /// The field `Last-Modified`.
    public var lastModified: String?

    /// Validators of a response; a missing field is nil.
    public init(entityTag: String?, lastModified: String?) {
        self.entityTag = entityTag
        self.lastModified = lastModified
    }
}

/// The answer of an institution.
public enum RateFeedAnswer: Hashable, Sendable {
    /// The file still has these validators.
    case unchanged
    /// The file, with the validators for the next request.
    case file(RateFile, RateFileValidators)
}

/// The reason why there are no rates.
public enum RateFeedError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There was no complete response. The text is for the log.
    case unreachable(String)
    /// The response has a status other than 200 and 304.
    case refused(status: Int, retryAfterSeconds: Int64?)
    /// The response is no file of rates.
    case badFile(RateFileError)

    /// A phrase for the log.
    public var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .refused(let status, _) where (300...399).contains(status):
            "the answer has the status \(status), and redirects are not followed"
        case .refused(let status, _): "the answer has the status \(status)"
        case .badFile(let error): "the answer is no usable file of rates: \(error)"
        }
    }
}
