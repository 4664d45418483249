// Finding: by the names of categories and accounts, inside of words, and what has no category.
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@testable import Book

@Suite struct FindingTests {
    private let folder = Scratch()
    private let book: Book

    init() throws {
        book = try .scratch(folder)
        try book.add(account(1, "Cash wallet"))
        try book.add(account(2, "Crédit Agricole"))
        try book.add(account(3, "三井住友銀行"))
        try book.add(category(11, "Food"))
        try book.add(category(12, "Eating out", parent: 11))
        try book.add(category(13, "水道光熱費"))
        try book.record(all: [
            .sample(51, .expense, "2025-11-01", 700, category: 11, payee: "Lidl"),
            .sample(52, .expense, "2025-11-02", 800, account: 2, category: 12, payee: "Pizza"),
            .sample(53, .expense, "2025-11-03", 900, account: 2, payee: "東京都水道局", note: "nhk受信料"),
            .sample(54, .transfer, "2025-11-04", 1_000, account: 1, to: 2, payee: "Cash"),
            .sample(55, .transfer, "2025-12-05", 1_100, account: 3, to: 1),
            .sample(56, .income, "2025-12-06", 1_200, account: 2, payee: "การไฟฟ้านครหลวง", tags: ["ค่าน้ำ"]),
            .sample(57, .expense, "2025-12-07", 1_300, account: 1, category: 13, payee: "100%_ok 水_道"),
            .sample(
                58,
                .expense,
                "2025-12-08",
                1_400,
                account: 1,
                category: 11,
                note: "한국수도공사 ភាសាខ្មែរ မြန်မာစာ ພາສາລາວ"
            ),
        ])
    }

    private func account(_ number: Int, _ name: String) -> Account {
        var account = Account.sample(number)
        account.name = name
        return account
    }

    private func category(_ number: Int, _ name: String, parent: Int? = nil) -> Ledger.Category {
        var category = Ledger.Category.sample(number, parent: parent)
        category.name = name
        return category
    }

    private func found(_ change: (inout TransactionQuery) -> Void) throws -> [Int] {
        try book.transactions(TransactionQuery(change)).page.rows.map { Int($0.id.low) }
    }

    static let byName: [(String, [Int])] = [
        ("food", [58, 52, 51]), ("FOOD", [58, 52, 51]), ("eating", [52]), ("out", [52]), ("eating,out", [52]),
        ("cash", [58, 57, 55, 54, 51]), ("wall", [58, 57, 55, 54, 51]), ("allet", []),
        ("credit", [56, 54, 53, 52]), ("Crédit agri", [56, 54, 53, 52]), ("cash credit", [54]),
        ("food lidl", [51]), ("lidl food cash", [51]), ("food credit", [52]), ("cash 10", [57, 54]),
        ("food 7.00", [51]), ("pizza cash", []), ("food zebra", []), ("food wallet out", []),
    ]

    @Test(arguments: byName)
    func namesOfCategoriesAndAccountsAreFound(text: String, ids: [Int]) throws {
        #expect(try found { $0.text = text } == ids)
    }

    static let inside: [(String, [Int])] = [
        ("水道", [57, 53]), ("道局", [53]), ("東京", [53]), ("受信", [53]), ("NHK受信", [53]), ("hk受信", []),
        ("住友", [55]), ("光熱", [57]), ("水_道", [57, 53]), ("都%", [53]), ("都_", [53]), ("水道 9", [53]),
        ("水道 credit", [53]),
        ("水道 道局", [53]), ("水道 pizza", []), ("水道 銀行", []), ("ไฟฟ้า", [56]), ("นคร", [56]), ("น้ำ", [56]),
        ("수도", [58]), ("ខ្មែរ", [58]), ("မာစာ", [58]), ("ລາວ", [58]), ("idl", []), ("izza", []),
    ]

    @Test(arguments: inside)
    func scriptsWithoutSpacesAreFoundInsideOfWords(text: String, ids: [Int]) throws {
        #expect(try found { $0.text = text } == ids)
    }

    @Test func aRenamedCategoryIsFoundByItsNewName() throws {
        try book.change(category(11, "Groceries"))
        #expect(try found { $0.text = "groc" } == [58, 52, 51])
        #expect(try found { $0.text = "food" } == [])
    }

