// The settings.

import Ledger
import Texts

enum SettingsStories {
    static let all: [Story] = [
        Story("settings-guest", .settings, "A guest") { $0.settings(account: nil) },
        Story("settings-free", .settings, "A free account") {
            $0.framed(.free).settings(account: $0.panel())
        },
        Story("settings-pending", .settings, "A free account that waits for Premium") {
            $0.framed(.free).settings(account: $0.panel(subscription: Text("settings.waiting-for-approval")))
        },
        Story("settings-provider", .settings, "An account of an identity provider, without a password") {
            $0.framed(.free).settings(account: $0.panel(hasPassword: false))
        },
        Story("settings-unnamed", .settings, "An account whose address is not known") {
            $0.framed(.free).settings(account: $0.panel(isNamed: false))
        },
        Story("settings-premium", .settings, "Premium, sync is on") {
            $0.framed(.idle).settings(account: $0.panel(syncs: true))
        },
        Story("settings-arriving", .settings, "Premium, and not all data is here yet") {
            $0.framed(.incomplete).settings(account: $0.panel(syncs: true))
        },
        Story("settings-ended", .settings, "The subscription has ended, and the cloud keeps a copy") {
            $0.framed(.ended).settings(account: $0.panel())
        },
        Story("settings-off", .settings, "Premium, sync is off") {
            $0.framed(.off).settings(account: $0.panel(syncs: false))
        },
        Story("settings-verifying", .settings, "The subscription could not be checked for days") {
            $0.framed(.verifying).settings(
                account: $0.panel(isUnverified: true)
            )
        },
        Story("settings-signed-out", .settings, "The session was ended on another device") {
            $0.framed(.signInAgain).settings(account: $0.panel(mustSignIn: true))
        },
        Story("settings-choices", .settings, "No other currencies, weeks from Sunday, a dark theme, asking") {
            $0.framed(.idle).settings(account: $0.panel(syncs: true)) {
                $0.values["week_start"] = WeekStart.sunday.rawValue
                $0.values["theme"] = Theme.dark.rawValue
                $0.values["conflict_policy"] = ConflictPolicy.ask.rawValue
                $0.lists = [:]
            }
        },
        Story("settings-refused", .settings, "Refused: an error beside each field") {
            $0.framed(.idle).settings(account: $0.panel(syncs: true)) {
                $0.values["time_zone"] = "Mars"
                $0.errors = [
                    "base_currency": Text("forms.choose-a-currency"),
                    "secondary_currencies": Text("forms.choose-currencies"),
                    "week_start": Text("forms.choose-monday-or-sunday"),
                    "theme": Text("settings.choose-a-theme"),
                    "locale": Text("settings.choose-a-locale"),
                    "time_zone": Text("settings.enter-a-time-zone"),
                    "conflict_policy": Text("settings.choose-one-of-two"),
                ]
            }
        },
        Story("settings-asking", .settings, "A new base currency, with budgets that can be converted") {
            $0.framed(.idle).settings(account: $0.panel(syncs: true), question: $0.question(converts: true)) {
                $0.values["base_currency"] = "USD"
                $0.errors["budgets"] = Text("settings.choose-for-the-budgets")
            }
        },
        Story("settings-asking-guest", .settings, "A new base currency of a guest, without rates") {
            $0.settings(account: nil, question: $0.question(converts: false)) {
                $0.values["base_currency"] = "USD"
                $0.errors["budgets"] = Text("settings.choose-for-the-budgets")
            }
        },
    ]
}

extension Sample {
    fileprivate func panel(
        subscription: Text? = nil,
        isUnverified: Bool = false,
        mustSignIn: Bool = false,
        hasPassword: Bool = true,
        isNamed: Bool = true,
        syncs: Bool? = nil
    ) -> UserAccountPanel {
        UserAccountPanel(
            who: isNamed ? typed("anna@example.org") : nil,
            subscription: subscription,
            isUnverified: isUnverified,
            mustSignIn: mustSignIn,
            hasPassword: hasPassword,
            syncs: syncs
        )
    }

    fileprivate func question(converts: Bool) -> PreferencesForm.BudgetQuestion {
        .init(
            new: Self.usd,
            budgets: budgets.prefix(4).map {
                let minor = $0.budget.limit.minor
                return .init(
                    $0.budget,
                    catalog: catalog,
                    kept: Money(minor: minor, currency: Self.usd),
                    converted: converts ? Money(minor: minor * 108 / 100, currency: Self.usd) : nil
                )
            },
            day: converts ? Self.rates.day : nil
        )
    }

    fileprivate func settings(
        account: UserAccountPanel?,
        question: PreferencesForm.BudgetQuestion? = nil,
        _ change: (inout FormState) -> Void = { _ in }
    ) -> SettingsPage {
        var state = PreferencesForm.values(
            base: Self.eur,
            secondary: [Self.usd],
            weekStart: .monday,
            theme: .system,
            conflictPolicy: .newest,
            locale: "en-GB",
            timeZone: "Europe/Sofia"
        )
        change(&state)
        let form = PreferencesForm(
            state: state,
            formats: formats,
            locales: [("en-GB", "English (United Kingdom)"), ("de-DE", "Deutsch (Deutschland)")],
            zones: ["Europe/Sofia", "UTC"],
            budgetQuestion: question
        )
        return SettingsPage(
            chrome: chrome,
            form: form,
            account: account,
            bankProviders: account == nil ? [] : ["TrueLayer", "SimpleFIN"]
        )
    }
}
