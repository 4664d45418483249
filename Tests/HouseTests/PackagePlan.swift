// The targets of Package.swift with their floors and their dependencies, read from its text: there is no other plan.

import Foundation

/// The targets of the package, in their order.
struct PackagePlan: Sendable {
    enum Kind: String, Sendable {
        case library = "target"
        case executable = "executableTarget"
        case test = "testTarget"
        case system = "systemLibrary"
    }

    struct Target: Sendable {
        var name: String
        var kind: Kind
        /// By the comment above it, `// Floor 2`; nil for tests and what they share.
        var floor: Int?
        /// The targets of this project.
        var dependencies: Set<String>

        /// The name that `import` has for it.
        var module: String { name.replacing("-", with: "_") }
    }

    /// A text of the package description that the reader does not understand.
    struct Fault: Error, CustomStringConvertible {
        var line: Int
        var what: String
        var description: String { "Package.swift:\(line): \(what)" }
    }

    var targets: [Target]

    subscript(name: String) -> Target? { targets.first { $0.name == name } }

    /// The targets below `Sources`.
    var shipped: [Target] { targets.filter { $0.floor != nil } }

    /// A target's dependencies, and those of its dependencies.
    func reach(of name: String) -> Set<String> {
        var reached: Set<String> = []
        var next = self[name]?.dependencies ?? []
        while let one = next.popFirst() {
            if reached.insert(one).inserted { next.formUnion(self[one]?.dependencies ?? []) }
        }
        return reached
    }

    /// The plan of this project.
    static func ours() throws -> PackagePlan {
        try PackagePlan(String(contentsOf: House.root.appending(path: "Package.swift"), encoding: .utf8))
    }

    /// Reads the list behind `targets:`.
    /// - Throws: `Fault` for anything but targets with the arguments that are known here: a line that is not understood must
    ///   not be a target that no rule sees.
    init(_ text: String) throws(Fault) {
        var reader = PackageReader(text)
        targets = try reader.targets()
    }
}

/// Reads the text of a package description, as far as the list of its targets goes.
private struct PackageReader {
    private enum Token: Equatable {
        case text(String)
        case word(String)
        case sign(Character)
        /// A comment that begins with `Floor`, or `Tests`.
        case floor(Int?)
    }

    /// Dependencies beyond the package, as `let` gives them names.
    private static let products: Set<String> = [
        "grdb", "sqlite", "crypto", "cryptoExtras", "logging", "arguments",
    ]
    private static let ignored: Set<String> = ["path", "exclude", "swiftSettings", "pkgConfig", "providers"]

    private var tokens: [(token: Token, line: Int)] = []
    private var at = 0

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            scan(line, index + 1)
        }
    }

    private mutating func scan(_ line: Substring, _ number: Int) {
        var rest = line
        while let first = rest.first {
            if rest.hasPrefix("//") {
                let comment = rest.drop { $0 == "/" || $0 == " " }
                if comment.hasPrefix("Floor ") {
                    let digits = comment.dropFirst("Floor ".count).prefix { $0.isNumber }
                    tokens.append((.floor(Int(digits)), number))
                } else if comment.hasPrefix("Tests") {
                    tokens.append((.floor(nil), number))
                }
                return
            }
            if first == "\"" {
                let text = rest.dropFirst().prefix { $0 != "\"" }
                tokens.append((.text(String(text)), number))
                rest = rest.dropFirst(text.count + 2)
            } else if first.isLetter {
                let word = rest.prefix { $0.isLetter || $0.isNumber }
                tokens.append((.word(String(word)), number))
                rest = rest.dropFirst(word.count)
            } else {
                if !first.isWhitespace { tokens.append((.sign(first), number)) }
                rest = rest.dropFirst()
            }
        }
    }

    mutating func targets() throws(PackagePlan.Fault) -> [PackagePlan.Target] {
        while !(peek == .word("targets") && follows(.sign(":"))) {
            guard at < tokens.count else { throw fault("there is no list of targets") }
            at += 1
        }
        at += 2
        try expect("[")
        var targets: [PackagePlan.Target] = []
        var floor: Int?
        while peek != .sign("]") {
            if case .floor(let number)? = peek {
                floor = number
                at += 1
                continue
            }
            var target = try target()
            target.floor = target.kind == .test ? nil : floor
            targets.append(target)
            if peek != .sign("]") { try expect(",") }
        }
        return targets
    }

    private mutating func target() throws(PackagePlan.Fault) -> PackagePlan.Target {
        try expect(".")
        guard case .word(let word)? = peek, let kind = PackagePlan.Kind(rawValue: word) else {
            throw fault("no kind of target")
        }
        at += 1
        try expect("(")
        var name: String?
        var dependencies: Set<String> = []
        while peek != .sign(")") {
            guard case .word(let label)? = peek else { throw fault("no label of an argument") }
            at += 1
            try expect(":")
            switch label {
            case "name":
                guard case .text(let text)? = peek else { throw fault("no name") }
                name = text
                at += 1
            case "dependencies": dependencies = try list()
            case _ where Self.ignored.contains(label): try skip()
            default: throw fault("an argument that the plan does not know: \(label)")
            }
            if peek != .sign(")") { try expect(",") }
        }
        at += 1
        guard let name else { throw fault("a target without a name") }
        return PackagePlan.Target(name: name, kind: kind, floor: nil, dependencies: dependencies)
    }

    private mutating func list() throws(PackagePlan.Fault) -> Set<String> {
        try expect("[")
        var names: Set<String> = []
        while peek != .sign("]") {
            switch peek {
            case .text(let name)?: names.insert(name)
            case .word(let product)? where Self.products.contains(product): break
            default: throw fault("a dependency that the plan does not know")
            }
            at += 1
            if peek != .sign("]") { try expect(",") }
        }
        at += 1
        return names
    }

    /// Skips one value: a word, a text, or what is in brackets.
    private mutating func skip() throws(PackagePlan.Fault) {
        var depth = 0
        repeat {
            guard let token = peek else { throw fault("an argument without an end") }
            switch token {
            case .sign("("), .sign("["): depth += 1
            case .sign(")"), .sign("]"): depth -= 1
            case .sign, .text, .word, .floor: break
            }
            at += 1
        } while depth > 0
    }

    private var peek: Token? { at < tokens.count ? tokens[at].token : nil }

    private func follows(_ token: Token) -> Bool { at + 1 < tokens.count && tokens[at + 1].token == token }

    private mutating func expect(_ sign: Character) throws(PackagePlan.Fault) {
        guard peek == .sign(sign) else { throw fault("\(sign) is missing") }
        at += 1
    }

    private func fault(_ what: String) -> PackagePlan.Fault {
        PackagePlan.Fault(line: at < tokens.count ? tokens[at].line : (tokens.last?.line ?? 0), what: what)
    }
}
