// The rows of banks in a list of transactions: the same filters and the same search as for those of the book.
import GRDB
import Ledger

extension TransactionList {
    /// The open rows of banks that pass the filters and the search, the newest first.
    func bankMatches() throws -> [Transaction] {
        guard let bank, search != .nothing else { return [] }
        let conditions: [SearchCondition] = if case .plan(let plan) = search { plan.all } else { [] }
        let days = CivilDate(dayNumber: self.days.lowerBound)...CivilDate(dayNumber: self.days.upperBound)
        guard !conditions.isEmpty else { return bank.open(in: days).filter(passes) }
        let tokenizer = try db.connection.makeTokenizer(.unicode61(diacritics: .remove))
        func folded(_ text: String) throws -> String {
            try tokenizer.tokenize(document: text).map(\.token).joined(separator: " ")
        }
        let words = try conditions.map { (condition: $0, folded: " " + (try folded($0.word.text))) }
        return try bank.searched { row in
            // A word is found at the beginning of words. Texts do not run into each other.
            try ([row.payee, row.note] + row.tags).map { " " + (try folded($0)) }.joined(separator: "\n")
        } _: { texts in
            zip(bank.all, texts).compactMap { row, text in
                let transaction = row.transaction
                guard row.state == .open, days.contains(transaction.date), passes(transaction),
                    words.allSatisfy({ $0.condition.finds(transaction, in: text, $0.folded) })
                else { return nil }
                return transaction
            }
        }
    }

    /// Whether a row that is no transfer and has no parts passes the filters apart from the days.
    private func passes(_ row: Transaction) -> Bool {
        if let kind = query.kind, row.kind != kind { return false }
        if let payee = query.payee, row.payee != payee { return false }
        if query.account != nil || query.isOfDailyUse, accounts[row.account] == nil { return false }
        if let categories, row.category.map(categories.contains) != true { return false }
        if query.category == .uncategorized, row.category != nil { return false }
        if query.isSpending, row.kind == .income, !lookups.isRefund(row) { return false }
        switch query.counts {
        case .known(let currency): return row.amount.currency == currency
        case .leftOut(let currency): return row.amount.currency != currency
        case nil: return true
        }
    }

    /// Adds rows of banks to the rows of a page, as far as they belong to it.
    func merged(_ rows: [Transaction], with bank: [Transaction]) -> [Transaction] {
        guard !bank.isEmpty else { return rows }
        let further = bank.lazy.filter { row in
            query.after.map { (row.date, row.id) < ($0.date, $0.id) } ?? true
        }
        .prefix(limit + 1)
        let all = (rows + further).sorted { ($0.date, $0.id) > ($1.date, $1.id) }
        return Array(all.prefix(limit + 1))
    }

    /// Adds rows up that pass the filters.
    func totals(of rows: some Sequence<Transaction>) -> [CurrencyTotal] {
        var totals = TotalsByCurrency()
        for row in rows { add(row, to: &totals) }
        return totals.sorted
    }
}

extension SearchCondition {
    /// Whether a row of a bank contains the word, or its account or category has such a name.
    /// - Parameters:
    ///   - text: the folded texts of the row.
    ///   - folded: the folded word.
    fileprivate func finds(_ row: Transaction, in text: String, _ folded: String) -> Bool {
        if folded.utf8.count > 1, text.utf8.holds(folded.utf8) { return true }
        if names.accounts.contains(row.account) { return true }
        if let category = row.category, names.categories.contains(category) { return true }
        if SearchWord.amounts(of: word.text).contains(String(row.amount.minor)) { return true }
        guard word.patternWithin != nil else { return false }
        return ([row.payee, row.note] + row.tags).contains { text in
            text.lowercased().utf8.holds(word.text.lowercased().utf8)
        }
    }
}

extension Collection<UInt8> {
    /// Whether a sequence of bytes occurs.
    fileprivate func holds(_ wanted: some Collection<UInt8>) -> Bool {
        guard let first = wanted.first else { return true }
        var place = startIndex
        while let start = self[place...].firstIndex(of: first) {
            if self[start...].starts(with: wanted) { return true }
            place = index(after: start)
        }
        return false
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
            sums[place].incomeMinor = sums[place].incomeMinor.addingClamped(other.incomeMinor)
            sums[place].expenseMinor = sums[place].expenseMinor.addingClamped(other.expenseMinor)
            sums[place].count = sums[place].count.addingClamped(other.count)
        }
        return sums.sorted { $0.currency < $1.currency }
    }
}
