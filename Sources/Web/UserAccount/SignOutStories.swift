// Signing out, by the data that it would delete.

import Texts

enum SignOutStories {
    static let all: [Story] =
        cases(from: SignOutPage.Stake.everything, next).map { stake in
            Story("sign-out-\(name(stake))", .userAccount, "Signing out: \(title(stake))") {
                $0.framed(frame(stake)).with { keep(stake, in: &$0) }.signOut(stake)
            }
        } + [
            Story("sign-out-refused", .userAccount, "Signing out: the sentence was not typed exactly") {
                $0.framed(.free).signOut(.everything, isRefused: true)
            },
            Story("sign-out-waiting", .userAccount, "Signing out once everything is uploaded") {
                $0.framed(.uploading).signOut(.uploading(done: 2, total: 5), isWaiting: true)
            },
            Story("sign-out-waiting-offline", .userAccount, "Signing out once the network is back") {
                $0.framed(.offline).signOut(.stuck(pending: 3), isWaiting: true)
            },
            Story("sign-out-waiting-now", .userAccount, "Signing out: without waiting any longer") {
                $0.framed(.uploading).signOut(.uploading(done: 2, total: 5), isWaiting: true, asksNow: true)
            },
            Story("sign-out-files", .userAccount, "Signing out: files of receipts are only here") {
                $0.framed(.idle).signOut(.nothing, files: 2)
            },
            Story("sign-out-files-and-changes", .userAccount, "Signing out: changes and files are only here")
            {
                $0.framed(.uploading).signOut(.uploading(done: 2, total: 5), files: 1)
            },
            Story("sign-out-files-stuck", .userAccount, "Signing out: changes and files cannot be uploaded") {
                $0.framed(.offline).signOut(.stuck(pending: 2), files: 1)
            },
            Story(
                "sign-out-files-copy",
                .userAccount,
                "Signing out: sync is off, and changes and files are only here"
            ) {
                $0.framed(.off).signOut(.copyStays(copy(3, of: day), needsSubscription: false), files: 2)
            },
            Story("sign-out-files-waiting", .userAccount, "Signing out once the files are uploaded") {
                $0.framed(.idle).signOut(.nothing, files: 2, waitingFiles: 2, isWaiting: true)
            },
            Story(
                "sign-out-session-ended",
                .userAccount,
                "Signing out: changes wait, and the session has ended"
            ) {
                $0.framed(.signInAgain).signOut(.stuck(pending: 2))
            },
            Story("sign-out-unanswered", .userAccount, "Signing out: a deletion was not answered") {
                $0.framed(.userDeletionUnanswered).signOut(.everything)
            },
            Story("sign-out-long", .userAccount, "Signing out: long names of changes that are not sent") {
                $0.of(.longLived).framed(.offline).signOut(.stuck(pending: 2))
            },
        ]

    private static let day = "Friday 20 November 2026"

    private static func copy(_ changes: Int, of day: String?) -> RetainedCopy {
        RetainedCopy(day: day, changes: changes, files: 0)
    }

    private static func name(_ stake: SignOutPage.Stake) -> String {
        switch stake {
        case .everything: "everything"
        case .nothing: "nothing"
        case .nothingHere: "nothing-here"
        case .copyStays(let copy, _) where copy.day == nil: "copy-stays"
        case .copyStays(_, needsSubscription: false): "copy-of-a-day"
        case .copyStays(_, needsSubscription: true): "copy-needs-subscription"
        case .copyUnknown: "copy-unknown"
        case .uploading: "uploading"
        case .stuck: "stuck"
        }
    }

    private static func title(_ stake: SignOutPage.Stake) -> String {
        switch stake {
        case .everything: "there is no copy in the cloud"
        case .nothing: "everything is in the cloud"
        case .nothingHere: "everything is in the cloud, and nothing of it was ever here"
        case .copyStays(let copy, _) where copy.day == nil: "sync is off, and the cloud has all"
        case .copyStays(_, needsSubscription: false): "sync is off, and changes are only here"
        case .copyStays(_, needsSubscription: true): "the copy needs a subscription"
        case .copyUnknown: "the cloud does not answer whether it still has the copy"
        case .uploading: "changes are on their way"
        case .stuck: "changes cannot be uploaded"
        }
    }

    private static func next(_ stake: SignOutPage.Stake) -> SignOutPage.Stake? {
        switch stake {
        case .everything: .nothing
        case .nothing: .nothingHere
        case .nothingHere: .copyStays(copy(0, of: nil), needsSubscription: false)
        case .copyStays(let one, _) where one.day == nil:
            .copyStays(copy(2, of: day), needsSubscription: false)
        case .copyStays(_, needsSubscription: false): .copyStays(copy(1, of: day), needsSubscription: true)
        case .copyStays(_, needsSubscription: true): .copyUnknown(copy(1, of: day))
        case .copyUnknown: .uploading(done: 2, total: 5)
        case .uploading: .stuck(pending: 2)
        case .stuck: nil
        }
    }

    /// The header and the page name the same copy.
    private static func keep(_ stake: SignOutPage.Stake, in chrome: inout Chrome) {
        switch stake {
        case .copyStays(let copy, let needsSubscription):
            chrome.cloud = needsSubscription ? .ended(copy) : .off(copy)
            chrome.pending = copy.changes
        case .copyUnknown(var copy):
            copy.mayHaveChanged = true
            chrome.cloud = .ended(copy)
            chrome.pending = copy.changes
        case .everything, .nothing, .nothingHere, .uploading, .stuck: break
        }
    }

    private static func frame(_ stake: SignOutPage.Stake) -> Frame {
        switch stake {
        case .everything: .free
        case .copyStays(_, needsSubscription: true), .copyUnknown: .ended
        case .nothing, .nothingHere: .idle
        case .copyStays: .off
        case .uploading: .uploading
        case .stuck: .offline
        }
    }
}

extension Sample {
    fileprivate func signOut(
        _ stake: SignOutPage.Stake,
        files: Int = 0,
        waitingFiles: Int = 0,
        isWaiting: Bool = false,
        asksNow: Bool = false,
        isRefused: Bool = false
    ) -> SignOutPage {
        let hasUnsent =
            switch stake {
            case .uploading, .stuck: true
            case .copyStays(let copy, _), .copyUnknown(let copy): copy.changes > 0
            case .everything, .nothing, .nothingHere: false
            }
        return SignOutPage(
            chrome: chrome,
            stake: stake,
            unsent: hasUnsent ? [words("Green Market"), words("Birthday of Anna")] : [],
            files: files,
            waitingFiles: waitingFiles,
            isWaiting: isWaiting,
            asksNow: asksNow,
            unsaved: files > 0 && !isWaiting ? [UnsavedEntry(Self.id(399), files: ["till.jpg"])] : [],
            isRefused: isRefused
        )
    }
}
