// The pages about errors: each problem, and forms that were not saved.

import Ledger
import Links
import Texts

enum ErrorStories {
    static let all = problems + steps + deletions + forms

    private static let problems = cases(from: ErrorPage.Problem.malformed, next).map { problem in
        Story("error-\(name(problem))", .errors, "Status \(problem.status): \(name(problem))") {
            let frame = if case .file(let problem) = problem { frame(of: problem) } else { Frame.guest }
            return ErrorPage(chrome: $0.framed(frame).chrome, problem: problem)
        }
    }

    /// The frame in which a user meets a problem with a file.
    private static func frame(of problem: FileProblem) -> Frame {
        switch problem {
        case .away: .offlineIdle
        case .notSent, .lost(hasCloud: true): .absentFiles
        case .elsewhere(.premium, _): .ended
        case .elsewhere(.sync, _): .off
        case .elsewhere(.session, _): .signInAgain
        case .notServed, .corrupted, .notStored, .elsewhere(.other, _), .damaged(hasCloud: true): .idle
        case .lost(hasCloud: false), .damaged(hasCloud: false): .guest
        }
    }

    private static let steps = cases(from: ErrorPage.FailedStep.diskFull, next).map { step in
        let name = step.rawValue.replacing("_", with: "-")
        return Story("error-step-\(name)", .errors, "A step of the lifecycle failed: \(name)") {
            ErrorPage(
                chrome: $0.failed,
                problem: .step(step, reference: "7f3a-91c2")
            )
        }
    }

    private static let deletions = [ErrorPage.Deletion.serverData, .account, .accountWithoutBook].map {
        deletion in
        Story(
            "error-deletion-\(deletion.rawValue)",
            .errors,
            "A deletion was not answered: \(deletion.rawValue)"
        ) {
            ErrorPage(
                chrome: $0.framed(deletion == .account ? .userDeletionUnanswered : .deletionUnanswered)
                    .failed,
                problem: .step(.cloudUnreachable, reference: "7f3a-91c2", of: deletion)
            )
        }
    }

    private static let forms: [Story] = [
        Story("error-kept", .errors, "A form that was not saved, to be sent again") {
            ErrorPage(chrome: $0.chrome, problem: .storageFull, kept: $0.preserved(action: .transactions))
        },
        Story("error-framed", .errors, "A page that does not exist, in the frame of the app") {
            FramedErrorPage(ErrorPage(chrome: $0.chrome, problem: .notFound))
        },
        Story("error-framed-deleted", .errors, "A transaction that was deleted, in the frame of the app") {
            FramedErrorPage(
                ErrorPage(chrome: $0.chrome, problem: .deleted(deletedTransaction))
            )
        },
        Story("error-framed-deleted-account", .errors, "An account that was deleted, in the frame of the app")
        {
            FramedErrorPage(
                ErrorPage(
                    chrome: $0.chrome,
                    problem: .deleted(
                        AccountEntry.texts.gone(restoring: Link.accountRestore(Sample.id(5)), on: "Phone")
                    )
                )
            )
        },
        Story("error-framed-file", .errors, "A file that cannot be fetched, in the frame of the app") {
            FramedErrorPage(ErrorPage(chrome: $0.framed(.ended).chrome, problem: .file(.elsewhere(.premium))))
        },
        Story("error-no-device", .errors, "A page that does not exist, for a browser without a device") {
            sample in
            ErrorPage(chrome: sample.with { $0.state = "uninitialized" }.chrome, problem: .notFound)
        },
        Story("error-sign-in-known", .errors, "The disk is full after a sign-in to an existing account") {
            ErrorPage(chrome: $0.chrome, problem: .unfinishedSignIn(.storageFull, isNewAccount: false))
        },
        Story("error-stale", .errors, "A form of a page that was too old") {
            StaleFormPage(chrome: $0.chrome, kept: $0.preserved(action: .transactions))
        },
        Story("error-stale-lost", .errors, "Such a form, which this device can no longer send") {
            StaleFormPage(chrome: $0.chrome, kept: $0.preserved(action: nil))
        },
        Story("error-stale-files", .errors, "Such a form of a transaction, with files") {
            StaleFormPage(
                chrome: $0.chrome,
                kept: $0.preserved(action: nil),
                form: Text("help.new-transaction"),
                files: [$0.typed("receipt.jpg"), "invoice.pdf"]
            )
        },
    ]

    private static let deletedTransaction = TransactionEntry.texts.gone(
        restoring: Link.transactionRestore(Sample.id(301)),
        on: nil
    )

