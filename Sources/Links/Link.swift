// An address of the app as a value: path, query and fragment, percent-encoded.

import Encoding

/// An address of the app, without the base path: `/transactions?month=2026-11`.
///
/// Each feature of the app declares its addresses beside its actions. The base path is added when a link is sent: by the
/// templates, in `Location` and in cookies.
public struct Link: Hashable, Sendable {
    /// The whole address, percent-encoded: path, query and fragment.
    public let text: String

    /// An address that is known to be valid, written in a declaration and nowhere else.
    package init(declared text: String) { self.text = text }

    /// Parses an address from a request or from the data folder.
    /// - Returns: nil if a browser could read it as an address of another server, or if it contains bytes
    ///   that an address must not contain.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.first == slash, bytes.dropFirst().first != slash, bytes.allSatisfy(isPartOfAddress) else {
            return nil
        }
        self.text = text
    }

    /// The address of the decoded path of a request.
    public init(path: String) {
        text = PercentEncoding.encode(path) { $0 == slash || PercentEncoding.isUnreserved($0) }
    }

    /// The address without its query and fragment.
    public var path: String {
        String(text.prefix { $0 != "?" && $0 != "#" })
    }

    /// The same address with a query. The values are percent-encoded.
    public func adding(query items: [(name: String, value: String)]) -> Link {
        guard !items.isEmpty else { return self }
        let query = items.map { "\($0.name)=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
        return Link(declared: "\(text)?\(query)")
    }

    /// The same address with the id of an element as its fragment.
    public func adding(fragment: String) -> Link {
        Link(declared: "\(text)#\(PercentEncoding.encode(fragment))")
    }
}

/// A family of addresses that differ in one segment: `/transactions/*/delete`.
public struct LinkTo<Value: CustomStringConvertible & Sendable>: Sendable {
    /// The path with `*` in the place of the value.
    public let pattern: String
    /// The part before the value.
    public let head: String
    /// The part after the value.
    public let tail: String

    /// A family that is declared: a path with `*` in the place of the value.
    package init(_ pattern: String) {
        self.pattern = pattern
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        head = String(parts[0])
        tail = parts.count > 1 ? String(parts[1]) : ""
    }

    /// The address for a value.
    public func callAsFunction(_ value: Value) -> Link {
        Link(declared: head + PercentEncoding.encode("\(value)") + tail)
    }
}

private let slash = UInt8(ascii: "/")

/// Whether a byte can be part of an encoded address. A backslash cannot, because browsers read it as a slash.
private func isPartOfAddress(_ byte: UInt8) -> Bool {
    (33...126).contains(byte) && !"\"<>\\^`{|}".utf8.contains(byte)
}
