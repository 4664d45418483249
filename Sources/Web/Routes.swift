// The table of contents of the app: every address, and what answers it.

import Devices
public import HTTPServer
public import Ledger

/// Answers a request.
typealias Action = @Sendable (RequestContext) throws -> Response

extension EntityID: PathValue {
    /// Reads an id as it is printed, in lower case.
    public init?(pathSegment: Substring) {
        self.init(pathSegment)
        guard description == pathSegment else { return nil }
    }

    /// The id as it is printed.
    public var pathSegment: String { description }
}

enum Routes {
    static let overview = Path("/")
    static let welcome = Path("/onboarding/welcome")
    static let currency = Path("/onboarding/currency")
    static let secondary = Path("/onboarding/secondary")
    static let calendar = Path("/onboarding/calendar")
    static let transactions = Path("/transactions")
    static let newTransaction = Path("/transactions/new")
    static let transaction = PathWith<EntityID>("/transactions/*")
    static let transactionDelete = PathWith<EntityID>("/transactions/*/delete")
    static let transactionRestore = PathWith<EntityID>("/transactions/*/restore")
    static let accounts = Path("/accounts")
    static let account = PathWith<EntityID>("/accounts/*")
    static let accountDelete = PathWith<EntityID>("/accounts/*/delete")
    static let accountRestore = PathWith<EntityID>("/accounts/*/restore")
    static let categories = Path("/categories")
    static let category = PathWith<EntityID>("/categories/*")
    static let categoryDelete = PathWith<EntityID>("/categories/*/delete")
    static let categoryRestore = PathWith<EntityID>("/categories/*/restore")
    static let budgets = Path("/budgets")
    static let budget = PathWith<EntityID>("/budgets/*")
    static let budgetDelete = PathWith<EntityID>("/budgets/*/delete")
    static let budgetRestore = PathWith<EntityID>("/budgets/*/restore")
    static let reports = Path("/reports")
    static let settings = Path("/settings")
    static let preferences = Path("/settings/preferences")
    static let syncSwitch = Path("/settings/sync")
    static let signedInDevices = Path("/settings/devices")
    static let signedInDeviceEnd = PathWith<EntityID>("/settings/devices/*/sign-out")
    static let password = Path("/settings/password")
    static let signIn = Path("/sign-in")
    static let signUp = Path("/sign-up")
    static let providerBegin = Path("/sign-in/oidc")
    static let providerCallback = Path("/sign-in/callback")
    static let verifying = Path("/verifying")
    static let verifyingRetry = Path("/verifying/retry")
    static let verifyingCancel = Path("/verifying/cancel")
    static let blocked = Path("/blocked")
    static let serverDataDelete = Path("/blocked/delete-server-data")
    static let subscription = Path("/subscription")
    static let purchase = Path("/subscription/purchase")
    static let restore = Path("/subscription/restore")
    static let signOut = Path("/sign-out")
    static let signOutWait = Path("/sign-out/wait")
    static let signOutStay = Path("/sign-out/stay")
    static let accountDeletion = Path("/account/delete")
    static let download = Path("/download")
    static let downloadDismiss = Path("/download/dismiss")
    static let sync = Path("/sync")
    static let syncRetry = Path("/sync/retry")
    static let syncAnew = Path("/sync/anew")
    static let operationRetry = PathWith<ChangeNumber>("/sync/operations/*/retry")
    static let operationRevert = PathWith<ChangeNumber>("/sync/operations/*/revert")
    static let review = Path("/sync/review")
    static let reviewed = PathWith<EntityID>("/sync/review/*")
    static let reviewedLoss = PathWith<ChangeNumber>("/sync/review/lost/*")
    static let events = Path("/events")
    static let history = Path("/history")
    static let historyChange = PathWith<ChangeNumber>("/history/*")
    static let historyUndo = PathWith<ChangeNumber>("/history/*/undo")
    static let help = Path("/help")
    static let noticeDismiss = PathWith<NoticeKey>("/notices/*/dismiss")
    static let error = Path("/error")
    static let retry = Path("/error/retry")
    static let dismiss = Path("/error/dismiss")
    static let wholeBook = Path("/export/breadly.json")
    static let spreadsheet = Path("/export/transactions.csv")
    static let status = Path("/status.json")
    static let statusPage = Path("/status")
    static let healthz = Path("/healthz")
    static let readiness = Path("/readyz")

