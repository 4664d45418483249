// The documents of the repository: every file, article, heading, command and target that they name exists.

import Foundation
import Testing

/// A Markdown document of the repository, with its links and code.
struct MarkdownFile: Sendable {
    /// Below the root, `README.md`.
    let path: String
    let text: String

    /// The documents that people read first, those of the folder for contributors, and the articles.
    static func all() throws -> [MarkdownFile] {
        let folders = [".github", "Sources/BreadlyApp/BreadlyApp.docc"]
        let paths = ["README.md"] + folders.flatMap { House.files(in: $0, extensions: ["md"]) }
        return try paths.map { path in
            MarkdownFile(
                path: path,
                text: try String(contentsOf: House.root.appending(path: path), encoding: .utf8)
            )
        }
    }

    /// The targets of links to files and headings, without those of articles and of the web.
    var links: [String] {
        text.matches(of: /\]\((?<target>[^)\s]+)\)/).map { String($0.target) }
            .filter { $0.firstMatch(of: /^[a-z]+:/) == nil }
    }

    /// The articles that it links, `Sync` of `<doc:Sync>`.
    var articles: [String] { text.matches(of: /<doc:(?<name>[^>]+)>/).map { String($0.name) } }

    /// The text between backticks, in a line or in a block.
    var code: [String] {
        text.matches(of: /```[a-z]*\n(?<block>[\s\S]*?)```|`(?<span>[^`\n]+)`/)
            .map { String($0.block ?? $0.span ?? "") }
    }

    /// The headings as a link names them: in lower case, hyphens for spaces.
    var anchors: Set<String> {
        Set(
            text.matches(of: /^#+ (?<title>.+)$/.anchorsMatchLineEndings()).map { match in
                match.title.lowercased().replacing(/[^\p{L}\p{N} -]/, with: "").replacing(" ", with: "-")
            }
        )
    }
}

@Suite struct Documents {
    private let files: [MarkdownFile]

    init() throws {
        files = try MarkdownFile.all()
        #expect(files.count > 10)
    }

    /// Evidence that is gone proves nothing.
    @Test func everyTestThatIsNamedExists() throws {
        let tests = try House.files(in: "Tests", extensions: ["swift"])
            .map { try String(contentsOf: House.root.appending(path: $0), encoding: .utf8) }.joined()
        var count = 0
        for file in files where file.path.hasSuffix("Hardening.md") {
            for name in file.code.compactMap({ $0.wholeMatch(of: /([a-z]\w+)\(\)/)?.1 }) {
                count += 1
                #expect(
                    tests.contains("func \(name)("),
                    "\(file.path) names \(name)(), and there is no such test"
                )
            }
        }
        #expect(count > 30)
    }

    @Test func everyLinkLeadsToAFileAndAHeading() throws {
        for file in files {
            let folder = (file.path as NSString).deletingLastPathComponent
            for link in file.links {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let joined =
                    parts[0].isEmpty ? file.path : (folder as NSString).appendingPathComponent("\(parts[0])")
                let target = (joined as NSString).standardizingPath
                let url = House.root.appending(path: target).standardizedFileURL
                #expect(FileManager.default.fileExists(atPath: url.path()), "\(file.path): \(link)")
                guard parts.count == 2 else { continue }
                let text = try String(contentsOf: url, encoding: .utf8)
                #expect(
                    MarkdownFile(path: target, text: text).anchors.contains(String(parts[1])),
                    "\(file.path): no heading \(link)"
                )
            }
        }
    }

    @Test func everyArticleIsThereAndListed() {
        let catalog = files.filter { $0.path.contains(".docc/") }
        let names = Set(
            catalog.map { (($0.path as NSString).lastPathComponent as NSString).deletingPathExtension }
        )
        for file in files {
            for name in file.articles { #expect(names.contains(name), "\(file.path): <doc:\(name)>") }
        }
        let listed = Set(
            catalog.flatMap { file in
                file.text.components(separatedBy: "## Topics").dropFirst().flatMap {
                    MarkdownFile(path: file.path, text: $0).articles
                }
            }
        )
        #expect(names.subtracting(listed) == ["BreadlyApp"], "an article that no list of topics names")
    }

    @Test func everyPathOfTheRepositoryExists() {
        let path =
            /(?:^|[\s(])(?<path>(?:Sources|Tests|Resources|public|\.ci|\.github)\/[\w.\/+-]*\w)(?<more>[*<{…]?)/
        for file in files {
            let new = Set(file.instructions.filter { $0.place == .newFile }.map(\.path))
            for match in file.code.flatMap({ Array($0.matches(of: path)) })
            where match.more.isEmpty && !new.contains(String(match.path)) {
                let url = House.root.appending(path: String(match.path))
                #expect(FileManager.default.fileExists(atPath: url.path()), "\(file.path): \(match.path)")
            }
        }
    }

    @Test func everyTargetOfTheMakefileExists() throws {
        let makefile = try String(contentsOf: House.root.appending(path: "Makefile"), encoding: .utf8)
        let targets = Set(
            makefile.matches(of: /^(?<name>[a-z-]+):/.anchorsMatchLineEndings()).map { String($0.name) }
        )
        var named: Set<String> = []
        for file in files {
            for match in file.code.flatMap({ Array($0.matches(of: /\bmake (?<name>[a-z-]+)/)) }) {
                named.insert(String(match.name))
                #expect(targets.contains(String(match.name)), "\(file.path): make \(match.name)")
            }
        }
        #expect(named.isSuperset(of: ["run", "test", "build", "install"]))
    }

    @Test func everyCommandOfBreadlyExists() throws {
        let sources = try House.sources().filter { $0.target == "breadly" }
        let texts = try sources.map {
            try String(contentsOf: House.root.appending(path: $0.path), encoding: .utf8)
        }
        // A command is named by its type, unless it says another name.
        var commands: Set = ["help"]
        for text in texts {
            for part in text.components(separatedBy: "\nstruct ").dropFirst() {
                guard let type = part.firstMatch(of: /^(?<name>\w+): ParsableCommand/) else { continue }
                let told = part.firstMatch(of: /commandName: "(?<name>[a-z-]+)"/).map { String($0.name) }
                let hyphenated = String(type.name).replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
                commands.insert(told ?? String(hyphenated.dropFirst()))
            }
        }
        var named: Set<String> = []
        for file in files {
            for match in file.code.flatMap({ Array($0.matches(of: /(?:^|[\s])breadly (?<name>[a-z-]+)/)) }) {
                let name = String(match.name)
                named.insert(name)
                #expect(commands.contains(name) || name.hasPrefix("-"), "\(file.path): breadly \(name)")
            }
        }
        #expect(named.isSuperset(of: ["serve", "cloud", "grant", "backup", "doctor"]))
    }
}
