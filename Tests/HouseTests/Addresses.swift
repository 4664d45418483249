// Where the app's addresses are written: each in its declaration alone. Everything else names a link.

import Foundation

enum Addresses {
    /// A literal that begins with a slash and is no address of the app.
    struct Exception {
        let path: String
        let literal: String
        let reason: String
    }

    static let exceptions = [
        Exception(
            path: "Sources/Devices/DeviceManager.swift",
            literal: "/secret.key",
            reason: "a file's name"
        ),
        Exception(
            path: "Sources/BreadlyApp/Metrics/MetricsServer.swift",
            literal: "/metrics",
            reason: "the one address of another server, which browsers do not ask"
        ),
    ]

    /// The targets in which each literal that begins with a slash and a letter is taken for an address.
    private static let strict: Set = ["Web", "Devices"]

    /// The literals of a Swift file that are addresses of the app, as `path:line: literal`.
    /// - Parameter known: the first segments of the app's addresses: in the target that wires everything together,
    ///   other literals are names of files.
    static func faults(inSwift text: String, path: String, known: Set<String>) -> [String] {
        let target = path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        guard strict.contains(target) || target == "BreadlyApp", !House.isOfStories(path) else { return [] }
        let literals = withoutComments(text).replacing(declaration) { _ in "" }
        return places(of: /"(?<address>\/[A-Za-z][^"]*)"/, in: literals, path) { address in
            let segment = address.dropFirst().prefix { $0.isLetter || $0 == "-" }
            let isAddress = strict.contains(target) || known.contains(String(segment))
            return isAddress && !exceptions.contains { $0.path == path && $0.literal == address }
        }
    }

    /// The attributes of a template whose address is written out.
    static func faults(inTemplate text: String, path: String) -> [String] {
        places(
            of: /(?:href|action|src|formaction|content|data-[a-z]+)=["'](?<address>\/[^"']*)/,
            in: text,
            path
        )
    }

    /// The addresses that are written out in a script or a style sheet.
    static func faults(inPublic text: String, path: String) -> [String] {
        places(of: /["'`(](?<address>\/[A-Za-z][A-Za-z0-9_\-\/.?#]*)["'`)?]/, in: text, path)
    }

    /// The addresses that a Swift file declares, `/budgets/*`.
    static func declared(in text: String) -> [String] {
        text.matches(of: declaration).map { String($0.address) }
    }

    private static var declaration: Regex<(Substring, address: Substring)> {
        /(?:Link\(declared: |LinkTo<\w+>\()"(?<address>\/[^"]*)"/
    }

    private static func places(
        of pattern: Regex<(Substring, address: Substring)>,
        in text: String,
        _ path: String,
        where isFault: (String) -> Bool = { _ in true }
    ) -> [String] {
        text.matches(of: pattern).compactMap { match in
            let address = String(match.output.address)
            guard isFault(address) else { return nil }
            let line = text[..<match.range.lowerBound].count { $0.isNewline } + 1
            return "\(path):\(line): \(address) is written out: name a link"
        }
    }

    private static func withoutComments(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " }.hasPrefix("//") ? "" : $0 }
            .joined(separator: "\n")
    }
}
