// The steps of onboarding: what each asks, and what it does with the answer.

import Devices
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let welcome = Link(declared: "/onboarding/welcome")
    static let currency = Link(declared: "/onboarding/currency")
    static let secondary = Link(declared: "/onboarding/secondary")
    static let calendar = Link(declared: "/onboarding/calendar")
}

extension Feature {
    static let onboarding = Feature(
        routes: [
            get(.welcome, WelcomeShow.answer),
            post(.welcome, WelcomeAnswer.answer),
            get(.currency, CurrencyShow.answer),
            post(.currency, CurrencyAnswer.answer),
            get(.secondary, SecondaryShow.answer),
            post(.secondary, SecondaryAnswer.answer),
            get(.calendar, CalendarShow.answer),
            post(.calendar, CalendarAnswer.answer),
        ],
        pages: [WelcomePage.self, CurrencyPage.self, SecondaryPage.self, CalendarPage.self],
        links: [
            "welcome": .welcome,
            "currency": .currency,
            "secondary": .secondary,
            "calendar": .calendar,
        ]
    )
}

/// `GET /onboarding/welcome`: introduces Breadly.
enum WelcomeShow {
    static func answer(_ context: RequestContext) throws -> Response {
        // Such a device has no book: its user has left it, it was erased from elsewhere, or its guest has only begun.
        context.clearsBrowser = context.device != nil
        return context.page(
            WelcomePage(
                chrome: context.chrome(),
                canSignIn: context.device?.session == nil,
                takesGuests: context.maySkipSignIn,
                hasLostSignIn: context.hasLostSignIn,
                once: context.newID().description
            )
        )
    }
}

extension RequestContext {
    /// Whether the browser has signed in and never learnt that: it still has the cookie of before.
    fileprivate var hasLostSignIn: Bool {
        guard device == nil, let sent = site.sentCookie(of: request) else { return false }
        return site.devices.hasLostSignIn(sent.token)
    }

    /// Whether the first page continues without a sign-in: for guests, and for a user whose sign-in was interrupted by a
    /// stop of the server.
    fileprivate var maySkipSignIn: Bool { site.account.guests || device?.session != nil }

    /// Records the answer to a step, while the connection is suspended.
    func answered(_ step: OnboardingStep, on device: Device, goTo link: Link) -> Response {
        redirect(to: link) { () async throws(DevicesError) in try await device.answered(step) }
    }
}

/// `POST /onboarding/welcome`: creates a device for a new browser; a fresh guest continues.
enum WelcomeAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        // Without guests, the page has no such button.
        guard context.maySkipSignIn else { return context.redirect(to: .signIn) }
        let (device, cookie) = try context.createDeviceIfNeeded()
        return context.ask { () async throws(DevicesError) in
            try await device.answered(.welcome)
        } then: { context, result in
            try result.get()
            context.keep(cookie)
            return context.redirect(to: .currency)
        }
    }
}

/// `GET /onboarding/currency`: asks for the currency of budgets.
enum CurrencyShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let preferences = try context.preferences()
        let state = FormState(values: ["currency": preferences.baseCurrency.rawValue])
        return try page(context, state, .ok)
    }

    static func page(_ context: RequestContext, _ state: FormState, _ status: Status) throws -> Response {
        let formats = try context.formats()
        let suggested = SuggestedCurrencies.list(first: context.browserLocale?.currency ?? formats.base)
        let page = CurrencyPage(
            chrome: context.chrome(),
            formats: formats,
            state: state,
            suggested: suggested
        )
        return context.page(page, status)
    }
}

/// `POST /onboarding/currency`: stores the base currency.
enum CurrencyAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let typed = context.request.form.first("currency") ?? ""
        guard let code = CurrencyCode(typed), context.site.tables.currencies[code] != nil else {
            let error = ["currency": Text("forms.choose-a-currency")]
            return try CurrencyShow.page(
                context,
                FormState(values: ["currency": typed], errors: error),
                .unprocessable
            )
        }
        let device = try context.knownDevice()
        let book = try context.book()
        var preferences = try book.preferences()
        preferences.baseCurrency = code
        // The base currency must not be a secondary currency too.
        preferences.secondaryCurrencies?.removeAll { $0 == code }
        try book.set(preferences)
        return context.answered(.currency, on: device, goTo: .secondary)
    }
}

/// `GET /onboarding/secondary`: asks for the other currencies in use.
enum SecondaryShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let chosen = try context.preferences().secondaryCurrencies.map(\.rawValue)
        return try page(context, FormState(lists: ["currencies": chosen]), .ok)
    }

    static func page(_ context: RequestContext, _ state: FormState, _ status: Status) throws -> Response {
        let formats = try context.formats()
        let page = SecondaryPage(
            chrome: context.chrome(),
            formats: formats,
            state: state,
            suggested: SuggestedCurrencies.list(first: context.browserLocale?.currency ?? formats.base)
        )
        return context.page(page, status)
    }
}

/// `POST /onboarding/secondary`: stores the secondary currencies.
enum SecondaryAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let typed = context.request.form.all("currencies").filter { !$0.isEmpty }
        guard let codes = CurrencyList.read(typed, context.site.tables.currencies) else {
            let state = FormState(
                lists: ["currencies": typed],
                errors: ["currencies": Text("forms.choose-currencies")]
            )
            return try SecondaryShow.page(context, state, .unprocessable)
        }
        let device = try context.knownDevice()
        let base = try context.preferences().baseCurrency
        let book = try context.book()
        var preferences = try book.preferences()
        preferences.secondaryCurrencies = codes.filter { $0 != base }
        try book.set(preferences)
        return context.answered(.secondary, on: device, goTo: .calendar)
    }
}

/// Reads currencies of a form without repetitions.
enum CurrencyList {
    /// - Returns: nil if one of the texts is not a currency in use.
    static func read(_ texts: [String], _ table: CurrencyTable) -> [CurrencyCode]? {
        var codes: [CurrencyCode] = []
        for text in texts {
            guard let code = CurrencyCode(text), table[code] != nil else { return nil }
            if !codes.contains(code) { codes.append(code) }
        }
        return codes
    }
}

/// The choices outside the full list: the browser's own currency, then the most traded currencies.
enum SuggestedCurrencies {
    static func list(first: CurrencyCode) -> [CurrencyCode] {
        [first] + common.filter { $0 != first }
    }

    private static let common = ["EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "PLN", "SEK"]
        .compactMap { CurrencyCode($0) }
}

/// `GET /onboarding/calendar`: asks for the first day of the week.
enum CalendarShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let chosen = try context.preferences().weekStart.rawValue
        return context.page(
            CalendarPage(chrome: context.chrome(), state: FormState(values: ["week_start": chosen]))
        )
    }
}

/// `POST /onboarding/calendar`: stores the last answer, seeds the defaults, and redirects to the dashboard.
enum CalendarAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let typed = context.request.form.first("week_start") ?? ""
        guard let start = WeekStart(rawValue: typed) else {
            let state = FormState(
                values: ["week_start": typed],
                errors: ["week_start": Text("forms.choose-monday-or-sunday")]
            )
            return context.page(CalendarPage(chrome: context.chrome(), state: state), .unprocessable)
        }
        let device = try context.knownDevice()
        let book = try context.book()
        var preferences = try book.preferences()
        preferences.weekStart = start
        // The script sends the browser's time zone; without one, the server's time zone applies.
        if let zone = context.request.form.first("time_zone").flatMap(context.site.tables.zone) {
            preferences.timeZone = zone
        }
        try book.set(preferences)
        return context.answered(.calendar, on: device, goTo: .overview)
    }
}
