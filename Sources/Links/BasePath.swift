// The path that the whole app is served below, where a reverse proxy gives it a part of a host.

import Encoding

/// The path that the server is below, such as `/breadly`; `root` where it has the whole host.
///
/// A link never contains it. It is added where an address leaves the server, and taken off where a request arrives.
public struct BasePath: Hashable, Sendable {
    /// The whole host.
    public static let root = BasePath()

    /// `/breadly`, without a slash at its end; empty for `root`.
    public let text: String

    private init() { text = "" }

    /// Reads a path such as `/breadly` or `/home/money/`; `/` and nothing are `root`.
    ///
    /// Its segments are of unreserved characters, which are the same encoded and decoded: a proxy, a browser and a cookie
    /// then read the same in them. The first one is none of those that are answered outside of every base path.
    /// - Throws: `BasePathError` for any other text.
    public init(_ path: String) throws(BasePathError) {
        var segments = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        guard let first = segments.first, first.isEmpty else { throw .notAPath }
        segments = segments.dropFirst()
        if segments.last?.isEmpty == true { segments = segments.dropLast() }
        guard path.utf8.count <= 200, segments.allSatisfy(Self.isSegment) else { throw .notAPath }
        if let taken = segments.first.map(String.init), Self.answeredEverywhere.contains(taken) {
            throw .taken(taken)
        }
        text = segments.reduce(into: "") { $0 += "/" + $1 }
    }

    /// The address of a link on this server.
    public func address(_ link: Link) -> String { text + link.text }

    /// The path of cookies and of the overview: `/breadly/`.
    public var folder: String { text + "/" }

    /// The part of an address that is below this path.
    /// - Returns: nil where it is outside.
    public func inside(_ address: String) -> String? {
        guard !text.isEmpty else { return address }
        guard address.hasPrefix(folder) else { return nil }
        return String(address.dropFirst(text.count))
    }

    /// The first segments of what is answered outside of the base path too.
    private static let answeredEverywhere: Set<String> = ["healthz", "readyz", "cloud"]

    private static func isSegment(_ segment: Substring) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".."
            && segment.utf8.allSatisfy(PercentEncoding.isUnreserved)
    }
}

/// Why a text is no base path.
public enum BasePathError: Error, Hashable, Sendable {
    /// It is not made of segments of letters, digits, `-`, `.`, `_` and `~`.
    case notAPath
    /// Its first segment is answered outside of every base path.
    case taken(String)
}
