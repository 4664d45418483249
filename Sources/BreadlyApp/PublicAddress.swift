// The address that browsers have for a server, of which a reverse proxy may give it a part only.

import Foundation
public import Links
import Outbound

/// The address of a server as others see it: `https://budget.example.org`, or `https://home.example/breadly` where it
/// shares its host.
public struct PublicAddress: Hashable, Sendable {
    /// The address without a slash at its end.
    public let text: String
    /// The host, without a port.
    public let host: String
    /// The path that everything is below.
    public let base: BasePath

    /// Reads an address of scheme, host, port and path, with or without slashes at its end.
    /// - Throws: `AppError.refused`, in a sentence for the operator, where it is anything else.
    public init(_ address: String) throws(AppError) {
        var text = address
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            !host.contains(where: \.isWhitespace), (1...65_535).contains(parts.port ?? 80),
            parts.scheme == "http" || parts.scheme == "https", parts.user == nil, parts.password == nil,
            parts.query == nil, parts.fragment == nil
        else {
            throw .refused("'\(address)' is no address of a server: write one as https://budget.example.org.")
        }
        do throws(BasePathError) { base = try BasePath(Self.path(of: text)) } catch {
            switch error {
            case .notAPath:
                throw .refused(
                    "The path of '\(address)' has more in it than letters, digits and - . _ ~ between single slashes: "
                        + "write one as https://home.example/breadly."
                )
            case .taken(let segment):
                throw .refused(
                    "The path of '\(address)' begins with /\(segment), which this server answers by itself: choose "
                        + "another one."
                )
            }
        }
        self.text = text
        self.host = host
    }

    /// Whether requests to an address cannot be read on the way.
    static func isProtected(_ address: String) -> Bool {
        let parts = URLComponents(string: address)
        return ProtectedAddress.accepts(scheme: parts?.scheme, host: parts?.host)
    }

    /// The path as it was written, with its escapes.
    private static func path(of text: String) -> String {
        guard let scheme = text.range(of: "://") else { return "" }
        return String(text[scheme.upperBound...].drop { $0 != "/" })
    }
}
