// Both exports of a whole book, to the byte: other programs read them.
import Glibc
import HTTPServer
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book
@testable import Web

/// The output of an export.
func written(_ write: (ExportWriter) throws -> Void) throws -> String {
    let writer = try ExportWriter()
    try write(writer)
    guard case .file(let descriptor, let size, _) = try writer.end().body() else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
}

/// English without a country: `1234.50` and `1,234.50 EUR`.
struct TestStyle: WritingStyle {
    var currencies: [CurrencyCode] { [.eur, .usd] }
    var tooLarge: String { "too large" }

    func money(_ money: Money) -> String { "\(plain(money))\u{a0}\(money.currency)" }

    func plain(_ money: Money) -> String {
        let cents = money.minor.magnitude % 100
        return "\(money.minor < 0 ? "-" : "")\(money.minor.magnitude / 100).\(cents < 10 ? "0" : "")\(cents)"
    }

    func count(_ count: Int) -> String { String(count) }
    func monthTitle(_ month: YearMonth) -> String { "\(month)" }
    func shortMonth(_ month: YearMonth) -> String { "\(month)" }
    func longDay(_ date: CivilDate) -> String { "\(date)" }
    func shortDay(_ date: CivilDate) -> String { "\(date)" }
    func currencyName(_ code: CurrencyCode) -> String { code.rawValue }
}

@Suite struct TheExportsOfABook {
    private let folder = Folder()

    private func book() throws -> Book { try Book.open(at: folder("book.sqlite"), clock: { noon }) }

