// The texts of error pages.

import Links
import Texts

/// The text of an error page.
struct ErrorWords {
    var heading: Text
    var what: Text
    var safe: Text
    var todo: Text?
    var icon = "alert"
    var color = "butter"
    var href: Link? = .overview
    var label = Text("errors.back-to-overview")
}

extension ErrorPage.Problem {
    /// The reference of the error in the log.
    var reference: String? {
        switch self {
        case .fault(let reference), .damagedBook(let reference): reference
        case .step(_, let reference, _): reference
        case .unfinishedSignIn(let cause, _): cause.reference
        case .malformed, .expiredForm, .notFound, .deleted, .wrongMethod, .tooLarge, .crowded,
            .overloaded, .otherHost,
            .tooFast, .noRoomForDownload, .busy, .stopping, .storageFull, .bookFull, .guestsFull, .readOnly,
            .file:
            nil
        }
    }

    /// Whether the book cannot be opened at all.
    var hidesBook: Bool {
        switch self {
        case .damagedBook, .step(.newerBook, _, _), .step(.refusedUpgrade, _, _): true
        case .unfinishedSignIn(let cause, _): cause.hidesBook
        default: false
        }
    }

    /// Whether the book can still be read and exported.
    var offersExport: Bool {
        switch self {
        case .storageFull, .bookFull, .guestsFull, .readOnly: true
        case .unfinishedSignIn(let cause, _): cause.offersExport
        case .malformed, .expiredForm, .notFound, .deleted, .wrongMethod, .tooLarge, .crowded,
            .overloaded, .otherHost,
            .tooFast, .noRoomForDownload, .busy, .stopping, .fault, .damagedBook, .step, .file:
            false
        }
    }

    var words: ErrorWords {
        switch self {
        case .malformed:
            ErrorWords(
                heading: Text("errors.that-did-not-make-sense"),
                what: Text("errors.breadly-could-not-read-what"),
                safe: Text("errors.nothing-was-changed"),
                todo: Text("errors.go-back-and-try-again")
            )
        case .expiredForm:
            ErrorWords(
                heading: Text("errors.this-form-is-too-old"),
                what: Text("errors.the-page-was-open-for"),
                safe: Text("errors.nothing-was-changed"),
                todo: Text("errors.go-back-reload-the-page")
            )
        case .notFound:
            ErrorWords(
                heading: Text("errors.nothing-here"),
                what: Text("errors.this-page-does-not-exist"),
                safe: Text("errors.your-data-is-as-it"),
                icon: "search",
                color: "slate"
            )
        case .deleted(let entity):
            ErrorWords(
                heading: entity.heading,
                what: deletion(on: entity.device),
                safe: entity.safe,
                icon: "trash",
                color: "slate",
                href: .history,
                label: Text("errors.to-the-history")
            )
        case .wrongMethod:
            ErrorWords(
                heading: Text("errors.not-like-this"),
                what: Text("errors.this-address-is-not-a"),
                safe: Text("errors.nothing-was-changed"),
                todo: Text("errors.use-the-links-and-buttons")
            )
        case .tooLarge:
            ErrorWords(
                heading: Text("errors.too-much-at-once"),
                what: Text("errors.what-was-sent-is-larger"),
                safe: Text("errors.nothing-of-it-was-saved"),
                todo: Text("errors.go-back-and-shorten-it")
            )
        case .crowded:
            ErrorWords(
                heading: Text("errors.full-house"),
                what: Text("errors.this-server-takes-no-more"),
                safe: Text("errors.existing-data-is-not-affected"),
                todo: Text("errors.try-again-in-an-hour"),
                href: .signIn,
                label: Text("common.sign-in")
            )
        case .overloaded:
            ErrorWords(
                heading: Text("errors.too-many-at-once"),
                what: Text("errors.your-network-has-many-requests"),
                safe: Text("errors.nothing-was-changed"),
                todo: Text("errors.try-again-in-a-few")
            )
        case .otherHost:
            ErrorWords(
                heading: Text("errors.another-address"),
                what: Text("errors.this-server-does-not-answer"),
                safe: Text("errors.nothing-was-changed"),
                todo: Text("errors.use-the-address-that-you"),
                href: nil
            )
        case .busy:
            ErrorWords(
                heading: Text("user-account.one-moment"),
                what: Text("errors.breadly-is-busy-with-your"),
                safe: Text("errors.nothing-was-changed"),
                todo: Text("errors.try-again-in-a-few-seconds")
            )
        case .stopping:
            ErrorWords(
                heading: Text("errors.breadly-is-starting-again"),
                what: Text("errors.it-was-stopped-during-your-request"),
                safe: Text("errors.your-last-step-may-be-done"),
                todo: Text("errors.look-before-you-repeat-it")
            )
        case .fault:
            ErrorWords(
                heading: Text("errors.something-broke-on-our-side"),
                what: Text("errors.breadly-ran-into-a-fault"),
                safe: Text("errors.what-was-saved-before-is"),
                todo: Text("errors.try-again-if-it-comes"),
                color: "tomato"
            )
        case .storageFull:
            ErrorWords(
                heading: Text("errors.the-disk-is-full"),
                what: Text("errors.the-server-has-no-room"),
                safe: Text("errors.everything-saved-before-is-safe"),
                todo: Text("errors.ask-for-space-and-send-again"),
                color: "tomato"
            )
        case .bookFull:
            ErrorWords(
                heading: Text("errors.your-book-is-full"),
                what: Text("errors.it-has-grown-as-large"),
                safe: Text("errors.everything-saved-before-is-safe"),
                todo: Text("errors.ask-for-larger-books-and-send-again"),
                color: "tomato"
            )
        case .guestsFull:
            ErrorWords(
                heading: Text("errors.no-room-for-guests"),
                what: Text("errors.guests-have-used-their-space"),
                safe: Text("errors.everything-saved-before-is-safe"),
                todo: Text("errors.sign-in-or-make-room"),
                color: "tomato",
                href: .signIn,
                label: Text("common.sign-in")
            )
        case .noRoomForDownload:
            ErrorWords(
                heading: Text("errors.the-disk-is-full"),
                what: Text("errors.there-is-no-room-for-the-download"),
                safe: Text("errors.everything-saved-before-is-safe"),
                todo: Text("errors.ask-for-space-and-download-again"),
                color: "tomato"
            )
        case .file(let problem): problem.words
        case .tooFast:
            ErrorWords(
                heading: Text("errors.one-after-the-other"),
                what: Text("errors.this-browser-sends-changes-faster"),
                safe: Text("errors.this-one-was-not-saved"),
                todo: Text("errors.wait-a-few-seconds-and")
            )
        case .readOnly:
            ErrorWords(
                heading: Text("errors.reading-only-for-now"),
                what: Text("errors.the-server-may-not-write"),
                safe: Text("errors.everything-saved-before-is-safe"),
                todo: Text("errors.check-the-permissions"),
                color: "tomato"
            )
        case .damagedBook:
            ErrorWords(
                heading: Text("errors.your-book-is-damaged"),
                what: Text("errors.its-file-on-the-server"),
                safe: Text("errors.nothing-was-deleted"),
                todo: Text("errors.run-the-doctor-or-restore"),
                color: "tomato",
                href: nil
            )
        case .step(let failure, _, let deletion?):
            ErrorWords(
                heading: Text("errors.the-deletion-did-not-finish"),
                what: failure.what,
                safe: failure == .sessionRevoked ? Text("errors.nothing-was-deleted") : deletion.unknown,
                todo: failure == .sessionRevoked
                    ? Text("errors.never-mind-and-sign-in-again") : Text("errors.never-mind-asks-the-cloud"),
                href: nil
            )
        case .step(let failure, _, nil):
            ErrorWords(
                heading: Text("errors.a-step-did-not-finish"),
                what: failure.what,
                safe: Text("errors.your-data-is-as-it-was"),
                todo: failure.todo,
                href: nil
            )
        case .unfinishedSignIn(let cause, let isNewAccount): cause.words.ofSignIn(isNewAccount: isNewAccount)
        }
    }
}

