import HTTPServer
import Links
import Pages

/// `GET /`: the overview of the current month.
enum OverviewShow {
    static func answer(_ context: RequestContext) throws -> Response {
        if try context.knownDevice().showsDownload(in: context.book()) {
            return context.redirect(to: .download)
        }
        let formats = try context.formats()
        let month = formats.today.yearMonth
        let seen = try context.book().overview(month: month, today: formats.today, base: formats.base)
        return context.page(
            OverviewPage(
                chrome: context.chrome(),
                formats: formats,
                catalog: context.catalog(seen.choices),
                totals: seen.totals,
                budgets: seen.budgets,
                categories: seen.spending,
                accounts: seen.accounts,
                latest: seen.latest
            )
        )
    }
}
