import Ledger
import RegularExpressions
import Testing

@Suite struct ARegularExpression {
    private func match(_ pattern: String, _ text: String) throws -> PatternMatch {
        try RegularExpressions().compile(pattern).match(in: text)
    }

    @Test(arguments: [
        ("lidl", "LIDL SAGT DANKE", true), ("^lidl", "bei LIDL", false), ("\\bmü\\w+$", "BEI MÜLLER", true),
        ("[0-9]{4}", "no 12", false), ("^$", "", true), ("", "all", true), ("a.c", "a😀c", true),
        ("\\d{3}", "١٢٣", true), ("(?-i)lidl", "LIDL", false),
    ])
    func findsWhatMatches(_ pattern: String, _ text: String, _ isFound: Bool) throws {
        #expect(try match(pattern, text) == (isFound ? .found : .notFound))
    }

    @Test func isRefusedWithAMessageAndThePlace() throws {
        let fault = #expect(throws: PatternFault.self) { try RegularExpressions().compile("mü(ller") }
        #expect(fault == PatternFault(message: "missing closing parenthesis", position: 7))
        for pattern in ["[a", "a**", "\\C", "(?P<", "a{9999999}"] {
            let fault = #expect(throws: PatternFault.self, "\(pattern)") {
                try RegularExpressions().compile(pattern)
            }
            #expect(fault?.message.isEmpty == false && (fault?.position ?? 999) <= pattern.count)
        }
    }

    @Test(arguments: [
        "(a+)+$", "(a|aa)+$", "(.*)*x(.*)*y(.*)*z", "^(([a-z])+.)+[A-Z]([a-z])+$", "(?:a?){30}a{30}b",
    ])
    func thatExplodesEndsSoon(_ pattern: String) throws {
        let text = String(repeating: "a", count: 190) + "!"
        #expect(try match(pattern, text) != .found)
        // The work is limited, so that all of these end while a person waits.
        let compiled = try RegularExpressions().compile("(a+)+$")
        for _ in 0..<100 { #expect(compiled.match(in: text) == .tooCostly) }
    }

    @Test func endlessRecursionEnds() throws {
        let text = String(repeating: "(", count: 2_000)
        #expect(try match("\\((?R)*\\)", text) != .found)
    }

    @Test func isUsedByThreadsAtOnce() async throws {
        let compiled = try RegularExpressions().compile("(\\w+) \\1")
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { round in
                        compiled.match(in: "\(task)x\(round) \(task)x\(round)") == .found
                            && compiled.match(in: "a b") == .notFound
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
