// Which page and which status a failure is answered with: the one place where that is decided.

import Book
import Devices
import HTTPServer
import Pages

/// Why a request is not carried out, found by the web layer itself.
enum Refusal: Error {
    case malformed
    /// A form that was not sent by a page of this server.
    case foreignForm
    /// A form with the token of an earlier session of this browser's.
    case staleForm
    case notFound
    case wrongMethod
    /// A device sends forms faster than a person could.
    case tooFast
    /// A download of the book is being made already.
    case exportUnderWay
}

enum Problems {
    static func page(for error: any Error, reference: String) -> ErrorPage.Problem {
        switch error {
        case let error as Refusal: page(for: error)
        case let error as DevicesError: page(for: error, reference)
        case let error as BookError: page(for: error, reference)
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

    /// Whether the operator should read of it: faults and what is wrong with files, not what people mistype.
    static func isForTheLog(_ error: any Error, _ problem: ErrorPage.Problem) -> Bool {
        !(error is Refusal) && (error is DevicesError || error is UnfinishedSignIn || problem.status >= 500)
    }

    /// Whether the operator has to look at it: a limit, and a book that is busy, pass by themselves.
    static func isFault(_ problem: ErrorPage.Problem) -> Bool {
        switch problem {
        case .fault, .storageFull, .readOnly, .damagedBook, .step: true
        case .unfinishedSignIn(let cause, _): isFault(cause)
        case .malformed, .expiredForm, .notFound, .wrongMethod, .tooLarge, .crowded, .overloaded, .otherHost,
            .busy, .bookFull, .tooFast:
            false
        }
    }

    private static func page(for refusal: Refusal) -> ErrorPage.Problem {
        switch refusal {
        case .malformed: .malformed
        case .foreignForm, .staleForm: .expiredForm
        case .notFound: .notFound
        case .wrongMethod: .wrongMethod
        case .tooFast: .tooFast
        case .exportUnderWay: .busy
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
        // Signing in answers a refusal itself; one that comes here is about a device that is busy.
        case .busy, .signInRefused: .busy
        }
    }

    private static func page(for error: BookError, _ reference: String) -> ErrorPage.Problem {
        switch error {
        case .unknownTransaction, .deletedTransaction, .unknownAccount, .unknownCategory, .unknownBudget,
            .unknownConflict, .unknownChange, .deletedSince:
            .notFound
        case .diskFull: .storageFull
        case .readOnly: .readOnly
        case .damaged: .damagedBook(reference: reference)
        case .newerSchema: .step(.newerBook, reference: reference)
        case .migrationRefused: .step(.refusedUpgrade, reference: reference)
        case .idTaken, .accountInUse, .categoryInUse, .categoryKindInUse, .categoryNesting, .categoryKind,
            .budgetExists, .invalid, .overflow, .changedMeanwhile:
            // Each form shows these errors beside the field; a request with one of them was not sent by a
            // page of this server.
            .malformed
        // Another program has the book, or the server is stopping.
        case .busy, .closed: .busy
        case .failed: .fault(reference: reference)
        }
    }
}

extension BookError {
    /// Whether it says that a value does not fit into the book.
    var isAboutTheRow: Bool {
        switch self {
        case .invalid, .accountInUse, .categoryKindInUse, .budgetExists: true
        default: keepsItDeleted
        }
    }

    /// Whether it says that something deleted no longer fits into the book.
    var keepsItDeleted: Bool {
        switch self {
        case .unknownAccount, .unknownCategory, .overflow, .categoryNesting, .categoryKind, .budgetExists:
            true
        default: false
        }
    }
}
