// The head of a response: the fields by which a file is recognized at the next request, and its content type.

/// The validators of a response (RFC 9110, section 8.8), and the field `Content-Type`.
struct ResponseHead {
    /// The field `ETag`.
    private(set) var entityTag: String?
    /// The field `Last-Modified`.
    private(set) var lastModified: String?
    /// The media type in lower case, without parameters: `application/json`.
    private(set) var contentType: String?

    /// Longer values are ignored.
    private static let mostBytes = 256

    /// Reads a line of the head. A status line begins another head, as after an interim response.
    mutating func read(_ line: some Collection<UInt8>) {
        if line.starts(with: "HTTP/".utf8) { self = ResponseHead() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        switch line[..<colon].count {
        case 4 where Self.isName(line[..<colon], "etag"): entityTag = Self.value(line[colon...].dropFirst())
        case 12 where Self.isName(line[..<colon], "content-type"):
            contentType = Self.value(line[colon...].dropFirst()).map { value in
                String(value.prefix { $0 != ";" && $0 != " " }).lowercased()
            }
        case 13 where Self.isName(line[..<colon], "last-modified"):
            lastModified = Self.value(line[colon...].dropFirst())
        default: break
        }
    }

    private static func isName(_ bytes: some Collection<UInt8>, _ name: String) -> Bool {
        bytes.elementsEqual(name.utf8) { $0 | 0x20 == $1 || $0 == $1 }
    }

    /// The text between white space; nil if it is empty, long, or not of printable ASCII.
    private static func value(_ bytes: some Collection<UInt8>) -> String? {
        let text = Array(bytes.drop { $0 <= 32 }.reversed().drop { $0 <= 32 }.reversed())
        guard (1...mostBytes).contains(text.count), text.allSatisfy({ (32...126).contains($0) }) else {
            return nil
        }
        return String(decoding: text, as: UTF8.self)
    }
}
