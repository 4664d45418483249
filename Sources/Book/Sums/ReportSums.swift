// Income and spending of a report, added up by subject and currency.
import Ledger

/// Adds up income and spending by subject and currency, apart for amounts with and without a value.
struct ReportSums {
    private struct Sum {
        var income: Int128 = 0
        var expense: Int128 = 0
        var count = 0

        /// Nothing was added, or all of it was taken away again.
        var isEmpty: Bool { count == 0 && income == 0 && expense == 0 }

        static func += (sum: inout Sum, other: Sum) {
            sum.income += other.income
            sum.expense += other.expense
            sum.count = sum.count.addingClamped(other.count)
        }

        mutating func add(_ minor: Int128, _ kind: TransactionKind, count: Int, isRefund: Bool) {
            self.count = self.count.addingClamped(count)
            switch kind {
            case .income where isRefund: expense -= minor
            case .income: income += minor
            case .expense: expense += minor
            case .transfer: break
            }
        }

        func total(in currency: CurrencyCode) -> CurrencyTotal {
            CurrencyTotal(
                currency: currency,
                incomeMinor: income,
                expenseMinor: expense,
                count: count
            )
        }
    }

    /// The amounts of a subject in one currency that have a value, or the amounts that have none.
    private struct Line {
        let currency: CurrencyCode
        let hasValue: Bool
        var total = Sum()
        var value = Sum()
    }

    private struct Subject {
        let key: ReportRow.Key
        /// So few that they are searched in order.
        var lines: [Line] = []
    }

    private var subjects: [Subject] = []
    private var places: [ReportRow.Key: Int] = [:]
    /// The subject of the last addition, which is often the subject of the next addition.
    private var last = 0

    /// Adds transactions; negative numbers take them away again.
    /// - Parameter value: the value of the amount in another currency; nil if it has none.
    mutating func add(
        _ key: ReportRow.Key,
        _ amount: MoneySum,
        _ kind: TransactionKind,
        count: Int,
        isRefund: Bool,
        value: Int128? = nil
    ) {
        change(key, amount.currency, hasValue: value != nil) { line in
            line.total.add(amount.minor, kind, count: count, isRefund: isRefund)
            if let value { line.value.add(value, kind, count: count, isRefund: isRefund) }
        }
    }

    /// Turns income that was added before into a reduction of spending.
    mutating func turnIntoRefund(_ key: ReportRow.Key, _ amount: MoneySum) {
        change(key, amount.currency, hasValue: false) { line in
            line.total.income -= amount.minor
            line.total.expense -= amount.minor
        }
    }

    /// Adds the sums of other transactions.
    mutating func add(_ other: ReportSums) {
        guard !subjects.isEmpty else {
            self = other
            return
        }
        for subject in other.subjects {
            for line in subject.lines {
                change(subject.key, line.currency, hasValue: line.hasValue) { own in
                    own.total += line.total
                    own.value += line.value
                }
            }
        }
    }

    /// The number of amounts, and one for the sums themselves.
    var lineCount: Int { subjects.reduce(1) { $0 + $1.lines.count } }

    /// A row for each subject and currency that has transactions, in no particular order.
    /// - Parameter currency: the currency of the values, if there are any.
    func rows(valuedIn currency: CurrencyCode? = nil) -> [ReportRow] {
        subjects.flatMap { subject in
            subject.lines.lazy.filter { !$0.total.isEmpty }.map { line in
                ReportRow(
                    key: subject.key,
                    total: line.total.total(in: line.currency),
                    value: line.hasValue ? currency.map(line.value.total) : nil
                )
            }
        }
    }

    private mutating func change(
        _ key: ReportRow.Key,
        _ currency: CurrencyCode,
        hasValue: Bool,
        _ body: (inout Line) -> Void
    ) {
        let place = place(of: key)
        if let line = subjects[place].lines.firstIndex(where: {
            $0.currency == currency && $0.hasValue == hasValue
        }) {
            body(&subjects[place].lines[line])
        } else {
            var line = Line(currency: currency, hasValue: hasValue)
            body(&line)
            subjects[place].lines.append(line)
        }
    }

    private mutating func place(of key: ReportRow.Key) -> Int {
        if last < subjects.count, subjects[last].key == key { return last }
        if let place = places[key] {
            last = place
        } else {
            last = subjects.count
            places[key] = last
            subjects.append(Subject(key: key))
        }
        return last
    }
}
