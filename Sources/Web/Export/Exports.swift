// The user's data to take away: the whole book, and what a spreadsheet reads.

import Book
import Encoding
import HTTPServer
import Ledger

/// `GET /export/breadly.json`: everything that the book holds, one row a line.
enum BookExport {
    static func answer(_ context: RequestContext) throws -> Response {
        try Export.answer(context, "application/json", "breadly.json", write)
    }

    private static func write(_ book: Book, _ site: Site, _ out: ExportWriter) throws {
        out.append("{\"format\":\"breadly-book\",\"version\":1,\"preferences\":")
        var section = ""
        try book.export { item in
            let (name, row) = json(item)
            if case .preferences = item {
                out.append(row.description)
                return
            }
            if name != section { open(name, after: &section, out) } else { out.append(",\n") }
            out.append(row.description)
        }
        open(nil, after: &section, out)
        out.append("}\n")
    }

    private static let sections = ["accounts", "categories", "budgets", "transactions"]

    /// Ends the list that is open, writes those in between as empty, and begins the next.
    private static func open(_ next: String?, after section: inout String, _ out: ExportWriter) {
        if !section.isEmpty { out.append("\n]") }
        let done = section.isEmpty ? 0 : (sections.firstIndex(of: section) ?? 0) + 1
        let upTo = next.flatMap { sections.firstIndex(of: $0) } ?? sections.count
        for name in sections[done..<max(done, upTo)] { out.append(",\n\"\(name)\":[]") }
        guard let next else { return }
        out.append(",\n\"\(next)\":[\n")
        section = next
    }

    private static func json(_ item: ExportItem) -> (section: String, row: JSON) {
        switch item {
        case .preferences(let preferences): ("preferences", json(preferences))
        case .account(let account):
            (
                "accounts",
                .object([
                    ("id", .text("\(account.id)")), ("name", .text(account.name)),
                    ("type", .text(account.type.rawValue)), ("currency", .text(account.currency.rawValue)),
                    ("openingMinor", .number(account.openingMinor)),
                ])
            )
        case .category(let category):
            (
                "categories",
                .object([
                    ("id", .text("\(category.id)")), ("name", .text(category.name)),
                    ("kind", .text(category.kind.rawValue)), ("icon", .text(category.icon)),
                    ("color", .text(category.color)), ("parent", optional(category.parent)),
                ])
            )
        case .budget(let budget):
            (
                "budgets",
                .object([
                    ("id", .text("\(budget.id)")), ("category", optional(budget.category)),
                    ("limitMinor", .number(budget.limit.minor)),
                    ("currency", .text(budget.limit.currency.rawValue)),
                    ("from", .text("\(budget.from)")), ("rollover", .flag(budget.rollover)),
                ])
            )
        case .transaction(let transaction): ("transactions", json(transaction))
        }
    }

    private static func json(_ transaction: Transaction) -> JSON {
        .object([
            ("id", .text("\(transaction.id)")), ("kind", .text(transaction.kind.rawValue)),
            ("date", .text("\(transaction.date)")), ("amountMinor", .number(transaction.amount.minor)),
            ("currency", .text(transaction.amount.currency.rawValue)),
            ("account", .text("\(transaction.account)")),
            ("accountMinor", .number(transaction.accountMinor)),
            ("toAccount", optional(transaction.toAccount)),
            ("toMinor", transaction.toMinor.map { .number($0) } ?? .null),
            ("category", optional(transaction.category)),
            ("payee", .text(transaction.payee)), ("note", .text(transaction.note)),
            ("tags", .list(transaction.tags.map { .text($0) })),
        ])
    }

