// The answer with a file of a user: nothing in it runs in the browser, whatever it contains.

/// The answer with a stored file, whose content never changes, to a conditional request or one for a part of it.
public struct FileAnswer: Sendable {
    private var plain: Response
    private let part: Range<Int>?

    /// - Parameters:
    ///   - type: the media type, which the browser does not question.
    ///   - tag: the strong entity tag of the content, in quotation marks.
    ///   - disposition: the value of `Content-Disposition`.
    public init(size: Int, type: String, tag: String, disposition: String, to request: Request) {
        plain = Response(
            .ok,
            headers: [
                ("Content-Type", type), ("Content-Disposition", disposition), ("ETag", tag),
                ("Content-Security-Policy", "sandbox; default-src 'none'"),
                ("X-Content-Type-Options", "nosniff"),
                // A browser that keeps it asks each time whether it may still show it.
                ("Cache-Control", "private, no-cache"), ("Accept-Ranges", "bytes"),
            ]
        )
        if let known = request.header("If-None-Match"), known == "*" || known.contains(tag) {
            plain.status = .notModified
            part = nil
            return
        }
        let isSame = request.header("If-Range").map { $0 == tag } ?? true
        switch ByteRange(isSame ? request.header("Range") : nil, size: size) {
        case .whole: part = 0..<size
        case .part(let range):
            plain.status = .partialContent
            plain.add("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            part = range
        case .unsatisfiable:
            plain.status = .rangeNotSatisfiable
            plain.add("Content-Range", "bytes */\(size)")
            part = nil
        }
    }

    /// Whether the answer has a body, for which the file must be open.
    public var hasContent: Bool { part != nil }

    /// The response.
    /// - Parameter descriptor: the open file, which the response closes; nil without content.
    public func response(descriptor: Int32?) -> Response {
        var response = plain
        if let part, let descriptor {
            let (size, offset) = (UInt64(part.count), UInt64(part.lowerBound))
            response.body = .file(descriptor: descriptor, size: size, offset: offset)
        }
        return response
    }
}
