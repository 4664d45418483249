// A page of transactions made from its rows, for the measurement of rendering.

package import Ledger
package import Templates

/// A list of transactions, as the bench makes and renders it.
package struct MeasuredTransactions: Sendable {
    private let view: TransactionsView
    private let query: TransactionQuery
    private let formats: Formats
    private let catalog: Catalog
    private let pages: PageLibrary
    /// The sample's frame, which is made once: the measurement is of the page.
    private let chrome = Sample().chrome

    /// A page that was made, to be rendered several times.
    package struct Made: Sendable {
        fileprivate let page: TransactionsPage
    }

    /// - Parameters:
    ///   - view: the result of the query.
    ///   - pages: the pages of the server.
    package init(
        _ view: TransactionsView,
        of query: TransactionQuery,
        today: CivilDate,
        style: any WritingStyle,
        pages: PageLibrary
    ) {
        (self.view, self.query, self.pages) = (view, query, pages)
        formats = Formats(base: .eur, secondary: [], today: today, style: style)
        catalog = Catalog(view.choices)
    }

    /// Makes the page, and does not render it.
    package func make() -> Made {
        let form = TransactionForm(
            state: TransactionForm.blank(account: nil, catalog: catalog, formats: formats),
            editing: nil,
            once: Sample.once,
            catalog: catalog,
            formats: formats,
            offersEveryCurrency: false
        )
        return Made(
            page: TransactionsPage(
                chrome: chrome,
                formats: formats,
                catalog: catalog,
                filters: ListFilters(query: query),
                result: view.page,
                form: form,
                bookIsEmpty: false
            )
        )
    }

    /// Renders the page.
    /// - Parameter out: the page's HTML is appended to it, in UTF-8.
    package func render(_ made: Made, into out: ByteBuffer) { pages.render(made.page, into: out) }
}
