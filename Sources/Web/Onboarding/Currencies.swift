import HTTPServer
import Ledger
import Pages

/// `GET /onboarding/currency`: which currency budgets are kept in.
enum CurrencyShow {
    static func answer(_ visit: Visit) throws -> Response {
        let preferences = try visit.preferences()
        let state = FormState(values: ["currency": preferences.baseCurrency.rawValue])
        return try page(visit, state, .ok)
    }

    static func page(_ visit: Visit, _ state: FormState, _ status: Status) throws -> Response {
        let formats = try visit.formats()
        let suggested = SuggestedCurrencies.list(first: visit.browserLocale?.currency ?? formats.base)
        let page = CurrencyPage(chrome: visit.chrome(), formats: formats, state: state, suggested: suggested)
        return visit.page(page, status)
    }
}

/// `POST /onboarding/currency`.
enum CurrencyAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        let typed = visit.request.form.first("currency") ?? ""
        guard let code = CurrencyCode(typed), visit.site.tables.currencies[code] != nil else {
            let error = ["currency": "Choose a currency from the list."]
            return try CurrencyShow.page(
                visit,
                FormState(values: ["currency": typed], errors: error),
                .unprocessable
            )
        }
        let device = try visit.knownDevice()
        var preferences = try device.preferences()
        preferences.baseCurrency = code
        // A base currency is not one of the others.
        preferences.secondaryCurrencies?.removeAll { $0 == code }
        try device.set(preferences)
        try device.answered(.currency)
        return .seeOther(Routes.secondary.link)
    }
}

/// `GET /onboarding/secondary`: which other currencies are used.
enum SecondaryShow {
    static func answer(_ visit: Visit) throws -> Response {
        let chosen = try visit.preferences().secondaryCurrencies.map(\.rawValue)
        return try page(visit, FormState(lists: ["currencies": chosen]), .ok)
    }

    static func page(_ visit: Visit, _ state: FormState, _ status: Status) throws -> Response {
        let formats = try visit.formats()
        let page = SecondaryPage(
            chrome: visit.chrome(),
            formats: formats,
            state: state,
            suggested: SuggestedCurrencies.list(first: visit.browserLocale?.currency ?? formats.base)
        )
        return visit.page(page, status)
    }
}

/// `POST /onboarding/secondary`.
enum SecondaryAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        let typed = visit.request.form.all("currencies").filter { !$0.isEmpty }
        guard let codes = CurrencyList.read(typed, visit.site.tables.currencies) else {
            let state = FormState(
                lists: ["currencies": typed],
                errors: ["currencies": "Choose currencies from the list."]
            )
            return try SecondaryShow.page(visit, state, .unprocessable)
        }
        let device = try visit.knownDevice()
        let base = try visit.preferences().baseCurrency
        var preferences = try device.preferences()
        preferences.secondaryCurrencies = codes.filter { $0 != base }
        try device.set(preferences)
        try device.answered(.secondary)
        return .seeOther(Routes.calendar.link)
    }
}

/// Currencies in a form, each once.
enum CurrencyList {
    /// Nil where one is no currency in use.
    static func read(_ texts: [String], _ table: CurrencyTable) -> [CurrencyCode]? {
        var codes: [CurrencyCode] = []
        for text in texts {
            guard let code = CurrencyCode(text), table[code] != nil else { return nil }
            if !codes.contains(code) { codes.append(code) }
        }
        return codes
    }
}

/// What is offered without opening the whole list: the browser's own currency, then those most traded.
enum SuggestedCurrencies {
    static func list(first: CurrencyCode) -> [CurrencyCode] {
        [first] + common.filter { $0 != first }
    }

    private static let common = ["EUR", "USD", "GBP", "CHF", "JPY", "CAD", "AUD", "PLN", "SEK"]
        .compactMap { CurrencyCode($0) }
}
