// Every address of the app, and the names that templates have for them.

package import Ledger

package extension Link {
    static let overview = Link(declared: "/")
    static let welcome = Link(declared: "/onboarding/welcome")
    static let currency = Link(declared: "/onboarding/currency")
    static let secondary = Link(declared: "/onboarding/secondary")
    static let calendar = Link(declared: "/onboarding/calendar")
    static let transactions = Link(declared: "/transactions")
    static let newTransaction = Link(declared: "/transactions/new")
    static let transaction = LinkTo<EntityID>("/transactions/*")
    static let transactionDelete = LinkTo<EntityID>("/transactions/*/delete")
    static let transactionRestore = LinkTo<EntityID>("/transactions/*/restore")
    static let transactionReceipts = LinkTo<EntityID>("/transactions/*/attachments")
    /// Adds files to a transaction that is still being entered.
    static let newTransactionReceipts = Link(declared: "/transactions/new/attachments")
    /// Removes the files of a transaction that was not saved.
    static let unsavedReceipts = Link(declared: "/transactions/new/attachments/discard")
    static let receipts = Link(declared: "/attachments")
    static let deletedReceipts = Link(declared: "/attachments/deleted")
    static let receipt = LinkTo<EntityID>("/attachments/*")
    static let receiptThumbnail = LinkTo<EntityID>("/attachments/*/thumbnail")
    static let receiptDelete = LinkTo<EntityID>("/attachments/*/delete")
    static let receiptRetry = LinkTo<EntityID>("/attachments/*/retry")
    static let accounts = Link(declared: "/accounts")
    static let account = LinkTo<EntityID>("/accounts/*")
    static let accountTransactions = LinkTo<EntityID>("/accounts/*/transactions")
    static let accountMove = LinkTo<EntityID>("/accounts/*/move")
    static let accountClose = LinkTo<EntityID>("/accounts/*/close")
    static let accountReopen = LinkTo<EntityID>("/accounts/*/reopen")
    static let accountLeaveBank = LinkTo<EntityID>("/accounts/*/leave-bank")
    static let accountDelete = LinkTo<EntityID>("/accounts/*/delete")
    static let accountRestore = LinkTo<EntityID>("/accounts/*/restore")
    static let categories = Link(declared: "/categories")
    static let category = LinkTo<EntityID>("/categories/*")
    static let categoryDelete = LinkTo<EntityID>("/categories/*/delete")
    static let categoryRestore = LinkTo<EntityID>("/categories/*/restore")
    static let budgets = Link(declared: "/budgets")
    static let budget = LinkTo<EntityID>("/budgets/*")
    static let budgetDelete = LinkTo<EntityID>("/budgets/*/delete")
    static let budgetRestore = LinkTo<EntityID>("/budgets/*/restore")
    static let schedules = Link(declared: "/schedules")
    static let schedule = LinkTo<EntityID>("/schedules/*")
    static let scheduleDelete = LinkTo<EntityID>("/schedules/*/delete")
    static let scheduleRestore = LinkTo<EntityID>("/schedules/*/restore")
    static let scheduleRecord = LinkTo<EntityID>("/schedules/*/record")
    /// Records all that is due.
    static let schedulesRecord = Link(declared: "/schedules/record")
    static let scheduleSkip = LinkTo<EntityID>("/schedules/*/skip")
    static let scheduleSuggestionDismiss = LinkTo<EntityID>("/schedules/suggestions/*/dismiss")
    static let reports = Link(declared: "/reports")
    static let rates = Link(declared: "/rates")
    static let banks = Link(declared: "/banks")
    static let bankConnect = Link(declared: "/banks/connect")
    static let bankCallback = Link(declared: "/banks/callback")
    static let bankAccounts = LinkTo<EntityID>("/banks/*/accounts")
    static let bankRow = LinkTo<EntityID>("/banks/rows/*")
    static let bankRowRecord = LinkTo<EntityID>("/banks/rows/*/record")
    static let accountRecordBank = LinkTo<EntityID>("/accounts/*/record-bank")
    static let transactionBankRecord = LinkTo<EntityID>("/transactions/*/bank-record")
    static let bankRefresh = LinkTo<EntityID>("/banks/*/refresh")
    static let bankDisconnect = LinkTo<EntityID>("/banks/*/disconnect")
    static let settings = Link(declared: "/settings")
    static let preferences = Link(declared: "/settings/preferences")
    static let syncSwitch = Link(declared: "/settings/sync")
    static let signedInDevices = Link(declared: "/settings/devices")
    static let signedInDeviceEnd = LinkTo<EntityID>("/settings/devices/*/sign-out")
    static let password = Link(declared: "/settings/password")
    static let signIn = Link(declared: "/sign-in")
    static let signUp = Link(declared: "/sign-up")
    static let providerBegin = Link(declared: "/sign-in/oidc")
    static let providerCallback = Link(declared: "/sign-in/callback")
    static let verifying = Link(declared: "/verifying")
    static let verifyingRetry = Link(declared: "/verifying/retry")
    static let verifyingCancel = Link(declared: "/verifying/cancel")
    static let blocked = Link(declared: "/blocked")
    /// The same page, on a device that waits for the data of its account.
    static let blockedChoices = blocked.adding(query: [("choices", "1")])
    static let serverDataDelete = Link(declared: "/blocked/delete-server-data")
    static let subscription = Link(declared: "/subscription")
    static let purchase = Link(declared: "/subscription/purchase")
    static let restore = Link(declared: "/subscription/restore")
    static let signOut = Link(declared: "/sign-out")
    static let signOutWait = Link(declared: "/sign-out/wait")
    static let signOutStay = Link(declared: "/sign-out/stay")
    static let userAccountDeletion = Link(declared: "/account/delete")
    static let download = Link(declared: "/download")
    static let downloadDismiss = Link(declared: "/download/dismiss")
    static let sync = Link(declared: "/sync")
    static let syncRetry = Link(declared: "/sync/retry")
    static let syncAnew = Link(declared: "/sync/anew")
    static let operationRetry = LinkTo<Int64>("/sync/operations/*/retry")
    static let operationRevert = LinkTo<Int64>("/sync/operations/*/revert")
    static let review = Link(declared: "/sync/review")
    static let reviewed = LinkTo<EntityID>("/sync/review/*")
    static let reviewedLoss = LinkTo<Int64>("/sync/review/lost/*")
    static let events = Link(declared: "/events")
    static let history = Link(declared: "/history")
    static let historyChange = LinkTo<Int64>("/history/*")
    static let historyUndo = LinkTo<Int64>("/history/*/undo")
    static let help = Link(declared: "/help")
    static let noticeDismiss = LinkTo<String>("/notices/*/dismiss")
    static let error = Link(declared: "/error")
    static let retry = Link(declared: "/error/retry")
    static let dismiss = Link(declared: "/error/dismiss")
    static let wholeBook = Link(declared: "/export/breadly.json")
    static let archive = Link(declared: "/export/breadly.zip")
    static let spreadsheet = Link(declared: "/export/transactions.csv")
    static let status = Link(declared: "/status.json")
    static let statusPage = Link(declared: "/status")
    static let healthz = Link(declared: "/healthz")
    static let readyz = Link(declared: "/readyz")

    // The reviewers' lab, in `breadly demo` only.
    static let lab = Link(declared: "/lab")
    static let labWorlds = Link(declared: "/lab/worlds")
    static let labClock = Link(declared: "/lab/clock")
    static let labNetwork = Link(declared: "/lab/network")
    static let labStore = Link(declared: "/lab/store")
    static let labRates = Link(declared: "/lab/rates")
    static let labKill = Link(declared: "/lab/kill")
    static let labSession = Link(declared: "/lab/session")
    static let labJourneys = Link(declared: "/lab/journeys")
    static let labCoverage = Link(declared: "/lab/coverage")
    static let labJourneyStage = LinkTo<String>("/lab/journeys/*/stage")
    static let labState = Link(declared: "/lab/state.json")
    /// The storybook: its index, the page of a story, and a story in frames.
    /// Asked for by a page of the lab whose script does not run.
    static let labWithoutScript = Link(declared: "/lab/without-script")
    /// Below the path of a device: its page reports a part that a person has opened.
    static let labOpened = Link(declared: "/opened")
    static let labPages = Link(declared: "/lab/pages")
    static let labStory = LinkTo<String>("/lab/pages/*")
    static let labStoryView = LinkTo<String>("/lab/pages/*/view")
    static let labSignIn = Link(declared: "/lab/sign-in")
    /// The page of the demo's bank on which a user consents, and the buttons of the lab for that bank.
    static let labBank = Link(declared: "/lab/bank")
    static let labBankBehaviour = Link(declared: "/lab/bank/behaviour")
    static let labDevice = LinkTo<Int>("/lab/d/*/")
    static let labFiles = Link(declared: "/lab/static/")

    /// The search field of the list.
    static let search = transactions.adding(fragment: "q")
    /// Signing out without waiting for the upload.
    static let signOutNow = signOut.adding(query: [("now", "1")])
    /// Another sign-in at the provider, before the account is deleted.
    static let providerForDeletion = providerBegin.adding(query: [("for", "deletion")])
    /// The address of the static files, without their names.
    static let files = Link(declared: "/static/")

    /// The addresses that templates print with `{{link NAME}}`, by that name.
    static let named: [String: Link] = [
        "overview": overview,
        "welcome": welcome,
        "currency": currency,
        "secondary": secondary,
        "calendar": calendar,
        "transactions": transactions,
        "new_transaction": newTransaction,
        "receipts": receipts,
        "unsaved_receipts": unsavedReceipts,
        "deleted_receipts": deletedReceipts,
        "accounts": accounts,
        "categories": categories,
        "budgets": budgets,
        "schedules": schedules,
        "schedules_record": schedulesRecord,
        "reports": reports,
        "rates": rates,
        "banks": banks,
        "bank_connect": bankConnect,
        "settings": settings,
        "preferences": preferences,
        "sync_switch": syncSwitch,
        "signed_in_devices": signedInDevices,
        "password": password,
        "sign_in": signIn,
        "sign_up": signUp,
        "provider_begin": providerBegin,
        "verifying_retry": verifyingRetry,
        "verifying_cancel": verifyingCancel,
        "server_data_delete": serverDataDelete,
        "subscription": subscription,
        "purchase": purchase,
        "restore": restore,
        "sign_out": signOut,
        "sign_out_wait": signOutWait,
        "sign_out_stay": signOutStay,
        "user_account_deletion": userAccountDeletion,
        "download_dismiss": downloadDismiss,
        "sync": sync,
        "sync_retry": syncRetry,
        "sync_anew": syncAnew,
        "review": review,
        "events": events,
        "history": history,
        "help": help,
        "dismiss": dismiss,
        "whole_book": wholeBook,
        "archive": archive,
        "spreadsheet": spreadsheet,
        "status_page": statusPage,
        "healthz": healthz,
        "search": search,
        "sign_out_now": signOutNow,
        "blocked_choices": blockedChoices,
        "provider_for_deletion": providerForDeletion,
        "lab": lab,
        "lab_worlds": labWorlds,
        "lab_clock": labClock,
        "lab_network": labNetwork,
        "lab_store": labStore,
        "lab_rates": labRates,
        "lab_kill": labKill,
        "lab_session": labSession,
        "lab_journeys": labJourneys,
        "lab_coverage": labCoverage,
        "lab_state": labState,
        "lab_without_script": labWithoutScript,
        "lab_pages": labPages,
        "lab_sign_in": labSignIn,
        "lab_bank": labBank,
        "lab_bank_behaviour": labBankBehaviour,
    ]
}
