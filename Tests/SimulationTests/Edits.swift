// Edits of users: each is one call of a book, chosen by the seed.
import Ledger
import Storage
import TestKit

@testable import Book

extension World {
    /// Performs an edit.
    func edit(_ device: SimulatedDevice) throws {
        try edit(device) {
            if bug == .missesACapture, chance(1, in: 20) {
                try editUncaptured(device)
            } else {
                try editOnce(device)
            }
        }
    }

    /// Performs an edit. An edit that the book refuses changes nothing.
    func edit(_ device: SimulatedDevice, _ body: () throws -> Void) throws {
        let before = try device.rows()
        if let runner = device.runner {
            later(0...5) { [unowned self] in
                try drive(runner, .hurry)
                if let uploader = runner.uploader { try drive(uploader, .hurry) }
            }
        }
        isTakenBack = false
        do {
            try body()
        } catch let error as BookError {
            note("device \(device.number) is refused: \(error)")
        }
        let after = try device.rows()
        if bug != .missesACapture, !isTakenBack { try checkCaptured(device, before, after) }
        // A row that its user takes back before it was sent is meant to be gone, and leaves no deletion behind.
        for key in before.keys where after[key] == nil { kept[device.account]?.remove(key) }
        for (key, row) in after {
            let old = before[key]?.fields ?? [:]
            for (name, value) in row.fields where value != old[name] {
                device.meant.insert("\(key.id) \(name)")
            }
        }
    }

    func transactions(_ book: Book) throws -> [Transaction] {
        var query = TransactionQuery()
        query.limit = 50
        return try book.transactions(query).page.rows
    }

    /// A transaction to change: often the one that was chosen last on any device of the user, so that changes of the
    /// same row meet.
    func pickTransaction(_ device: SimulatedDevice) throws -> Transaction? {
        let all = try transactions(device.book)
        let isContested = chance(1, in: 2)
        if isContested, let contested = all.first(where: { $0.id == contested[device.account] }) {
            return contested
        }
        let picked = pick(all)
        contested[device.account] = picked?.id
        return picked
    }

    private func editUncaptured(_ device: SimulatedDevice) throws {
        guard let transaction = pick(try transactions(device.book)) else { return }
        try device.book.changeAsUser { db in
            try db.withoutSending {
                let sql = "UPDATE transactions SET note = ? WHERE id = ?"
                try db.change(sql, [tag(device, "lost \(steps)"), transaction.id.column])
            }
        }
    }

