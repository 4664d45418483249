// The action of the overview.

import HTTPServer
import Ledger
package import Links

extension Link {
    package static let overview = Link(declared: "/")
}

extension Feature {
    static let overview = Feature(
        routes: [get(.overview, OverviewShow.answer)],
        pages: [OverviewPage.self],
        links: ["overview": .overview]
    )
}

/// `GET /`: the overview of the current month, or of the month that the query names.
enum OverviewShow {
    static func answer(_ context: RequestContext) throws -> Response {
        if try context.knownDevice().showsDownload(in: context.book()) {
            return context.redirect(to: .download)
        }
        let formats = try context.formats()
        var month = formats.today.yearMonth
        if let text = context.request.query.first("month"), !text.isEmpty {
            guard let asked = YearMonth(iso: text) else { throw Refusal.malformed }
            month = asked
        }
        let bank = try context.bankRows()
        let seen = try context.book().overview(
            month: month,
            today: formats.today,
            base: formats.base,
            converter: formats.conversion?.converter,
            beside: bank
        )
        // The balance of a bank is the present one.
        let isPresent = month == formats.today.yearMonth
        return context.page(
            OverviewPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: context.catalog(seen.choices),
                month: month,
                totals: seen.totals,
                toCome: seen.toCome,
                budgets: seen.budgets,
                categories: seen.spending,
                accounts: seen.accounts,
                banks: isPresent ? try context.bankBadges(seen.accounts) : [:],
                latest: seen.latest,
                bank: bank?.marks(of: seen.latest) ?? [:],
                withReceipts: seen.withReceipts,
                schedules: seen.schedules,
                answered: seen.answered,
                repaid: seen.repaid,
                uncategorizedCount: try context.book().uncategorizedCount(),
                bookIsEmpty: seen.counts.transactions == 0 && seen.latest.isEmpty
            )
        )
    }
}
