// Changes of one budget on two devices that do not know of each other: limits, carry-over and pace merge by themselves.
import Ledger
import SyncCore
import TestKit
import Testing

@testable import Book

/// Rows as the cloud merges them.
private struct MergingCloud {
    private(set) var rows: [EntityID: MergedRow] = [:]
    private(set) var overwritings: [Overwriting] = []
    private var seq: Int64 = 100

    /// Everything that a book has, as if it had been uploaded before.
    init(with book: Book) throws {
        for budget in try book.allBudgets() {
            rows[budget.id] = MergedRow(
                seq: 1,
                fields: try book.synced("budget", budget.id),
                created: FieldVersion(seq: 1, writer: 1),
                author: 1
            )
        }
    }

    mutating func push(_ book: Book, as writer: Int64) throws {
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            var results: [OperationResult] = []
            for operation in batch {
                seq += 1
                let outcome = Merge.apply(
                    operation,
                    to: rows[operation.id],
                    isDead: false,
                    seq: seq,
                    writer: writer,
                    holds: false
                )
                rows[operation.id] = outcome.row
                overwritings += outcome.overwritings
                results.append(OperationResult(n: operation.n, seq: seq, status: outcome.status))
            }
            try book.acknowledge(results)
        }
    }

    func pull(_ book: Book, only id: EntityID? = nil) throws {
        let changes = rows.filter { id == nil || $0.key == id }.sorted { $0.value.seq < $1.value.seq }.map {
            RowChange(
                seq: $1.seq,
                kind: "budget",
                id: $0,
                isDeleted: $1.isDeleted,
                fields: $1.isDeleted ? [:] : $1.fields
            )
        }
        try book.apply(changes: .last(changes, head: seq))
    }
}

@Suite struct BudgetsOnTwoDevices {
    private let folder = Scratch()

    /// A premium device with a budget of 100 from January on.
    private func device(_ name: String, rollover: Bool = false) throws -> Book {
        let book = try Book.scratch(folder, name)
        try book.add(Account.sample(1))
        for number in 11...12 { try book.add(Ledger.Category.sample(number)) }
        try book.add(Budget.sample(31, category: 11, limit: 100, from: "2025-01", rollover: rollover))
        try book.attach(as: .number(900), .upload)
        try book.adopt(Head(epoch: 1, seq: 0))
        while case let batch = try book.nextBatch(operations: 500, bytes: 1 << 20), !batch.isEmpty {
            try book.acknowledge(batch.map { OperationResult(n: $0.n, seq: $0.n, status: .applied) })
        }
        let page = ChangesPage(
            epoch: 1,
            head: 4,
            cursor: 4,
            next: "",
            hasMore: false,
            remaining: 0,
            lastN: 0,
            rows: []
        )
        try book.apply(snapshot: page)
        try book.apply(changes: .last([], head: 4))
        return book
    }

    private func change(
        _ book: Book,
        _ id: EntityID = .number(31),
        in span: BudgetSpan,
        _ body: (inout Budget) -> Void
    ) throws {
        let version = try book.versions(of: Budget.self, id)
        let shown = try #require(try book.budget(id))
        var budget = shown
        body(&budget)
        _ = try book.change(budget, shown: version(shown), in: span)
    }

    private func status(_ book: Book, _ text: String) throws -> BudgetStatus {
        try #require(try book.budgets(month: month(text), base: .eur).statuses.first)
    }

    /// Two devices change one budget, their changes arrive in either order, and both have all of them.
    private func merge(
        _ isSecondFirst: Bool,
        rollover: Bool = false,
        _ first: (Book) throws -> Void,
        _ second: (Book) throws -> Void
    ) throws -> (books: [Book], cloud: MergingCloud) {
        let books = [
            try device("first.sqlite", rollover: rollover), try device("second.sqlite", rollover: rollover),
        ]
        var cloud = try MergingCloud(with: books[0])
        try first(books[0])
        try second(books[1])
        for index in isSecondFirst ? [1, 0] : [0, 1] { try cloud.push(books[index], as: Int64(index + 1)) }
        for book in books { try cloud.pull(book) }
        return (books, cloud)
    }

    private let june = BudgetSpan.from(YearMonth(year: 2025, month: 6))

