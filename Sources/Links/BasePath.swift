// The path below which the whole app is served if a reverse proxy shares a host between several apps.

import Encoding

/// The path of the app on its host, such as `/breadly`; `root` if the app has the whole host.
///
/// A link never contains it. It is added to the addresses that the server sends, and removed from the
/// addresses of requests.
public struct BasePath: Hashable, Sendable {
    /// The path of an app that has the whole host.
    public static let root = BasePath()

    /// The path without a slash at its end, such as `/breadly`; empty for `root`.
    public let text: String

    private init() { text = "" }

    /// Parses a path such as `/breadly` or `/home/money/`; `/` and the empty text are `root`.
    ///
    /// The segments consist of unreserved characters, which are the same encoded and decoded, so that a
    /// proxy, a browser and a cookie agree on them. The first segment must not be one of the paths that are
    /// answered outside of every base path.
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
    /// - Returns: nil for an address outside of it.
    public func inside(_ address: String) -> String? {
        guard !text.isEmpty else { return address }
        guard address.hasPrefix(folder) else { return nil }
        return String(address.dropFirst(text.count))
    }

    /// The first segments of the paths that are answered outside of the base path as well.
    private static let answeredEverywhere: Set<String> = ["healthz", "readyz", "cloud"]

    private static func isSegment(_ segment: Substring) -> Bool {
        !segment.isEmpty && segment != "." && segment != ".."
            && segment.utf8.allSatisfy(PercentEncoding.isUnreserved)
    }
}

/// The reason why a text is not a base path.
public enum BasePathError: Error, Hashable, Sendable {
    /// It is not made of segments of letters, digits, `-`, `.`, `_` and `~`.
    case notAPath
    /// Its first segment is answered outside of every base path.
    case taken(String)
}
