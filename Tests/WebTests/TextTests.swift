// The sentences of the pages: each key is in the catalogue, and numbers choose their forms.

import Foundation
import Ledger
import SyncEngine
import TestKit
import Testing
import Texts

@testable import Web

private func rows(_ done: Int, of total: Int) -> ReceivedRows { ReceivedRows(done, of: total, PlainStyle()) }

private func refusing(_ count: Int) -> SyncStatus { SyncStatus(phase: .offline, pending: 1, failed: count) }

@Suite struct SentencesOfPages {
    private let texts: TextCatalogue

    init() throws { texts = try Repository.texts() }

    @Test func everyKeyIsInTheCatalogue() throws {
        let folder = Repository.root.appending(path: "Sources/Web")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var keys: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let source = try String(contentsOf: file, encoding: .utf8)
            keys.formUnion(source.matches(of: #/\bText\(\s*"([^"]+)"/#).map { String($0.1) })
        }
        #expect(keys.count > 200)
        #expect(keys.subtracting(texts.keys).sorted() == [])
    }

    @Test(
        arguments: [
            (CloudStatus.uploading(pending: 1), "1 change is on the way to the cloud."),
            (.uploading(pending: 2), "2 changes are on the way to the cloud."),
            (
                .draining(pending: 1, isStalled: true),
                "The cloud cannot be reached. 1 change is saved here and will be uploaded later."
            ),
            (
                .draining(pending: 3, isStalled: false),
                "3 changes are on the way to the cloud. After that, what you enter stays on this device only."
            ),
            (
                .offline(pending: 0),
                "The cloud cannot be reached. What you enter is saved here and will be uploaded later."
            ),
            (
                .offline(pending: 1),
                "The cloud cannot be reached. 1 change is waiting here and will be uploaded later."
            ),
            (.uploading(pending: 1, files: 2), "1 change, 2 files are on the way to the cloud."),
            (
                .draining(pending: 3, files: 1, isStalled: false),
                "3 changes, 1 file are on the way to the cloud. After that, what you enter stays on this device only."
            ),
            (
                .draining(pending: 3, files: 2, isStalled: true),
                "The cloud cannot be reached. 3 changes, 2 files are saved here and will be uploaded later."
            ),
            (
                .draining(pending: 0, files: 1, isStalled: true),
                "The cloud cannot be reached. 1 file is saved here and will be uploaded later."
            ),
            (
                .offline(pending: 0, files: 2),
                "The cloud cannot be reached. 2 files are waiting here and will be uploaded later."
            ),
            (
                .offline(pending: 1, files: 1),
                "The cloud cannot be reached. 1 change, 1 file are waiting here and will be uploaded later."
            ),
            (.backedUp(lastSynced: nil), "All changes backed up."),
            (
                .uploading(files: 1),
                "All changes are backed up. 1 file of your receipts is on the way to the cloud."
            ),
            (
                .waiting(files: 2),
                "All changes are backed up. 2 files of your receipts wait here until the cloud can be reached."
            ),
            (
                .backedUp(without: 2),
                "All changes are backed up, but 2 files of your receipts are not."
            ),
            (
                .backedUp(without: 0, absent: AbsentFiles(overdue: 1)),
                "All changes backed up. 1 file of your receipts is neither in the cloud nor on this device. "
                    + "Open Breadly on the device that has it."
            ),
            (
                .backedUp(without: 1, absent: AbsentFiles(overdue: 2)),
                "All changes are backed up, but 1 file of your receipts is not. 2 files of your receipts are neither in "
                    + "the cloud nor on this device. Open Breadly on the device that has them."
            ),
            (
                .backedUp(without: 0, absent: AbsentFiles(expected: 2, lost: 1)),
                "All changes backed up. 2 files of your receipts are not in the cloud yet: another device has to send them. "
                    + "1 file of your receipts is missing on the server. The list of files says what to do."
            ),
            (
                .uploading(files: 2).noting(refused: 1, AbsentFiles(expected: 1, lost: 1)),
                "All changes are backed up. 2 files of your receipts are on the way to the cloud. 1 file of your receipts "
                    + "was not backed up. The list of files says why, and can try again. 1 file of your receipts is missing "
                    + "on the server. The list of files says what to do."
            ),
            (
                .expecting(files: 1),
                "All changes backed up. 1 file of your receipts is not in the cloud yet: another device has to send it."
            ),
            (
                .backedUp(lastSynced: .verbatim("just now")),
                "All changes backed up, last synced just now."
            ),
            (
                .incomplete(rows(963, of: 100_037)),
                "Your data is arriving: 963 of 100,037 are here. Totals count what is here. You can already use Breadly."
            ),
            (.incomplete(rows(0, of: 0)), "Your data is about to arrive. Totals count what is here."),
            (
                .incomplete(rows(963, of: 100_037), pending: 2),
                "Your data is arriving: 963 of 100,037 are here. Totals count what is here. You can already use Breadly. "
                    + "2 changes are waiting here and will be uploaded later."
            ),
            (
                .failed(Text("sync.cloud-busy"), pending: 1).missing(allBut: rows(9, of: 40)),
                "The cloud cannot accept changes at the moment. Breadly will try again automatically. 1 change is waiting "
                    + "here and will be uploaded later. 9 of 40 are here. The rest is in the cloud. Totals count what is here."
            ),
            (
                .interrupted(rows(963, of: 100_037), pending: 0),
                "963 of 100,037 are here. The rest comes when there is a connection. Totals count what is here."
            ),
            (
                .interrupted(rows(0, of: 0), pending: 1),
                "Nothing of your data is here yet. It comes when there is a connection. 1 change is waiting here and "
                    + "will be uploaded later."
            ),
            (
                .refused(1, pending: 2),
                "1 change is only on this device, because the cloud did not accept it. The page Sync says why. "
                    + "2 changes are waiting here and will be uploaded later."
            ),
            (
                .offline(pending: 1).noting(refusedChanges: refusing(2)),
                "The cloud cannot be reached. 1 change is waiting here and will be uploaded later. 2 changes are only on "
                    + "this device, because the cloud did not accept them."
            ),
            (
                .notUploaded(pending: 9, files: 0),
                "9 changes are only on this device. Your subscription ended, and the last day for uploads is over. What "
                    + "waits here stays on this device until you subscribe again."
            ),
            (
                .signInAgain(pending: 2, isComplete: true),
                "The session of this device has ended. What is on this device stays, and it syncs again once you sign in. "
                    + "Until then, newer changes of your other devices may be missing here. 2 changes are waiting here and will be uploaded later."
            ),
            (
                .signInAgain(pending: 0, isComplete: false).missing(allBut: rows(9, of: 40)),
                "The session of this device has ended. It syncs again once you sign in. 9 of 40 are here. The rest is in "
                    + "the cloud. Totals count what is here."
            ),
            (
                .ended(RetainedCopy(day: "Monday", changes: 3, files: 0)),
                "Your copy in the cloud stays as it was on Monday. 3 changes are only on this device. Renew your "
                    + "subscription to continue syncing."
            ),
            (
                .ended(RetainedCopy(day: nil, changes: 0, files: 0)),
                "Your copy in the cloud stays as it was. Renew your subscription to continue syncing."
            ),
            (
                .ended(
                    RetainedCopy(day: "Monday", changes: 0, files: 0, absentFiles: AbsentFiles(overdue: 1))
                ),
                "Your copy in the cloud stays as it was on Monday. 1 file of your receipts is neither in the cloud nor on "
                    + "this device, and comes back only if another device sends it. Renew your subscription to continue "
                    + "syncing."
            ),
            (
                .off(RetainedCopy(day: "Monday", changes: 1, files: 2)),
                "Sync is off. Your copy in the cloud stays as it was on Monday. 1 change, 2 files are only on this device. "
                    + "Switch sync on in the settings to continue."
            ),
            (
                .off(nil),
                "Sync is off. Your data stays on this device until you switch it on in the settings."
            ),
            (
                .verifying(RetainedCopy(day: "Monday", changes: 0, files: 0), wantsSync: true),
                "Your subscription could not be checked for some days. Your copy in the cloud stays as it was on Monday. It "
                    + "syncs again once the check finds Premium."
            ),
            (
                .verifying(RetainedCopy(day: "Monday", changes: 0, files: 0), wantsSync: false),
                "Your subscription could not be checked for some days. Sync is off. Your copy in the cloud stays as it was "
                    + "on Monday. Switch sync on in the settings to continue."
            ),
            (
                .verifying(nil, wantsSync: true),
                "Your subscription could not be checked for some days. What is on this device stays; it syncs again once the "
                    + "check finds Premium."
            ),
            (
                .verifying(nil, wantsSync: false),
                "Your subscription could not be checked for some days. Sync is off. Your data stays on this device until you "
                    + "switch it on in the settings."
            ),
            (
                .off(RetainedCopy(day: "Monday", mayHaveChanged: true, changes: 1, files: 0)),
                "Sync is off. Your copy in the cloud last changed on Monday, as far as this device knows. What your other "
                    + "devices have uploaded since sync stopped here is not on this device. 1 change is only on this device. "
                    + "Switch sync on in the settings to continue."
            ),
            (
                .signedOut(RetainedCopy(day: nil, mayHaveChanged: true, changes: 0, files: 0)),
                "Your session on this device has ended. Your copy in the cloud does not follow this device. What your other "
                    + "devices have uploaded since sync stopped here is not on this device. Sign in again to continue."
            ),
            (
                .signedOut(nil),
                "Your session on this device has ended. What is on this device is only here. Sign in again to continue."
            ),
            (
                .signedOut(RetainedCopy(day: "Monday", changes: 1, files: 0)),
                "Your session on this device has ended. Your copy in the cloud stays as it was on Monday. 1 change is only "
                    + "on this device. Sign in again to continue."
            ),
        ] as [(CloudStatus, String)]
    )
    func theCloudSaysHowMuchWaits(status: CloudStatus, sentence: String) {
        #expect(texts.string(status.text) == sentence)
    }

    @Test(
        arguments: [
            (
                SignOutPage.Stake.copyStays(
                    RetainedCopy(day: nil, changes: 0, files: 0),
                    needsSubscription: false
                ),
                "Your copy in the cloud stays as it was."
            ),
            (
                .copyStays(RetainedCopy(day: "Monday", changes: 1, files: 0), needsSubscription: true),
                "Your copy in the cloud stays as it was on Monday. It comes back when you sign in with a "
                    + "subscription. 1 change is only on this device."
            ),
            (
                .copyStays(RetainedCopy(day: "Monday", changes: 2, files: 0), needsSubscription: false),
                "Your copy in the cloud stays as it was on Monday. 2 changes are only on this device."
            ),
        ] as [(SignOutPage.Stake, String)]
    )
    func aSignOutNamesWhatStays(stake: SignOutPage.Stake, sentence: String) throws {
        let page = HTMLReader(try Renderer().render(SignOutPage(chrome: Sample().chrome, stake: stake)))
        #expect(page.all("p").contains { $0.text == sentence })
    }

    @Test(arguments: [
        (1, "1 entry on this device. If you create a new account, it moves", "replaces it, and it is lost."),
        (2, "2 entries on this device. If you create a new account, they move", "them, and they are lost."),
    ])
    func aGuestIsToldHowManyEntriesAreReplaced(entries: Int, first: String, last: String) throws {
        let methods = SignInPage.Methods(passwords: true, provider: nil, acceptsNewAccounts: true)
        let page = try Renderer().render(
            SignInPage(chrome: Sample().chrome, methods: methods, entries: entries)
        )
        #expect(page.contains(first) && page.contains(last))
    }

    @Test func aCountOfLostChangesIsAgreedToWhereThereAreFewer() {
        let asked = Confirmation.isLost(changes: 1)
        #expect(texts.string(asked.phrase) == "I understand 1 change will be lost")
        #expect(asked.isGiven("I understand 2 changes will be lost", in: texts))
        let more = Confirmation.isLost(changes: 3)
        #expect(!more.isGiven("I understand 2 changes will be lost", in: texts))
        #expect(!more.isGiven("I understand 4 files will be lost", in: texts))
    }

    @Test func aCountOfLostFilesIsAgreedToAsThatOfChanges() {
        let asked = Confirmation.isLost(changes: 3, files: 2)
        #expect(texts.string(asked.phrase) == "I understand 3 changes, 2 files will be lost")
        for typed in ["3 changes, 2 files", "4 changes, 2 files", "3 changes, 3 files"] {
            #expect(asked.isGiven("I understand \(typed) will be lost", in: texts), "\(typed)")
        }
        for typed in [
            "2 changes, 2 files", "3 changes, 1 file", "5 changes", "5 files", "3 changes and 2 files",
        ] {
            #expect(!asked.isGiven("I understand \(typed) will be lost", in: texts), "\(typed)")
        }
        // Some files or all changes were uploaded after the page was shown.
        let later = Confirmation.isLost(changes: 0, files: 1)
        #expect(texts.string(later.phrase) == "I understand 1 file will be lost")
        #expect(later.isGiven("I understand 3 changes, 2 files will be lost", in: texts))
    }
}
