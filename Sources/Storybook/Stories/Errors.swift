// The pages about errors: each problem, and forms that were not saved.

import Ledger
import Links
import Texts
import Web

enum ErrorStories {
    static let all = problems + steps + deletions + forms

    private static let problems = cases(from: ErrorPage.Problem.malformed, next).map { problem in
        Story("error-\(name(problem))", .errors, "Status \(problem.status): \(name(problem))") {
            ErrorPage(chrome: $0.chrome, problem: problem)
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
                chrome: deletion == .account ? $0.failed : $0.framed(.deletionUnanswered).chrome,
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
                ErrorPage(chrome: $0.chrome, problem: .deletedTransaction(Sample.id(301), device: nil))
            )
        },
        Story("error-framed-file", .errors, "A file that cannot be fetched, in the frame of the app") {
            FramedErrorPage(ErrorPage(chrome: $0.framed(.ended).chrome, problem: .fileElsewhere(.premium)))
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

    /// The names of the problems in addresses.
    private static func name(_ problem: ErrorPage.Problem) -> String {
        switch problem {
        case .malformed: "malformed"
        case .expiredForm: "expired-form"
        case .notFound: "not-found"
        case .deletedTransaction: "deleted-transaction"
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
        case .fileAway: "file-away"
        case .fileNotServed: "file-not-served"
        case .fileNotSent: "file-not-sent"
        case .fileLost: "file-lost"
        case .fileCorrupted: "file-corrupted"
        case .fileNotStored: "file-not-stored"
        case .fileElsewhere(let obstacle, let isDamaged):
            "file-\(isDamaged ? "damaged" : "elsewhere")-\(obstacle.rawValue)"
        case .fileDamaged: "file-damaged"
        case .readOnly: "read-only"
        case .damagedBook: "damaged-book"
        case .step: "step"
        case .unfinishedSignIn: "unfinished-sign-in"
        }
    }

    private static func next(_ problem: ErrorPage.Problem) -> ErrorPage.Problem? {
        switch problem {
        case .malformed: .expiredForm
        case .expiredForm: .notFound
        case .notFound: .deletedTransaction(Sample.id(301), device: nil)
        case .deletedTransaction: .wrongMethod
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
        case .tooFast: .fileAway
        case .fileAway: .fileNotServed
        case .fileNotServed: .fileNotSent
        case .fileNotSent: .fileLost
        case .fileLost: .fileCorrupted
        case .fileCorrupted: .fileNotStored
        case .fileNotStored: .fileElsewhere(.premium)
        case .fileElsewhere(.premium, isDamaged: false): .fileElsewhere(.sync)
        case .fileElsewhere(.sync, isDamaged: false): .fileElsewhere(.session)
        case .fileElsewhere(.session, isDamaged: false): .fileElsewhere(.other)
        case .fileElsewhere(.other, isDamaged: false): .fileElsewhere(.premium, isDamaged: true)
        case .fileElsewhere(.premium, isDamaged: true): .fileElsewhere(.sync, isDamaged: true)
        case .fileElsewhere(.sync, isDamaged: true): .fileElsewhere(.session, isDamaged: true)
        case .fileElsewhere(_, isDamaged: true): .fileDamaged
        case .fileDamaged: .readOnly
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
    fileprivate var failed: Chrome { with { $0.state = "error" }.chrome }

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
