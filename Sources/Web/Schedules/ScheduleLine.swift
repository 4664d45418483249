// Schedules and their occurrences as rows of lists.

import Ledger
import Links
import Templates
import Texts

/// One row: the name first, its days beneath, the amount at the right.
struct ScheduleLine: TemplateModel {
    let id: EntityID
    let name: Text
    let words: Text
    /// The day that its buttons are about; nil without buttons.
    let planned: CivilDate?
    /// The transaction that perhaps is the payment of its occurrence, in words; nil for none.
    var payment: SchedulePaymentLine?
    let obstacle: Text?
    /// A sentence about a schedule that should have been recorded by itself.
    var failure: Text?
    /// The amount of the next occurrence, if it can have another one.
    var otherAmount: Field?
    /// The day on which the next occurrence was paid; nil without buttons.
    var otherDay: Field?
    /// Today, if the next occurrence is of another day and can be recorded today as well.
    var today: CivilDate?
    /// Whether another amount or day was refused.
    var isRefused = false
    let icon: String
    let color: String
    let amount: String
    let minor: Int64
    let currency: CurrencyCode
    let kind: TransactionKind

    private init(
        _ schedule: Schedule,
        _ words: Text,
        next: ScheduleOccurrence? = nil,
        obstacle: Text? = nil,
        _ catalog: Catalog,
        _ formats: Formats
    ) {
        let transaction = schedule.transaction
        id = schedule.id
        if let next {
            otherDay = Field(name: "on", id: "on-\(schedule.id)", value: "\(next.day)")
            today = next.day == formats.today ? nil : formats.today
        }
        if next != nil, schedule.hasOneAmount {
            otherAmount = Field(
                name: "amount",
                id: "amount-\(schedule.id)",
                value: formats.plain(transaction.amount.minor, transaction.amount.currency)
            )
        }
        name = schedule.displayName(catalog)
        self.words = words
        planned = next?.planned
        self.obstacle = obstacle
        let category = catalog.category(transaction.category)
        icon = transaction.kind == .transfer ? "swap" : category?.icon ?? "dots"
        color = category?.color ?? "slate"
        kind = transaction.kind
        minor = schedule.signedMinor
        currency = transaction.amount.currency
        amount =
            transaction.kind == .income
            ? formats.signed(minor, currency) : formats.money(minor, currency)
    }

    /// A schedule in the list of all: how often it comes, and when next.
    init(all schedule: Schedule, catalog: Catalog, formats: Formats) {
        let next = schedule.next.map { next in
            Text("schedules.next-on", ["day": .string(formats.style.shortDay(next.day))])
        }
        let words = Text(
            "schedules.often-and-next",
            ["often": .text(schedule.recurrence.words), "next": .text(next ?? Text("schedules.has-ended"))]
        )
        let obstacle = next == nil ? nil : schedule.obstacle(catalog.accounts, on: formats.today)?.words
        self.init(schedule, words, next: schedule.next, obstacle: obstacle, catalog, formats)
    }

    /// A schedule with occurrences that wait for the user.
    /// - Parameter payment: the transaction that perhaps is the payment of the next occurrence.
    init(
        due schedule: Schedule,
        _ next: ScheduleOccurrence,
        payment: Transaction? = nil,
        catalog: Catalog,
        formats: Formats
    ) {
        let count = schedule.openCount(upTo: formats.today, limit: Self.most)
        let day = formats.style.shortDay(next.day)
        let words =
            count > 1
            ? Text("schedules.due-times-since", ["count": .count(count), "day": .string(day)])
            : Text("schedules.due-on", ["day": .string(day)])
        let obstacle = schedule.obstacle(catalog.accounts, on: formats.today)?.words
        self.init(schedule, words, next: next, obstacle: obstacle, catalog, formats)
        self.payment = payment.map { SchedulePaymentLine($0, of: schedule, next.planned, catalog, formats) }
        // Everything that is due was recorded before the page was made, unless the book refused it.
        if schedule.isAutomatic, obstacle == nil { failure = Text("schedules.could-not-be-recorded") }
    }

    /// The same line with another amount or day that was refused.
    func refusing(_ entry: OccurrenceEntry) -> Self {
        var copy = self
        copy.isRefused = entry.isRefused
        copy.otherAmount = otherAmount.map { field in
            Field(
                name: field.name,
                id: field.id,
                value: entry.amount ?? field.value,
                error: entry.errors["amount"],
                isFirstError: entry.errors["amount"] != nil
            )
        }
        copy.otherDay = otherDay.map { field in
            Field(
                name: field.name,
                id: field.id,
                value: entry.day ?? field.value,
                error: entry.errors["on"],
                isFirstError: entry.errors["on"] != nil && entry.errors["amount"] == nil,
                confirmation: entry.confirmation
            )
        }
        return copy
    }

    /// An occurrence that is still to come.
    init(coming schedule: Schedule, _ occurrence: ScheduleOccurrence, catalog: Catalog, formats: Formats) {
        let day = formats.style.shortDay(occurrence.day)
        let words =
            schedule.isAutomatic ? .verbatim(day) : Text("schedules.day-to-confirm", ["day": .string(day)])
        self.init(schedule, words, catalog, formats)
    }

