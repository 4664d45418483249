/// A status code of HTTP (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable {
    /// The three digits.
    public let rawValue: Int

    /// A status by its digits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// All is well.
    public static let ok = Status(rawValue: 200)
    /// Done, and nothing to show.
    public static let noContent = Status(rawValue: 204)
    /// Look at another page.
    public static let seeOther = Status(rawValue: 303)
    /// What the browser has is still right.
    public static let notModified = Status(rawValue: 304)
    /// The request cannot be understood.
    public static let badRequest = Status(rawValue: 400)
    /// Not allowed.
    public static let forbidden = Status(rawValue: 403)
    /// There is no such thing.
    public static let notFound = Status(rawValue: 404)
    /// Not with this method.
    public static let methodNotAllowed = Status(rawValue: 405)
    /// It does not fit what is there (RFC 9110, section 15.5.10).
    public static let conflict = Status(rawValue: 409)
    /// The body is over the limit.
    public static let contentTooLarge = Status(rawValue: 413)
    /// The body is of a kind that is not read.
    public static let unsupportedMediaType = Status(rawValue: 415)
    /// An expectation that is not known.
    public static let expectationFailed = Status(rawValue: 417)
    /// Meant for another host.
    public static let misdirected = Status(rawValue: 421)
    /// A form that must be corrected.
    public static let unprocessable = Status(rawValue: 422)
    /// Too many of these from one address.
    public static let tooManyRequests = Status(rawValue: 429)
    /// The header block is over the limit (RFC 6585, section 5).
    public static let headerTooLarge = Status(rawValue: 431)
    /// A fault of ours.
    public static let internalError = Status(rawValue: 500)
    /// A method or coding that is not known.
    public static let notImplemented = Status(rawValue: 501)
    /// Not now.
    public static let unavailable = Status(rawValue: 503)

    /// Two or three words for a page's title or a plain answer.
    public var phrase: String {
        switch rawValue {
        case 200: "OK"
        case 400: "Bad request"
        case 403: "Forbidden"
        case 404: "Not found"
        case 405: "Method not allowed"
        case 408: "Request timeout"
        case 413: "Content too large"
        case 415: "Unsupported media type"
        case 417: "Expectation failed"
        case 421: "Misdirected request"
        case 422: "Unprocessable content"
        case 429: "Too many requests"
        case 431: "Request header fields too large"
        case 500: "Internal error"
        case 501: "Not implemented"
        case 503: "Service unavailable"
        case 507: "Insufficient storage"
        default: "Status \(rawValue)"
        }
    }
}
