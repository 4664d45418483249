import HTTPServer
import Ledger
import Links
import Texts

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