    @Test func ofABookWithEverything() throws {
        let book = try book()
        let (first, second) = (id(1), id(2))
        try book.add(Account(id: first, name: #"A "big" one"#, type: .bank, currency: .eur, openingMinor: -5))
        var pounds = Account(id: second, name: "Pounds, old", type: .cash, currency: .usd, openingMinor: 0)
        pounds.bank = AccountBank(account: "truelayer:acc", type: "current", isUsed: true)
        try book.add(pounds)
        let food = Ledger.Category(
            id: id(11),
            name: "Food",
            kind: .expense,
            icon: "basket",
            color: "basil",
            parent: nil
        )
        var fruit = food
        (fruit.id, fruit.name, fruit.parent) = (id(12), "Fruit", id(11))
        try book.add(food)
        try book.add(fruit)
        let limit = Money(minor: 9_900, currency: .eur)
        try book.add(
            Budget(id: id(21), category: nil, limit: limit, from: YearMonth(index: 24_310), rollover: false)
        )
        try book.record(
            Transaction(
                id: id(31),
                kind: .expense,
                date: CivilDate(dayNumber: 20_400),
                amount: Money(minor: 1_250, currency: .usd),
                account: first,
                accountMinor: 1_100,
                category: id(12),
                payee: "Lidl",
                note: "a\nb\\",
                tags: ["x", "y z"]
            )
        )
        try book.record(
            Transaction(
                id: id(32),
                kind: .transfer,
                date: CivilDate(dayNumber: 20_401),
                amount: Money(minor: 200, currency: .eur),
                account: first,
                accountMinor: 200,
                toAccount: second,
                toMinor: 220
            )
        )
        try book.record(
            Transaction(
                id: id(33),
                kind: .income,
                date: CivilDate(dayNumber: 20_402),
                amount: Money(minor: 300, currency: .eur),
                account: first,
                accountMinor: 300,
                payee: "=1+1"
            )
        )
        try book.add(
            Schedule(
                transaction: Transaction(
                    id: id(41),
                    kind: .expense,
                    date: CivilDate(dayNumber: 20_400),
                    amount: Money(minor: 1_299, currency: .eur),
                    account: first,
                    accountMinor: 1_299,
                    category: id(12),
                    payee: "Netflix",
                    tags: ["tv"]
                ),
                every: 2,
                unit: .week,
                shift: .after,
                isAutomatic: false
            )
        )
        let key = BankTransactionKey(text: "truelayer:acc t1")
        try book.write(
            BankNote(
                id: id(0),
                transaction: key,
                category: id(12),
                payee: "Baker",
                tags: ["x"],
                isHidden: true
            )
        )
        let note = try book.bankNote(of: key)
        let receipt = Receipt(
            id: id(61),
            transaction: id(31),
            name: "n \"1\".jpg",
            type: "image/jpeg",
            size: 7,
            sha256: String(repeating: "a", count: 64),
            width: 8,
            created: 10
        )
        _ = try book.add([receipt], to: .recorded(id(31)), quota: 100) { _ in }
        try book.add(SavedView(id: id(71), name: "Cafés", query: "search=caf%C3%A9"))
        try book.set(PayeeDefault(id: id(91), name: "Lidl", category: id(12)))
        var preferences = Preferences()
        preferences.baseCurrency = .eur
        preferences.secondaryCurrencies = [.usd]
        preferences.weekStart = .monday
        try book.set(preferences)
        _ = try book.closeAccount(second)
        #expect(
            try written { try BookExport.write(ExportedBook(book), $0) } == """
                {"format":"breadly-book","version":1,"preferences":{"baseCurrency":"EUR","secondaryCurrencies":["USD"],\
                "weekStart":"monday","conflictPolicy":null,"theme":null,"locale":null,"timeZone":null},
                "accounts":[
                {"id":"\(first)","name":"A \\"big\\" one","type":"bank","currency":"EUR","openingMinor":-5,"closed":false,\
                "bankConnection":null,"bankAccount":null,"bankAccountType":null,"isBank":false,"lastSyncedAt":null,"bankRecordFrom":null,"openingDay":null,"position":null},
                {"id":"\(second)","name":"Pounds, old","type":"cash","currency":"USD","openingMinor":0,"closed":true,\
                "bankConnection":null,"bankAccount":"truelayer:acc","bankAccountType":"current","isBank":true,"lastSyncedAt":null,"bankRecordFrom":null,"openingDay":null,"position":null}
                ],
                "categories":[
                {"id":"\(id(11))","name":"Food","kind":"expense","icon":"basket","color":"basil","parent":null,"position":null,"archived":false},
                {"id":"\(id(12))","name":"Fruit","kind":"expense","icon":"basket","color":"basil","parent":"\(id(11))","position":null,"archived":false}
                ],
                "budgets":[
                {"id":"\(id(21))","category":null,"limitMinor":9900,"currency":"EUR","from":"2025-11","rollover":false,"until":null,"carryFrom":null,"pace":null}
                ],
                "transactions":[
                {"id":"\(id(31))","kind":"expense","date":"2025-11-08","amountMinor":1250,"currency":"USD",\
                "account":"\(first)","accountMinor":1100,"toAccount":null,"toMinor":null,"category":"\(id(12))",\
                "payee":"Lidl","note":"a\\nb\\\\","tags":["x","y z"],"split":null,"bankTransaction":null,"occurrence":null,"starred":false,"rule":null},
                {"id":"\(id(32))","kind":"transfer","date":"2025-11-09","amountMinor":200,"currency":"EUR",\
                "account":"\(first)","accountMinor":200,"toAccount":"\(second)","toMinor":220,"category":null,\
                "payee":"","note":"","tags":[],"split":null,"bankTransaction":null,"occurrence":null,"starred":false,"rule":null},
                {"id":"\(id(33))","kind":"income","date":"2025-11-10","amountMinor":300,"currency":"EUR",\
                "account":"\(first)","accountMinor":300,"toAccount":null,"toMinor":null,"category":null,\
                "payee":"=1+1","note":"","tags":[],"split":null,"bankTransaction":null,"occurrence":null,"starred":false,"rule":null}
                ],
                "schedules":[
                {"id":"\(id(41))","kind":"expense","start":"2025-11-08","amountMinor":1299,"currency":"EUR",\
                "account":"\(first)","accountMinor":1299,"toAccount":null,"toMinor":null,"category":"\(id(12))",\
                "payee":"Netflix","note":"","tags":["tv"],"every":2,"unit":"week","end":null,"shift":"after",\
                "record":"ask","done":null,"accountCurrency":null,"toCurrency":null,"series":null,\
                "monthEnd":false}
                ],
                "bankNotes":[
                {"id":"\(note.id)","bankTransaction":"truelayer:acc t1","category":"\(id(12))","payee":"Baker","note":"",\
                "tags":["x"],"hidden":true}
                ],
                "attachments":[
                {"id":"\(id(61))","transaction":"\(id(31))","name":"n \\"1\\".jpg","type":"image/jpeg","size":7,\
                "sha256":"\(receipt.sha256)","width":8,"height":null,"created":10}
                ],
                "views":[
                {"id":"\(id(71))","name":"Cafés","query":"search=caf%C3%A9"}
                ],
                "rules":[],
                "payeeDefaults":[
                {"id":"\(id(91))","name":"Lidl","category":"\(id(12))","note":""}
                ]}

                """
        )
        func lines(_ form: SheetForm) throws -> [String] {
            let sheet = try written { try SpreadsheetExport.write(book, Sheet(form, TestStyle()), $0) }
            return sheet.split(separator: "\r\n").map(String.init)
        }
        let name = #""A ""big"" one""#
        let file = #""n ""1"".jpg""#
        let titles =
            "date,kind,amount,currency,account,account_amount,account_currency,to_account,to_amount,"
            + "to_currency,category,payee,note,tags,part,part_note,attachments"
        #expect(
            try lines(.comma) == [
                "\u{FEFF}\(titles)",
                "2025-11-08,expense,-12.50,USD,\(name),-11.00,EUR,,,,Food: Fruit,Lidl,\"a\nb\\\",\"x, y z\",,,\(file)",
                "2025-11-09,transfer,-2.00,EUR,\(name),-2.00,EUR,\"Pounds, old\",2.20,USD,,,,,,,",
                "2025-11-09,transfer,2.00,EUR,\"Pounds, old\",2.20,USD,,,,,,,,,,",
                "2025-11-10,income,3.00,EUR,\(name),3.00,EUR,,,,,'=1+1,,,,,",
            ]
        )
        let semicolons = [
            "\u{FEFF}\(titles.replacing(",", with: ";"))",
            "2025-11-08;expense;-12.50;USD;\(name);-11.00;EUR;;;;Food: Fruit;Lidl;\"a\nb\\\";x, y z;;;\(file)",
            "2025-11-09;transfer;-2.00;EUR;\(name);-2.00;EUR;Pounds, old;2.20;USD;;;;;;;",
            "2025-11-09;transfer;2.00;EUR;Pounds, old;2.20;USD;;;;;;;;;;",
            "2025-11-10;income;3.00;EUR;\(name);3.00;EUR;;;;;'=1+1;;;;;",
        ]
        #expect(try lines(.semicolonPoint) == semicolons)
        // No other cell has a full stop before two digits.
        let commas = semicolons.map { $0.replacing(/\.([0-9])/) { ",\($0.output.1)" } }
        #expect(try lines(.semicolon) == commas)
    }

    @Test func ofAnEmptyBook() throws {
        let book = try book()
        #expect(
            try written { try BookExport.write(ExportedBook(book), $0) } == """
                {"format":"breadly-book","version":1,"preferences":{"baseCurrency":null,"secondaryCurrencies":null,\
                "weekStart":null,"conflictPolicy":null,"theme":null,"locale":null,"timeZone":null},
                "accounts":[],
                "categories":[],
                "budgets":[],
                "transactions":[],
                "schedules":[],
                "bankNotes":[],
                "attachments":[],
                "views":[],
                "rules":[],
                "payeeDefaults":[]}

                """
        )
    }
}
