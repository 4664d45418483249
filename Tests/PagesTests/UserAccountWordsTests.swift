// The texts of the pages of signing in and out, letter by letter.

import Pages
import Storybook
import TestKit
import Testing
import Texts

@Suite struct WordsOfTheUserAccountPages {
    private let render: Renderer
    private let chrome = Sample().chrome
    private let texts: TextCatalogue

    init() throws {
        render = try Renderer()
        texts = try Repository.texts()
    }

    private func text<P: Page>(_ page: P) throws -> String { try render.render(page) }

    @Test(arguments: [
        (
            SignOutPage.Stake.everything,
            "All your data will be permanently deleted. You have no cloud backup.",
            "I understand that all my data will be permanently lost" as String?
        ),
        (.nothing, "comes back at the next sign-in", nil),
        (
            .uploading(done: 3, total: 10), "Uploading 3 of 10 transactions...",
            "I understand 7 changes will be lost"
        ),
        (
            .stuck(pending: 4),
            "Cannot upload unsynced data. You have 4 unsynced transactions. These will be lost if you sign out now.",
            "I understand 4 changes will be lost"
        ),
    ])
    func signingOutSaysWhatItCosts(stake: SignOutPage.Stake, words: String, phrase: String?) throws {
        let page = try text(SignOutPage(chrome: chrome, stake: stake))
        #expect(page.contains(words))
        let shown = HTMLReader(page).elements.first { $0.attributes.keys.contains("data-phrase") }?.text
        #expect(shown == phrase)
        #expect((SignOutPage.confirmation(for: stake)?.phrase).map(texts.string) == phrase)
        #expect(page.contains("/export/breadly.json\" download") == (stake != .nothing))
    }

    @Test func aPhraseIsTypedLetterByLetter() {
        let asked = Confirmation.allIsLost
        let phrase = texts.string(asked.phrase)
        #expect(asked.isGiven(phrase, in: texts) && asked.isGiven("  \(phrase)\n", in: texts))
        for typed in [nil, "", " ", "I understand", phrase.lowercased(), phrase + "."] as [String?] {
            #expect(!asked.isGiven(typed, in: texts))
        }
    }

    @Test func theBlockedPageSaysWhatThereIsAndOffersThreeWays() throws {
        let page = try text(
            BlockedPage(
                chrome: chrome,
                email: "anna@x.test",
                amounts: .init(
                    accounts: 2,
                    transactions: 1,
                    categories: 3,
                    changed: "Saturday 21 November 2026"
                )
            )
        )
        for words in [
            "You have data stored on this account that requires a subscription to access.", "1 transaction",
            "2 accounts", "3 categories", "Saturday 21 November 2026",
            "Subscribe to enable sync and access your data",
            "Delete all server data and start from scratch", "Sign out and start fresh",
        ] {
            #expect(page.contains(words), "\(words)")
        }
    }

    @Test func aGuestIsToldWhatAnExistingAccountCosts() throws {
        let ways = SignInPage.Ways(passwords: true, provider: nil, acceptsNewAccounts: true)
        let page = try text(SignInPage(chrome: chrome, ways: ways, entries: 12))
        #expect(page.contains("You have 12 entries on this device.") && page.contains("Download my book"))
        #expect(try !text(SignInPage(chrome: chrome, ways: ways)).contains("on this device. If you"))
    }

    @Test func waitingForTheCloudCanBeGivenUpAfterAWhile() throws {
        let first = try text(VerifyingPage(chrome: chrome, email: nil, takesLong: false))
        #expect(first.contains("http-equiv=\"refresh\"") && !first.contains("/verifying/cancel"))
        let later = try text(VerifyingPage(chrome: chrome, email: nil, takesLong: true))
        #expect(later.contains("/verifying/cancel") && later.contains("/verifying/retry"))
    }
}
