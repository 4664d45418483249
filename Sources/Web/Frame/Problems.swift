// Maps errors to error pages and statuses, in this one place.

import Book
import Devices
import FileStore
import HTTPServer
import Ledger

/// The reasons of the web layer itself to refuse a request.
enum Refusal: Error {
    case malformed
    /// A form that was not sent by a page of this server.
    case foreignForm
    /// A form with a token of an earlier session of the same browser.
    case staleForm
    case notFound
    /// The entity was deleted, and can perhaps be restored.
    case deleted(DeletedEntity)
    case wrongMethod
    /// The device sends forms faster than a person could.
    case tooFast
    /// As many downloads of the device's book as it may have are being written or sent.
    case tooManyExports
    /// As many files of receipts as may be are being fetched from the cloud, or this one takes long.
    case tooManyDownloads
    /// The disk has too little room for a download.
    case noRoomForDownload
    /// The file of a receipt cannot be shown.
    case file(FileProblem)
}

enum Problems {
    static func page(for error: any Error, reference: String) -> ErrorPage.Problem {
        switch error {
        case let error as Refusal: page(for: error)
        case let error as DevicesError: page(for: error, reference)
        case let error as BookError: page(for: error, reference)
        case let error as FileStoreError: page(for: BookError(error), reference)
        case let error as UnfinishedSignIn:
            .unfinishedSignIn(page(for: error.cause, reference: reference), isNewAccount: error.isNewAccount)
        default: .fault(reference: reference)
        }
    }

    static func status(of error: any Error, _ problem: ErrorPage.Problem) -> Status {
        switch error {
        case DevicesError.tooManyGuests, DevicesError.tooManyFromAddress: .tooManyRequests
        case let error as UnfinishedSignIn: status(of: error.cause, problem)
        default: Status(rawValue: problem.status)
        }
    }

    /// Whether the error is logged for the operator: faults and problems with files are, wrong input is not.
    static func isForTheLog(_ error: any Error, _ problem: ErrorPage.Problem) -> Bool {
        // `DiskRoom` has a line of its own about guests without room.
        if case .guestsFull = problem { return false }
        return !(error is Refusal)
            && (error is DevicesError || error is UnfinishedSignIn || problem.status >= 500)
    }

    /// Whether the operator must act: limits and busy books are temporary.
    static func isFault(_ problem: ErrorPage.Problem) -> Bool {
        switch problem {
        case .fault, .storageFull, .readOnly, .damagedBook, .step: true
        case .unfinishedSignIn(let cause, _): isFault(cause)
        case .malformed, .expiredForm, .notFound, .wrongMethod, .tooLarge, .crowded, .overloaded, .otherHost,
            .deleted, .busy, .stopping, .bookFull, .guestsFull, .noRoomForDownload, .tooFast,
            .file:
            false
        }
    }

    private static func page(for refusal: Refusal) -> ErrorPage.Problem {
        switch refusal {
        case .malformed: .malformed
        case .foreignForm, .staleForm: .expiredForm
        case .notFound: .notFound
        case .deleted(let entity): .deleted(entity)
        case .wrongMethod: .wrongMethod
        case .tooFast: .tooFast
        case .tooManyExports, .tooManyDownloads: .busy
        case .noRoomForDownload: .noRoomForDownload
        case .file(let problem): .file(problem)
        }
    }

    private static func page(for error: DevicesError, _ reference: String) -> ErrorPage.Problem {
        switch error {
        case .book(let error): page(for: error, reference)
        case .store(.storage(let error)): page(for: BookError(error), reference)
        case .store(.unknownDevice): .notFound
        case .store(.idTaken): .malformed
        case .folder(.diskFull): .storageFull
        case .folder(.readOnly): .readOnly
        case .folder, .secret, .noDeviceStore: .fault(reference: reference)
        case .tooManyGuests, .tooManyFromAddress: .crowded
        case .noRoomForGuests: .guestsFull
        // The sign-in answers its refusals itself; a refusal that arrives here is of a busy device.
        case .busy, .signInRefused: .busy
        }
    }

    private static func page(for error: BookError, _ reference: String) -> ErrorPage.Problem {
        switch error {
        case .unknownTransaction, .deletedTransaction, .unknownAccount, .unknownCategory, .unknownBudget,
            .unknownSchedule, .unknownView, .unknownRule, .unknownReceipt,
            .unknownConflict, .unknownChange, .deletedSince:
            .notFound
        case .diskFull: .storageFull
        case .readOnly: .readOnly
        case .damaged: .damagedBook(reference: reference)
        case .newerSchema: .step(.newerBook, reference: reference)
        case .migrationRefused: .step(.refusedUpgrade, reference: reference)
        case .idTaken, .accountInUse, .accountScheduled, .accountClosed, .categoryInUse, .categoryKindInUse,
            .categoryNesting,
            .categoryKind,
            .budgetExists, .selectionTooLarge, .invalid, .overflow, .changedMeanwhile:
            // Each form shows these errors beside the field; a request with one of them was not sent by a
            // page of this server.
            .malformed
        // Another program has locked the book.
        case .busy: .busy
        case .closed: .stopping
        case .failed: .fault(reference: reference)
        }
    }
}

extension BookError {
    /// Whether the book refuses the values of a row.
    var isAboutTheRow: Bool {
        switch self {
        case .invalid, .accountInUse, .accountScheduled, .categoryKindInUse, .budgetExists: true
        default: keepsItDeleted
        }
    }

    /// Whether the error means that a deleted row no longer fits into the book.
    var keepsItDeleted: Bool {
        switch self {
        case .unknownAccount, .unknownCategory, .overflow, .categoryNesting, .categoryKind, .budgetExists:
            true
        default: false
        }
    }
}
