import Ledger
import Testing

private func locales() throws -> LocaleTable { try Shipped.locales() }

@Suite struct Locales {
    @Test(arguments: [
        ("de-AT,de;q=0.8,en;q=0.5", "de-AT"), ("en;q=0.5,fr-CH", "fr-CH"), ("zh-Hant-TW", "zh-TW"),
        ("de-XX", "de"),
        ("EN-us", "en-US"), ("*, tlh;q=0.9, it;q=0.1", "it"), ("pt_BR", "pt-BR"), ("fr;q=0, es", "es"),
    ])
    func theFirstKnownWishIsTaken(header: String, tag: String) throws {
        #expect(try locales().bestMatch(acceptLanguage: header)?.tag == tag)
    }

    @Test(arguments: ["", "*", "tlh", ";;;,,,", "q=1", String(repeating: "x,", count: 10_000)])
    func whatIsNoLanguageIsNone(header: String) throws {
        #expect(try locales().bestMatch(acceptLanguage: header) == nil)
    }

    @Test(arguments: [
        ("bg-BG", "EUR", WeekStart.monday), ("en-US", "USD", .sunday), ("de-CH", "CHF", .monday),
        ("ja-JP", "JPY", .sunday),
        ("en-GB", "GBP", .monday), ("hr-HR", "EUR", .monday),
    ])
    func aCountryBringsItsCurrencyAndItsWeek(tag: String, currency: String, week: WeekStart) throws {
        let locale = try #require(try locales()[tag])
        #expect(locale.currency?.rawValue == currency)
        #expect(locale.weekStart == week)
    }

    @Test func everyLocaleHasANameThatIsNotItsTag() throws {
        for locale in try locales().all {
            #expect(locale.name.filter { $0.isLetter } != locale.tag.filter { $0.isLetter }, "\(locale.tag)")
        }
    }

    @Test func everyCurrencyOfALocaleIsInUse() throws {
        let currencies = try CurrencyTable(tsv: Shipped.text("currencies.tsv"))
        for locale in try locales().all {
            if let code = locale.currency { #expect(currencies[code] != nil, "\(locale.tag) \(code)") }
        }
    }

    @Test(arguments: [
        "", "de\tDE", "de\tDE\tEUR\tfriday\t,\t.\t3\t\tafter\tGerman",
        "de\tDE\tEUR\tmonday\t,\t.\t0\t\tafter\tG",
    ])
    func aTableWithOtherColumnsIsRefused(line: String) throws {
        guard !line.isEmpty else {
            #expect(try LocaleTable(tsv: "").all.isEmpty)
            return
        }
        #expect(throws: LedgerError.badTable(line: 1)) { try LocaleTable(tsv: line) }
    }
}

@Suite struct SignsOfLocales {
    @Test(
        arguments: [
            ("pl-PL", "PLN", "zł"), ("cs-CZ", "CZK", "Kč"), ("sv-SE", "SEK", "kr"), ("da-DK", "DKK", "kr."),
            ("hu-HU", "HUF", "Ft"), ("ro-RO", "RON", "lei"), ("ro-MD", "RON", "RON"), ("tr-TR", "TRY", "₺"),
            ("ru-RU", "RUB", "₽"), ("uk-UA", "UAH", "₴"), ("th-TH", "THB", "฿"), ("id-ID", "IDR", "Rp"),
            ("ja-JP", "JPY", "￥"), ("zh", "CNY", "¥"), ("zh", "JPY", "JP¥"), ("ko-KR", "KRW", nil),
            ("es-AR", "ARS", "$"), ("es-AR", "USD", "US$"), ("es", "ARS", nil), ("es-CL", "CLP", "$"),
            ("es-CO", "COP", "$"), ("es-MX", "MXN", "$"), ("en-CA", "CAD", "$"), ("en-CA", "USD", "US$"),
            ("en-AU", "AUD", "$"), ("en-SG", "SGD", "$"), ("en-NZ", "NZD", "$"), ("en-US", "CAD", nil),
            ("en-US", "PLN", nil), ("en-PL", "PLN", "zł"), ("pl-PL", "EUR", nil), ("pt-CV", "CVE", nil),
            ("fr-SN", "XOF", nil),
        ] as [(String, String, String?)]
    )
    func areThoseOfTheCountryOrElseOfTheLanguage(tag: String, code: String, sign: String?) throws {
        let locale = try #require(try locales()[tag])
        // Where the locale has none, that of the table of currencies is shown.
        let code = try #require(CurrencyCode(code))
        #expect((locale.signs[code] ?? "") == (sign ?? ""), "\(tag) \(code)")
    }