extension ErrorWords {
    /// The same for a sign-in that the cloud has accepted and the device could not store.
    fileprivate func ofSignIn(isNewAccount: Bool) -> ErrorWords {
        let (safe, again) =
            isNewAccount
            ? (Text("errors.your-account-was-made-but"), Text("errors.signing-in-to-it-is"))
            : (Text("errors.you-may-not-be-signed"), Text("errors.signing-in-again-is-safe"))
        var words = self
        words.safe = safe
        words.todo = Text.sentences([todo, again].compactMap(\.self))
        words.href = .signIn
        words.label = Text("common.sign-in")
        return words
    }
}

extension ErrorPage.Deletion {
    /// The sentence about a deletion whose outcome is not known.
    fileprivate var unknown: Text {
        switch self {
        case .serverData: Text("errors.your-data-may-be-deleted")
        case .account, .accountWithoutBook: Text("errors.your-account-may-be-deleted")
        }
    }
}

/// - Parameter device: as in `DeletedEntity`.
private func deletion(on device: String?) -> Text {
    guard let device else { return Text("errors.it-was-deleted-here") }
    return device.isEmpty
        ? Text("errors.it-was-deleted-elsewhere")
        : Text("errors.it-was-deleted-on", ["device": .string(device.isolated)])
}

extension ErrorPage.FailedStep {
    fileprivate var what: Text {
        switch self {
        case .diskFull: Text("errors.the-server-has-no-room-left")
        case .readOnly: Text("errors.your-book-cannot-be-written")
        case .newerBook: Text("errors.your-book-was-last-used")
        case .refusedUpgrade: Text("errors.your-book-could-not-be")
        case .cloudUnreachable: Text("errors.the-cloud-could-not-be")
        case .cloudFailed: Text("errors.the-cloud-did-not-do")
        case .sessionRevoked: Text("errors.your-session-on-this-device")
        case .other: Text("errors.your-book-could-not-be-opened")
        }
    }

    fileprivate var todo: Text {
        switch self {
        case .diskFull: Text("errors.ask-for-space")
        case .readOnly: Text("errors.check-the-permissions")
        case .newerBook: Text("errors.install-the-newer-version")
        case .refusedUpgrade: Text("errors.run-the-doctor")
        case .cloudUnreachable: Text("errors.try-again-in-a-minute")
        case .cloudFailed, .sessionRevoked, .other: Text("errors.if-it-comes-back-give")
        }
    }
}
