// The rule that set the values of an entry, on the entry's page.

import Book
import Ledger
import Links
import Templates

/// A rule by its name, with the way to it.
struct RuleMark: TemplateModel {
    let id: EntityID
    let name: String

    /// - Returns: nil for no rule, and for one that is gone.
    static func of(_ id: EntityID?, _ book: Book) throws(BookError) -> RuleMark? {
        guard let id, let rule = try book.rule(id) else { return nil }
        return RuleMark(id: id, name: rule.name)
    }

    static let keys = Keys<RuleMark>()
        .text("id") { "\($0.id)" }
        .text("name") { $0.name }
        .link("href", to: Link.rule) { $0.id }
}
