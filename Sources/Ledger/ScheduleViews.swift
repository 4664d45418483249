// The data of the page of schedules, and what they mean for a month.

/// The page of schedules.
public struct SchedulesView: Sendable {
    /// All live schedules, oldest first.
    public var schedules: [Schedule]
    /// The income, spending and repayments of the present month.
    public var month: MonthSoFar
    /// Payments of the history that look as if they come again, the newest first.
    public var suggestions: [ScheduleSuggestion]
    /// The occurrences that have payments already, by which they are perhaps done.
    public var payments: SchedulePayments
    /// The budget for all spending in the present month; nil if there is none.
    public var overall: BudgetStatus?
    /// All live accounts and categories.
    public var choices: BookChoices

    /// All parts are of the same read.
    public init(
        schedules: [Schedule],
        month: MonthSoFar,
        suggestions: [ScheduleSuggestion],
        payments: SchedulePayments = SchedulePayments(),
        overall: BudgetStatus? = nil,
        choices: BookChoices
    ) {
        self.payments = payments
        self.overall = overall
        self.schedules = schedules
        self.month = month
        self.suggestions = suggestions
        self.choices = choices
    }
}

/// The open occurrences of schedules that have payments already.
public struct SchedulePayments: Hashable, Sendable {
    /// The occurrences. They are not to come any more.
    public var answered: Set<OccurrenceKey>
    /// The transactions of the book that are their payments. Others are payments that only a bank has reported.
    public var transactions: [OccurrenceKey: Transaction]

    /// No payments unless given.
    public init(answered: Set<OccurrenceKey> = [], transactions: [OccurrenceKey: Transaction] = [:]) {
        self.answered = answered
        self.transactions = transactions
    }
}

/// The income, spending and repayments of the present month: up to today, and entered for its later days.
public struct MonthSoFar: Hashable, Sendable {
    /// Income and spending of each currency up to today.
    public var totals: [CurrencyTotal]
    /// Income and spending of each currency on the days after today.
    public var toCome: [CurrencyTotal]
    /// The amounts that went and will go to loans.
    public var repaid: Repaid

    /// All parts are of the same read.
    public init(totals: [CurrencyTotal], toCome: [CurrencyTotal] = [], repaid: Repaid = Repaid()) {
        self.totals = totals
        self.toCome = toCome
        self.repaid = repaid
    }
}

/// The amounts of transfers from other accounts to loans in the present month, one for each transfer.
public struct Repaid: Hashable, Sendable {
    /// Up to today.
    public var soFar: [Money]
    /// On the days after today.
    public var toCome: [Money]

    /// No amounts unless given.
    public init(soFar: [Money] = [], toCome: [Money] = []) {
        self.soFar = soFar
        self.toCome = toCome
    }
}

/// Payments to one payee at regular distances, of about the same amount, without a schedule.
public struct ScheduleSuggestion: Hashable, Sendable {
    /// The latest of the payments.
    public var latest: Transaction
    /// The distance between the payments. Its first day is the day of one of the payments.
    public var recurrence: Recurrence

    /// A suggestion.
    public init(latest: Transaction, recurrence: Recurrence) {
        self.latest = latest
        self.recurrence = recurrence
    }

    /// The day on which the next payment is expected.
    public var next: CivilDate { recurrence.days(after: latest.date).first { _ in true } ?? latest.date }

    /// The distance of payments, from their days with the newest first; nil if they are not regular.
    ///
    /// The newest two distances must be alike if they are a month or more, and the newest three if they are shorter,
    /// because three purchases on the same day of the week are no subscription yet. The first day is the day of the
    /// newest payment.
    public static func recurrence(ofDays days: [CivilDate]) -> Recurrence? {
        let distances = zip(days, days.dropFirst()).map { Int($0.dayNumber) - Int($1.dayNumber) }
        for (range, least, every, unit) in regular {
            let count = distances.prefix(while: range.contains).count
            guard count >= least else { continue }
            let alike = days.prefix(count + 1)
            guard let start = days.first else { return nil }
            let areLast = alike.allSatisfy { $0 == $0.yearMonth.lastDay }
            // Payments that were all on a 30th may be payments of the 30th.
            let areOfSeveral = alike.contains { $0.components.day != start.components.day }
            let isMonthEnd = unit == .month && areLast && areOfSeveral
            return Recurrence(start: start, every: every, unit: isMonthEnd ? .monthEnd : unit)
        }
        return nil
    }

    private static let regular: [(ClosedRange<Int>, Int, Int, RecurrenceUnit)] = [
        (6...8, 3, 1, .week), (13...15, 3, 2, .week), (26...35, 2, 1, .month), (85...97, 2, 3, .month),
        (175...190, 2, 6, .month), (355...375, 2, 1, .year),
    ]
}

/// The payments of schedules that are still to come in a month.
public struct MonthAhead: Hashable, Sendable {
    /// The amounts that come in.
    public var income: [MoneySum] = []
    /// The amounts that go out: bills, and payments to loans.
    public var obligations: [MoneySum] = []

    /// The open occurrences of schedules in a month, also of its days that have passed. An amount is what its
    /// account is charged if that is in the base currency.
    /// - Parameters:
    ///   - answered: the occurrences that have payments already. They are left out.
    ///   - accounts: the live accounts. A transfer to a loan from another account is an obligation; other transfers are
    ///     neither.
    public init(
        _ schedules: [Schedule],
        but answered: Set<OccurrenceKey> = [],
        in month: YearMonth,
        base: CurrencyCode,
        accounts: [Account]
    ) {
        let types = Dictionary(accounts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for schedule in schedules {
            let transaction = schedule.transaction
            let open = schedule.open(in: month.firstDay...month.lastDay, limit: 31)
            let count = open.count { !answered.contains(schedule.key(of: $0)) }
            guard count > 0 else { continue }
            var amount = transaction.amount
            if amount.currency != base, types[transaction.account]?.currency == base {
                amount = Money(minor: transaction.accountMinor, currency: base)
            }
            let sum = MoneySum(minor: Int128(amount.minor) * Int128(count), currency: amount.currency)
            switch transaction.kind {
            case .income: income.append(sum)
            case .expense: obligations.append(sum)
            case .transfer:
                let ends = [transaction.account, transaction.toAccount].map { $0.flatMap { types[$0]?.type } }
                if ends[1] == .loan, ends[0] != .loan { obligations.append(sum) }
            }
        }
    }
}
