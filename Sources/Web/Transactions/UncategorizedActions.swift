// Giving transactions without a category one, payee by payee.

import Book
import Devices
import Encoding
import HTTPServer
import Ledger
import Links
import Texts

extension Link {
    static let uncategorized = Link(declared: "/transactions/uncategorised")
}

/// `GET /transactions/uncategorised`: what has no category, by payee.
enum UncategorizedShow {
    /// The number of transactions that are listed of each payee.
    private static let mostRows = 3

    static func answer(_ context: RequestContext) throws -> Response {
        let skipped = max(0, context.request.query.first("first").flatMap { Int($0) } ?? 0)
        return try page(context, try context.book().uncategorizedPayees(), from: skipped, .ok)
    }

    /// - Parameters:
    ///   - skipped: the number of payees on earlier pages. From a place where there is none any more, the first page.
    ///   - refused: the place of the payee whose choice was refused, and the choice.
    static func page(
        _ context: RequestContext,
        _ payees: [UncategorizedPayee],
        from skipped: Int,
        refused: (place: Int, state: FormState)? = nil,
        _ status: Status
    ) throws -> Response {
        let (book, catalog, formats) = (try context.book(), try context.catalog(), try context.formats())
        let skipped = skipped < payees.count ? skipped : 0
        let recent = try context.payees().compactMap(\.category)
        let shown = payees.dropFirst(skipped).prefix(UncategorizedPage.most)
        return context.page(
            UncategorizedPage(
                chrome: context.chrome(),
                groups: try shown.enumerated().map { place, payee in
                    UncategorizedGroup(
                        payee,
                        at: place,
                        rows: try book.uncategorized(ofPayee: payee.name, most: mostRows),
                        usual: try book.usualCategory(ofPayee: payee.name),
                        recent: recent,
                        refused: refused?.place == skipped + place ? refused?.state : nil,
                        catalog: catalog,
                        formats: formats
                    )
                },
                count: payees.reduce(0) { $0 + $1.count },
                payeeCount: payees.count,
                skipped: skipped
            ),
            status
        )
    }
}

/// `POST /transactions/uncategorised`: gives what a payee has without a category one.
enum UncategorizedChange {
    static func answer(_ context: RequestContext) throws -> Response {
        let (form, book) = (context.request.form, try context.book())
        guard let payee = form.first("payee"), payee.fits(TextLimit.payee) else { throw Refusal.malformed }
        // A button with a category counts more than the select before it.
        let chosen = form.first("choice") ?? form.first("category") ?? ""
        var state = FormState(values: ["category": chosen, "always": form.first("always") ?? ""])
        state.order = ["category"]
        let payees = try book.uncategorizedPayees()
        guard let place = payees.firstIndex(where: { $0.name.nameKey == payee.nameKey }) else {
            let text = Text(
                "uncategorised.none-left",
                ["payee": payee.isEmpty ? noPayee : .string(payee.isolated)]
            )
            try context.knownDevice().show(Device.Toast(key: "transactions-changed", text: text))
            return context.redirect(to: .uncategorized)
        }
        let skipped = place / UncategorizedPage.most * UncategorizedPage.most
        guard let category = try context.catalog().category(EntityID(chosen)),
            let result = try make(category, of: payee, &state, context)
        else {
            if !state.isRefused {
                let isDeleted = EntityID(chosen) != nil
                state.refuse(
                    "category",
                    isDeleted ? Text("forms.category-deleted-meanwhile") : Text("forms.choose-a-category")
                )
            }
            let refused = (place: place, state: state)
            return try UncategorizedShow.page(
                context,
                payees,
                from: skipped,
                refused: refused,
                .unprocessable
            )
        }
        var words = [words(result, payees[place], category, shown: form.first("shown").flatMap { Int($0) })]
        if form.first("always") == "on", result.change != nil, !payee.isEmpty {
            words.append(Text("uncategorised.new-ones-too"))
        }
        let toast = Device.Toast(
            key: "transactions-changed",
            text: .sentences(words),
            undo: result.change.map { Link.historyUndo($0).text }
        )
        try context.knownDevice().show(toast)
        // The next payee is in the place of the one that is done.
        let next = UncategorizedPage.href(from: skipped)
        return context.redirect(to: place > skipped ? next.adding(fragment: "g\(place - skipped)") : next)
    }

    /// Makes the change.
    /// - Returns: nil if the category was refused.
    private static func make(
        _ category: Ledger.Category,
        of payee: String,
        _ state: inout FormState,
        _ context: RequestContext
    ) throws -> BulkResult? {
        let (book, isAlways) = (try context.book(), context.request.form.first("always") == "on")
        do throws(BookError) {
            let always = isAlways ? context.newID() : nil
            let result = try book.categorize(payee, as: category, always: always)
            guard result.changedCount == 0, let count = result.leftOut[.incomeCategory] else { return result }
            state.refuse("category", TransactionsBulk.obstacle(.incomeCategory, count))
        } catch {
            switch error {
            case .selectionTooLarge:
                state.refuse("category", Text("bulk.too-many", ["limit": .count(TransactionSelection.limit)]))
            case .unknownCategory: state.refuse("category", Text("forms.category-deleted-meanwhile"))
            default: throw error
            }
        }
        return nil
    }

    private static let noPayee = Text.Argument.text(Text("uncategorised.no-payee"))

    /// - Parameter shown: the number of transactions that the page listed.
    private static func words(
        _ result: BulkResult,
        _ payee: UncategorizedPayee,
        _ category: Ledger.Category,
        shown: Int?
    ) -> Text {
        let values: [String: Text.Argument] = [
            "count": .count(result.changedCount), "payee": .string(payee.name.isolated),
            "category": .string(category.name.isolated),
        ]
        var sentences = [
            payee.name.isEmpty
                ? Text("uncategorised.done-without-payee", values) : Text("uncategorised.done", values)
        ]
        sentences += result.leftOut.sorted { $0.value < $1.value }.map {
            TransactionsBulk.obstacle($0.key, $0.value)
        }
        let found = result.changedCount + result.leftOut.values.reduce(0, +)
        if let shown, shown > found {
            sentences.append(Text("uncategorised.changed-meanwhile", ["count": .count(shown - found)]))
        }
        return .sentences(sentences)
    }
}
