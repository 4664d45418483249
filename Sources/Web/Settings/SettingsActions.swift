// The actions of the settings.

import Book
import Devices
import Entitlements
import HTTPServer
import Ledger
package import Links
import SyncEngine
import Texts

extension Link {
    package static let settings = Link(declared: "/settings")
    static let preferences = Link(declared: "/settings/preferences")
}

extension Feature {
    static let settings = Feature(
        routes: [
            get(.settings, SettingsShow.answer),
            post(.preferences, PreferencesChange.answer),
        ],
        refills: [
            post(.preferences, PreferencesChange.refilled)
        ],
        pages: [SettingsPage.self],
        links: ["settings": .settings, "preferences": .preferences]
    )
}

/// `GET /settings`: the preferences, the user account and the user's data.
enum SettingsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        try page(context, try PreferencesEntry.shown(context), nil, .ok)
    }

    static func page(
        _ context: RequestContext,
        _ state: FormState,
        _ question: PreferencesForm.BudgetQuestion?,
        _ status: Status
    ) throws -> Response {
        let tables = context.site.tables
        let form = PreferencesForm(
            state: state,
            formats: try context.formats(),
            locales: tables.localeNames,
            zones: tables.zones(),
            budgetQuestion: question
        )
        let now = context.site.devices.dependencies.now
        let panel = context.device?.session.map { userAccountPanel($0, context.sync, now) }
        let page = SettingsPage(
            chrome: context.chrome(),
            form: form,
            account: panel,
            bankProviders: context.site.devices.bankProviders.map(\.name)
        )
        return context.page(page, status)
    }

    private static func userAccountPanel(_ session: Session, _ sync: SyncStatus?, _ now: Int64)
        -> UserAccountPanel
    {
        let status = session.entitlement
        let isTrusted = status?.trust(at: now) == .trusted
        let isWaiting = isTrusted && status?.entitlement.status == .pending
        // It can be switched on while the subscription is not verified: sync continues after the check.
        let isSwitchedOff = !session.wantsSync && status?.entitlement.isPremium == true
        return UserAccountPanel(
            who: session.user.email ?? session.user.name,
            subscription: isWaiting ? Text("settings.waiting-for-approval") : nil,
            isUnverified: !isTrusted && status?.entitlement.isPremium == true,
            mustSignIn: session.isRevoked,
            hasPassword: session.user.hasPassword,
            syncs: session.isPremium(at: now) || isSwitchedOff ? session.wantsSync : nil,
            waiting: (sync?.pending ?? 0, sync?.files ?? 0)
        )
    }
}

/// `POST /settings/preferences`: changes the preferences. A field that is not sent stays unchanged.
enum PreferencesChange {
    static func answer(_ context: RequestContext) throws -> Response {
        let stored = try context.book().preferences()
        let before = try context.preferences()
        let shown = try PreferencesEntry.shown(context)
        var entry = PreferencesEntry(
            context.request.form,
            stored: stored,
            held: before,
            tables: context.site.tables
        )
        entry.state.seen = context.request.form.first("seen")
        let version = entry.state.seen.map { EntityVersion($0) }
        if case .some(nil) = version {
            entry.state.seen = shown.seen
            entry.state.notice = EntityVersion.unreadable
            return try SettingsShow.page(context, entry.completed(by: shown), nil, .unprocessable)
        }
        guard let preferences = entry.preferences else {
            return try SettingsShow.page(context, entry.completed(by: shown), nil, .unprocessable)
        }
        var budgets: [Budget] = []
        if let base = preferences.baseCurrency, base != before.baseCurrency,
            version??.showed(.text(base.rawValue), in: "baseCurrency") != true
        {
            let asked = try BudgetsInNewCurrency(base, context)
            switch context.request.form.first("budgets") {
            case _ where asked.budgets.isEmpty: break
            case "keep"?:
                guard let kept = asked.kept else {
                    let text = Text("settings.budget-does-not-fit", ["currency": "\(base)"])
                    entry.refuse("base_currency", text)
                    return try SettingsShow.page(
                        context,
                        entry.completed(by: shown),
                        asked.converted == nil ? nil : asked.question(context),
                        .unprocessable
                    )
                }
                budgets = kept
            case "convert"? where asked.converted != nil: budgets = asked.converted ?? []
            case let answer:
                entry.refuse(
                    "budgets",
                    answer == "convert"
                        ? Text("settings.cannot-convert") : Text("settings.choose-for-the-budgets")
                )
                return try SettingsShow.page(
                    context,
                    entry.completed(by: shown),
                    asked.question(context),
                    .unprocessable
                )
            }
        }
        let edit = try context.book().set(preferences, shown: version ?? nil, changing: budgets)
        let done = Text("settings.saved")
        try EditToast.show(edit, of: Preferences.entityKind, key: "settings-saved", done, context)
        return context.redirect(to: .settings)
    }
}

