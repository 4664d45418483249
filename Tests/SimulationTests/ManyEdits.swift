// Edits that change many rows at once: of selected transactions, of the names of payees, of two categories that become one;
// and the days of opening balances, which decide what counts when.
import Ledger
import TestKit

@testable import Book

extension World {
    /// Changes many rows in one step, or the day of an opening balance.
    func editMany(_ device: SimulatedDevice, _ accounts: [Account], _ categories: [Ledger.Category]) throws {
        let book = device.book
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: try changeSelected(device, accounts, categories)
        case 4: _ = try book.delete(.rows(selected(device).prefix(2) + [newID()]))
        case 5:
            let day = CivilDate(dayNumber: 20_030)
            _ = try book.duplicate(.rows(Array(selected(device).prefix(2))), on: day) { newID() }
        case 6:
            let names = try book.payees(through: .distantFuture).map(\.name)
            let (one, other) = (pick(names) ?? "Baker", pick(names) ?? "Dairy")
            let name = chance(1, in: 2) ? tag(device, "payee \(steps)") : other
            _ = try book.rename([one, other], to: name, always: chance(1, in: 3) ? { self.newID() } : nil)
        case 7:
            let expense = categories.filter { $0.kind == .expense }
            guard let source = pick(expense), let target = pick(expense) else { return }
            _ = try book.mergeCategory(source.id, into: target.id, in: YearMonth(index: 24_000))
        default: try editOpening(device, accounts)
        }
    }

    /// Some transactions, among them perhaps one that another device has deleted or that is a record of a bank.
    private func selected(_ device: SimulatedDevice) throws -> [EntityID] {
        try transactions(device.book).map(\.id).filter { _ in chance(1, in: 2) }
    }

    private func changeSelected(
        _ device: SimulatedDevice,
        _ accounts: [Account],
        _ categories: [Ledger.Category]
    ) throws {
        let change: BulkChange
        switch Int.random(in: 0..<7, using: &random) {
        case 0, 1: change = .category(chance(1, in: 4) ? nil : pick(categories))
        case 2: change = .payee(tag(device, "payee \(steps)"))
        case 3:
            guard let account = pick(accounts) else { return }
            change = .account(account)
        case 4: change = .date(CivilDate(dayNumber: 20_000 + Int32.random(in: 0..<60, using: &random)))
        case 5:
            let tags = [tag(device, "many")]
            change = chance(1, in: 3) ? .tagsRemoved(tags) : .tagsAdded(tags)
        default: change = .note(tag(device, "noted \(steps)"))
        }
        if chance(1, in: 3) {
            var query = TransactionQuery()
            query.kind = pick([.expense, .income, .transfer])
            _ = try device.book.change(.all(query), by: change)
        } else {
            _ = try device.book.change(.rows(selected(device)), by: change)
        }
    }

    /// Moves the day of an opening balance, or enters a transaction that an opening balance contains already.
    private func editOpening(_ device: SimulatedDevice, _ accounts: [Account]) throws {
        guard var account = pick(accounts) else { return }
        if account.openingDay != nil, chance(1, in: 2) {
            let transaction = Transaction(
                id: newID(),
                kind: .expense,
                date: CivilDate(dayNumber: 19_990),
                amount: Money(minor: 7, currency: account.currency),
                account: account.id,
                accountMinor: 7,
                payee: tag(device, "earlier")
            )
            try device.book.record(transaction, containedInOpeningsOf: [account.id])
        } else {
            let day = CivilDate(dayNumber: 20_000 + Int32.random(in: 0..<60, using: &random))
            account.openingDay = chance(1, in: 4) ? nil : day
            try device.book.change(account)
        }
    }
}