    private static let most = 1_000

    static let keys = Keys<ScheduleLine>()
        .text("id") { "\($0.id)" }
        .link("href", to: Link.schedule) { $0.id }
        .link("record_action", to: Link.scheduleRecord) { $0.id }
        .link("skip_action", to: Link.scheduleSkip) { $0.id }
        .text("planned") { $0.planned.map { "\($0)" } ?? "" }
        .message("name") { $0.name }
        .message("words") { $0.words }
        .optionalMessage("obstacle") { $0.obstacle }
        .optionalMessage("failure") { $0.failure }
        .list("payment", of: SchedulePaymentLine.self) { $0.payment.map { [$0] } ?? [] }
        .list("other_amount", of: Field.self) { $0.otherAmount.map { [$0] } ?? [] }
        .list("other_day", of: Field.self) { $0.otherDay.map { [$0] } ?? [] }
        .message("other_text") { line in
            line.otherAmount == nil
                ? Text("schedules.another-day") : Text("schedules.another-amount-or-day")
        }
        .flag("is_refused") { $0.isRefused }
        .flag("can_be_today") { $0.today != nil }
        .text("today") { $0.today.map { "\($0)" } ?? "" }
        .text("icon") { $0.icon }
        .text("color") { $0.color }
        .text("amount") { $0.amount }
        .integer("minor") { $0.minor }
        .text("currency") { $0.currency.rawValue }
        .flag("is_income") { $0.kind == .income }
        .flag("is_transfer") { $0.kind == .transfer }
}

/// A transaction that perhaps is the payment of a due occurrence.
struct SchedulePaymentLine: TemplateModel {
    let id: EntityID
    let words: Text
    let action: Link

    init(
        _ payment: Transaction,
        of schedule: Schedule,
        _ planned: CivilDate,
        _ catalog: Catalog,
        _ formats: Formats
    ) {
        id = payment.id
        words = Text("schedules.perhaps-paid", payment.words(ofPayment: schedule, catalog, formats))
        action = SchedulePayment.link(payment.id, of: schedule.id, on: planned)
    }

    static let keys = Keys<SchedulePaymentLine>()
        .text("id") { "\($0.id)" }
        .message("words") { $0.words }
        .link("href", to: Link.transaction) { $0.id }
        .link("action") { $0.action }
}

/// The occurrences of schedules in one of the user's weeks.
struct ComingWeek: TemplateModel {
    let title: Text
    let lines: [ScheduleLine]

    fileprivate init(from first: CivilDate, _ lines: [ScheduleLine], _ formats: Formats) {
        self.lines = lines
        let present = formats.weekStart.firstDay(ofWeekWith: formats.today)
        title =
            switch first {
            case present: Text("schedules.this-week")
            case present.adding(days: 7): Text("schedules.next-week")
            default: Text("schedules.week-from", ["day": .string(formats.style.shortDay(first))])
            }
    }

    static let keys = Keys<ComingWeek>()
        .message("title") { $0.title }
        .list("coming", of: ScheduleLine.self) { $0.lines }
}

/// The occurrences of schedules on the next days, in order.
struct ComingPayments {
    /// The rows by week.
    let weeks: [ComingWeek]
    /// The number of rows that were left out.
    let more: Int

    /// - Parameters:
    ///   - answered: the occurrences that have payments already.
    ///   - last: the last day of the list.
    ///   - limit: the greatest number of rows.
    init(
        _ schedules: [Schedule],
        but answered: Set<OccurrenceKey> = [],
        until last: CivilDate,
        limit: Int,
        catalog: Catalog,
        formats: Formats
    ) {
        let days = formats.today.adding(days: 1)...max(last, formats.today.adding(days: 1))
        var found: [(schedule: Schedule, occurrence: ScheduleOccurrence)] = []
        for schedule in schedules where last > formats.today {
            found += schedule.open(in: days, limit: Self.most).filter {
                !answered.contains(schedule.key(of: $0))
            }.map { (schedule, $0) }
        }
        found.sort { ($0.occurrence.day, $0.schedule.id) < ($1.occurrence.day, $1.schedule.id) }
        more = max(0, found.count - limit)
        var weeks: [(first: CivilDate, lines: [ScheduleLine])] = []
        for (schedule, occurrence) in found.prefix(limit) {
            let first = formats.weekStart.firstDay(ofWeekWith: occurrence.day)
            if weeks.last?.first != first { weeks.append((first, [])) }
            let line = ScheduleLine(coming: schedule, occurrence, catalog: catalog, formats: formats)
            weeks[weeks.count - 1].lines.append(line)
        }
        self.weeks = weeks.map { ComingWeek(from: $0.first, $0.lines, formats) }
    }

    /// Whether there is no row.
    var isEmpty: Bool { weeks.isEmpty }

    /// The number of rows that were left out, in words; nil if there are none.
    var moreText: Text? { more > 0 ? Text("schedules.and-more", ["count": .count(more)]) : nil }

    /// The greatest number of days of one schedule that are counted: more than two months have.
    private static let most = 100
}