    private func editOnce(_ device: SimulatedDevice) throws {
        let book = device.book
        let accounts = try book.accountBalances().map(\.account)
        let categories = try book.categoryUses().map(\.category)
        let minor = Int64.random(in: 1...999, using: &random)
        let choice = Int.random(in: 0..<47, using: &random)
        note("device \(device.number) edits (\(choice))")
        switch choice {
        case 0...5:
            guard let account = pick(accounts) else { return try addAccountRow(device) }
            let category = chance(1, in: 2) ? pick(categories.filter { $0.kind == .expense })?.id : nil
            try book.record(
                Transaction(
                    id: newID(),
                    kind: .expense,
                    date: CivilDate(dayNumber: 20_000 + Int32.random(in: 0..<60, using: &random)),
                    amount: Money(minor: minor, currency: account.currency),
                    account: account.id,
                    accountMinor: minor,
                    category: category,
                    payee: tag(device, "payee")
                )
            )
        case 6...9:
            guard var transaction = try pickTransaction(device) else { return }
            let isSame = transaction.accountMinor == transaction.amount.minor
            transaction.amount.minor = minor
            if isSame { transaction.accountMinor = minor }
            try book.change(transaction)
        case 10:
            guard var transaction = try pickTransaction(device) else { return }
            transaction.note = tag(device, "note \(steps)")
            try book.change(transaction)
        case 11:
            guard var transaction = try pickTransaction(device), transaction.kind != .transfer else {
                return
            }
            transaction.category =
                pick(categories.filter { $0.kind.rawValue == transaction.kind.rawValue })?.id
            transaction.split = nil
            try book.change(transaction)
        case 12:
            guard var transaction = try pickTransaction(device), let account = pick(accounts) else { return }
            guard transaction.toAccount != account.id else { return }
            transaction.account = account.id
            transaction.accountMinor = transaction.amount.minor
            try book.change(transaction)
        case 13:
            guard var transaction = try pickTransaction(device) else { return }
            if transaction.kind == .transfer {
                transaction.kind = .expense
                transaction.toAccount = nil
                transaction.toMinor = nil
            } else {
                guard let other = pick(accounts.filter { $0.id != transaction.account }) else { return }
                transaction.kind = .transfer
                transaction.category = nil
                transaction.split = nil
                transaction.toAccount = other.id
                transaction.toMinor = minor
            }
            try book.change(transaction)
        case 14, 15:
            guard let transaction = try pickTransaction(device) else { return }
            try book.deleteTransaction(transaction.id)
            if chance(1, in: 3) { try book.restoreTransaction(transaction.id) }
        case 16: try addAccountRow(device)
        case 17:
            guard var category = pick(categories) else { return }
            category.name = tag(device, "renamed \(steps)")
            try book.change(category)
        case 18:
            guard let category = pick(categories) else { return }
            if chance(1, in: 2) { try book.move(transactionsOf: category.id, to: nil) }
            try book.deleteCategory(category.id)
        case 19:
            try book.add(
                Ledger.Category(
                    id: newID(),
                    name: tag(device, "category"),
                    kind: .expense,
                    icon: "a",
                    color: "b",
                    parent: chance(1, in: 3) ? pick(categories.filter { $0.parent == nil })?.id : nil
                )
            )
        case 20:
            if var budget = pick(try book.allBudgets()) {
                budget.limit.minor = minor
                if chance(1, in: 3) { budget.pace = pick(BudgetPace.allCases) }
                if chance(1, in: 4) { budget.rollover.toggle() }
                let month = YearMonth(index: 24_000 + Int.random(in: 0..<30, using: &random))
                switch Int.random(in: 0..<6, using: &random) {
                case 0: try book.change(budget)
                case 1: _ = try book.change(budget, shown: nil, in: .always)
                case 2: _ = try book.deleteBudget(budget.id, in: chance(1, in: 3) ? .always : .from(month))
                default: _ = try book.change(budget, shown: nil, in: .from(month))
                }
            } else {
                try book.add(
                    Budget(
                        id: newID(),
                        category: pick(categories)?.id,
                        limit: Money(minor: minor, currency: .eur),
                        from: YearMonth(index: 24_000 + Int.random(in: 0..<24, using: &random)),
                        rollover: false
                    )
                )
            }
        case 21:
            var preferences = try book.preferences()
            if chance(1, in: 2) { preferences.theme = pick(Theme.allCases) }
            if chance(1, in: 3) { preferences.conflictPolicy = pick(ConflictPolicy.allCases) }
            preferences.locale = tag(device, "locale")
            try book.set(preferences)
        case 22:
            guard let conflict = pick(try book.openConflicts()) else { return }
            try book.resolve(conflict.id, pick(ConflictChoice.allCases) ?? .kept)
        case 23, 24:
            guard let change = pick(try book.history(limit: 30)) else { return }
            _ = try book.undo(change.id, overriding: chance(1, in: 2))
        case 25:
            guard let pending = pick(try book.pendingChanges()) else { return }
            // Its operation goes with it.
            isTakenBack = true
            try book.revert(change: pending.id)
        case 26, 27:
            guard device.form == nil, let shown = try pickTransaction(device) else { return }
            device.form = (shown, try book.versions(of: Transaction.self, shown.id)(shown))
        case 28:
            guard let account = pick(accounts) else { return }
            if account.isClosed {
                _ = try book.reopenAccount(account.id)
            } else {
                _ = try book.closeAccount(account.id)
            }
        case 29:
            guard let source = pick(accounts), let target = pick(accounts) else { return }
            _ = try book.moveTransactions(from: source.id, to: target.id)
        case 30...32: try editSplit(device, categories, minor)
        case 33, 34: try editSchedule(device, accounts, minor)
        case 35, 36: try editBank(device, accounts, minor)
        case 37: try editReceipts(device, try pickTransaction(device))
        case 38...40: try editDaily(device, accounts, categories)
        case 41...43: try editMany(device, accounts, categories)
        default: try sendForm(device, minor)
        }
    }

