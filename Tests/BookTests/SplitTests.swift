// Transactions over several categories in a book: what is refused, what counts, and what other devices bring.
import Encoding
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct SplitTransactions {
    private let folder: Scratch
    private let book: Book

    init() throws {
        folder = Scratch()
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        try book.add(Account.sample(2, .usd))
        for number in 11...13 {
            try book.add(Ledger.Category.sample(number, parent: number == 12 ? 11 : nil))
        }
        try book.add(Ledger.Category.sample(19, .income))
    }

    private func part(_ category: Int?, _ minor: Int64, _ note: String = "") -> SplitPart {
        SplitPart(category: category.map { .number($0) }, minor: minor, note: note)
    }

    private func split(charged: Int64? = nil, kind: TransactionKind = .expense, _ parts: [SplitPart])
        -> Transaction
    { split(31, 4_850, charged: charged, kind: kind, parts) }

    private func split(
        _ number: Int,
        _ minor: Int64,
        charged: Int64? = nil,
        kind: TransactionKind = .expense,
        _ parts: [SplitPart]
    ) -> Transaction {
        var row = Transaction.sample(
            number,
            kind,
            "2025-11-15",
            minor,
            charged == nil ? .eur : .usd,
            accountMinor: charged,
            payee: "Shop"
        )
        row.split = .parts(parts)
        return row
    }

    /// The sums of a month by category: paid and charged.
    private func sums(_ book: Book) throws -> [String] {
        try book.reading { db in
            try db.all(
                """
                SELECT c.category, c.count, c.minor, (SELECT sum(account_minor) FROM charged_months m
                  WHERE m.category = c.category AND m.month = c.month)
                FROM category_months c WHERE month <> 0 AND count > 0 ORDER BY category
                """
            ) { row in
                let category = row.optionalID(0).map { "\($0.low)" } ?? "none"
                return "\(category): \(row.int(1)) × \(row.int64(2)), charged \(row.int64(3))"
            }
        }
    }

    private func list(_ change: (inout TransactionQuery) -> Void) throws -> TransactionPage {
        try book.transactions(TransactionQuery(change)).page
    }

    @Test func aPartCountsInItsCategory() throws {
        try book.record(split([part(11, 1_200, "soap"), part(13, 3_650)]))
        #expect(try sums(book) == ["11: 1 × 1200, charged 1200", "13: 1 × 3650, charged 3650"])
        #expect(
            try book.transaction(.number(31))?.split == .parts([part(11, 1_200, "soap"), part(13, 3_650)])
        )
        let food = try list { $0.category = .family(.number(11)) }
        #expect(food.rows.map(\.id) == [.number(31)] && food.partMinors == [.number(31): 1_200])
        #expect(food.totals.map(\.expenseMinor) == [1_200] && food.days.map(\.totals) == [food.totals])
        #expect(try list { $0.category = .uncategorized }.rows.isEmpty)
        #expect(try list { $0.text = "soap" }.rows.count == 1)
        #expect(try list { $0.text = "category 13" }.totals.map(\.expenseMinor) == [4_850])
        #expect(try book.categoryUses().map(\.transactionCount) == [1, 0, 1, 0])
        #expect(try book.verifySums() == [])
    }

    @Test func sharesOfTheChargeAddUpInTheSums() throws {
        try book.record(split(charged: 4_001, [part(11, 1_200), part(13, 1_200), part(nil, 2_450)]))
        #expect(
            try sums(book) == [
                "none: 1 × 2450, charged 2022", "11: 1 × 1200, charged 989", "13: 1 × 1200, charged 990",
            ]
        )
        let budget = Budget.sample(41, category: 11, limit: 5_000, from: "2025-11")
        try book.add(budget)
        #expect(try book.budgets(month: month("2025-11"), base: .eur).statuses.map(\.spentMinor) == [989])
    }

    @Test func twoPartsOfOneFamilyAreOneTransaction() throws {
        try book.record(split([part(11, 1_000), part(12, 2_000), part(11, 1_850)]))
        let family = try list { $0.category = .family(.number(11)) }
        #expect(family.rows.count == 1 && family.partMinors.isEmpty)
        #expect(family.totals.map(\.count) == [1] && family.totals.map(\.expenseMinor) == [4_850])
        for number in 100..<160 { try book.record(.sample(number, category: 12)) }
        let long = try list { $0.category = .family(.number(11)) }
        #expect(long.totals.map(\.count) == [61] && long.next != nil)
        let onAccount = try list {
            $0.category = .family(.number(11))
            $0.account = .number(1)
        }
        #expect(onAccount.totals == long.totals)
    }

    @Test func aPartOfIncomeCanBeARefund() throws {
        try book.record(split(kind: .income, [part(11, 1_200), part(19, 3_650)]))
        let all = try list { _ in }
        #expect(all.totals.map(\.incomeMinor) == [3_650] && all.totals.map(\.expenseMinor) == [-1_200])
        let spending = try list { $0.isSpending = true }
        #expect(
            spending.totals.map(\.expenseMinor) == [-1_200]
                && spending.partMinors.values.map(\.self) == [1_200]
        )
        for group in ReportGroup.allCases where group != .category {
            let rows = try book.report(from: month("2025-11"), to: month("2025-11"), group: group)
            #expect(rows.map(\.total.incomeMinor) == [3_650], "\(group)")
            #expect(rows.map(\.total.expenseMinor) == [-1_200], "\(group)")
        }
    }

    @Test func whatCameBackIsAPartBelowZero() throws {
        try book.add(Budget.sample(41, category: 13, limit: 5_000, from: "2025-11"))
        let row = split(charged: 4_001, [part(13, -800, "deposit"), part(11, 5_650)])
        try book.record(row)
        let sums = ["11: 1 × 5650, charged 4660", "13: 1 × -800, charged -659"]
        #expect(try self.sums(book) == sums && book.verifySums() == [])
        let deposit = try list { $0.category = .family(.number(13)) }
        #expect(deposit.partMinors == [.number(31): -800] && deposit.totals.map(\.expenseMinor) == [-800])
        let all = try list { _ in }
        #expect(all.totals.map(\.expenseMinor) == [4_850] && all.partMinors.isEmpty)
        #expect(try list { $0.text = "deposit" }.rows.count == 1)
        #expect(try book.budgets(month: month("2025-11"), base: .eur).statuses.map(\.spentMinor) == [-659])
        for span in [month("2025-11")...month("2025-11"), month("2024-01")...month("2026-12")] {
            let (from, to) = (span.lowerBound, span.upperBound)
            let rows = try book.report(from: from, to: to, group: .category, knownIn: .eur)
            let spent = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.total.expenseMinor) })
            #expect(spent == [.category(.number(11)): 4_660, .category(.number(13)): -659])
        }
        // Changed, undone, deleted and restored.
        var changed = row
        changed.split = .parts([part(13, -1_000), part(11, 5_850)])
        try book.change(changed)
        #expect(try self.sums(book) == ["11: 1 × 5850, charged 4825", "13: 1 × -1000, charged -824"])
        let change = try #require(try book.history(limit: 1).first)
        _ = try book.undo(change.id, overriding: false)
        #expect(try self.sums(book) == sums && book.transaction(.number(31)) == row)
        try book.deleteTransaction(.number(31))
        #expect(try self.sums(book).isEmpty)
        try book.restoreTransaction(.number(31))
        #expect(try self.sums(book) == sums && book.verifySums() == [])
        try book.rebuildSums()
        #expect(try self.sums(book) == sums)
    }

    /// 2,660 of wages after 340 for the insurance, which is spending.
    @Test func aPartOfIncomeBelowZeroIsSpending() throws {
        try book.record(split(31, 266_000, kind: .income, [part(19, 300_000), part(13, -34_000)]))
        let wanted = [CurrencyTotal(currency: .eur, incomeMinor: 300_000, expenseMinor: 34_000, count: 1)]
        #expect(try list { _ in }.totals == wanted)
        #expect(try list { $0.days = day("2025-11-01")...day("2025-11-20") }.totals == wanted)
        for base in [nil, CurrencyCode.eur, .usd] {
            for group in ReportGroup.allCases where group != .category {
                let span = month("2025-11")
                let rows = try book.report(from: span, to: span, group: group, knownIn: base)
                #expect(rows.map(\.total.incomeMinor) == [300_000], "\(group)")
                #expect(rows.map(\.total.expenseMinor) == [34_000], "\(group)")
            }
        }
        let some = try book.spending(of: day("2025-11-01")...day("2025-11-20"), knownIn: .eur)
        #expect(some.map(\.total.expenseMinor) == [34_000])
        let overview = try book.overview(month: month("2025-11"), today: day("2025-11-20"), base: .eur)
        #expect(overview.totals.map(\.incomeMinor) == [300_000])
        #expect(overview.totals.map(\.expenseMinor) == [34_000])
        let flow = try book.cashFlow(from: month("2025-11"), to: month("2025-11"))
        #expect(flow.map(\.incomeMinor) == [300_000, 0] && flow.map(\.expenseMinor) == [34_000, 0])
    }

    @Test func partsThatMakeUpForEachOtherCountAsARefundOfNothing() throws {
        try book.record(split(kind: .income, [part(19, 4_850), part(13, 5), part(13, -5)]))
        let days = day("2025-11-01")...day("2025-11-20")
        let spent = try book.spending(of: days, knownIn: .eur)
        #expect(spent.map(\.key) == [.category(.number(13))] && spent.map(\.total.expenseMinor) == [0])
        #expect(spent.map(\.total.incomeMinor) == [0] && spent.map(\.total.count) == [1])
        #expect(try book.verifySums() == [])
    }

    @Test func partsThatDoNotFitAreRefused() throws {
        func refusal(_ row: Transaction) -> BookError? {
            do throws(BookError) { try book.record(row) } catch { return error }
            return nil
        }
        for parts in [
            [], [part(11, 4_850)], [part(11, 4_849), part(13, 2)], [part(11, 4_849), part(13, 0)],
            [part(11, 4_900), part(13, -49)], [part(11, .max), part(13, .max)],
            [part(11, .max), part(13, 4_850 - .max)], [part(11, .max), part(13, .min), part(11, 4_851)],
            (0..<51).map { _ in part(11, 1) },
            [part(11, 1), part(13, 4_849, String(repeating: "x", count: 201))],
        ] {
            #expect(refusal(split(parts)) == .invalid(.split), "\(parts.count)")
        }
        #expect(refusal(split([part(11, 1), part(88, 4_849)])) == .unknownCategory(.number(88)))
        #expect(refusal(split([part(11, 1), part(19, 4_849)])) == .categoryKind)
        var both = split([part(11, 1), part(13, 4_849)])
        both.category = .number(11)
        #expect(refusal(both) == .invalid(.split))
        var transfer = Transaction.sample(32, .transfer, to: 2)
        transfer.split = .parts([part(nil, 1), part(nil, 1_249)])
        #expect(refusal(transfer) == .invalid(.split))
        #expect(throws: BookError.invalid(.split)) { try book.record(all: [split([part(11, 1)])]) }
        #expect(try book.counts().transactions == 0)
        let most = split(33, 50, (0..<50).map { _ in part(11, 1) })
        #expect(refusal(most) == nil)
        let edge = split(34, .max - 5_000, [part(13, .max - 5_001), part(nil, 1)])
        #expect(refusal(edge) == nil)
        #expect(try book.verifySums() == [])
        #expect(refusal(split(35, 9_000, [part(13, 8_999), part(11, 1)])) == .overflow)
        #expect(try book.verifySums() == [])
    }

    @Test func partsAreChangedUndoneDeletedAndRestored() throws {
        let whole = Transaction.sample(31, category: 11, payee: "Shop")
        try book.record(whole)
        var parted = whole
        (parted.category, parted.split) = (nil, .parts([part(11, 1_000), part(13, 250)]))
        try book.change(parted)
        #expect(try sums(book) == ["11: 1 × 1000, charged 1000", "13: 1 × 250, charged 250"])
        let change = try #require(try book.history(limit: 1).first)
        guard case .rows(let rows, _) = change.content else { Issue.record("no rows"); return }
        #expect(rows.map { $0.after.all.map(\.name) } == [["category", "split"]])
        #expect(try book.undo(change.id, overriding: false) == .done(by: change.id + 1))
        #expect(try book.transaction(.number(31)) == whole)
        #expect(try sums(book) == ["11: 1 × 1250, charged 1250"])
        try book.change(parted)
        var smaller = parted
        (smaller.amount.minor, smaller.accountMinor) = (1_100, 1_100)
        #expect(throws: BookError.invalid(.split)) { try book.change(smaller) }
        smaller.split = .parts([part(11, 1_000), part(13, 100)])
        try book.change(smaller)
        #expect(try sums(book) == ["11: 1 × 1000, charged 1000", "13: 1 × 100, charged 100"])
        try book.deleteTransaction(.number(31))
        #expect(try sums(book).isEmpty)
        try book.deleteCategory(.number(13))
        try book.restoreTransaction(.number(31))
        #expect(try book.transaction(.number(31))?.split == .parts([part(11, 1_000), part(nil, 100)]))
        #expect(try book.verifySums() == [])
    }

    @Test func aCategoryWithPartsIsInUseAndCanBeEmptied() throws {
        try book.record(split([part(11, 1_200), part(13, 3_650)]))
        #expect(throws: BookError.categoryInUse(transactions: 1, budgets: 0, children: 0)) {
            try book.deleteCategory(.number(13))
        }
        #expect(try book.move(transactionsOf: .number(13), to: .number(12)) == 1)
        try book.deleteCategory(.number(13))
        #expect(try book.transaction(.number(31))?.split == .parts([part(11, 1_200), part(12, 3_650)]))
        #expect(try book.verifySums() == [])
        let change = try #require(try book.history(limit: 2).last)
        #expect(throws: BookError.unknownCategory(.number(13))) {
            try book.undo(change.id, overriding: false)
        }
    }

    @Test func aCategoryIsDeletedTogetherWithItsPlaceInParts() throws {
        try book.record(split([part(11, 1_200), part(13, 3_650)]))
        let change = try #require(try book.deleteCategoryOfTransactions(.number(13)))
        #expect(try book.transaction(.number(31))?.split == .parts([part(11, 1_200), part(nil, 3_650)]))
        _ = try book.undo(change, overriding: false)
        let parts = try book.transaction(.number(31))?.split?.parts
        #expect(parts?.map(\.minor) == [1_200, 3_650] && parts?.last?.category != nil)
        #expect(try book.verifySums() == [])
    }

    @Test func theLastCategoryOfAPayeeIsThatOfAWholeTransaction() throws {
        try book.record(.sample(30, .expense, "2025-11-01", category: 13, payee: "Shop"))
        try book.record(split([part(11, 1_200), part(12, 3_650)]))
        #expect(try book.usualCategory(ofPayee: "Shop") == .number(13))
    }

    @Test func manyAreRecordedAtOnce() throws {
        let rows = (1_000..<2_200).map { number in
            number.isMultiple(of: 3)
                ? split(number, 300, charged: 100, [part(11, 100, "note\(number)"), part(13, 200)])
                : Transaction.sample(number, category: 11)
        }
        #expect(try book.record(all: rows) == 1_200)
        #expect(try book.verifySums() == [])
        #expect(try list { $0.text = "note1002" }.rows.count == 1)
        try book.rebuildSums()
        #expect(try book.verifySums() == [])
    }
}

