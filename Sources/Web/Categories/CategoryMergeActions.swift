// Merging a category into another one.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /categories/ID/merge`: asks for the category to merge it into; with `to`, shows what that would change.
enum CategoryMergeShow {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        guard let chosen = context.request.query.first("to"), !chosen.isEmpty else {
            return try page(context, id, FormState(), plan: nil, .ok)
        }
        return try preview(context, id, chosen: chosen, notice: nil, .ok)
    }

    /// The preview, or the reason why the chosen category does not fit.
    /// - Parameter notice: a caution above the preview.
    static func preview(
        _ context: RequestContext,
        _ id: EntityID,
        chosen: String,
        notice: Text?,
        _ status: Status
    ) throws -> Response {
        var state = FormState(values: ["to": chosen])
        state.notice = notice
        let (book, month) = (try context.book(), try context.formats().today.yearMonth)
        let plan: CategoryMerge
        do throws(BookError) {
            guard let target = EntityID(chosen) else { throw .invalid(.category) }
            plan = try book.planMerge(of: id, into: target, in: month)
        } catch {
            return try refused(context, id, state, error)
        }
        return try page(context, id, state, plan: plan, status)
    }

    /// The choice of the category again, with the reason beside it.
    static func refused(_ context: RequestContext, _ id: EntityID, _ state: FormState, _ error: BookError)
        throws -> Response
    {
        let target = EntityID(state["to"])
        let reason: Text
        switch error {
        case .invalid(.category): reason = Text("categories.choose-another")
        case .unknownCategory(target): reason = Text("forms.category-deleted-meanwhile")
        case .categoryKind: reason = Text("categories.choose-the-same-kind")
        case .categoryNesting:
            let name = try context.catalog().categoryName(target)
            reason = Text("categories.target-is-inside-it", ["name": .text(name.isolated)])
        default: throw error
        }
        var state = state
        state.notice = nil
        state.refuse("to", reason)
        return try page(context, id, state, plan: nil, .unprocessable)
    }

    private static func page(
        _ context: RequestContext,
        _ id: EntityID,
        _ state: FormState,
        plan: CategoryMerge?,
        _ status: Status
    ) throws -> Response {
        guard let category = try context.book().category(id) else {
            return try EntityShow<CategoryEntry>.gone(context, id)
        }
        return context.page(
            CategoryMergePage(
                chrome: context.chrome(),
                formats: try context.formats(),
                catalog: try context.catalog(),
                category: category,
                state: state,
                plan: plan,
                pastMonths: try plan.flatMap { try context.pastMonths(merging: $0) }
            ),
            status
        )
    }
}

/// `POST /categories/ID/merge`: merges a category into `to` as one change; without `sure`, shows what that would change. If
/// `count` is sent, it is the number of transactions that the preview named.
enum CategoryMergeAction {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let (form, book) = (context.request.form, try context.book())
        guard try book.category(id) != nil else { return try EntityShow<CategoryEntry>.gone(context, id) }
        let chosen = form.first("to") ?? ""
        guard form.first("sure") == "on" else {
            return try CategoryMergeShow.preview(context, id, chosen: chosen, notice: nil, .ok)
        }
        let month = try context.formats().today.yearMonth
        let merged: CategoryMerge
        do throws(BookError) {
            guard let target = EntityID(chosen) else { throw .invalid(.category) }
            merged = try book.mergeCategory(
                id,
                into: target,
                in: month,
                expecting: form.first("count").flatMap { Int($0) }
            )
        } catch {
            if case .changedMeanwhile = error {
                let notice = Text("categories.merge-has-changed")
                return try CategoryMergeShow.preview(
                    context,
                    id,
                    chosen: chosen,
                    notice: notice,
                    .unprocessable
                )
            }
            return try CategoryMergeShow.refused(context, id, FormState(values: ["to": chosen]), error)
        }
        let done = Text(
            "categories.merged",
            ["source": .string(merged.source.name.isolated), "target": .string(merged.target.name.isolated)]
        )
        let undo = merged.change.map { Link.historyUndo($0).text }
        try context.knownDevice().show(Device.Toast(key: "category-merged", text: done, undo: undo))
        return context.redirect(to: Link.categories.adding(fragment: "t\(merged.target.id)"))
    }
}
