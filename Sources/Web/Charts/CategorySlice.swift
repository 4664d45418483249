// The spending of a span by top category.

import Ledger
import Texts

/// A top category with the spending in it and in its children.
struct CategorySlice: Sendable {
    /// The transactions of the slice; nil if it combines several categories.
    let filter: CategoryFilter?
    let name: Text
    let icon: String
    let color: String
    var minor: Int128
    /// The spending in the slice.
    var originals: [ReportAmount]
    /// Whether spending of other currencies was converted.
    var isConverted: Bool

    /// The slices, the largest first. Categories beyond the given number are combined into one "Other". The slices add up
    /// to the whole spending, less refunds.
    /// - Parameter valuation: converts the spending of other currencies. By the latest rates, the spending of a
    ///   category with its children is added up before it is converted, as in a budget.
    static func slices(
        _ rows: [ReportRow],
        currency: CurrencyCode,
        catalog: Catalog,
        most: Int,
        _ valuation: Valuation
    ) -> [CategorySlice] {
        var byID: [EntityID?: [ReportAmount]] = [:]
        for row in rows where row.hasExpense {
            guard case .category(let id) = row.key, valuation.converts || row.total.currency == currency
            else {
                continue
            }
            byID[catalog.category(id)?.parent ?? id, default: []].append(row.expense)
        }
        let slices = byID.map { id, amounts in
            let category = catalog.category(id)
            let together = valuation.sum(amounts, in: currency)
            return CategorySlice(
                filter: id.map { .family($0) } ?? .uncategorized,
                name: catalog.categoryName(id),
                icon: category?.icon ?? "dots",
                color: category?.color ?? "slate",
                minor: together.sum.minor,
                originals: amounts,
                isConverted: together.isConverted
            )
        }
        func name(_ slice: CategorySlice) -> String {
            if case .family(let id)? = slice.filter { catalog.category(id)?.name ?? "" } else { "" }
        }
        // A slice below zero is a category to which more came back than was spent.
        let sorted = slices.filter { $0.minor != 0 }.sorted { first, second in
            (second.minor, name(first)) < (first.minor, name(second))
        }
        guard sorted.count > most + 1 else { return sorted }
        let rest = sorted[most...].reduce(Int128(0)) { $0 + $1.minor }
        return sorted[..<most]
            + [
                CategorySlice(
                    filter: nil,
                    name: Text("reports.other"),
                    icon: "dots",
                    color: "slate",
                    minor: rest,
                    originals: [],
                    isConverted: sorted[most...].contains(where: \.isConverted)
                )
            ]
    }
}
