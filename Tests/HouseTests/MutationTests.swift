// The list of faults that are put into sync on purpose, held against the sources that it edits.
import Foundation
import Testing

/// One of them, as `Tests/Mutations/mutate.py` reads it.
private struct Mutation {
    let name: String
    let file: String
    let why: String
    let old: String
    let new: String

    static func all() throws -> [Mutation] {
        let list = try String(
            contentsOf: House.root.appending(path: "Tests/Mutations/mutations.txt"),
            encoding: .utf8
        )
        return ("\n" + list).components(separatedBy: "\n== ").dropFirst().map { block in
            let lines = block.split(separator: "\n", omittingEmptySubsequences: false)
            func marked(_ mark: Character) -> String {
                lines.dropFirst(2).filter { $0.first == mark }.map { $0.dropFirst() }.joined(separator: "\n")
            }
            return Mutation(
                name: String(lines[0]),
                file: lines.count > 1 ? String(lines[1]) : "",
                why: lines.dropFirst(2).filter { !"-+".contains($0.first ?? "-") }.joined(separator: " "),
                old: marked("-"),
                new: marked("+")
            )
        }
    }
}

@Suite struct FaultsOfSync {
    @Test func eachIsAnEditOfWhatStandsThereOnce() throws {
        let all = try Mutation.all()
        #expect(all.count >= 40)
        #expect(Set(all.map(\.name)).count == all.count)
        for mutation in all {
            let text = try String(contentsOf: House.root.appending(path: mutation.file), encoding: .utf8)
            let places = text.components(separatedBy: mutation.old).count - 1
            #expect(places == 1, "\(mutation.name): its lines occur \(places) times in \(mutation.file)")
            #expect(mutation.old != mutation.new && !mutation.why.isEmpty, "\(mutation.name)")
        }
    }
}
