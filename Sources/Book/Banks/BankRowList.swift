// The rows of banks in a list of transactions: the same filters and the same search as for the rows of the book.
import Encoding
import GRDB
import Ledger

extension TransactionList {
    /// The open rows of banks that pass the filters and the search, the newest first.
    func bankMatches() throws -> ArraySlice<OpenBankRow> {
        guard let bank, search != .nothing else { return [] }
        let days = CivilDate(dayNumber: self.days.lowerBound)...CivilDate(dayNumber: self.days.upperBound)
        let rows = bank.open.of(days)
        guard case .plan(let plan) = search else { return rows.filter { passes($0, bank) }[...] }
        let texts = try bank.searchTexts(db)
        var found = rows.map { passes($0, bank) }
        for condition in plan.all { condition.narrow(&found, to: rows, in: texts) }
        return zip(rows, found).compactMap { $1 ? $0 : nil }[...]
    }

    /// Whether a row that is no transfer and has no parts passes the filters apart from the days.
    private func passes(_ row: OpenBankRow, _ bank: BankRows) -> Bool {
        if let kind = query.kind, row.kind != kind { return false }
        if query.account != nil || query.isOfDailyUse, accounts[row.account] == nil { return false }
        if let categories, row.category.map(categories.contains) != true { return false }
        if query.category == .uncategorized, row.category != nil { return false }
        if query.isSpending, row.kind == .income, !row.isRefund { return false }
        if let payee = query.payee, bank.transaction(row).payee.nameKey != payee.nameKey { return false }
        if query.isWithReceipt || query.amount?.passes(row.amount) == false { return false }
        if !query.tags.isEmpty {
            let tags = Set(bank.transaction(row).tags.map(\.nameKey))
            guard query.tags.allSatisfy({ tags.contains($0.nameKey) }) else { return false }
        }
        switch query.counts {
        case .known(let currency): return row.amount.currency == currency
        case .leftOut(let currency): return row.amount.currency != currency
        case nil: return true
        }
    }

    /// Merges rows of banks with the rows of a page, as far as they belong to it.
    /// - Parameters:
    ///   - rows: in the order of the query.
    ///   - matches: the newest first.
    func merged(_ rows: [Transaction], with matches: ArraySlice<OpenBankRow>) -> [Transaction] {
        guard let bank, !matches.isEmpty else { return rows }
        guard query.sort == .newestFirst else { return sorted(rows, with: matches.map(bank.transaction)) }
        var further = after.map { matches.below($0.date, $0.id) } ?? matches
        var own = rows[...]
        var all: [Transaction] = []
        all.reserveCapacity(limit + 1)
        while all.count <= limit {
            if let row = further.first,
                own.first.map({ ($0.date, $0.id) < (row.date, row.id) }) ?? true
            {
                all.append(bank.transaction(row))
                further.removeFirst()
            } else if let row = own.popFirst() {
                all.append(row)
            } else {
                break
            }
        }
        return all
    }

    /// The same in another order than that of the matches.
    private func sorted(_ rows: [Transaction], with matches: [Transaction]) -> [Transaction] {
        let sort = query.sort
        var all = matches.map { (place: sort.cursor(after: $0), row: $0) }
        if let after { all.removeAll { !sort.precedes(after, $0.place) } }
        all += rows.map { (place: sort.cursor(after: $0), row: $0) }
        return all.sorted { sort.precedes($0.place, $1.place) }.prefix(limit + 1).map(\.row)
    }

    /// Adds rows up that pass the filters.
    func totals(of rows: some Sequence<Transaction>) -> [CurrencyTotal] {
        var totals = TotalsByCurrency()
        for row in rows { add(row, to: &totals) }
        return totals.sorted
    }
}

extension SearchCondition {
    /// Leaves the rows of banks that contain the word, or have an account or a category of such a name.
    /// - Parameters:
    ///   - found: whether each of the rows is left.
    ///   - texts: the texts of all open rows.
    fileprivate func narrow(
        _ found: inout [Bool],
        to rows: ArraySlice<OpenBankRow>,
        in texts: BankRowTexts
    ) {
        let isThere = texts.rows(rows.indices, with: word.indexed)
        for (index, row) in rows.enumerated() where found[index] && !isThere[index] {
            found[index] =
                word.amount == row.amount.tenThousandths || names.accounts.contains(row.account)
                || row.category.map(names.categories.contains) ?? false
        }
    }
}

extension [CurrencyTotal] {
    /// These totals and others, by currency.
    func adding(_ others: [CurrencyTotal]) -> [CurrencyTotal] {
        guard !others.isEmpty else { return self }
        var sums = self
        for other in others {
            guard let place = sums.firstIndex(where: { $0.currency == other.currency }) else {
                sums.append(other)
                continue
            }
            sums[place].add(other)
        }
        return sums.sorted { $0.currency < $1.currency }
    }
}