// MARK: - What other devices bring

@Suite struct SplitsOfOtherDevices {
    private let folder: Scratch
    private let book: Book

    init() throws {
        folder = Scratch()
        book = try .scratch(folder)
        try book.add(Account.sample(1))
        for number in 11...12 { try book.add(Ledger.Category.sample(number)) }
    }

    private func receive(
        _ split: FieldValue,
        amount: Int64 = 1_250,
        kind: String = "expense",
        number: Int = 31
    )
        throws
    {
        let row = RowChange(
            seq: 5,
            kind: "transaction",
            id: .number(number),
            isDeleted: false,
            fields: [
                "kind": .text(kind), "date": 20_400, "amount": .integer(amount), "currency": "EUR",
                "account": .text("\(EntityID.number(1))"), "accountAmount": .integer(amount),
                "payee": "Shop", "note": "", "tags": "", "split": split,
            ]
        )
        try book.applyRemoteRows { db in
            var applier = RemoteChangeApplier(db, noon)
            try applier.apply(row)
        }
        #expect(try book.verifySums() == [])
    }

    private func stored(_ number: Int = 31) throws -> Transaction {
        try #require(try book.transaction(.number(number)))
    }

    private func text(_ parts: (Int?, Int64)...) -> FieldValue {
        .text(
            Split.parts(parts.map { SplitPart(category: $0.0.map { .number($0) }, minor: $0.1) }).text
        )
    }

