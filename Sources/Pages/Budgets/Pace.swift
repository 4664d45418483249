// The use of a budget compared with the day of the month, in numbers and in words.

import Ledger
import Templates

/// A bar of what was spent, with a notch at today.
struct PaceBar: TemplateModel {
    let level: Level
    let width: String
    let today: String?
    let label: String

    /// How things stand; told by words and a sign as well as by colour.
    enum Level: String, Sendable {
        case ok, near, over
    }

    static let keys = Keys<PaceBar>()
        .text("level") { $0.level.rawValue }
        .text("width") { $0.width }
        .optional("today") { $0.today }
        .text("label") { $0.label }
}

/// A sum that may be spent in a month, measured against the calendar.
struct Pace {
    let spent: Int64
    let available: Int64
    let currency: CurrencyCode
    let month: YearMonth
    let formats: Formats

    var left: Int64 { available.addingClamped(spent == .min ? .max : -spent) }

    /// The day of the month, where the month is the current one.
    var day: Int? {
        formats.today.yearMonth == month ? formats.today.components.day : nil
    }

    /// Days to come, today included.
    var daysLeft: Int { day.map { month.dayCount - $0 + 1 } ?? 0 }

    var level: PaceBar.Level {
        if left < 0 { return .over }
        let share = percent(spent, of: available)
        if let day {
            let gone = day * 100 / month.dayCount
            return share > gone + 10 || share >= 95 && day < month.dayCount ? .near : .ok
        }
        return .ok
    }

    /// `€42.10 left` or `€12.00 over budget`.
    var headline: String {
        left < 0
            ? "\(formats.money(left == .min ? .max : -left, currency)) over budget"
            : "\(formats.money(left, currency)) left"
    }

    /// `€3.50 a day`, in the current month while something is left.
    var perDay: String? {
        guard daysLeft > 0, left > 0 else { return nil }
        return daysLeft == 1 ? "for today" : "\(formats.money(left / Int64(daysLeft), currency)) a day"
    }

    /// Whether the spending runs ahead of the calendar.
    var words: String {
        switch level {
        case .over: "over budget"
        case .near: "faster than the month"
        case .ok: day == nil ? "" : "on pace"
        }
    }

    var bar: PaceBar {
        PaceBar(
            level: level,
            width: Pages.width(spent, of: max(available, 1)),
            today: day.map { Pages.width(Int64($0), of: Int64(month.dayCount)) },
            label: "\(percent(spent, of: available))% spent"
                + (day.map { ", \($0 * 100 / month.dayCount)% of the month gone" } ?? "")
        )
    }

    var cssClass: String {
        switch level {
        case .ok: "in"
        case .near: "warn"
        case .over: "over"
        }
    }
}
