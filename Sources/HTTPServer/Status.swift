/// A status code of HTTP (RFC 9110, section 15).
public struct Status: RawRepresentable, Hashable, Sendable {
    /// The three digits.
    public let rawValue: Int

    /// A status by its digits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The request succeeded.
    public static let ok = Status(rawValue: 200)
    /// The request succeeded, and the answer has no body.
    public static let noContent = Status(rawValue: 204)
    /// A part of the resource, as the request asked for (RFC 9110, section 15.3.7).
    public static let partialContent = Status(rawValue: 206)
    /// The result is on another page.
    public static let seeOther = Status(rawValue: 303)
    /// The browser's cached copy is current.
    public static let notModified = Status(rawValue: 304)
    /// The request is malformed.
    public static let badRequest = Status(rawValue: 400)
    /// The client is not allowed to do this.
    public static let forbidden = Status(rawValue: 403)
    /// No resource has this address.
    public static let notFound = Status(rawValue: 404)
    /// The resource does not support the method.
    public static let methodNotAllowed = Status(rawValue: 405)
    /// The request conflicts with the current state of the resource (RFC 9110, section 15.5.10).
    public static let conflict = Status(rawValue: 409)
    /// It was there and is not any more.
    public static let gone = Status(rawValue: 410)
    /// The body exceeds the limit.
    public static let contentTooLarge = Status(rawValue: 413)
    /// The media type of the body is not supported.
    static let unsupportedMediaType = Status(rawValue: 415)
    /// The resource has no part of the requested range.
    static let rangeNotSatisfiable = Status(rawValue: 416)
    /// An expectation that the server cannot meet.
    static let expectationFailed = Status(rawValue: 417)
    /// The request is for another host.
    public static let misdirected = Status(rawValue: 421)
    /// A form with fields that must be corrected.
    public static let unprocessable = Status(rawValue: 422)
    /// The client has reached a limit of requests or connections.
    public static let tooManyRequests = Status(rawValue: 429)
    /// The header block exceeds the limit (RFC 6585, section 5).
    static let headerTooLarge = Status(rawValue: 431)
    /// A fault of the server.
    public static let internalError = Status(rawValue: 500)
    /// The server does not implement the method or coding.
    public static let notImplemented = Status(rawValue: 501)
    /// There is no room to store the content (RFC 4918, section 11.5).
    public static let insufficientStorage = Status(rawValue: 507)
    /// The server cannot answer at present.
    public static let unavailable = Status(rawValue: 503)

    /// Two or three words, for the title of a page or a plain answer.
    public var phrase: String {
        switch rawValue {
        case 200: "OK"
        case 400: "Bad request"
        case 403: "Forbidden"
        case 404: "Not found"
        case 405: "Method not allowed"
        case 408: "Request timeout"
        case 410: "Gone"
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
