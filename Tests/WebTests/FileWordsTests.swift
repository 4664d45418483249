// The words about files that are not on a device: the same on each page, and no promise of a file that is nowhere.

import Devices
import Ledger
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct WordsOfFilesThatAreNotHere {
    private static let ended = SubscriptionPage.Status.ended(on: "Monday")
    private static let nowhere = "is neither in the cloud nor on this device"
    private static let promised = "it can be fetched when you subscribe again"

    private func text(_ page: some Page) throws -> String {
        HTMLReader(try Renderer().render(page)).first("main")?.text ?? ""
    }

    private func subscription(_ copy: RetainedCopy?, _ files: FilesNotHere) throws -> String {
        var chrome = Sample().chrome
        if let copy { chrome.cloud = .ended(copy) }
        return try text(
            SubscriptionPage(
                chrome: chrome,
                status: Self.ended,
                offer: .store,
                isBlocked: false,
                deadline: nil,
                filesNotHere: files
            )
        )
    }

    @Test(
        arguments: [
            (FilesNotHere(fetchable: 1), [promised], [nowhere, "if the cloud has it"]),
            (FilesNotHere(unanswered: 1), ["if the cloud has it, it can be fetched"], [nowhere]),
            (FilesNotHere(absent: AbsentFiles(overdue: 1)), [nowhere], [promised]),
            (FilesNotHere(fetchable: 1, absent: AbsentFiles(lost: 1)), [promised, nowhere], []),
            (FilesNotHere(), [], [promised, nowhere]),
        ] as [(FilesNotHere, [String], [String])]
    )
    func promiseWhatTheCloudHas(files: FilesNotHere, says: [String], says not: [String]) throws {
        let copy = RetainedCopy(day: "Monday", changes: 0, files: 0, absentFiles: files.absent)
        let stays = SignOutPage.Stake.copyStays(copy, needsSubscription: true)
        let signOut = try text(SignOutPage(chrome: Sample().chrome, stake: stays))
        #expect(signOut.contains(Self.nowhere) == (files.absent.count > 0))
        for page in [try subscription(copy, files), try subscription(nil, files)] {
            for sentence in says { #expect(page.contains(sentence), "\(sentence)") }
            for sentence in not { #expect(!page.contains(sentence), "\(sentence)") }
            // It is said once.
            #expect(page.components(separatedBy: Self.nowhere).count <= 2)
        }
    }
}
