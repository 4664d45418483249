// The text of a split: the same on every device, and never lost if it cannot be read.
import Ledger
import SyncCore
import TestKit
import Testing

@Suite struct SplitTexts {
    private let food = EntityID(high: 1, low: 11)

    @Test func isCanonical() {
        let split = Split.parts([
            SplitPart(category: food, minor: 1_250, note: "soap \"mild\"\n\\"),
            SplitPart(category: nil, minor: .max),
        ])
        #expect(
            split.text == #"[["\#(food)",1250,"soap \"mild\"\u000a\\"],[null,9223372036854775807,""]]"#
        )
        #expect(Split(text: split.text) == split)
    }

    @Test func anotherSpellingBecomesTheCanonicalOne() {
        let other = Split(text: "[ [ null , 5 , \"\\u0041\" ] ]")
        #expect(other == .parts([SplitPart(category: nil, minor: 5, note: "A")]))
        #expect(other.text == #"[[null,5,"A"]]"#)
    }

    @Test(
        arguments: [
            "", "[", "null", "{}", "[]", "12", "[1]", "[[]]", "[[null,1]]", #"[[null,0,""]]"#,
            #"[[null,-9223372036854775808,""]]"#, #"[[null,1.0,""]]"#, #"[[null,1e2,""]]"#,
            #"[[null,9223372036854775808,""]]"#,
            #"[[null,"1",""]]"#, #"[["x",1,""]]"#, #"[[5,1,""]]"#, #"[[null,1,null]]"#, #"[[null,1,"",2]]"#,
            #"[[null,1,""],3]"#, #"[[null,1,"\ud800"]]"#, #"[[null,1,""]] x"#,
            #"[["0000000000000G00000000000B",1,""]]"#,
        ]
    )
    func whatCannotBeReadStaysAsItIs(text: String) {
        #expect(Split(text: text) == .unreadable(text))
        #expect(Split(text: text).text == text)
    }

    @Test(arguments: [1, 2, 2_026] as [UInt64])
    func everySplitIsReadAgain(seed: UInt64) {
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let notes = ["", "soap", "\"", "\\", "\u{1}", "🧼", "\u{2028}", "[null,1]", "é", "e\u{301}"]
        for _ in 0..<500 {
            let split = Split.parts(
                (0..<Int.random(in: 1...60, using: &random)).map { _ in
                    SplitPart(
                        category: Bool.random(using: &random)
                            ? EntityID(high: random.next() >> 1, low: random.next()) : nil,
                        minor: Int64.random(in: 1...Int64.max, using: &random)
                            * (Bool.random(using: &random) ? 1 : -1),
                        note: notes.randomElement(using: &random) ?? ""
                    )
                }
            )
            #expect(Split(text: split.text) == split)
            #expect(Split(text: split.text).text == split.text)
        }
    }
}
