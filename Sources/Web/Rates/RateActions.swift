// The action of the exchange rates.

import HTTPServer
package import Links

extension Link {
    package static let rates = Link(declared: "/rates")
}

extension Feature {
    static let rates = Feature(
        routes: [get(.rates, RatesShow.answer)],
        pages: [RatesPage.self],
        links: ["rates": .rates]
    )
}

/// `GET /rates`: the latest exchange rates, and how totals are converted.
enum RatesShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(
            RatesPage(
                chrome: context.chrome(),
                formats: try context.formats(),
                catalog: try context.catalog(),
                rates: context.rates,
                euro: context.site.tables.currencies.euro
            )
        )
    }
}
