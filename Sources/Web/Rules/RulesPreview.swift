// Trying a rule on the transactions of the book, and changing them.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `POST /rules/preview`: the transactions that a rule would change. The rule is that of `id`, or the one that was typed, which
/// may be a change of that of `id`.
enum RulesPreview {
    static func answer(_ context: RequestContext) throws -> Response {
        let form = context.request.form
        let id = try form.first("id").map { text in
            guard let id = EntityID(text) else { throw Refusal.malformed }
            return id
        }
        guard form.contains("when_value") else {
            guard let id else { throw Refusal.malformed }
            guard let rule = try context.book().rule(id) else { throw Refusal.notFound }
            return try page(context, rule, typed: nil)
        }
        let stored = try id.flatMap { try context.book().rule($0) }
        var state = FormState(form, RuleEntry.fields, lists: RuleEntry.lists)
        (state.seen, state.back) = (form.first("seen"), context.postedList)
        let entry = try RuleEntry(state, id: stored?.id ?? context.onceID(), context)
        guard let rule = entry.value else {
            return try RuleEntry.page(
                context,
                entry.state,
                editing: stored?.id,
                obstacle: nil,
                .unprocessable
            )
        }
        // Nothing was changed in the form.
        if rule == stored { return try page(context, rule, typed: nil) }
        return try page(context, rule, typed: stored.map { Link.rule($0.id) } ?? .rules)
    }

    /// - Parameter typed: the address to which the form of the rule is sent; nil for a rule as it is stored.
    private static func page(_ context: RequestContext, _ rule: Rule, typed: Link?) throws -> Response {
        let (formats, catalog) = (try context.formats(), try context.catalog())
        let words = try RuleFacts.words(context)
        let preview = try context.book().preview(
            rule,
            beside: context.bankRows(),
            most: RulePreviewPage.mostRows
        )
        let plumbing: Set = ["csrf", "id", "edit", "apply"]
        let typedFields = context.request.form.all.filter { !plumbing.contains($0.name) }
            .map { HiddenField(name: $0.name, value: $0.value) }
        return context.page(
            RulePreviewPage(
                chrome: context.chrome(),
                action: typed ?? .rulesApply,
                fields: typed == nil ? [HiddenField(name: "id", value: "\(rule.id)")] : typedFields,
                isUnsaved: typed != nil,
                words: words.sentence(rule),
                count: preview.count,
                rows: preview.rows.map { row in
                    RuleChangeLine(
                        before: row.before,
                        after: row.after,
                        catalog: catalog,
                        formats: formats
                    )
                },
                remarks: remarks(preview),
                back: Link.rule(rule.id)
            )
        )
    }
}

extension RulesPreview {
    /// The sentence about a rule that would change more transactions than one step can.
    static let tooMany = Text("rules.more-than-can-change", ["limit": .count(TransactionSelection.limit)])

    fileprivate static func remarks(_ preview: RulePreview) -> [Text] {
        var remarks: [Text] = []
        if preview.bankCount > 0 {
            remarks.append(Text("rules.and-of-banks", ["count": .count(preview.bankCount)]))
        }
        if preview.isTooCostly { remarks.append(Text("rules.is-too-costly")) }
        if preview.count > TransactionSelection.limit { remarks.append(tooMany) }
        return remarks
    }
}

/// `POST /rules/apply`: changes all transactions that the rule `id` would change.
enum RulesApply {
    static func answer(_ context: RequestContext) throws -> Response {
        guard let id = context.request.form.first("id").flatMap({ EntityID($0) }) else {
            throw Refusal.malformed
        }
        guard let rule = try context.book().rule(id) else {
            return try EntityShow<RuleEntry>.gone(context, id)
        }
        try apply(rule, context)
        return context.redirect(to: Link.rules.adding(fragment: "t\(id)"))
    }

    /// Changes the transactions and tells the user about it.
    static func apply(_ rule: Rule, _ context: RequestContext) throws {
        let (book, bank) = (try context.book(), try context.bankRows())
        let result: BulkResult
        do throws(BookError) { result = try book.apply(rule, beside: bank) } catch {
            guard error == .selectionTooLarge else { throw error }
            let text = RulesPreview.tooMany
            try context.knownDevice().show(Device.Toast(key: "rule-not-applied", text: text))
            return
        }
        let toast = Device.Toast(
            key: "rule-applied",
            text: Text("rules.applied", ["count": .count(result.changedCount)]),
            undo: result.change.map { Link.historyUndo($0).text }
        )
        try context.knownDevice().show(toast)
    }
}