    @Test func moreNamesThanIndexesCanBeReadAtOnceAreFoundToo() throws {
        for number in 101...160 { try book.add(account(number, "Pot \(number)")) }
        try book.record(all: [
            .sample(61, .expense, "2025-12-09", account: 160),
            .sample(62, .transfer, "2025-12-10", account: 101, to: 102),
        ])
        #expect(try found { $0.text = "pot" } == [62, 61])
        #expect(try found { $0.text = "pot 160" } == [61])
        #expect(
            try found {
                $0.text = "pot"; $0.limit = 1
            } == [62]
        )
    }

    @Test func whatHasNoCategoryIsListedWithoutTransfers() throws {
        #expect(try found { $0.category = .uncategorized } == [56, 53])
        for (change, ids) in [
            ({ $0.kind = .income }, [56]), ({ $0.kind = .transfer }, []),
            ({ $0.account = .number(2) }, [56, 53]),
            ({ $0.account = .number(1) }, []), ({ $0.month = month("2025-11") }, [53]),
            ({ $0.text = "水道" }, [53]),
            ({ $0.text = "credit" }, [56, 53]), ({ $0.text = "9" }, [53]), ({ $0.text = "food" }, []),
        ] as [((inout TransactionQuery) -> Void, [Int])] {
            let query = TransactionQuery {
                $0.category = .uncategorized
                change(&$0)
            }
            let page = try book.transactions(query).page
            #expect(page.rows.map { Int($0.id.low) } == ids, "\(query)")
            #expect(page.totals.reduce(0) { $0 + $1.count } == ids.count, "\(query)")
        }
    }

    @Test func pagesOfThemGoOnAndTotalsAreOfAll() throws {
        for text in [nil, "credit", "水", "food"] {
            var query = TransactionQuery {
                $0.limit = 1
                $0.text = text
                $0.category = text == nil ? .uncategorized : nil
            }
            let all = try found {
                $0.text = text; $0.category = query.category
            }
            var rows: [Int] = []
            repeat {
                let page = try book.transactions(query).page
                #expect(page.totals.reduce(0) { $0 + $1.count } == all.count, "\(query)")
                rows += page.rows.map { Int($0.id.low) }
                query.after = page.next
            } while query.after != nil
            #expect(rows == all, "\(query)")
        }
    }

    @Test func aSearchForNamesReadsIndexesAndNotTheTable() throws {
        let plans = try book.reading { db, lookups in
            try ["cash", "food", "cash food", "lidl cash", "lidl"].map { text in
                let list = try TransactionList(db, lookups, TransactionQuery { $0.text = text })
                guard case .plan(let plan) = list.search else { return "" }
                let matches = list.matches(plan, selecting: "kind", days: list.days)
                return try db.queryPlan(matches)
            }
        }
        for plan in plans {
            #expect(plan.contains("SEARCH transactions") && plan.contains("transactions_search"), "\(plan)")
            #expect(
                !plan.contains("SCAN transactions\n") && !plan.contains("SCAN transactions USING"),
                "\(plan)"
            )
        }
    }

    @Test func filtersAreWrittenAsTheyAreRead() {
        #expect(CategoryFilter("none") == .uncategorized)
        #expect(CategoryFilter("\(EntityID.number(11))") == .family(.number(11)))
        #expect(CategoryFilter("None") == nil && CategoryFilter("") == nil)
        #expect(CategoryFilter("only-\(EntityID.number(11))") == .alone(.number(11)))
        #expect(CategoryFilter("only-") == nil && CategoryFilter("only-none") == nil)
        for filter in [CategoryFilter.uncategorized, .family(.number(12)), .alone(.number(12))] {
            #expect(CategoryFilter("\(filter)") == filter)
        }
    }
}

extension BookDatabase {
    /// The query plan of SQLite, one step a line.
    fileprivate func queryPlan(_ piece: SQLPiece) throws -> String {
        try all("EXPLAIN QUERY PLAN \(piece.sql)", StatementArguments(piece.arguments)) { $0.text(3) + "\n" }
            .joined()
    }
}
