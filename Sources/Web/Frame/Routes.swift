// The routes of the app: the action for each address.

import Devices
public import HTTPServer
import Ledger
import Links

/// Answers a request.
typealias Action = @Sendable (RequestContext) throws -> Response

extension EntityID: PathValue {
    /// Parses an id in lower case.
    init?(pathSegment: Substring) {
        self.init(pathSegment)
        guard description == pathSegment else { return nil }
    }
}

extension Int64: PathValue {
    /// Parses the number of a change: above 0, in ASCII digits.
    public init?(pathSegment: Substring) {
        self.init(pathSegment)
        guard self > 0, description == pathSegment else { return nil }
    }
}

enum Routes {
    static let table = Router<Action>(Feature.all.flatMap(\.routes))

    /// The actions that show a form with its values again.
    static let refills = Router<Action>(Feature.all.flatMap(\.refills))

    /// The paths that concern the server and not a device.
    static let health = paths(.healthz, .readyz)

    /// Whether every state allows a path.
    static func isOpen(_ path: String) -> Bool {
        open.contains(path) || path.hasPrefix(Link.noticeDismiss.head)
    }

    private static let open: Set<String> = health.union(paths(.statusPage, .status, .events))

    /// Whether a form may need room on the disk. The others delete, discard or sign in: what a guest can do where there is no
    /// room for guests.
    static func needsRoom(_ path: String) -> Bool {
        !roomless.contains(path) && !path.hasSuffix(Link.transactionDelete.tail)
            && !path.hasPrefix(Link.noticeDismiss.head)
    }

    private static let roomless = signingIn.union(failed)
        .union(paths(.deletedReceipts, .unsavedReceipts, .downloadDismiss))

    /// Whether a link, with or without a query, is a list to which the user returns after a form.
    static func isList(_ link: Link) -> Bool {
        (lists.contains(link.path) || account(of: link) != nil)
            && !link.text.utf8.contains(UInt8(ascii: "#"))
    }

    /// The account whose register a link is, with or without a query; nil for any other link.
    static func account(of link: Link) -> EntityID? {
        let (path, register) = (link.path, Link.accountTransactions)
        guard path.hasPrefix(register.head), path.hasSuffix(register.tail) else { return nil }
        return EntityID(pathSegment: path.dropFirst(register.head.count).dropLast(register.tail.count))
    }

    private static let lists = paths(
        .overview,
        .transactions,
        .uncategorized,
        .accounts,
        .categories,
        .budgets,
        .schedules,
        .reports,
        .rules
    )

    static let signingIn = paths(.signIn, .signUp, .providerBegin, .providerCallback)

    /// The paths for a device that was signed out from elsewhere. They exclude the sign-up, because a new
    /// account does not unlock the book.
    static let whileLocked: Set<String> = health.union(signingIn).subtracting(paths(.signUp))
        .union(paths(.status, .events))

    /// The paths for a browser without a device.
    static let withoutDevice: Set<String> = signingIn.union(paths(.welcome))

    /// The paths for a lifecycle that failed.
    static let failed = paths(.error, .retry, .dismiss)

    /// The paths for an account that is being verified.
    static let verification = paths(.verifying, .verifyingRetry, .verifyingCancel)

    /// Whether a path shows a book, its totals or one of its files, and no form of one entry. The overview is not among them: until
    /// the first page of an account is here, it leads to the page that waits for it.
    static func isOfReading(_ path: String) -> Bool {
        reading.contains(path) || account(of: Link(path: path)) != nil
            || (path.hasPrefix(Link.receipt.head) && path != Link.deletedReceipts.path)
    }

    private static let reading = paths(
        .transactions,
        .accounts,
        .categories,
        .budgets,
        .schedules,
        .reports,
        .rates,
        .wholeBook,
        .archive,
        .spreadsheet,
        .help
    )

    /// Whether a path is about the user's devices. An account that has too many of them takes no further one, and these pages
    /// are the way to fewer.
    static func isOfSignedInDevices(_ path: String) -> Bool {
        path == Link.signedInDevices.path
            || (path.hasPrefix(Link.signedInDeviceEnd.head) && path.hasSuffix(Link.signedInDeviceEnd.tail))
    }

    /// The paths for an account whose data needs a subscription.
    static let blockedOnly = paths(.blocked, .serverDataDelete)

    /// Further paths for such an account.
    static let whileBlocked: Set<String> = blockedOnly.union(
        paths(
            .subscription,
            .purchase,
            .restore,
            // Once there is a subscription, the request for the first page may have to be repeated.
            .verifyingRetry,
            .signOut,
            // A session that has ended is begun again.
            .signIn,
            .userAccountDeletion,
            // Before the account is deleted, the user may have to sign in again.
            .providerBegin,
            .providerCallback
        )
    )

    /// The pages of onboarding.
    static let onboarding = paths(.welcome, .currency, .secondary, .calendar)

    private static func paths(_ links: Link...) -> Set<String> { Set(links.map(\.path)) }

    /// The page that asks for a step of onboarding.
    static func page(of step: OnboardingStep) -> Link {
        switch step {
        case .welcome: .welcome
        case .currency: .currency
        case .secondary: .secondary
        case .calendar: .calendar
        case .done: .overview
        }
    }
}
