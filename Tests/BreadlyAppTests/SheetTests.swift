// The text files for spreadsheets, as programs of the user's region read them. The clock shows 21 November 2026.
import TestKit
import Testing

@Suite struct FilesForSpreadsheets {
    private static let reports =
        ["category", "payee", "account", "month", "flow", "worth"].map { "group=\($0)" }
        + ["compare=previous", "compare=average"]

    private static let files =
        ["/export/transactions.csv?"] + reports.map { "/reports?\($0)&from=2026-11&to=2026-11&format=csv&" }

    private let server: Running

    init() throws { server = try Running() }

    private func guest(_ locale: String) throws -> Visitor {
        let visitor = server.visitor()
        visitor.acceptLanguage = locale
        try visitor.onboard()
        return visitor
    }

    @Test(
        arguments: [
            ("de-DE", ";", ","), ("de-CH", ";", "."), ("fr-FR", ";", ","), ("en-US", ",", "."),
            ("en-IE", ",", "."), ("pt-BR", ";", ","), ("es-MX", ",", "."), ("sv-SE", ";", ","),
            ("ar-EG", ",", "."),
        ] as [(String, Unicode.Scalar, String)]
    )
    func areInTheFormOfTheRegion(locale: String, separator: Unicode.Scalar, decimal: String) throws {
        let guest = try guest(locale)
        let account = try #require(try guest.accounts()["Cash"])
        // The form says with which sign it was shown.
        let fields = [("decimal", "."), ("payee", "Bakery, \"old\"; good")]
        #expect(try guest.record(fields, account: account).status == 303)
        func amounts(_ path: String, _ separator: Unicode.Scalar) throws -> [String] {
            let file = try guest.get(path)
            #expect(file.status == 200 && file.header("content-type") == "text/csv; charset=utf-8")
            return sheetRows(file.text, separator: separator).joined().filter { $0.hasSuffix("50") }
        }
        for file in Self.files {
            let own = try amounts(file, separator)
            #expect(!own.isEmpty && own.allSatisfy { ["12\(decimal)50", "-12\(decimal)50"].contains($0) })
            for (name, separator, decimal) in [
                ("comma", ",", "."), ("semicolon", ";", ","), ("semicolon-point", ";", "."),
            ] as [(String, Unicode.Scalar, String)] {
                let chosen = try amounts("\(file)cells=\(name)", separator)
                #expect(chosen == own.map { String($0.dropLast(3)) + "\(decimal)50" }, "\(file) \(name)")
            }
            #expect(try guest.get("\(file)cells=x").status == 400)
        }
        let payees = sheetRows(try guest.get("/export/transactions.csv").text, separator: separator)
        #expect(payees.joined().contains("Bakery, \"old\"; good"))
        #expect(try guest.get("/export/breadly.json").text.contains(#""amountMinor":1250,"currency":"EUR""#))
        // The pages say which form it is, and lead to the other forms.
        let words = separator == "," ? "commas" : "semicolons"
        let chosen = [",.": "comma", ";,": "semicolon", ";.": "semicolon-point"]["\(separator)\(decimal)"]
        for page in ["/settings", "/reports?from=2026-11&to=2026-11"] {
            let html = try guest.get(page).html
            let text = html.first("p", ["data-cells": ""])?.text ?? ""
            #expect(text.hasPrefix("With \(words), and amounts like 12\(decimal)50, as is usual"), "\(text)")
            let links = html.elements.compactMap { $0["href"] }.filter { $0.contains("cells=") }
            #expect(links.count == 2)
            for link in links {
                #expect(try guest.get(link).status == 200)
                #expect(!link.hasSuffix("cells=\(chosen ?? "")"))
            }
        }
    }

    @Test func negativeNumbersAreNumbers() throws {
        let guest = try server.guest()
        let accounts = try guest.accounts()
        let (cash, card) = (try #require(accounts["Cash"]), try #require(accounts["Card"]))
        let page = try guest.get("/categories")
        let row = page.rows("category").first { $0.text.contains("Groceries") }
        let groceries = try #require(row?["data-id"])
        func record(_ amount: String, _ date: String, _ account: String, _ more: [(String, String)]) throws {
            let fields = [("amount", amount), ("date", date)] + more
            try #require(try guest.record(fields, account: account).status == 303)
        }
        try record("9", "2026-09-05", cash, [("payee", "-9.00")])
        try record("70", "2026-10-05", card, [("category", groceries)])
        // More came back than was spent.
        try record("5", "2026-11-06", card, [("category", groceries)])
        try record("20", "2026-11-07", card, [("category", groceries), ("kind", "income")])
        for query in Self.reports {
            let text = try guest.get("/reports?\(query)&from=2026-09&to=2026-11&format=csv").text
            #expect(query == "group=payee" || !text.contains("'-"), "\(text)")
            var count = 0
            // After the label, amounts with their currencies.
            for row in sheetRows(text) where row.count > 2 && row[2] == "EUR" {
                for (amount, currency) in zip(row.dropFirst(), row.dropFirst(2)) where currency == "EUR" {
                    #expect(amount.wholeMatch(of: /-?[0-9]+\.[0-9]{2}/) != nil, "\(query): \(row)")
                    count += 1
                }
            }
            #expect(count > 0, "\(query)")
        }
        func cells(_ query: String) throws -> [String] {
            let file = try guest.get("/reports?\(query)&from=2026-09&to=2026-11&format=csv")
            return Array(sheetRows(file.text).joined())
        }
        #expect(try cells("group=month").contains("-9.00"))
        #expect(try cells("group=flow").contains("-9.00"))
        #expect(try cells("group=worth").contains("-55.00"))
        let payees = try cells("group=payee")
        #expect(payees.contains("'-9.00") && !payees.contains("-9.00"))
    }

    /// A transfer is neither spent nor earned, and each of its accounts has a side of it.
    @Test func theSumsOfAColumnAreRightWithTransfers() throws {
        let guest = try server.guest()
        let accounts = try guest.accounts()
        let (cash, card) = (try #require(accounts["Cash"]), try #require(accounts["Card"]))
        try #require(try guest.record([("kind", "income"), ("amount", "100")], account: cash).status == 303)
        let transfer = [("kind", "transfer"), ("amount", "100"), ("payee", ""), ("to_account", card)]
        try #require(try guest.record(transfer, account: cash).status == 303)
        let rows = sheetRows(try guest.get("/export/transactions.csv").text)
        let titles = try #require(rows.first)
        func column(_ title: String, _ isWanted: ([String]) -> Bool = { _ in true }) throws -> [String] {
            let place = try #require(titles.firstIndex(of: title))
            return rows.dropFirst().filter(isWanted).map { $0[place] }
        }
        func sum(_ title: String, _ account: String? = nil) throws -> Double {
            let place = try #require(titles.firstIndex(of: "account"))
            return try column(title) { account == nil || $0[place] == account }.compactMap(Double.init)
                .reduce(0, +)
        }
        #expect(try column("kind").sorted() == ["income", "transfer", "transfer"])
        #expect(try sum("amount") == 100 && sum("account_amount") == 100)
        #expect(try sum("account_amount", "Cash") == 0 && sum("account_amount", "Card") == 100)
        // Only the line of the account that it leaves says where it went.
        #expect(try column("to_account").filter { !$0.isEmpty } == ["Card"])
        #expect(try sum("to_amount") == 100)
    }
}