    /// Splits a transaction, changes its parts, puts it together again, or changes it with its amount.
    private func editSplit(_ device: SimulatedDevice, _ categories: [Ledger.Category], _ minor: Int64) throws
    {
        let all = try transactions(device.book).filter { $0.kind != .transfer }
        let whole = pick(all)
        guard var transaction = chance(1, in: 2) ? pick(all.filter { $0.split != nil }) ?? whole : whole
        else {
            return
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where transaction.split != nil: transaction.split = nil
        case 1 where transaction.split != nil:
            // The last part takes the difference of another amount.
            var parts = transaction.split?.parts ?? []
            let others = parts.dropLast().reduce(0) { $0 + $1.minor }
            guard !parts.isEmpty else { return }
            guard others + minor > 0 else { return }
            parts[parts.count - 1].minor = minor
            let isSame = transaction.accountMinor == transaction.amount.minor
            transaction.amount.minor = others + minor
            if isSame { transaction.accountMinor = transaction.amount.minor }
            transaction.split = .parts(parts)
        default:
            guard transaction.amount.minor > 2 else { return }
            var first = Int64.random(in: 1..<transaction.amount.minor, using: &random)
            // More than the amount, of which the second part came back.
            if chance(1, in: 4) { first += transaction.amount.minor }
            let fitting = categories.filter { $0.kind == .expense }
            let note = chance(1, in: 3) ? tag(device, "part") : ""
            transaction.category = nil
            transaction.split = .parts([
                SplitPart(category: pick(fitting)?.id, minor: first, note: note),
                SplitPart(
                    category: chance(1, in: 4) ? nil : pick(fitting)?.id,
                    minor: transaction.amount.minor - first
                ),
            ])
        }
        try device.book.change(transaction)
    }

    /// Sends a page that was opened a while ago: nothing of what others did since may be taken back by it, and it has
    /// seen nothing of it.
    private func sendForm(_ device: SimulatedDevice, _ minor: Int64) throws {
        guard let (shown, version) = device.form else { return }
        device.form = nil
        var sent = shown
        let isAmount = chance(1, in: 2)
        if isAmount {
            sent.amount.minor = minor
            if shown.accountMinor == shown.amount.minor { sent.accountMinor = minor }
        } else {
            sent.note = tag(device, "noted \(steps)")
        }
        let book = device.book
        let before = try book.synced(Transaction.entityKind, shown.id)
        let last = try book.lastPlace()
        switch bug {
        case .writesTheWholeForm: try book.change(sent)
        case .takesTheBookForTheForm:
            try book.change(sent, shown: try book.versions(of: Transaction.self, shown.id)(shown))
        default: try book.change(sent, shown: version)
        }
        let mine: Set = isAmount ? ["amount", "accountAmount", "toAmount"] : ["note"]
        for field in try book.synced(Transaction.entityKind, shown.id).all
        where field.value != before[field.name] && !mine.contains(field.name) {
            throw Violation(description: "an older page took \(field.name) of \(shown.id) back")
        }
        let base = try book.base(of: last)
        if let base, base > version.base {
            throw Violation(description: "9: a page of \(version.base) says that it has seen \(base)")
        }
    }

    private func addAccountRow(_ device: SimulatedDevice) throws {
        try device.book.add(
            Account(
                id: newID(),
                name: tag(device, "account"),
                type: .bank,
                currency: .eur,
                openingMinor: Int64.random(in: -500...500, using: &random)
            )
        )
    }
}

extension Book {
    /// The place of the outbox's last operation.
    fileprivate func lastPlace() throws -> Int64 {
        try reading { db in try db.first("SELECT ifnull(max(position), 0) FROM outbox") { $0.int64(0) } ?? 0 }
    }

    /// The base of the operation that was queued after a place in the outbox; nil where there is none.
    fileprivate func base(of place: Int64) throws -> Int64? {
        try reading { db in
            try db.first("SELECT base FROM outbox WHERE position > ? AND action = 'patch'", [place]) {
                $0.int64(0)
            }
        }
    }
}
