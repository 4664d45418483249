// The frame of every page: the user's tier, the status of the cloud, the place in the app, toasts and
// notices.

package import Ledger
import Templates
package import Texts

/// The frame of a page, one value for all of them.
package struct Chrome: TemplateModel {
    /// The part of the app that a page belongs to, for the navigation.
    package enum Section: Sendable {
        case none, overview, transactions, budgets, schedules, reports, accounts, categories, rules, settings,
            help
    }

    /// The state of the device, for `data-state`: `local_only`.
    var state: String
    /// The user's tier.
    var tier: Tier
    /// For `data-sync`: `off`, `connecting`, `downloading`, `uploading`, `idle`, `offline` or `failed`.
    var sync: String
    /// The number of changes in the outbox.
    var pending: Int
    /// The number of files that follow the changes.
    var waitingFiles = 0
    /// The token that each form sends back.
    var csrf: String
    /// The theme: light, dark or the theme of the system.
    var theme: Theme
    /// The addresses of the static files.
    var assets: Assets
    /// The meaning of the icon in the header.
    var cloud: CloudStatus
    /// The part of the app that the page belongs to.
    var section: Section
    /// The results of the last action.
    var toasts: [ToastLine]
    /// Whether this server lets guests sign in.
    var canSignIn: Bool
    /// Conflicts and losses that wait for the user.
    var toReview: ToReview
    /// A caution above the content, such as a currency that a budget leaves out.
    var warning: Text?
    /// Notices for the user until they are dismissed.
    var notices: [NoticeLine]
    /// The decimal sign of the amounts on the page; a form sends it back, so that its amounts are read as shown.
    var decimal: String
    /// The offer of a rule that waits for an answer.
    var offer: RuleOfferLine?
    /// The number of days for which backups of the server keep deleted data; nil if it is unknown.
    var backupDays: Int?
    /// The name of the book for what the browser keeps of it; nil if nothing is kept or removed now.
    var book: String?

    /// Creates a frame.
    package init(
        assets: Assets,
        csrf: String,
        state: String,
        tier: Tier,
        cloud: CloudStatus,
        sync: String = "off",
        pending: Int = 0,
        theme: Theme = .system,
        section: Section = .none,
        toasts: [ToastLine] = [],
        warning: Text? = nil,
        canSignIn: Bool = false,
        toReview: ToReview = ToReview(),
        notices: [NoticeLine] = [],
        decimal: String = "."
    ) {
        self.state = state
        self.tier = tier
        self.sync = sync
        self.pending = pending
        self.csrf = csrf
        self.theme = theme
        self.assets = assets
        self.cloud = cloud
        self.section = section
        self.toasts = toasts
        self.warning = warning
        self.canSignIn = canSignIn
        self.toReview = toReview
        self.notices = notices
        self.decimal = decimal
    }

    /// The same frame around a page of another part of the app.
    func on(_ section: Section) -> Chrome {
        var copy = self
        copy.section = section
        return copy
    }

    /// The reminder of a guest.
    /// - Parameter count: the number of transactions in the guest's book.
    static func guestReminder(_ count: Int) -> Text {
        Text("transactions.guest-reminder", ["count": .count(count)])
    }

    /// The caution for a user without premium who enters a currency that budgets leave out.
    static func leftOutWarning(currency: CurrencyCode) -> Text {
        Text("transactions.left-out-of-budgets", ["currency": .string(currency.rawValue)])
    }

    /// The caution for a premium user who enters a currency without a rate.
    static func noRateWarning(currency: CurrencyCode) -> Text {
        Text("transactions.no-rate-for-budgets", ["currency": .string(currency.rawValue)])
    }

    /// The hint for a user without premium who has amounts in other currencies than the base.
    static let upgradeForTotals = Text("chrome.upgrade-for-totals")

    static let keys = Keys<Chrome>()
        .text("state") { $0.state }
        .text("tier") { $0.tier.rawValue }
        .text("sync") { $0.sync }
        .integer("pending") { Int64($0.pending) }
        .text("csrf") { $0.csrf }
        .text("decimal") { $0.decimal }
        .message("backups") { chrome in
            chrome.backupDays.map {
                Text("user-account.backups-keep-deleted-data-for", ["count": .count($0)])
            }
                ?? Text("user-account.backups-may-keep-deleted-data")
        }
        .text("theme") { $0.theme.rawValue }
        .writtenMessage("lang") { _, texts, out in out.appendEscaped(texts.language) }
        .text("css") { $0.assets.css }
        .text("script") { $0.assets.script }
        .text("receipts_script") { $0.assets.receiptsScript }
        .text("silence_script") { $0.assets.silenceScript }
        .text("list_script") { $0.assets.listScript }
        .text("order_script") { $0.assets.orderScript }
        .text("sheet_script") { $0.assets.sheetScript }
        .text("follow_script") { $0.assets.followScript }
        .text("drafts_script") { $0.assets.draftsScript }
        .text("arrived_script") { $0.assets.arrivedScript }
        .optional("book") { $0.book }
        .text("sprite") { $0.assets.sprite }
        .text("favicon") { $0.assets.favicon }
        .text("cloud_look") { $0.cloud.look.rawValue }
        .message("cloud_label") { $0.cloud.label }
        .message("cloud_text") { $0.cloud.text }
        .flag("cloud_failed") { $0.cloud.canRetry }
        .flag("cloud_counts_files") { $0.cloud.countsFiles }
        .link("files_href") { _ in ReceiptsPage.ofThoseNotBackedUp }
        .flag("incomplete") { $0.cloud.isIncomplete }
        .flag("only_reads") { $0.cloud.isFormerBook }
        .flag("can_switch_on") { $0.cloud.canSwitchOn }
        .optionalMessage("to_review") { $0.toReview.counts }
        .message("review_text") { $0.toReview.text }
        .flag("must_sign_in") { $0.cloud.canSignIn }
        .flag("has_book") { $0.cloud.hasBook }
        .flag("can_sign_in") { $0.canSignIn && $0.tier == .guest }
        .flag("is_guest") { $0.tier == .guest }
        .flag("has_device") { $0.hasDevice }
        .flag("is_free") { $0.tier == .free }
        .flag("is_premium") { $0.tier == .premium }
        .flag("on_overview") { $0.section == .overview }
        .flag("on_transactions") { $0.section == .transactions }
        .flag("on_budgets") { $0.section == .budgets }
        .flag("on_schedules") { $0.section == .schedules }
        .flag("on_reports") { $0.section == .reports }
        .flag("on_accounts") { $0.section == .accounts }
        .flag("on_categories") { $0.section == .categories }
        .flag("on_rules") { $0.section == .rules }
        .flag("on_settings") { $0.section == .settings }
        .flag("on_help") { $0.section == .help }
        .flag("on_more") { $0.isUnderMore }
        .list("toasts", of: ToastLine.self) { $0.toasts }
        .flag("has_notices") { !$0.notices.isEmpty || $0.warning != nil || $0.offer != nil }
        .model("offer", of: RuleOfferLine.self) { $0.offer }
        .list("notices", of: NoticeLine.self) { $0.notices }
        .optionalMessage("warning") { $0.warning }

    /// Whether the browser has a device.
    var hasDevice: Bool { state != "uninitialized" }

    /// Whether changes or files wait for a cloud that cannot be reached.
    var waitsForNetwork: Bool { (pending > 0 || waitingFiles > 0) && sync == "offline" }

    /// Whether the section is in the menu of the fifth item of the bar on a phone.
    private var isUnderMore: Bool {
        switch section {
        case .schedules, .reports, .accounts, .categories, .rules, .settings, .help: true
        case .none, .overview, .transactions, .budgets: false
        }
    }
}