    private func total(_ category: CategoryFilter) throws -> Int128? {
        try book.transactions(TransactionQuery { $0.category = category }).page.totals.first?.expenseMinor
    }

    @Test func whatIsInNoPartCountsWithoutACategory() throws {
        try receive(text((11, 1_000), (12, 100)))
        #expect(try stored().splitBalance == .missing(150))
        #expect(try total(.family(.number(11))) == 1_000 && total(.uncategorized) == 150)
    }

    @Test func partsBelowZeroAreReceived() throws {
        try receive(text((11, 1_500), (12, -250)))
        #expect(try stored().splitBalance == .exact)
        #expect(try total(.family(.number(11))) == 1_500 && total(.family(.number(12))) == -250)
        try receive(text((11, 1_000), (12, -250)))
        #expect(try stored().splitBalance == .missing(500) && total(.uncategorized) == 500)
        try receive(text((11, 1_501), (12, -250)))
        #expect(try stored().splitBalance == .exceeding(1) && total(.uncategorized) == 1_250)
        try receive(text((11, .max), (12, 1_250 - .max)))
        #expect(try stored().splitBalance == .tooLarge && total(.uncategorized) == 1_250)
        for lost in [text((11, 1_250), (12, 0)), text((11, 1_250), (12, .min))] {
            try receive(lost)
            #expect(try stored().splitBalance == .unreadable && total(.uncategorized) == 1_250)
        }
    }

