// The table of routes: an action for each method and address.

/// A value in a path, such as an id.
public protocol PathValue: Sendable {
    /// Parses a segment of a path; nil if it is not such a value.
    init?(pathSegment: Substring)
}

/// An address without a value: `/transactions`.
public struct Path: Sendable {
    let segments: [Substring]
    let text: String

    /// An address that begins with a slash.
    public init(_ text: String) {
        self.text = text
        segments = Self.segments(of: text)
    }

    static func segments(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
    }
}

/// An address with one value: `/transactions/*/delete`.
public struct PathWith<Value: PathValue>: Sendable {
    let segments: [Substring]

    /// An address that begins with a slash; the segment `*` represents the value.
    public init(_ text: String) { segments = Path.segments(of: text) }
}

/// A line of the table: a method, an address and an action.
public struct Route<Action: Sendable>: Sendable {
    let method: String
    let segments: [Substring]
    /// The address with `{id}` in the place of a value.
    let pattern: String
    let action: @Sendable (Substring) -> Action?

    /// An address without values.
    public init(_ method: String, _ path: Path, _ action: Action) {
        self.method = method
        segments = path.segments
        pattern = path.text
        self.action = { _ in action }
    }

    /// An address with a value. A path with another text in the place of the value does not match.
    public init<Value: PathValue>(
        _ method: String,
        _ path: PathWith<Value>,
        _ action: @escaping @Sendable (Value) -> Action
    ) {
        self.method = method
        segments = path.segments
        pattern = path.segments.reduce(into: "") { $0 += "/" + ($1 == "*" ? "{id}" : $1) }
        self.action = { Value(pathSegment: $0).map(action) }
    }
}

/// The table of routes, prepared for lookups.
public struct Router<Action: Sendable>: Sendable {
    /// The result of matching a request.
    public enum Match {
        /// The action that answers it.
        case found(Action)
        /// The address has other methods, listed as in the header `Allow`.
        case wrongMethod(allow: String)
        /// No route has this address.
        case notFound
    }

    private let fixed: [String: [Route<Action>]]
    private let open: [Int: [Route<Action>]]

    /// Prepares routes for lookups.
    public init(_ routes: [Route<Action>]) {
        fixed = Dictionary(grouping: routes.filter { !$0.segments.contains("*") }) { route in
            route.segments.reduce(into: "") { $0 += "/" + $1 }
        }
        open = Dictionary(grouping: routes.filter { $0.segments.contains("*") }) { $0.segments.count }
    }

    /// Finds the action for a request, and sets the request's `route`. HEAD has the action of GET, whose
    /// answer the server sends without the body.
    public func match(_ request: Request) -> Match {
        match(request.method, request.path, noting: { request.route = $0 })
    }

    /// The same for a method and a path.
    public func match(_ method: String, _ path: String) -> Match { match(method, path, noting: { _ in }) }

    /// - Parameter noting: called with the pattern of each route of the path, the answering one last.
    private func match(_ method: String, _ path: String, noting found: (_ pattern: String) -> Void) -> Match {
        let method = method == "HEAD" ? "GET" : method
        var methods: Set<String> = []
        for route in fixed[path] ?? [] {
            found(route.pattern)
            if route.method == method, let action = route.action("") { return .found(action) }
            methods.insert(route.method)
        }
        // A fixed address has precedence over one with a value, for every method.
        let isFixed = !methods.isEmpty
        let segments = Path.segments(of: path)
        for route in open[segments.count] ?? [] {
            guard let value = Self.value(in: segments, of: route.segments), let action = route.action(value)
            else {
                continue
            }
            if !isFixed { found(route.pattern) }
            if route.method == method, !isFixed { return .found(action) }
            methods.insert(route.method)
        }
        guard !methods.isEmpty else { return .notFound }
        if methods.contains("GET") { methods.insert("HEAD") }
        return .wrongMethod(allow: methods.sorted().joined(separator: ", "))
    }

    /// The segment in the place of `*`; nil if the other segments differ.
    private static func value(in path: [Substring], of pattern: [Substring]) -> Substring? {
        var value: Substring?
        for (segment, expected) in zip(path, pattern) {
            if expected == "*" { value = segment } else if segment != expected { return nil }
        }
        return value
    }
}
