// The steps of onboarding.

import Ledger
import Texts

enum OnboardingStories {
    static let all: [Story] = [
        Story("welcome", .onboarding, "The first page") { $0.welcome(canSignIn: true) },
        Story("welcome-lost-sign-in", .onboarding, "The first page after a sign-in whose answer was lost") {
            $0.welcome(canSignIn: true, hasLostSignIn: true)
        },
        Story("welcome-signed-in", .onboarding, "The first page of a user who is signed in") {
            $0.welcome(canSignIn: false)
        },
        Story("welcome-no-guests", .onboarding, "The first page of a server without guests") {
            $0.welcome(canSignIn: true, takesGuests: false)
        },
        Story("currency", .onboarding, "The currency") {
            $0.currency(FormState(values: ["currency": "EUR"]))
        },
        Story("currency-other", .onboarding, "The currency: one that is not suggested is chosen") {
            $0.currency(FormState(values: ["currency": "USD"]), suggested: [Sample.eur])
        },
        Story("currency-refused", .onboarding, "The currency: none was chosen") {
            $0.currency(FormState(errors: ["currency": Text("forms.choose-a-currency")]))
        },
        Story("secondary", .onboarding, "Other currencies") { $0.secondary(["USD"]) },
        Story("secondary-none", .onboarding, "Other currencies: none is chosen") { $0.secondary([]) },
        Story("secondary-refused", .onboarding, "Other currencies: refused") {
            $0.secondary([], errors: ["currencies": Text("forms.choose-currencies")])
        },
        Story("calendar", .onboarding, "The first day of the week") {
            CalendarPage(chrome: $0.chrome, state: FormState(values: ["week_start": "monday"]))
        },
        Story("calendar-refused", .onboarding, "The first day of the week: none was chosen") {
            let error = Text("forms.choose-monday-or-sunday")
            return CalendarPage(chrome: $0.chrome, state: FormState(errors: ["week_start": error]))
        },
    ]
}

extension Sample {
    /// The frame of a browser whose user is still at the steps of onboarding.
    private var beginning: Chrome { with { $0.state = "onboarding" }.chrome }

    fileprivate func welcome(canSignIn: Bool, takesGuests: Bool = true, hasLostSignIn: Bool = false)
        -> WelcomePage
    {
        WelcomePage(
            chrome: with { $0.state = "uninitialized" }.chrome,
            canSignIn: canSignIn,
            takesGuests: takesGuests,
            hasLostSignIn: hasLostSignIn,
            once: Self.once
        )
    }

    fileprivate func currency(_ state: FormState, suggested: [CurrencyCode] = [Sample.eur, Sample.usd])
        -> CurrencyPage
    {
        CurrencyPage(chrome: beginning, formats: formats, state: state, suggested: suggested)
    }

    fileprivate func secondary(_ chosen: [String], errors: [String: Text] = [:]) -> SecondaryPage {
        SecondaryPage(
            chrome: beginning,
            formats: formats,
            state: FormState(lists: ["currencies": chosen], errors: errors),
            suggested: [Self.eur, Self.usd]
        )
    }
}