    /// The names of the problems in addresses.
    private static func name(_ problem: ErrorPage.Problem) -> String {
        switch problem {
        case .malformed: "malformed"
        case .expiredForm: "expired-form"
        case .notFound: "not-found"
        case .deleted: "deleted-transaction"
        case .wrongMethod: "wrong-method"
        case .tooLarge: "too-large"
        case .crowded: "crowded"
        case .overloaded: "overloaded"
        case .otherHost: "other-host"
        case .busy: "busy"
        case .stopping: "stopping"
        case .fault: "fault"
        case .storageFull: "storage-full"
        case .bookFull: "book-full"
        case .guestsFull: "guests-full"
        case .noRoomForDownload: "no-room-for-download"
        case .tooFast: "too-fast"
        case .file(let problem): "file-\(name(problem))"
        case .readOnly: "read-only"
        case .damagedBook: "damaged-book"
        case .step: "step"
        case .unfinishedSignIn: "unfinished-sign-in"
        }
    }

    private static func name(_ problem: FileProblem) -> String {
        switch problem {
        case .away: "away"
        case .notServed: "not-served"
        case .notSent: "not-sent"
        case .lost(hasCloud: true): "lost"
        case .lost(hasCloud: false): "lost-without-a-cloud"
        case .corrupted: "corrupted"
        case .notStored: "not-stored"
        case .elsewhere(let obstacle, let isDamaged):
            "\(isDamaged ? "damaged" : "elsewhere")-\(obstacle.rawValue)"
        case .damaged(hasCloud: true): "damaged"
        case .damaged(hasCloud: false): "damaged-without-a-cloud"
        }
    }

    private static func next(_ problem: FileProblem) -> FileProblem? {
        switch problem {
        case .away: .notServed
        case .notServed: .notSent
        case .notSent: .lost(hasCloud: true)
        case .lost(hasCloud: true): .lost(hasCloud: false)
        case .lost(hasCloud: false): .corrupted
        case .corrupted: .notStored
        case .notStored: .elsewhere(.premium)
        case .elsewhere(.premium, let isDamaged): .elsewhere(.sync, isDamaged: isDamaged)
        case .elsewhere(.sync, let isDamaged): .elsewhere(.session, isDamaged: isDamaged)
        case .elsewhere(.session, isDamaged: false): .elsewhere(.other)
        case .elsewhere(.other, isDamaged: false): .elsewhere(.premium, isDamaged: true)
        case .elsewhere(_, isDamaged: true): .damaged(hasCloud: true)
        case .damaged(hasCloud: true): .damaged(hasCloud: false)
        case .damaged(hasCloud: false): nil
        }
    }

    private static func next(_ problem: ErrorPage.Problem) -> ErrorPage.Problem? {
        switch problem {
        case .malformed: .expiredForm
        case .expiredForm: .notFound
        case .notFound: .deleted(deletedTransaction)
        case .deleted: .wrongMethod
        case .wrongMethod: .tooLarge
        case .tooLarge: .crowded
        case .crowded: .overloaded
        case .overloaded: .otherHost
        case .otherHost: .busy
        case .busy: .stopping
        case .stopping: .fault(reference: "7f3a-91c2")
        case .fault: .storageFull
        case .storageFull: .bookFull
        case .bookFull: .guestsFull
        case .guestsFull: .noRoomForDownload
        case .noRoomForDownload: .tooFast
        case .tooFast: .file(.away)
        case .file(let problem): next(problem).map { .file($0) } ?? .readOnly
        case .readOnly: .damagedBook(reference: "7f3a-91c2")
        case .damagedBook: .step(.other, reference: nil)
        case .step: .unfinishedSignIn(.fault(reference: "7f3a-91c2"), isNewAccount: true)
        case .unfinishedSignIn: nil
        }
    }

    private static func next(_ step: ErrorPage.FailedStep) -> ErrorPage.FailedStep? {
        switch step {
        case .diskFull: .readOnly
        case .readOnly: .newerBook
        case .newerBook: .refusedUpgrade
        case .refusedUpgrade: .cloudUnreachable
        case .cloudUnreachable: .cloudFailed
        case .cloudFailed: .sessionRevoked
        case .sessionRevoked: .other
        case .other: nil
        }
    }
}

extension Sample {
    fileprivate var failed: Chrome {
        with {
            $0.state = "error"
            if $0.cloud.isUnknown {
                $0.cloud = .deletionUnanswered(hasBook: $0.cloud.hasBook, asks: false)
            }
        }.chrome
    }

    fileprivate func preserved(action: Link?) -> PreservedForm {
        let fields = [
            ("kind", "expense"), ("payee", typed("Bäckerei <Ost>")), ("note", typed("two\nlines")),
        ]
        return PreservedForm(
            action: action,
            csrf: chrome.csrf,
            fields: fields,
            typed: fields.map { TypedField(name: $0.0, label: .verbatim($0.0), value: .verbatim($0.1)) },
            secrets: [("password", Text("user-account.password"))]
        )
    }
}
