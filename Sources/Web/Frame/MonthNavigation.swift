// The month that a page shows, with links to its neighbours.

import Ledger
import Links
import Templates
import Texts

/// A month with links to the previous and the next one.
struct MonthNavigation: TemplateModel {
    let title: Text
    let previousTitle: String
    let nextTitle: String
    let previousHref: Link
    let nextHref: Link
    let currentHref: Link
    let isCurrent: Bool

    /// - Parameter other: the title of what the page shows instead of one month; the links are then relative to
    ///   `month`.
    init(month: YearMonth, formats: Formats, other: Text? = nil, href: (YearMonth) -> Link) {
        title = other ?? .verbatim(formats.monthTitle(month))
        previousTitle = formats.monthTitle(month.previous)
        nextTitle = formats.monthTitle(month.next)
        previousHref = href(month.previous)
        nextHref = href(month.next)
        let current = formats.today.yearMonth
        currentHref = href(current)
        isCurrent = other == nil && month == current
    }

    static let keys = Keys<MonthNavigation>()
        .message("title") { $0.title }
        .text("previous_title") { $0.previousTitle }
        .text("next_title") { $0.nextTitle }
        .link("previous_href") { $0.previousHref }
        .link("next_href") { $0.nextHref }
        .link("current_href") { $0.currentHref }
        .flag("is_current") { $0.isCurrent }
}
