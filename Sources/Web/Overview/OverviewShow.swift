import HTTPServer
import Pages

/// `GET /`: the month at a glance.
enum OverviewShow {
    static func answer(_ visit: Visit) throws -> Response {
        if try visit.knownDevice().showsDownload { return .seeOther(Routes.download.link) }
        let formats = try visit.formats()
        let month = formats.today.yearMonth
        let seen = try visit.book().overview(month: month, today: formats.today, base: formats.base)
        return visit.page(
            OverviewPage(
                chrome: visit.chrome(),
                formats: formats,
                catalog: visit.catalog(seen.choices),
                totals: seen.totals,
                budgets: seen.budgets,
                categories: seen.spending,
                accounts: seen.accounts,
                latest: seen.latest
            )
        )
    }
}
