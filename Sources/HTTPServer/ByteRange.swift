// The range of bytes that a request asks for (RFC 9110, section 14).

/// A part of a file.
public enum ByteRange: Hashable, Sendable {
    /// The whole file: the request asks for no range, or for something that this server does not offer.
    case whole
    case part(Range<Int>)
    /// The file has none of the requested bytes.
    case unsatisfiable

    /// Parses the header `Range`. Several ranges at once are answered with the whole file, as the standard allows.
    init(_ header: String?, size: Int) {
        self = .whole
        guard let header, header.hasPrefix("bytes=") else { return }
        let sides = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2, sides.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return
        }
        switch (Int(sides[0]), Int(sides[1])) {
        case (let first?, let last?):
            guard first <= last else { return }
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where sides[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where sides[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }
}
