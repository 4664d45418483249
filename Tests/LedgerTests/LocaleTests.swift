import Ledger
import Testing

private func locales() throws -> LocaleTable { try LocaleTable(tsv: Shipped.text("locales.tsv")) }

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
