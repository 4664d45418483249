// Which payments answer for which occurrences of schedules.

/// An occurrence of a schedule that is neither recorded nor skipped.
public struct OpenOccurrence: Hashable, Sendable {
    /// The schedule as it was when the occurrences were listed.
    public let schedule: Schedule
    /// One day of it that is neither recorded nor skipped.
    public let occurrence: ScheduleOccurrence

    /// An occurrence of a schedule.
    public init(schedule: Schedule, occurrence: ScheduleOccurrence) {
        self.schedule = schedule
        self.occurrence = occurrence
    }

    /// The name of the occurrence.
    public var key: OccurrenceKey { schedule.key(of: occurrence) }
}

/// How much a payment differs from an occurrence. The amount comes first, then the day, then the category.
public struct PaymentDistance: Hashable, Sendable, Comparable {
    /// The difference of the amounts in minor units.
    public let minor: UInt64
    /// The number of days between them.
    public let days: Int
    /// Whether the categories are different.
    public let isOtherCategory: Bool

    /// The nearer one is less.
    public static func < (one: PaymentDistance, other: PaymentDistance) -> Bool {
        (one.minor, one.days, one.isOtherCategory ? 1 : 0)
            < (other.minor, other.days, other.isOtherCategory ? 1 : 0)
    }
}

/// The payments that answer for open occurrences: each payment for one occurrence at most, and each occurrence by one
/// payment at most. The nearest are paired first.
///
/// A payment fits an occurrence if it has about the same amount on the same account within three days, and
/// - goes to the same payee, or, without any payee, has the same category;
/// - as a transfer, goes to the same account, and not to another payee;
/// - as a record of a bank, has the exact amount. The words of a bank are seldom the words of the schedule.
public struct PaymentMatching: Sendable {
    /// The ids of the payments.
    public let matches: [OccurrenceKey: EntityID]
    /// For each payment of several occurrences that were equally near, the occurrences of other schedules that have no
    /// payment.
    public let ties: [EntityID: [OccurrenceKey]]

    /// The most days between an occurrence and its payment.
    public static let mostDays = 3

    /// - Parameters:
    ///   - payments: transactions that belong to no occurrence.
    ///   - open: the occurrences that compete for them, in any order.
    ///   - isRefused: whether the user has said that a payment is not the payment of an occurrence.
    ///   - payee: the common part of the spellings of a payee.
    public init(
        _ payments: [Transaction],
        _ open: [OpenOccurrence],
        isRefused: (EntityID, OccurrenceKey) -> Bool = { _, _ in false },
        payee: (String) -> String
    ) {
        let places = Places(open, payee: payee)
        var pairs: [Pair] = []
        for payment in payments {
            let words = (payee: payee(payment.payee), note: payee(payment.note))
            for place in places.near(payment) {
                let candidate = places.all[place]
                guard let distance = candidate.distance(of: payment, words.payee, words.note),
                    !isRefused(payment.id, candidate.key)
                else { continue }
                pairs.append(Pair(payment: payment.id, key: candidate.key, distance: distance))
            }
        }
        pairs.sort()
        var matches: [OccurrenceKey: EntityID] = [:]
        var matched: [EntityID: Pair] = [:]
        for pair in pairs where matches[pair.key] == nil && matched[pair.payment] == nil {
            (matches[pair.key], matched[pair.payment]) = (pair.payment, pair)
        }
        var ties: [EntityID: [OccurrenceKey]] = [:]
        for pair in pairs where matches[pair.key] == nil {
            guard let chosen = matched[pair.payment], chosen.distance == pair.distance,
                chosen.key.series != pair.key.series
            else { continue }
            ties[pair.payment, default: []].append(pair.key)
        }
        (self.matches, self.ties) = (matches, ties)
    }
}

/// A payment that fits an occurrence.
private struct Pair: Comparable {
    let payment: EntityID
    let key: OccurrenceKey
    let distance: PaymentDistance

    static func < (one: Pair, other: Pair) -> Bool {
        one.distance == other.distance
            ? (one.key, one.payment) < (other.key, other.payment) : one.distance < other.distance
    }
}

/// An open occurrence with the words by which payments are compared with it.
private struct Candidate {
    let schedule: Schedule
    let day: CivilDate
    let key: OccurrenceKey
    let payee: String
    let note: String

    func distance(of payment: Transaction, _ payee: String, _ note: String) -> PaymentDistance? {
        let wanted = schedule.transaction
        let days = abs(Int(payment.date.dayNumber) - Int(day.dayNumber))
        guard days <= (schedule.unit == .day ? 0 : PaymentMatching.mostDays),
            payment.amount.currency == wanted.amount.currency,
            wanted.amount.minor.isAbout(payment.amount.minor),
            isSameTransfer(payment) && isSameParty(payment, payee, note) || isRecord(payment)
        else { return nil }
        let difference = payment.amount.minor.subtractingReportingOverflow(wanted.amount.minor).partialValue
        return PaymentDistance(
            minor: difference.magnitude,
            days: days,
            isOtherCategory: payment.category != wanted.category
        )
    }

    private func isSameTransfer(_ payment: Transaction) -> Bool {
        payment.kind == schedule.transaction.kind && payment.toAccount == schedule.transaction.toAccount
    }

    private func isSameParty(_ payment: Transaction, _ payee: String, _ note: String) -> Bool {
        if !payee.isEmpty && !self.payee.isEmpty { return payee == self.payee }
        // The accounts say between whom the money moves.
        guard payment.kind != .transfer else { return true }
        guard payee.isEmpty, self.payee.isEmpty, payment.category == schedule.transaction.category else {
            return false
        }
        return payment.category != nil || note == self.note
    }

    /// Whether a payment is the record of a bank with the exact amount. The side of a transfer that a bank reports is
    /// spending until the user has edited its record.
    private func isRecord(_ payment: Transaction) -> Bool {
        let wanted = schedule.transaction
        guard payment.bankTransaction != nil, payment.accountMinor == wanted.accountMinor else {
            return false
        }
        return isSameTransfer(payment) || wanted.kind == .transfer && payment.kind == .expense
    }
}

/// Open occurrences by account and day.
private struct Places {
    private struct Place: Hashable {
        let account: EntityID
        let day: CivilDate
    }

    let all: [Candidate]
    private let byPlace: [Place: [Int]]

    init(_ open: [OpenOccurrence], payee: (String) -> String) {
        var words: [EntityID: (payee: String, note: String)] = [:]
        all = open.map { open in
            let transaction = open.schedule.transaction
            let known = words[transaction.id] ?? (payee(transaction.payee), payee(transaction.note))
            words[transaction.id] = known
            return Candidate(
                schedule: open.schedule,
                day: open.occurrence.day,
                key: open.key,
                payee: known.payee,
                note: known.note
            )
        }
        byPlace = Dictionary(grouping: all.indices) { [all] place in
            Place(account: all[place].schedule.transaction.account, day: all[place].day)
        }
    }

    /// The occurrences on the account of a payment within a few days.
    func near(_ payment: Transaction) -> [Int] {
        (-PaymentMatching.mostDays...PaymentMatching.mostDays).flatMap { days in
            byPlace[Place(account: payment.account, day: payment.date.adding(days: days))] ?? []
        }
    }
}

extension Int64 {
    /// Whether an amount differs by at most a tenth of this one.
    package func isAbout(_ other: Int64) -> Bool {
        let (difference, overflow) = other.subtractingReportingOverflow(self)
        return !overflow && difference.magnitude <= magnitude / 10
    }
}
