// The texts of the pages of signing in and out, letter by letter.

import Devices
import Ledger
import TestKit
import Testing
import Texts

@testable import Web

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

    @Test(arguments: [
        (
            SignOutPage.Stake.copyStays(
                RetainedCopy(day: "Monday", changes: 3, files: 0),
                needsSubscription: false
            ), 2,
            ["Your copy in the cloud stays as it was on Monday. 3 changes, 2 files are only on this device."],
            "I understand 3 changes, 2 files will be lost"
        ),
        (
            .copyStays(RetainedCopy(day: nil, changes: 0, files: 0), needsSubscription: false), 1,
            ["Your copy in the cloud stays as it was. 1 file is only on this device."],
            "I understand 1 file will be lost"
        ),
        (
            .stuck(pending: 1), 1,
            [
                "Cannot upload unsynced data. You have 1 unsynced change, 1 file. "
                    + "These will be lost if you sign out now."
            ],
            "I understand 1 change, 1 file will be lost"
        ),
        (
            .uploading(done: 2, total: 5), 1,
            [
                "Uploading 2 of 5 transactions...",
                "1 file of your receipts is only on this device, and will be deleted.",
            ],
            "I understand 3 changes, 1 file will be lost"
        ),
        (
            .nothing, 2,
            [
                "2 files of your receipts are only on this device, and will be deleted.",
                "Everything else stays in the cloud and comes back at the next sign-in. It is removed from this device.",
            ],
            "I understand 2 files will be lost"
        ),
    ])
    func signingOutCountsFilesToo(stake: SignOutPage.Stake, files: Int, words: [String], phrase: String)
        throws
    {
        let page = HTMLReader(try text(SignOutPage(chrome: chrome, stake: stake, files: files)))
        for sentence in words { #expect(page.all("p").contains { $0.text == sentence }, "\(sentence)") }
        #expect(page.all("p").allSatisfy { !$0.text.hasPrefix("Your data stays in the cloud") })
        #expect(page.elements.first { $0.attributes.keys.contains("data-phrase") }?.text == phrase)
        #expect((SignOutPage.confirmation(for: stake, files: files)?.phrase).map(texts.string) == phrase)
        #expect(page.elements.contains { $0["href"] == "/export/breadly.zip" })
    }

    /// Another device may have uploaded its data since, and a device on which sync has stopped does not hear of it.
    @Test func anAccountWhoseDataWasDeletedElsewhereIsNotSaidToHaveNone() throws {
        var chrome = chrome
        chrome.cloud = .failed(Text("sync.data-deleted"))
        chrome.cloud.isDeletedElsewhere = true
        let page = try text(SignOutPage(chrome: chrome, stake: .everything))
        #expect(
            !page.contains("no cloud backup")
                && page.contains("All data on this device will be permanently deleted.")
        )
    }

    @Test func whereSyncIsSwitchedOffNoPageClaimsThatThereIsNoBackup() throws {
        var chrome = chrome
        chrome.cloud = .off(nil)
        let switchedOff = try text(SignOutPage(chrome: chrome, stake: .everything))
        #expect(!switchedOff.contains("no cloud backup"))
        #expect(switchedOff.contains("All data on this device will be permanently deleted."))
        (chrome.cloud, chrome.tier) = (.free, .free)
        #expect(
            try text(SignOutPage(chrome: chrome, stake: .everything)).contains("You have no cloud backup.")
        )
    }

    /// The wait that is offered, and promised to one who waits, must have an end.
    @Test(
        arguments: [
            (nil, true, "Waiting for the network."),
            (
                SignOutPage.Obstacle(text: Text("sync.cloud-busy"), passes: true), true,
                "You will be signed out automatically when everything is uploaded."
            ),
            (
                SignOutPage.Obstacle(text: Text("chrome.changes-were-refused", ["count": 1]), passes: false),
                false,
                "1 change is only on this device, because the cloud did not accept it."
            ),
        ] as [(SignOutPage.Obstacle?, Bool, String)]
    )
    func whatDoesNotEndByItselfIsNotWaitedFor(obstacle: SignOutPage.Obstacle?, ends: Bool, words: String)
        throws
    {
        func page(isWaiting: Bool) throws -> HTMLReader {
            let stuck = SignOutPage.Stake.stuck(pending: 1)
            return HTMLReader(
                try text(SignOutPage(chrome: chrome, stake: stuck, obstacle: obstacle, isWaiting: isWaiting))
            )
        }
        #expect((try page(isWaiting: false).form("/sign-out/wait") != nil) == ends)
        let waiting = try page(isWaiting: true).first("main")?.text ?? ""
        #expect(waiting.contains(words))
        #expect(waiting.contains("signed out automatically") == ends)
        #expect(waiting.contains("Waiting for the network") == (obstacle == nil))
    }

    /// There is nothing to keep, so that no phrase is asked for.
    @Test func aDamagedFileIsNotOneThatASignOutLoses() throws {
        let page = HTMLReader(
            try text(SignOutPage(chrome: chrome, stake: .nothing, damagedFiles: 1))
        )
        let sentence =
            "1 file of your receipts is damaged on the server, and there is no good copy in the cloud. Add it to its transaction again to keep it."
        #expect(page.all("p").contains { $0.text == sentence })
        #expect(page.all("p").allSatisfy { !$0.text.contains("will be deleted") })
        #expect(page.elements.allSatisfy { !$0.attributes.keys.contains("data-phrase") })
        #expect(page.elements.contains { $0["href"] == "/attachments?status=local" })
    }

    /// Nothing is about to be deleted, and the files are not called transactions.
    @Test func waitingForFilesSaysThatTheyAreUploaded() throws {
        func page(isCloudAway: Bool, asksNow: Bool = false) throws -> HTMLReader {
            let waiting = SignOutPage(
                chrome: chrome,
                stake: .nothing,
                files: 2,
                waitingFiles: 2,
                isCloudAway: isCloudAway,
                isWaiting: true,
                asksNow: asksNow
            )
            return HTMLReader(try text(waiting))
        }
        let moving = try page(isCloudAway: false)
        #expect(moving.all("p").contains { $0.text == "Uploading 2 files of your receipts..." })
        #expect(moving.all("progress").count == 1)
        let away = try page(isCloudAway: true)
        #expect(
            away.all("p").contains {
                $0.text == "2 files of your receipts wait here until the cloud can be reached."
            }
        )
        for shown in [moving, away] {
            #expect(shown.all("p").allSatisfy { !$0.text.contains("will be deleted") })
            #expect(shown.all("p").allSatisfy { !$0.text.hasPrefix("Your data stays in the cloud") })
        }
        #expect(
            try page(isCloudAway: false, asksNow: true).all("p").contains {
                $0.text == "2 files of your receipts are only on this device, and will be deleted."
            }
        )
    }

    /// A receipt, a budget or an account is no transaction.
    @Test func changesOfOtherKindsAreNotCalledTransactions() throws {
        func words(_ stake: SignOutPage.Stake) throws -> String {
            try text(SignOutPage(chrome: chrome, stake: stake, hasOnlyTransactions: false))
        }
        #expect(
            try words(.stuck(pending: 1)).contains(
                "Cannot upload unsynced data. You have 1 unsynced change. These will be lost if you sign out now."
            )
        )
        #expect(try words(.uploading(done: 0, total: 2)).contains("Uploading 0 of 2 changes..."))
        let waiting = SignOutPage.uploading(0, of: 2, files: 0, isOfTransactions: true, isSilent: true)
        #expect(
            texts.string(waiting) == "Uploading 0 of 2 transactions... Waiting for an answer of the cloud."
        )
        let files = SignOutPage.uploading(2, of: 2, files: 1, isOfTransactions: true)
        #expect(texts.string(files) == "Uploading 1 file of your receipts...")
    }

    @Test func deletingTheAccountOffersTheFiles() throws {
        let page = HTMLReader(
            try text(
                UserAccountDeletionPage(
                    chrome: chrome,
                    email: nil,
                    hasSubscription: false,
                    loss: UserAccountDeletionPage.Loss(
                        changes: 3,
                        files: 2,
                        filesNotHere: FilesNotHere(unanswered: 1, absent: AbsentFiles(overdue: 2)),
                        hasFiles: true,
                        unsaved: [UnsavedEntry(Sample.id(7), files: ["till.jpg"])]
                    )
                )
            )
        )
        #expect(
            page.elements.contains {
                $0["href"] == "/export/breadly.zip" && $0.text.contains("with its files")
            }
        )
        let paragraphs = page.all("p").map { $0.text }
        #expect(
            paragraphs.contains {
                $0 == "3 changes, 2 files are only on this device."
            }
        )
        #expect(paragraphs.contains { $0.contains("till.jpg") && $0.contains("Continue with it") })
        #expect(
            page.all("p").contains {
                $0.text
                    == "1 file of your receipts is not on this device, so that the download does not have it. "
                    + "Open it first if you need it. 2 files of your receipts are neither in the cloud nor on this device, "
                    + "and come back only if another device sends them."
            }
        )
        let without = UserAccountDeletionPage(chrome: chrome, email: nil, hasSubscription: false)
        #expect(try !text(without).contains("breadly.zip"))
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
        let methods = SignInPage.Methods(passwords: true, provider: nil, acceptsNewAccounts: true)
        let page = try text(SignInPage(chrome: chrome, methods: methods, entries: 12))
        #expect(page.contains("You have 12 entries on this device.") && page.contains("Download my book"))
        #expect(try !text(SignInPage(chrome: chrome, methods: methods)).contains("on this device. If you"))
    }

    @Test func waitingForTheCloudCanBeGivenUpAfterAWhile() throws {
        let first = try text(VerifyingPage(chrome: chrome, email: nil, takesLong: false))
        #expect(first.contains("http-equiv=\"refresh\"") && !first.contains("/verifying/cancel"))
        let later = try text(VerifyingPage(chrome: chrome, email: nil, takesLong: true))
        #expect(later.contains("/verifying/cancel") && later.contains("/verifying/retry"))
    }
}
