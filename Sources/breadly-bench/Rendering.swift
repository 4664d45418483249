// The time of rendering the page of fifty transactions: the template engine against string interpolation.

import Book
import BreadlyApp
import Ledger
import Templates
import Web

/// A row of the page with formatted values, as a straightforward renderer would have it.
private struct PlainRow {
    let id, icon, color, title, subtitle, currency, amount, look: String
    let minor: Int64
}

struct Rendering {
    let engine: Double
    let making: Double
    let interpolation: Double
    let bytes: Int

    /// Renders the same page in both ways, and measures both.
    /// - Parameter samples: the number of renders by the engine.
    init(_ book: Book, resources: Resources, today: CivilDate, samples: Int) throws {
        let currencies = try resources.currencies()
        guard let locale = try resources.locales()["en-IE"] else { throw BenchError("the tables lack en-IE") }
        let style = LocaleStyle(
            locale: locale,
            currencies: currencies,
            texts: try resources.texts()
        )
        var query = TransactionQuery()
        query.month = today.yearMonth
        let view = try book.transactions(query)
        let list = MeasuredTransactions(
            view,
            of: query,
            today: today,
            style: style,
            pages: try resources.pages()
        )
        func print(_ page: MeasuredTransactions.Made) -> ByteBuffer {
            let out = ByteBuffer(capacity: 48 << 10)
            list.render(page, into: out)
            return out
        }

        let ready = list.make()
        let text = print(ready).text
        bytes = text.utf8.count
        // The other renderer gets the markup around the rows for free.
        let (head, tail) = try aroundRows(of: text)
        let rows = view.page.rows.map { PlainRow($0, view.choices, style) }
        let other = interpolated(head, rows, tail)
        guard abs(other.utf8.count - bytes) < bytes / 10 else {
            throw BenchError(
                "the two renderers print pages of different sizes: \(bytes) and \(other.utf8.count)"
            )
        }

        engine = median(of: samples) { _ = print(ready) }
        making = median(of: samples / 3) { _ = print(list.make()) }
        interpolation = median(of: samples / 10) { _ = interpolated(head, rows, tail) }
    }
}

extension PlainRow {
    init(_ transaction: Transaction, _ choices: BookChoices, _ style: LocaleStyle) {
        let category = choices.categories.first { $0.id == transaction.category }
        let account = choices.accounts.first { $0.id == transaction.account }?.name ?? ""
        let sign: Int64 = transaction.kind == .expense ? -1 : 1
        id = "\(transaction.id)"
        icon = category?.icon ?? "swap"
        color = category?.color ?? "slate"
        title = transaction.payee
        subtitle =
            "\(category?.name ?? "Transfer") · \(account)"
            + (transaction.note.isEmpty ? "" : " · \(transaction.note)")
        currency = transaction.amount.currency.rawValue
        minor = sign * transaction.amount.minor
        amount = style.money(Money(minor: minor, currency: transaction.amount.currency))
        look = transaction.kind == .income ? " in" : ""
    }
}

/// The markup before the first row of the list of transactions, and after its last one.
func aroundRows(of page: String) throws -> (head: String, tail: String) {
    guard let first = page.firstRange(of: "<li id="), let aside = page.firstRange(of: "<aside"),
        let last = page[..<aside.lowerBound].ranges(of: "</li>\n").last
    else { throw BenchError("the page has no rows") }
    return (String(page[..<first.lowerBound]), String(page[last.upperBound...]))
}

private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
}

private func interpolated(_ head: String, _ rows: [PlainRow], _ tail: String) -> String {
    var page = head
    for row in rows {
        page += """
            <li id="t\(escaped(row.id))" data-id="\(escaped(row.id))" data-kind="transaction">
            <a class="row" href="/transactions/\(escaped(row.id))">
            <span class="dot" data-color="\(escaped(row.color))"><svg class="i" aria-hidden="true"><use href="/static/i.svg#\(escaped(row.icon))"/></svg></span>
            <span><span class="t" dir="auto" title="\(escaped(row.title))">\(escaped(row.title))</span><span class="s" title="\(escaped(row.subtitle))">\(escaped(row.subtitle))</span></span>
            <span class="e"><span class="amt\(row.look)" data-amount="\(row.minor)" data-currency="\(escaped(row.currency))">\(escaped(row.amount))</span></span>
            </a>
            <noscript><button type="submit" class="btn quiet" form="edit-here" name="edit" value="\(escaped(row.id))">Edit here<span class="vh"> \(escaped(row.title))</span></button></noscript>
            </li>

            """
    }
    return page + tail
}

extension Bench {
    static func show(_ rendering: Rendering) {
        let ratio = rendering.interpolation / rendering.engine
        add(
            "printing the page of 50 transactions, \(rendering.bytes / 1_024) KB",
            micro(rendering.engine),
            "< 40 µs",
            rendering.engine < 40
        )
        add(
            "the same by string interpolation",
            "\(micro(rendering.interpolation)), \(times(ratio)) as long",
            "≥ 5 ×",
            ratio >= 5
        )
        add("making the page from its rows, and printing it", micro(rendering.making), "", nil)
    }
}