/// The parsed form of the preferences.
struct PreferencesEntry {
    fileprivate(set) var state: FormState
    private(set) var preferences: Preferences?

    /// - Parameters:
    ///   - stored: the chosen preferences.
    ///   - held: the preferences with their fallbacks, as the form shows them.
    init(_ form: FormFields, stored: Preferences, held: ResolvedPreferences, tables: Site.Tables) {
        let names = [
            "base_currency", "week_start", "conflict_policy", "theme", "locale", "time_zone", "budgets",
        ]
        state = FormState(form, names)
        var new = stored
        if let text = state.values["base_currency"] {
            new.baseCurrency = CurrencyCode(text).flatMap { tables.currencies[$0]?.code }
            if new.baseCurrency == nil { refuse("base_currency", Text("forms.choose-a-currency")) }
        }
        // The checkboxes are sent with the select above them; without a tick, the browser sends none.
        if form.contains("base_currency") || form.contains("secondary_currencies") {
            let typed = form.all("secondary_currencies").filter { !$0.isEmpty }
            state.lists["secondary_currencies"] = typed
            let codes = CurrencyList.read(typed, tables.currencies)
            if codes == nil { refuse("secondary_currencies", Text("forms.choose-currencies")) }
            new.secondaryCurrencies = codes?.filter { $0 != new.baseCurrency }
        }
        if let text = state.values["week_start"] {
            new.weekStart = WeekStart(rawValue: text)
            if new.weekStart == nil { refuse("week_start", Text("forms.choose-monday-or-sunday")) }
        }
        if let text = state.values["conflict_policy"] {
            new.conflictPolicy = ConflictPolicy(rawValue: text)
            if new.conflictPolicy == nil { refuse("conflict_policy", Text("settings.choose-one-of-two")) }
        }
        if let text = state.values["theme"] {
            new.theme = Theme(rawValue: text)
            if new.theme == nil { refuse("theme", Text("settings.choose-a-theme")) }
        }
        if let text = state.values["locale"] {
            new.locale = tables.locales[text]?.tag
            if new.locale == nil { refuse("locale", Text("settings.choose-a-locale")) }
        }
        if let text = state.values["time_zone"] {
            if text.asLine.isEmpty {
                new.timeZone = nil
            } else if text.asLine == held.timeZone {
                // The time zone is unchanged, although the form may use another of its names.
                new.timeZone = stored.timeZone
            } else if let zone = tables.zone(text.asLine) {
                new.timeZone = zone
            } else {
                refuse("time_zone", Text("settings.enter-a-time-zone"))
            }
        }
        if !state.isRefused { preferences = new }
    }

    mutating func refuse(_ field: String, _ error: Text) {
        state.refuse(field, error)
        preferences = nil
    }

    /// The entered values, and the current values of fields that were not sent.
    func completed(by standing: FormState) -> FormState {
        var whole = state
        whole.values.merge(standing.values) { typed, _ in typed }
        whole.lists.merge(standing.lists) { typed, _ in typed }
        return whole
    }

    /// The effective preferences, each chosen or its fallback, as the form shows them.
    static func shown(_ context: RequestContext) throws -> FormState {
        let version = try context.book().versions(of: Preferences.self, Preferences().id)
        let stored = try context.book().preferences()
        let held = try context.preferences()
        // A preference that was never chosen is shown with its default, and stays unset unless the user
        // changes it.
        var shown = Preferences()
        shown.baseCurrency = held.baseCurrency
        shown.secondaryCurrencies = held.secondaryCurrencies
        shown.weekStart = held.weekStart
        shown.conflictPolicy = held.conflictPolicy
        shown.theme = held.theme
        shown.locale = context.site.locale(held.locale).tag
        shown.timeZone = held.timeZone
        var state = PreferencesForm.values(
            base: held.baseCurrency,
            secondary: held.secondaryCurrencies,
            weekStart: held.weekStart,
            theme: held.theme,
            conflictPolicy: held.conflictPolicy,
            locale: shown.locale ?? held.locale,
            timeZone: held.timeZone
        )
        state.seen = version(stored).showing(shown.fields).text
        return state
    }
}
