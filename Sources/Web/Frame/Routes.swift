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
    // swift-format-ignore
    static let table = Router<Action>([
        get(.overview, OverviewShow.answer),

        get(.welcome,   WelcomeShow.answer),    post(.welcome,   WelcomeAnswer.answer),
        get(.currency,  CurrencyShow.answer),   post(.currency,  CurrencyAnswer.answer),
        get(.secondary, SecondaryShow.answer),  post(.secondary, SecondaryAnswer.answer),
        get(.calendar,  CalendarShow.answer),   post(.calendar,  CalendarAnswer.answer),

        get(.transactions, TransactionsShow.answer), get(.newTransaction, TransactionNew.answer),
        get(.receipts, ReceiptsShow.answer), post(to: Link.transactionReceipts, ReceiptsAdd.answer),
        post(.newTransactionReceipts, DraftReceiptsAdd.answer), post(.unsavedReceipts, UnsavedReceiptsDiscard.answer),
        get(.deletedReceipts, DeletedReceiptsShow.answer), post(.deletedReceipts, DeletedReceiptsRemove.answer),
        get(to: Link.receipt, ReceiptFileShow.answer), get(to: Link.receiptThumbnail, ReceiptFileShow.thumbnail),
        post(to: Link.receiptThumbnail, ReceiptThumbnailAdd.answer),
        post(to: Link.receiptDelete, ReceiptDelete.answer), post(to: Link.receiptRetry, ReceiptRetry.answer),
        get(.accounts,     AccountsShow.answer),
        get(to: Link.accountTransactions, AccountRegisterShow.answer),
        post(to: Link.accountClose, AccountClose.answer), post(to: Link.accountReopen, AccountReopen.answer),
        post(to: Link.accountLeaveBank, AccountLeaveBank.answer),
        get(to: Link.accountMove, AccountMoveShow.answer), post(to: Link.accountMove, AccountMove.answer),
        get(.categories,   CategoriesShow.answer),
        get(.budgets,      BudgetsShow.answer),
        get(.schedules, SchedulesShow.answer),
        post(.schedulesRecord, SchedulesRecord.answer), post(to: Link.scheduleRecord, ScheduleRecord.answer), post(to: Link.scheduleSkip, ScheduleSkip.answer),
        post(to: Link.scheduleSuggestionDismiss, ScheduleSuggestionDismiss.answer),
        get(.reports, ReportsShow.answer),      get(.rates, RatesShow.answer),
        get(.banks, BanksShow.answer),          get(.bankCallback, BankCallback.answer),
        get(.bankConnect, BankConnectShow.answer), post(.bankConnect, BankConnect.answer),
        get(to: Link.bankAccounts, BankAccountsShow.answer), post(to: Link.bankAccounts, BankAccountsJoin.answer),
        get(to: Link.bankRow, BankRowShow.answer), post(to: Link.bankRow, BankRowChange.answer),
        post(to: Link.bankRowRecord, BankRowRecord.answer),
        post(to: Link.transactionBankRecord, TransactionBankRecord.answer),
        get(to: Link.accountRecordBank, AccountRecordBankShow.answer), post(to: Link.accountRecordBank, AccountRecordBank.answer),
        post(to: Link.bankRefresh, BankRefresh.answer), post(to: Link.bankDisconnect, BankDisconnect.answer),
        get(.settings, SettingsShow.answer),    post(.preferences, PreferencesChange.answer),
        post(.syncSwitch, SyncSwitch.answer),
        get(.signedInDevices, SignedInDevicesShow.answer), post(to: Link.signedInDeviceEnd, SignedInDeviceEnd.answer),
        get(.password, PasswordShow.answer),    post(.password, PasswordChange.answer),
        get(.help, HelpShow.answer),            post(to: Link.noticeDismiss, NoticeDismiss.answer),

        get(.signIn, SignInShow.answer),        post(.signIn, SignInAnswer.answer),
        post(.signUp, SignUpAnswer.answer),
        get(.providerBegin, ProviderBegin.answer), get(.providerCallback, ProviderCallback.answer),
        get(.verifying, VerifyingShow.answer),  post(.verifyingRetry, VerifyingRetry.answer),
        post(.verifyingCancel, VerifyingCancel.answer),
        get(.blocked, BlockedShow.answer),      post(.serverDataDelete, ServerDataDelete.answer),
        get(.subscription, SubscriptionShow.answer), post(.purchase, SubscriptionPurchase.answer),
        post(.restore, SubscriptionRestore.answer),
        get(.signOut, SignOutShow.answer),      post(.signOut, SignOutAnswer.answer),
        post(.signOutWait, SignOutWait.answer), post(.signOutStay, SignOutWait.stay),
        get(.userAccountDeletion, UserAccountDeletionShow.answer),
        post(.userAccountDeletion, UserAccountDeletionAnswer.answer),

        get(.download, DownloadShow.answer),    post(.downloadDismiss, DownloadDismiss.answer),
        get(.sync, SyncShow.answer),            post(.syncRetry, SyncRetry.answer),
        post(.syncAnew, SyncAnew.answer),
        post(to: Link.operationRetry, OperationRetry.answer), post(to: Link.operationRevert, OperationRevert.answer),
        get(.review, ReviewShow.answer),        post(to: Link.reviewed, ReviewAnswer.answer),
        post(to: Link.reviewedLoss, LossAnswer.answer),
        get(.events, EventsShow.answer),
        get(.history, HistoryShow.answer),      get(to: Link.historyChange, HistoryChangeShow.answer),
        post(to: Link.historyUndo, HistoryUndo.answer),

        get(.error, ErrorShow.answer),          post(.retry, ErrorRetry.answer),
        post(.dismiss, ErrorDismiss.answer),
        get(.wholeBook, BookExport.answer),     get(.spreadsheet, SpreadsheetExport.answer),
        get(.archive, ArchiveExport.answer),
        get(.statusPage, StatusPageShow.answer),
        get(.status, StatusShow.answer),        get(.healthz, HealthShow.answer),
        get(.readyz, ReadinessShow.answer),
    ]
        + entities(TransactionEntry.self, .transactions, Link.transaction, Link.transactionDelete, Link.transactionRestore,
                   add: TransactionAdd.answer, change: TransactionChange.answer)
        + entities(AccountEntry.self, .accounts, Link.account, Link.accountDelete, Link.accountRestore)
        + entities(CategoryEntry.self, .categories, Link.category, Link.categoryDelete, Link.categoryRestore)
        + entities(BudgetEntry.self, .budgets, Link.budget, Link.budgetDelete, Link.budgetRestore)
        + entities(ScheduleEntry.self, .schedules, Link.schedule, Link.scheduleDelete, Link.scheduleRestore))

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
        .accounts,
        .categories,
        .budgets,
        .schedules,
        .reports
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

    /// The routes that every kind of entity has.
    private static func entities<Entry: EntityEntry>(
        _ kind: Entry.Type,
        _ list: Link,
        _ one: LinkTo<EntityID>,
        _ delete: LinkTo<EntityID>,
        _ restore: LinkTo<EntityID>,
        add: @escaping Action = EntityAdd<Entry>.answer,
        change: @escaping @Sendable (RequestContext, EntityID) throws -> Response = EntityChange<Entry>.answer
    ) -> [Route<Action>] {
        [
            post(list, add), get(to: one, EntityShow<Entry>.answer),
            post(to: one, change), post(to: delete, EntityDelete<Entry>.answer),
            post(to: restore, EntityRestore<Entry>.answer),
        ]
    }

    private static func get(_ link: Link, _ action: @escaping Action) -> Route<Action> {
        Route("GET", Path(link.path), action)
    }

    static func post(_ link: Link, _ action: @escaping Action) -> Route<Action> {
        Route("POST", Path(link.path), action)
    }

    private static func get<Printed, Value: PathValue>(
        to links: LinkTo<Printed>,
        _ action: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Route<Action> {
        Route("GET", PathWith<Value>(links.pattern)) { value in { context in try action(context, value) } }
    }

    /// - Parameter action: parses the value of a link as a type of its own, such as a key from a text.
    static func post<Printed, Value: PathValue>(
        to links: LinkTo<Printed>,
        _ action: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Route<Action> {
        Route("POST", PathWith<Value>(links.pattern)) { value in { context in try action(context, value) } }
    }
}
