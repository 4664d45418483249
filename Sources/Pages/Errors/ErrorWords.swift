// The words of the pages for what went wrong.

import Links

/// The text of an error page.
struct ErrorWords {
    var heading: String
    var what: String
    var safe: String
    var todo: String?
    var icon = "alert"
    var color = "butter"
    var href: Link? = .overview
    var label = "Back to Overview"
}

extension ErrorPage.Problem {
    /// The reference under which the log tells more.
    var reference: String? {
        switch self {
        case .fault(let reference), .damagedBook(let reference): reference
        case .step(_, let reference, _): reference
        case .unfinishedSignIn(let cause, _): cause.reference
        case .malformed, .expiredForm, .notFound, .wrongMethod, .tooLarge, .crowded, .overloaded, .otherHost,
            .tooFast, .busy, .storageFull, .bookFull, .readOnly:
            nil
        }
    }

    /// Whether the book can still be read and so be taken away.
    var offersExport: Bool {
        switch self {
        case .storageFull, .bookFull, .readOnly: true
        case .unfinishedSignIn(let cause, _): cause.offersExport
        case .malformed, .expiredForm, .notFound, .wrongMethod, .tooLarge, .crowded, .overloaded, .otherHost,
            .tooFast, .busy, .fault, .damagedBook, .step:
            false
        }
    }

    var words: ErrorWords {
        switch self {
        case .malformed:
            ErrorWords(
                heading: "That did not make sense",
                what: "Breadly could not read what the browser sent.",
                safe: "Nothing was changed.",
                todo: "Go back and try again. If you typed the address, look for a slip in it."
            )
        case .expiredForm:
            ErrorWords(
                heading: "This form is too old",
                what: "The page was open for a long time, or it was sent from another site.",
                safe: "Nothing was changed.",
                todo: "Go back, reload the page and send it again."
            )
        case .notFound:
            ErrorWords(
                heading: "Nothing here",
                what: "This page does not exist, or what it showed was deleted.",
                safe: "Your data is as it was.",
                icon: "search",
                color: "slate"
            )
        case .wrongMethod:
            ErrorWords(
                heading: "Not like this",
                what: "This address is not a page of its own.",
                safe: "Nothing was changed.",
                todo: "Use the links and buttons of the app."
            )
        case .tooLarge:
            ErrorWords(
                heading: "Too much at once",
                what: "What was sent is larger than Breadly accepts.",
                safe: "Nothing of it was saved, and what you had is as it was.",
                todo: "Go back and shorten it."
            )
        case .crowded:
            ErrorWords(
                heading: "Full house",
                what: "This server takes no more new guests at the moment.",
                safe: "Nobody's data is touched by it.",
                todo: "Try again in an hour, or ask whoever runs this server to raise the limit."
            )
        case .overloaded:
            ErrorWords(
                heading: "Too many at once",
                what: "Your network has many requests under way, or the whole server is full.",
                safe: "Nothing was changed.",
                todo: "Try again in a few seconds. Whoever runs this server can raise the limit."
            )
        case .otherHost:
            ErrorWords(
                heading: "Another address",
                what: "This server does not answer under the name in the browser's address bar.",
                safe: "Nothing was changed.",
                todo:
                    "Use the address that you were given. Whoever runs this server can add this one.",
                href: nil
            )
        case .busy:
            ErrorWords(
                heading: "One moment",
                what: "Breadly is busy with your book, or is about to start again.",
                safe: "Nothing was changed.",
                todo: "Try again in a few seconds."
            )
        case .fault:
            ErrorWords(
                heading: "Something broke on our side",
                what: "Breadly ran into a fault of its own.",
                safe: "What was saved before is safe. This last step was not carried out.",
                todo: "Try again. If it comes back, give the reference to whoever runs this server.",
                color: "tomato"
            )
        case .storageFull:
            ErrorWords(
                heading: "The disk is full",
                what: "The server has no room left, so this change could not be saved.",
                safe: "Everything saved before is safe and can be read.",
                todo: "Ask whoever runs this server to make room. Then send the form again.",
                color: "tomato"
            )
        case .bookFull:
            ErrorWords(
                heading: "Your book is full",
                what:
                    "It has grown as large as this server lets a book grow, so this change could not be saved.",
                safe: "Everything saved before is safe and can be read.",
                todo: "Ask whoever runs this server to let books grow larger. Then send the form again.",
                color: "tomato"
            )
        case .tooFast:
            ErrorWords(
                heading: "One after the other",
                what: "This browser sends changes faster than the server takes them.",
                safe: "This one was not saved, and what you had is as it was.",
                todo: "Wait a few seconds and send it again."
            )
        case .readOnly:
            ErrorWords(
                heading: "Reading only, for now",
                what: "The server may not write to your book, so this change could not be saved.",
                safe: "Everything saved before is safe and can be read.",
                todo: "Whoever runs this server should check the permissions of the data folder.",
                color: "tomato"
            )
        case .damagedBook:
            ErrorWords(
                heading: "Your book is damaged",
                what:
                    "Its file on the server can no longer be read as it should be. It was left untouched.",
                safe: "Nothing was deleted.",
                todo: "Whoever runs this server can look at it with breadly doctor "
                    + "and bring back a copy with breadly restore.",
                color: "tomato",
                href: nil
            )
        case .step(let failure, _, _):
            ErrorWords(
                heading: "A step did not finish",
                what: failure.what,
                safe: "Your data is as it was. Trying again picks up where it stopped.",
                todo: failure.todo,
                href: nil
            )
        case .unfinishedSignIn(let cause, let isNewAccount): cause.words.ofSignIn(isNewAccount: isNewAccount)
        }
    }
}

extension ErrorWords {
    /// The same about a sign-in that only the cloud knows of.
    fileprivate func ofSignIn(isNewAccount: Bool) -> ErrorWords {
        let (safe, again) =
            isNewAccount
            ? (
                "Your account was made, but you may not be signed in on this device yet.",
                "Signing in to it is safe: what is on this device comes along."
            ) : ("You may not be signed in on this device yet.", "Signing in again is safe.")
        var words = self
        words.safe = safe
        words.todo = [todo, again].compactMap(\.self).joined(separator: " ")
        words.href = .signIn
        words.label = "Sign in"
        return words
    }
}

extension ErrorPage.FailedStep {
    fileprivate var what: String {
        switch self {
        case .diskFull: "The server has no room left, so your book could not be opened."
        case .readOnly: "Your book cannot be written: the server may only read the folder that it is in."
        case .newerBook: "Your book was last used by a newer version of Breadly than the one that runs here."
        case .refusedUpgrade: "Your book could not be brought to this version of Breadly."
        case .cloudUnreachable: "The cloud could not be reached."
        case .cloudFailed: "The cloud did not do what it was asked."
        case .sessionRevoked:
            "Your session on this device has ended, so the cloud does not listen to it any more."
        case .other: "Your book could not be opened."
        }
    }

    fileprivate var todo: String {
        switch self {
        case .diskFull: "Ask whoever runs this server to make room."
        case .readOnly: "Whoever runs this server should check the permissions of the data folder."
        case .newerBook: "Whoever runs this server should install the newer version again."
        case .refusedUpgrade: "Whoever runs this server can look at it with breadly doctor."
        case .cloudUnreachable: "Try again in a minute."
        case .cloudFailed: "If it comes back, give the reference to whoever runs this server."
        case .sessionRevoked: "Go back, sign out and sign in again. Then ask for it once more."
        case .other: "If it comes back, give the reference to whoever runs this server."
        }
    }
}