    private static func json(_ preferences: Preferences) -> JSON {
        func text(_ value: String?) -> JSON { value.map { .text($0) } ?? .null }
        return .object([
            ("baseCurrency", text(preferences.baseCurrency?.rawValue)),
            (
                "secondaryCurrencies",
                preferences.secondaryCurrencies.map { .list($0.map { .text($0.rawValue) }) } ?? .null
            ),
            ("weekStart", text(preferences.weekStart?.rawValue)),
            ("conflictPolicy", text(preferences.conflictPolicy?.rawValue)),
            ("theme", text(preferences.theme?.rawValue)), ("locale", text(preferences.locale)),
            ("timeZone", text(preferences.timeZone)),
        ])
    }

    private static func optional(_ id: EntityID?) -> JSON { id.map { .text("\($0)") } ?? .null }
}

/// `GET /export/transactions.csv`: a line a transaction, in UTF-8 with the mark that spreadsheets look for.
enum SpreadsheetExport {
    private static let head = [
        "date", "kind", "amount", "currency", "account", "account_amount", "account_currency", "to_account",
        "to_amount", "to_currency", "category", "payee", "note", "tags",
    ]

    static func answer(_ context: RequestContext) throws -> Response {
        try Export.answer(context, "text/csv; charset=utf-8", "breadly-transactions.csv", write)
    }

    private static func write(_ book: Book, _ site: Site, _ out: ExportWriter) throws {
        // As spreadsheets read it everywhere: `-1234.50`.
        let style = site.style(LocaleFacts.fallback.tag)
        out.append("\u{FEFF}" + head.joined(separator: ",") + "\r\n")
        var accounts: [EntityID: Account] = [:]
        var categories: [EntityID: Ledger.Category] = [:]
        try book.export { item in
            switch item {
            case .preferences, .budget: break
            case .account(let account): accounts[account.id] = account
            case .category(let category): categories[category.id] = category
            case .transaction(let transaction):
                let account = accounts[transaction.account]
                let arrival = transaction.toAccount.flatMap { accounts[$0] }
                let sign: Int64 = transaction.kind == .income ? 1 : -1
                let category = transaction.category.flatMap { categories[$0] }
                let parent = category?.parent.flatMap { categories[$0] }.map { "\($0.name): " } ?? ""
                let cells = [
                    "\(transaction.date)", transaction.kind.rawValue,
                    style.plain(
                        Money(minor: sign &* transaction.amount.minor, currency: transaction.amount.currency)
                    ),
                    transaction.amount.currency.rawValue, text(account?.name ?? ""),
                    account.map {
                        style.plain(Money(minor: sign &* transaction.accountMinor, currency: $0.currency))
                    }
                        ?? "",
                    account?.currency.rawValue ?? "", text(arrival?.name ?? ""),
                    arrival.flatMap { arrival in
                        transaction.toMinor.map { style.plain(Money(minor: $0, currency: arrival.currency)) }
                    } ?? "",
                    arrival?.currency.rawValue ?? "", text(category.map { parent + $0.name } ?? ""),
                    text(transaction.payee), text(transaction.note),
                    text(transaction.tags.joined(separator: ", ")),
                ]
                out.append(cells.joined(separator: ",") + "\r\n")
            }
        }
    }

    /// A cell of text, quoted where it must be (RFC 4180). What a spreadsheet would take for a formula gets an
    /// apostrophe before it, as OWASP's "CSV Injection" advises: judged by its first scalar, for a sign with a combining
    /// mark is another character and the same formula, and by full-width signs too, which some programs take as well.
    private static func text(_ text: String) -> String {
        let safe = text.unicodeScalars.first.map { formulaSigns.contains($0) } == true ? "'" + text : text
        // By scalars here as well: a quote with a combining mark is a quote to whoever reads the file.
        let mustQuote = safe.unicodeScalars.contains {
            [",", "\"", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains($0)
        }
        return mustQuote ? "\"" + safe.replacing(scalar: "\"", with: "\"\"") + "\"" : safe
    }

    private static let formulaSigns: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}

extension String {
    /// Puts a text in the place of each scalar of a kind, also of one that a combining mark follows.
    func replacing(scalar sign: Unicode.Scalar, with other: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar == sign {
                result.append(contentsOf: other.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