    // swift-format-ignore
    static let table = Router<Action>([
        get(overview, OverviewShow.answer),

        get(welcome,   WelcomeShow.answer),    post(welcome,   WelcomeAnswer.answer),
        get(currency,  CurrencyShow.answer),   post(currency,  CurrencyAnswer.answer),
        get(secondary, SecondaryShow.answer),  post(secondary, SecondaryAnswer.answer),
        get(calendar,  CalendarShow.answer),   post(calendar,  CalendarAnswer.answer),

        get(transactions, TransactionsShow.answer), get(newTransaction, TransactionNew.answer),
        get(accounts,     AccountsShow.answer),
        get(categories,   CategoriesShow.answer),
        get(budgets,      BudgetsShow.answer),
        get(reports, ReportsShow.answer),
        get(settings, SettingsShow.answer),    post(preferences, PreferencesChange.answer),
        post(syncSwitch, SyncSwitch.answer),
        get(signedInDevices, SignedInDevicesShow.answer), post(signedInDeviceEnd, SignedInDeviceEnd.answer),
        get(password, PasswordShow.answer),    post(password, PasswordChange.answer),
        get(help, HelpShow.answer),            post(noticeDismiss, NoticeDismiss.answer),

        get(signIn, SignInShow.answer),        post(signIn, SignInAnswer.answer),
        post(signUp, SignUpAnswer.answer),
        get(providerBegin, ProviderBegin.answer), get(providerCallback, ProviderCallback.answer),
        get(verifying, VerifyingShow.answer),  post(verifyingRetry, VerifyingRetry.answer),
        post(verifyingCancel, VerifyingCancel.answer),
        get(blocked, BlockedShow.answer),      post(serverDataDelete, ServerDataDelete.answer),
        get(subscription, SubscriptionShow.answer), post(purchase, SubscriptionPurchase.answer),
        post(restore, SubscriptionRestore.answer),
        get(signOut, SignOutShow.answer),      post(signOut, SignOutAnswer.answer),
        post(signOutWait, SignOutWait.answer), post(signOutStay, SignOutWait.stay),
        get(accountDeletion, AccountDeletionShow.answer), post(accountDeletion, AccountDeletionAnswer.answer),

        get(download, DownloadShow.answer),    post(downloadDismiss, DownloadDismiss.answer),
        get(sync, SyncShow.answer),            post(syncRetry, SyncRetry.answer),
        post(syncAnew, SyncAnew.answer),
        post(operationRetry, OperationRetry.answer), post(operationRevert, OperationRevert.answer),
        get(review, ReviewShow.answer),        post(reviewed, ReviewAnswer.answer),
        post(reviewedLoss, LossAnswer.answer),
        get(events, EventsShow.answer),
        get(history, HistoryShow.answer),      get(historyChange, HistoryChangeShow.answer),
        post(historyUndo, HistoryUndo.answer),

        get(error, ErrorShow.answer),          post(retry, ErrorRetry.answer),
        post(dismiss, ErrorDismiss.answer),
        get(wholeBook, BookExport.answer),     get(spreadsheet, SpreadsheetExport.answer),
        get(statusPage, StatusPageShow.answer),
        get(status, StatusShow.answer),        get(healthz, HealthShow.answer),
        get(readiness, ReadinessShow.answer),
    ]
        + entities(TransactionEntry.self, transactions, transaction, transactionDelete, transactionRestore)
        + entities(AccountEntry.self,     accounts,     account,     accountDelete,     accountRestore)
        + entities(CategoryEntry.self,    categories,   category,    categoryDelete,    categoryRestore)
        + entities(BudgetEntry.self,      budgets,      budget,      budgetDelete,      budgetRestore))

    /// The pages that are about the server and not about a device.
    static let health: Set<String> = [healthz.link, readiness.link]

    /// What every state allows.
    static func isOpen(_ path: String) -> Bool { open.contains(path) || path.hasPrefix("/notices/") }

    private static let open: Set<String> = health.union([statusPage.link, status.link, events.link])

    /// Whether an address, with or without a query, is a list that one comes back to.
    static func isList(_ address: String) -> Bool {
        lists.contains(String(address.prefix { $0 != "?" }))
            && address.utf8.allSatisfy { (33...126).contains($0) && $0 != UInt8(ascii: "#") }
    }

    private static let lists: Set<String> = [
        overview.link, transactions.link, accounts.link, categories.link, budgets.link, reports.link,
    ]

    /// What is about signing in.
    static let signingIn: Set<String> = [
        signIn.link, signUp.link, providerBegin.link, providerCallback.link,
    ]

    /// What a device can reach that was signed out from elsewhere. A new account opens nothing there.
    static let whileLocked: Set<String> = health.union(signingIn).subtracting([signUp.link])
        .union([status.link, events.link])

    /// What a visitor without a device may see.
    static let strangers: Set<String> = signingIn.union([welcome.link])

    /// What is about a lifecycle that failed.
    static let failed: Set<String> = [error.link, retry.link, dismiss.link]

    /// What is about an account that is being looked at.
    static let verification: Set<String> = [verifying.link, verifyingRetry.link, verifyingCancel.link]

    /// What is about an account whose data needs a subscription, and nothing else.
    static let blockedOnly: Set<String> = [blocked.link, serverDataDelete.link]

    /// What such an account can still reach.
    static let whileBlocked: Set<String> = blockedOnly.union([
        subscription.link, purchase.link, restore.link, signOut.link, accountDeletion.link,
        // Before the account is deleted, its user may have to sign in once more.
        providerBegin.link, providerCallback.link,
    ])

    /// The page that asks for a step of onboarding.
    static func page(of step: OnboardingStep) -> String {
        switch step {
        case .welcome: welcome.link
        case .currency: currency.link
        case .secondary: secondary.link
        case .calendar: calendar.link
        case .done: overview.link
        }
    }

    /// What is the same for every kind of entity.
    private static func entities<Entry: EntityEntry>(
        _ kind: Entry.Type,
        _ list: Path,
        _ one: PathWith<EntityID>,
        _ delete: PathWith<EntityID>,
        _ restore: PathWith<EntityID>
    ) -> [Route<Action>] {
        [
            post(list, EntityAdd<Entry>.answer), get(one, EntityShow<Entry>.answer),
            post(one, EntityChange<Entry>.answer), post(delete, EntityDelete<Entry>.answer),
            post(restore, EntityRestore<Entry>.answer),
        ]
    }

    private static func get(_ path: Path, _ action: @escaping Action) -> Route<Action> {
        Route("GET", path, action)
    }

    private static func post(_ path: Path, _ action: @escaping Action) -> Route<Action> {
        Route("POST", path, action)
    }

    private static func get<Value: PathValue & Sendable>(
        _ path: PathWith<Value>,
        _ action: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Route<Action> {
        Route("GET", path) { id in { context in try action(context, id) } }
    }

    private static func post<Value: PathValue & Sendable>(
        _ path: PathWith<Value>,
        _ action: @escaping @Sendable (RequestContext, Value) throws -> Response
    ) -> Route<Action> {
        Route("POST", path) { id in { context in try action(context, id) } }
    }
}
