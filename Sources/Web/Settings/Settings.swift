import Book
import Devices
import Entitlements
import HTTPServer
import Ledger
import Pages

/// `GET /settings`: preferences, the account, the user's data.
enum SettingsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let preferences = try context.preferences()
        let state = PreferencesForm.values(
            base: preferences.baseCurrency,
            secondary: preferences.secondaryCurrencies,
            weekStart: preferences.weekStart,
            theme: preferences.theme,
            conflictPolicy: preferences.conflictPolicy,
            locale: context.site.locale(preferences.locale).tag,
            timeZone: preferences.timeZone
        )
        return try page(context, state, nil, .ok)
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
        let panel = context.device?.session.map { accountPanel($0, now) }
        return context.page(SettingsPage(chrome: context.chrome(), form: form, account: panel), status)
    }

    private static func accountPanel(_ session: Session, _ now: Int64) -> AccountPanel {
        let status = session.entitlement
        let isTrusted = status?.trust(at: now) == .trusted
        let note: String? =
            switch status?.entitlement.status {
            case .pending? where isTrusted: "Waiting for approval"
            case .active? where !isTrusted, .grace? where !isTrusted: "Verifying subscription..."
            default: nil
            }
        return AccountPanel(
            who: session.user.email ?? session.user.name,
            subscription: note,
            mustSignIn: session.isRevoked,
            hasPassword: session.user.hasPassword,
            syncs: session.isPremium(at: now) ? session.wantsSync : nil
        )
    }
}

/// `POST /settings/preferences`: a field that is not sent stays as it is.
enum PreferencesChange {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let stored = try context.book().preferences()
        let before = try context.preferences()
        var entry = PreferencesEntry(context.request.form, stored: stored, tables: context.site.tables)
        guard let preferences = entry.preferences else {
            return try SettingsShow.page(context, entry.completed(by: before), nil, .unprocessable)
        }
        var budgets: [Budget] = []
        if let base = preferences.baseCurrency, base != before.baseCurrency {
            budgets = try context.book().allBudgets()
            if !budgets.isEmpty, context.request.form.first("budgets") != "keep" {
                entry.refuse("budgets", "Say what should happen with the budgets.")
                let question = PreferencesForm.BudgetQuestion(
                    count: budgets.count,
                    new: base,
                    canConvert: false
                )
                return try SettingsShow.page(context, entry.completed(by: before), question, .unprocessable)
            }
            do {
                budgets = try budgets.map {
                    try $0.keepingItsNumber(in: base, context.site.tables.currencies)
                }
            } catch {
                entry.refuse(
                    "base_currency",
                    "A budget's number does not fit the decimals of \(base). Change the budget first."
                )
                return try SettingsShow.page(context, entry.completed(by: before), nil, .unprocessable)
            }
        }
        try context.book().set(preferences, changing: budgets)
        device.show(Device.Toast(key: "settings-saved", text: "Settings saved"))
        return .seeOther(Routes.settings.link)
    }
}

/// What the form of the preferences amounts to.
struct PreferencesEntry {
    private(set) var state: FormState
    private(set) var preferences: Preferences?

    init(_ form: FormFields, stored: Preferences, tables: Site.Tables) {
        let names = [
            "base_currency", "week_start", "conflict_policy", "theme", "locale", "time_zone", "budgets",
        ]
        state = FormState(form, names)
        var new = stored
        if let text = state.values["base_currency"] {
            new.baseCurrency = CurrencyCode(text).flatMap { tables.currencies[$0]?.code }
            if new.baseCurrency == nil { refuse("base_currency", "Choose a currency from the list.") }
        }
        // The list of ticks is sent with the select above it; none ticked sends nothing.
        if form.contains("base_currency") || form.contains("secondary_currencies") {
            let typed = form.all("secondary_currencies").filter { !$0.isEmpty }
            state.lists["secondary_currencies"] = typed
            let codes = CurrencyList.read(typed, tables.currencies)
            if codes == nil { refuse("secondary_currencies", "Choose currencies from the list.") }
            new.secondaryCurrencies = codes?.filter { $0 != new.baseCurrency }
        }
        if let text = state.values["week_start"] {
            new.weekStart = WeekStart(rawValue: text)
            if new.weekStart == nil { refuse("week_start", "Choose Monday or Sunday.") }
        }
        if let text = state.values["conflict_policy"] {
            new.conflictPolicy = ConflictPolicy(rawValue: text)
            if new.conflictPolicy == nil { refuse("conflict_policy", "Choose one of the two.") }
        }
        if let text = state.values["theme"] {
            new.theme = Theme(rawValue: text)
            if new.theme == nil { refuse("theme", "Choose system, light or dark.") }
        }
        if let text = state.values["locale"] {
            new.locale = tables.locales[text]?.tag
            if new.locale == nil { refuse("locale", "Choose a language and country from the list.") }
        }
        if let text = state.values["time_zone"] {
            if text.asLine.isEmpty {
                new.timeZone = nil
            } else if tables.zones().contains(text.asLine) {
                new.timeZone = text.asLine
            } else {
                refuse("time_zone", "Enter a time zone such as Europe/Dublin.")
            }
        }
        if !state.isRefused { preferences = new }
    }

    mutating func refuse(_ field: String, _ error: String) {
        state.refuse(field, error)
        preferences = nil
    }

    /// What was typed, and for what was not sent, what holds.
    func completed(by held: ResolvedPreferences) -> FormState {
        let standing = PreferencesForm.values(
            base: held.baseCurrency,
            secondary: held.secondaryCurrencies,
            weekStart: held.weekStart,
            theme: held.theme,
            conflictPolicy: held.conflictPolicy,
            locale: held.locale,
            timeZone: held.timeZone
        )
        var whole = state
        whole.values.merge(standing.values) { typed, _ in typed }
        whole.lists.merge(standing.lists) { typed, _ in typed }
        return whole
    }
}

extension Budget {
    /// The same number in another currency: 100.00 euro become 100 yen.
    fileprivate func keepingItsNumber(in base: CurrencyCode, _ table: CurrencyTable) throws(AmountError)
        -> Budget
    {
        let old = table[limit.currency]?.minorPerUnit ?? 100
        let new = table[base]?.minorPerUnit ?? 100
        let (scaled, overflow) = limit.minor.multipliedReportingOverflow(by: new)
        guard !overflow else { throw .tooLarge }
        guard scaled.isMultiple(of: old), scaled / old > 0 else {
            throw .tooManyDecimals(base, allowed: table[base]?.exponent ?? 2)
        }
        var copy = self
        copy.limit = Money(minor: scaled / old, currency: base)
        return copy
    }
}
