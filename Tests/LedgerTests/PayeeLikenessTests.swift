// Names of payees that are probably one.
import Ledger
import Testing

@Suite struct PayeeLikenessTests {
    @Test(arguments: [
        ("SHELL 4711", "Shell", true), ("Shell-Station 12", "SHELL STATION", true),
        ("Café  Rot", "café rot", true),
        ("AMZN*Mktp.", "amzn mktp", true), ("Rewe 12 34", "REWE", true), ("H&M", "HM", true),
        ("Shell", "Shell Deli", false), ("4711", "4712", false), ("Café", "Cafe", false),
        ("7 Eleven", "Eleven", false),
    ])
    func differOnlyInPunctuationAndNumbersAtTheEnd(one: String, other: String, isAlike: Bool) {
        let (first, second) = (PayeeSummary(name: one, count: 1), PayeeSummary(name: other, count: 1))
        #expect((first.likeness == second.likeness) == isAlike)
    }

    @Test func aNameOfSymbolsHasNone() { #expect(PayeeSummary(name: "★ ☆", count: 1).likeness.isEmpty) }
}
