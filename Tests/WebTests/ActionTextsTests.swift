// The sentences of texts that depend on a number or a place, in English.
import Ledger
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct TheTextsOfActions {
    private let texts: TextCatalogue

    init() throws { texts = try TextCatalogue(language: "en", files: shippedTexts()) }

    @Test(
        arguments: [
            (.empty, "Enter an amount."),
            (.tooManyDecimals(.eur, allowed: 2), "EUR has at most 2 decimals."),
            (.tooManyDecimals(.eur, allowed: 0), "EUR has no decimals."),
            (.unreadable, "This is not an amount. Write it like 12.50, or as a sum like 12.50+3*2."),
        ] as [(AmountError, String)]
    )
    func nameTheFaultOfAnAmount(error: AmountError, sentence: String) {
        #expect(texts.string(error.text) == sentence)
    }

    @Test(
        arguments: [
            (1, "Try again in 1 second."), (89, "Try again in 89 seconds."), (90, "Try again in 2 minutes."),
        ] as [(Int64, String)]
    )
    func nameThePauseAfterWrongPasswords(seconds: Int64, end: String) {
        let sentence = texts.string(SignIn.wait(seconds))
        #expect(sentence == "There were too many wrong attempts. " + end)
    }

    @Test(
        arguments: [
            (nil, "in another window"), ("", "on another device"), ("Anna's phone", "on Anna's phone"),
        ] as [(String?, String)]
    )
    func nameThePlaceOfADeletion(device: String?, place: String) {
        let text = AccountEntry.texts.deletedMeanwhile(.text(MeanwhileWords.place(device)))
        let whole =
            "This account was deleted \(place) while this page was open. "
            + "What you entered is still here: save it as a new one, or leave it."
        #expect(texts.string(text) == whole)
    }

    @Test func countTheChangesThatWereNotUploaded() {
        for (count, start) in [(1, "1 change was never"), (2, "2 changes were never")] {
            let text = Text("notices.changes-not-uploaded", ["count": .count(count)])
            #expect(texts.string(text).hasPrefix(start + " uploaded, because your subscription ended"))
        }
    }

    @Test func areJoinedInTheirOrder() {
        let words = ["a", "b", "c"].map(Text.verbatim)
        let joined = Text.joined(words) {
            Text("changes.one-change-after-another", ["first": .text($0), "next": .text($1)])
        }
        #expect(joined.map { texts.string($0) } == "a, b, c")
        #expect(Text.joined([]) { first, _ in first } == nil)
    }
}