    @Test func partsThatExceedTheAmountAreKeptAndDoNotCount() throws {
        try receive(text((11, 1_000), (12, 300)))
        #expect(try stored().split?.parts.count == 2 && stored().splitBalance == .exceeding(50))
        #expect(try total(.uncategorized) == 1_250 && total(.family(.number(11))) == nil)
        let most: Int64 = 1_000_000_000_000_000
        try receive(text((11, .max), (12, .max)), amount: most)
        #expect(try total(.uncategorized) == Int128(most))
        // A note can be changed without mending the parts; the amount cannot.
        var noted = try stored()
        noted.note = "late"
        try book.change(noted)
        #expect(try stored().note == "late")
        noted.amount.minor = 1_260
        noted.accountMinor = 1_260
        #expect(throws: BookError.invalid(.split)) { try book.change(noted) }
        noted.amount.minor = .max
        noted.accountMinor = .max
        noted.split = .parts([
            SplitPart(category: .number(11), minor: .max - 1), SplitPart(category: nil, minor: 1),
        ])
        try book.change(noted)
        #expect(try book.verifySums() == [] && stored().splitBalance == .exact)
    }

    @Test(
        arguments: [
            .text(""), .text("["), .text("{}"), .text("[]"), .text(#"[[null,1,"",9]]"#), .text(#"["x"]"#),
            .text(#"[[{"a":1},1,""]]"#), .text(#"{"a":[1,2,"b"]}"#), .integer(5), .other("[1.5]"),
            .other("true"),
            .text(String(repeating: "[", count: 3_000)),
        ] as [FieldValue]
    )
    func whatCannotBeReadIsKeptAndTheWholeCounts(value: FieldValue) throws {
        try receive(value)
        #expect(try stored().splitBalance == .unreadable)
        #expect(try total(.uncategorized) == 1_250)
        let kept = try book.synced("transaction", .number(31))["split"]
        switch value {
        case .text: #expect(kept == value)
        case .integer(let number): #expect(kept == .text("\(number)"))
        case .other(let json): #expect(kept == .text(json))
        case .null: break
        }
        var noted = try stored()
        noted.note = "late"
        try book.change(noted)
        #expect(try book.synced("transaction", .number(31))["split"] == kept)
        try receive(.null)
        #expect(try stored().split == nil)
    }

    @Test func aTransferLosesItsParts() throws {
        try book.add(Account.sample(2))
        try receive(text((11, 1_000), (12, 250)))
        let row = RowChange(
            seq: 6,
            kind: "transaction",
            id: .number(31),
            isDeleted: false,
            fields: [
                "kind": "transfer", "date": 20_400, "amount": 1_250, "currency": "EUR",
                "account": .text("\(EntityID.number(1))"), "accountAmount": 1_250,
                "toAccount": .text("\(EntityID.number(2))"), "toAmount": 1_250, "payee": "", "note": "",
                "tags": "", "split": text((11, 1_000), (12, 250)),
            ]
        )
        try book.applyRemoteRows { db in
            var applier = RemoteChangeApplier(db, noon)
            try applier.apply(row)
        }
        #expect(try stored().kind == .transfer && stored().split == nil)
        #expect(try book.verifySums() == [])
    }

    @Test func aCategoryOfAnotherDeviceIsKeptUntilItComes() throws {
        try receive(text((88, 1_000), (12, 250)))
        #expect(try total(.family(.number(88))) == 1_000)
        var noted = try stored()
        noted.note = "late"
        try book.change(noted)
        noted.split = .parts([
            SplitPart(category: .number(88), minor: 1_100), SplitPart(category: .number(12), minor: 150),
        ])
        try book.change(noted)
        #expect(try book.verifySums() == [])
    }

    @Test func aPageOfRowsIsAddedUpOnce() throws {
        let rows = (0..<150).map { number in
            RowChange(
                seq: Int64(number + 1),
                kind: "transaction",
                id: .number(1_000 + number),
                isDeleted: false,
                fields: [
                    "kind": "expense", "date": 20_400, "amount": 1_250, "currency": "EUR",
                    "account": .text("\(EntityID.number(1))"), "accountAmount": 1_250, "payee": "Shop",
                    "note": "", "tags": "",
                    "split": number.isMultiple(of: 2)
                        ? text((11, 1_000), (12, 250)) : number.isMultiple(of: 3) ? text((11, 2_000)) : .null,
                ]
            )
        }
        try book.applyRemoteRows { db in
            var applier = RemoteChangeApplier(db, noon)
            try applier.apply(all: rows)
        }
        #expect(try book.verifySums() == [])
        #expect(try total(.family(.number(12))) == 75 * 250)
    }
}