    @Test(arguments: [false, true]) func aPaceRevertsNoLimit(isSecondFirst: Bool) throws {
        let (books, cloud) = try merge(isSecondFirst) {
            try change($0, in: .always) { $0.limit.minor = 150 }
        } _: {
            try change($0, in: june) { $0.pace = .once }
        }
        #expect(cloud.overwritings.isEmpty && cloud.rows.count == 1)
        for book in books {
            for text in ["2025-05", "2025-06"] { #expect(try status(book, text).budget.limit.minor == 150) }
            #expect(try status(book, "2025-06").pace == .once)
        }
    }

    @Test(arguments: [false, true]) func carryOverRevertsNoLimitAndALimitNoCarryOver(isSecondFirst: Bool)
        throws
    {
        let (books, cloud) = try merge(isSecondFirst) {
            try change($0, in: june) { $0.limit.minor = 150 }
        } _: {
            try change($0, in: june) { $0.rollover = true }
        }
        #expect(cloud.overwritings.isEmpty)
        for book in books {
            #expect(try status(book, "2025-05").carriedMinor == 0)
            let now = try status(book, "2025-06")
            #expect(now.budget.limit.minor == 150 && now.budget.rollover && now.carriedMinor == 0)
            #expect(try status(book, "2025-08").carriedMinor == 300)
        }
        // The form of the new limit shows the tick, and takes it back.
        let book = books[0]
        let id = try status(book, "2025-06").budget.id
        #expect(id != .number(31))
        try change(book, id, in: june) { $0.rollover = false }
        #expect(try status(book, "2025-08").carriedMinor == 0 && !(status(book, "2025-08").budget.rollover))
        try change(book, id, in: .from(month("2025-07"))) { $0.rollover = true }
        #expect(try status(book, "2025-08").carriedMinor == 150)
    }

    @Test(arguments: [false, true]) func carryOverThatEndsElsewhereEndsForANewLimit(isSecondFirst: Bool)
        throws
    {
        let (books, cloud) = try merge(isSecondFirst, rollover: true) {
            try change($0, in: june) { $0.limit.minor = 150 }
        } _: {
            try change($0, in: june) { $0.rollover = false }
        }
        #expect(cloud.overwritings.isEmpty)
        for book in books {
            #expect(try status(book, "2025-05").carriedMinor == 400, "earlier months stay as they were")
            #expect(try status(book, "2025-06").carriedMinor == 0)
            #expect(try status(book, "2025-08").budget.limit.minor == 150)
            #expect(try status(book, "2025-08").carriedMinor == 0)
        }
    }

    @Test(arguments: [false, true]) func aPaceHoldsForALimitThatItsDeviceDidNotKnow(isSecondFirst: Bool)
        throws
    {
        let (books, _) = try merge(isSecondFirst) {
            try change($0, in: june) { $0.limit.minor = 150 }
        } _: {
            try change($0, in: june) { $0.pace = .once }
        }
        for book in books { #expect(try status(book, "2025-07").pace == .once) }
        // It is taken back from the form of the new limit.
        let id = try status(books[0], "2025-07").budget.id
        try change(books[0], id, in: .from(month("2025-07"))) { $0.pace = nil }
        #expect(try status(books[0], "2025-07").pace == .spread)
        #expect(try status(books[0], "2025-02").budget.pace == nil)
        // Without the row before it, a row has what it stores itself.
        try books[1].deleteBudget(.number(31))
        #expect(try status(books[1], "2025-07").pace == .spread)
        #expect(try status(books[1], "2025-07").budget.limit.minor == 150)
    }

    @Test(arguments: [false, true]) func twoLimitsOfOneMonthAreOneQuestion(isSecondFirst: Bool) throws {
        let (books, cloud) = try merge(isSecondFirst) {
            try change($0, in: june) { $0.limit.minor = 150 }
        } _: {
            try change($0, in: june) {
                $0.limit.minor = 170
                $0.rollover = true
            }
        }
        #expect(cloud.overwritings.map(\.field) == ["limit"])
        let values = cloud.overwritings.flatMap { [$0.kept.integer, $0.lost.integer] }
        #expect(Set(values) == [150, 170], "both are limits that somebody has set")
        let limits = try books.map { try status($0, "2025-06").budget.limit.minor }
        #expect(Set(limits).count == 1)
    }

    @Test func aLimitThatArrivesBeforeTheRowBeforeItHolds() throws {
        let first = try device("first.sqlite", rollover: true)
        var cloud = try MergingCloud(with: first)
        try change(first, in: june) { $0.limit.minor = 150 }
        try cloud.push(first, as: 1)
        let other = try Book.scratch(folder, "other.sqlite")
        try other.add(Account.sample(1))
        try other.add(Ledger.Category.sample(11))
        try other.attach(as: .number(900), .upload)
        try other.adopt(Head(epoch: 1, seq: 0))
        let id = try #require(cloud.rows.keys.first { $0 != .number(31) })
        let page = ChangesPage(
            epoch: 1,
            head: 100,
            cursor: 100,
            next: "",
            hasMore: false,
            remaining: 0,
            lastN: 0,
            rows: []
        )
        try other.apply(snapshot: page)
        try cloud.pull(other, only: id)
        #expect(try status(other, "2025-06").budget.limit.minor == 150)
        #expect(try status(other, "2025-06").carriedMinor == 0, "no limit of earlier months is known")
        try cloud.pull(other)
        #expect(try status(other, "2025-06").carriedMinor == 500)
    }

    /// A limit that moves to another category, and a new limit of the former one, are two rows.
    @Test(arguments: [false, true]) func aMoveAndANewLimitAreBothKept(isSecondFirst: Bool) throws {
        let (books, cloud) = try merge(isSecondFirst) {
            try change($0, in: june) { $0.limit.minor = 150 }
        } _: {
            try change($0, in: june) { $0.category = .number(12) }
        }
        #expect(cloud.overwritings.isEmpty)
        let found = try books[1].budgets(month: month("2025-07"), base: .eur).statuses
        let limits = Dictionary(
            uniqueKeysWithValues: found.map { ($0.budget.category, $0.budget.limit.minor) }
        )
        #expect(limits == [.number(11): 150, .number(12): 100])
    }
}

/// The carry-over of a chain of limits against a list with one entry for each month.
@Suite struct CarryOver {
    private let folder = Scratch()

    /// The months of one category as a person would write them down.
    private struct NaiveMonths {
        var limit: [Int: Int64] = [:]
        /// The first month that carries over into a month.
        var start: [Int: Int] = [:]
        var since: Int?
        /// The month in which carry-over was switched off, and the start before that.
        var ended: (month: Int, since: Int)?
        var rowFrom = 0
        var rowSwitch: Int?

        mutating func carry(_ since: Int?, from month: Int, until end: Int) {
            self.since = since
            for index in month...end { start[index] = since }
        }
    }

    /// Limits and carry-over of several categories change in the course of two years, and every month is checked. A row
    /// remembers one switch: a second one comes after another limit only.
    @Test(arguments: [1, 2, 3, 4, 20_261_124] as [UInt64])
    func isThatOfANaiveList(seed: UInt64) throws {
        let book = try Book.scratch(folder, "\(seed).sqlite")
        try book.add(Account.sample(1))
        var random = SplitMix(seed: seed)
        let (first, last) = (month("2025-01").index, month("2026-12").index)
        var models: [Int: NaiveMonths] = [:]
        var spent: [Int: [Int: Int64]] = [:]
        for category in 11...13 {
            try book.add(Ledger.Category.sample(category))
            var model = NaiveMonths()
            let rollover = Bool.random(using: &random)
            try book.add(
                Budget.sample(
                    category + 20,
                    category: category,
                    limit: 500,
                    from: "2025-01",
                    rollover: rollover
                )
            )
            for index in first...last {
                model.limit[index] = 500
                spent[category, default: [:]][index] = Int64.random(in: 1...900, using: &random)
                let day = "\(YearMonth(index: index))-05"
                let minor = spent[category]?[index] ?? 0
                let number = 1_000 + category * 100 + index - first
                try book.record(.sample(number, .expense, day, minor, category: category))
            }
            model.rowFrom = first
            model.carry(rollover ? first : nil, from: first, until: last)
            models[category] = model
        }
        var now = first
        for step in 0..<60 {
            now = min(last, now + Int.random(in: 0...1, using: &random))
            let category = Int.random(in: 11...13, using: &random)
            guard var model = models[category] else { continue }
            let present = YearMonth(index: now)
            let shown = try #require(
                try book.budgets(month: present, base: .eur).statuses.first {
                    $0.budget.category == .number(category)
                }?.budget
            )
            var changed = shown
            let isLimit = Bool.random(using: &random)
            let isSwitch = !isLimit || Bool.random(using: &random)
            if isLimit {
                changed.limit.minor += Int64.random(in: 1...99, using: &random)
                for index in now...last { model.limit[index] = changed.limit.minor }
                if model.rowFrom < now { (model.rowFrom, model.rowSwitch) = (now, nil) }
            }
            if isSwitch, model.rowSwitch == nil || model.rowSwitch == now {
                changed.rollover.toggle()
                if changed.rollover {
                    let back = model.ended.flatMap { $0.month == now ? $0.since : nil }
                    model.carry(back ?? now, from: now, until: last)
                } else {
                    if let since = model.since { model.ended = (now, since) }
                    model.carry(nil, from: now, until: last)
                }
                if model.rowFrom < now { model.rowSwitch = now }
            }
            let version = try book.versions(of: Budget.self, shown.id)(shown)
            _ = try book.change(changed, shown: version, in: .from(present))
            models[category] = model
            for (category, model) in models {
                for index in first...last {
                    let status = try #require(
                        try book.budgets(month: YearMonth(index: index), base: .eur).statuses.first {
                            $0.budget.category == .number(category)
                        }
                    )
                    let expected = (model.start[index].map { $0..<max($0, index) } ?? 0..<0).reduce(Int64(0))
                    {
                        $0 + (model.limit[$1] ?? 0) - (spent[category]?[$1] ?? 0)
                    }
                    let trace: Comment =
                        "seed \(seed), step \(step), now \(now - first), \(category), \(index - first)"
                    try #require(status.carriedMinor == expected, trace)
                    try #require(status.budget.limit.minor == model.limit[index], trace)
                }
            }
        }
    }
}