    @Test func areOfLocalesAndCurrenciesInUse() throws {
        let (locales, currencies) = (try locales(), try Shipped.currencies())
        for line in try Shipped.text("signs.tsv").split(separator: "\n") {
            let columns = line.split(separator: "\t")
            let code = try #require(CurrencyCode(columns[1]))
            #expect(
                locales[String(columns[0])]?.tag == String(columns[0]) && currencies[code] != nil,
                "\(line)"
            )
        }
    }

    /// The currencies without a sign in a whole language, such as the Swiss franc, are shown by their codes.
    @Test func theOwnCurrencyHasASignWhereTheLanguageHasOne() throws {
        let currencies = try Shipped.currencies()
        let bare = try locales().all.filter { locale in
            guard let own = locale.currency.flatMap({ currencies[$0] }) else { return false }
            return (locale.signs[own.code] ?? own.symbol) == own.code.rawValue
        }
        #expect(bare.count < 70)
        #expect(
            !bare.contains { ["en", "es", "de", "fr", "pl", "ja", "zh", "ar", "hi", "ro"].contains($0.tag) }
        )
    }

    @Test func noTwoCurrenciesOfALocaleAreShownAlike() throws {
        let currencies = try Shipped.currencies().all
        for locale in try locales().all {
            let shown = currencies.map { locale.signs[$0.code] ?? $0.symbol }
            #expect(Set(shown).count == shown.count, "\(locale.tag)")
        }
    }

    @Test(arguments: [
        ("pl\tPLN", 1), ("pl\tPLN\tzł\t", 1), ("\tPLN\tzł", 1), ("pl\tPLN\t", 1), ("pl\tPLNX\tzł", 1),
        ("pl\tPLN\tzł\n\n", 2), ("pl\tPLN\tzł\nro\tRON\tlei\npl\tUSD\t$", 3),
    ])
    func aDamagedLineIsNamed(text: String, line: Int) {
        #expect(throws: LedgerError.badTable(line: line)) { try CurrencySigns(tsv: text) }
    }

    @Test func theLastLineNeedsNoEnd() throws {
        let signs = try CurrencySigns(tsv: "pl\tPLN\tzł\npl\tUSD\tUSD")
        let line = "pl\tPL\tPLN\tmonday\t,\t \t3\t\tafter-space\tPolish"
        let locale = try #require(try LocaleTable(tsv: line, signs: signs)["pl"])
        #expect(locale.signs[.usd] == "USD" && locale.signs[.eur] == nil)
        #expect(LocaleFacts.fallback.signs[.usd] == nil)
    }
}

@Suite struct WhatANewBookHas {
    private let owner = EntityID(high: 0x0123_4567_89AB_CDEF, low: 42)

    @Test func preferencesThatWereNeverSetHaveFallbacks() throws {
        let nothing = Preferences()
        let bare = nothing.resolved(browser: nil, timeZone: "Etc/UTC")
        #expect(bare.baseCurrency == .usd && bare.weekStart == .monday && bare.secondaryCurrencies.isEmpty)
        #expect(bare.theme == .system && bare.conflictPolicy == .newest && bare.timeZone == "Etc/UTC")
        let browser = nothing.resolved(browser: try locales()["en-GB"], timeZone: "Etc/UTC")
        #expect(browser.baseCurrency.rawValue == "GBP" && browser.locale == "en-GB")
        var chosen = Preferences()
        chosen.baseCurrency = .eur
        chosen.weekStart = .sunday
        let resolved = chosen.resolved(browser: try locales()["en-GB"], timeZone: "Etc/UTC")
        #expect(resolved.baseCurrency == .eur && resolved.weekStart == .sunday)
    }

    @Test func theSameOwnerGetsTheSameDefaultsAndAnotherOneOthers() {
        let other = EntityID(high: owner.high, low: 43)
        #expect(Seed.categories(of: owner) == Seed.categories(of: owner))
        let ids = Seed.categories(of: owner).map(\.id) + Seed.accounts(of: owner, currency: .eur).map(\.id)
        let others = Seed.categories(of: other).map(\.id) + Seed.accounts(of: other, currency: .eur).map(\.id)
        #expect(Set(ids).count == ids.count && Set(ids).isDisjoint(with: others))
    }

    @Test func thereAreCategoriesOfBothKindsOneLevelDeep() {
        let all = Seed.categories(of: owner)
        #expect(all.count { $0.kind == .expense } >= 12 && all.count { $0.kind == .income } >= 4)
        for category in all {
            guard let parent = category.parent else { continue }
            let above = all.first { $0.id == parent }
            #expect(above?.kind == category.kind && above?.parent == nil, "\(category.name)")
        }
        #expect(
            Seed.accounts(of: owner, currency: .eur).sorted { $0.id < $1.id }.map(\.name) == [
                "Cash", "Bank", "Card",
            ]
        )
    }
}
