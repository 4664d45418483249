import HTTPServer

/// `GET /rates`: the latest exchange rates, and how totals are converted.
enum RatesShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(
            RatesPage(
                chrome: context.chrome(),
                formats: try context.formats(),
                catalog: try context.catalog(),
                rates: context.rates
            )
        )
    }
}
