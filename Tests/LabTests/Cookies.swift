// The cookies of a browser by their paths: each device of the lab, and each sign-in that it begins, has one of its own.

import TestKit

/// The cookies of one host. Their age and the other attributes do not matter to a test.
struct Cookies: Sendable {
    private struct Key: Hashable {
        let name: String
        let path: String
    }

    private var values: [Key: String] = [:]

    /// The cookies that a browser sends to an address, by name.
    func sent(to address: String) -> [String: String] {
        let path = address.prefix { $0 != "?" }
        let matching = values.filter { key, _ in
            let isBelow = key.path.hasSuffix("/") || path.dropFirst(key.path.count).first == "/"
            return path == key.path || path.hasPrefix(key.path) && isBelow
        }
        // Of two cookies of one name, a server reads the one of the longer path.
        return matching.sorted { $0.key.path.utf8.count < $1.key.path.utf8.count }
            .reduce(into: [:]) { $0[$1.key.name] = $1.value }
    }

    /// Stores a cookie as a script does, or removes it.
    mutating func set(_ name: String, below path: String, to value: String?) {
        values[Key(name: name, path: path)] = value
    }

    /// Stores the cookies that an answer sets, and removes those that it ends.
    mutating func store(_ reply: Reply) {
        for (name, value) in reply.headers where name == "set-cookie" {
            let parts = value.split(separator: ";").map { part in
                part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map(String.init)
            }
            guard let first = parts.first, first.count == 2 else { continue }
            let path = parts.last { $0.first == "Path" }?.last ?? "/"
            let isOver = parts.contains(["Max-Age", "0"])
            values[Key(name: first[0], path: path)] = isOver ? nil : first[1]
        }
    }

    /// Stores the cookies of another copy that a request has changed.
    /// - Parameter former: the cookies before that request.
    mutating func merge(_ other: Cookies, since former: Cookies) {
        for key in Set(other.values.keys).union(former.values.keys)
        where other.values[key] != former.values[key] {
            values[key] = other.values[key]
        }
    }
}
