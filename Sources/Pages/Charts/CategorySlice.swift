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
    var minor: Int64

    /// The slices, the largest first. Categories beyond the given number are combined into one "Other".
    static func slices(
        _ rows: [ReportRow],
        currency: CurrencyCode,
        catalog: Catalog,
        most: Int
    ) -> [CategorySlice] {
        var byID: [EntityID?: Int64] = [:]
        for row in rows where row.total.currency == currency && row.total.expenseMinor != 0 {
            guard case .category(let id) = row.key else { continue }
            let top = catalog.category(id)?.parent ?? id
            byID[top] = (byID[top] ?? 0).addingClamped(row.total.expenseMinor)
        }
        // A category to which more came back than was spent has no slice.
        let ordered = byID.filter { $0.value > 0 }.sorted { first, second in
            let names = (catalog.category(first.key)?.name ?? "", catalog.category(second.key)?.name ?? "")
            return (second.value, names.0) < (first.value, names.1)
        }
        let sorted = ordered.map { id, minor in
            let category = catalog.category(id)
            return CategorySlice(
                filter: id.map { .family($0) } ?? .uncategorized,
                name: catalog.categoryName(id),
                icon: category?.icon ?? "dots",
                color: category?.color ?? "slate",
                minor: minor
            )
        }
        guard sorted.count > most + 1 else { return sorted }
        let rest = sorted[most...].reduce(Int64(0)) { $0.addingClamped($1.minor) }
        return sorted[..<most]
            + [
                CategorySlice(
                    filter: nil,
                    name: Text("reports.other"),
                    icon: "dots",
                    color: "slate",
                    minor: rest
                )
            ]
    }
}
