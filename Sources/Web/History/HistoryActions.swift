// The actions of the history.

import Book
import Devices
import HTTPServer
import Ledger
package import Links
import Texts

extension Link {
    package static let history = Link(declared: "/history")
    static let historyChange = LinkTo<Int64>("/history/*")
    static let historyUndo = LinkTo<Int64>("/history/*/undo")
}

extension Feature {
    static let history = Feature(
        routes: [
            get(.history, HistoryShow.answer),
            get(to: Link.historyChange, HistoryChangeShow.answer),
            post(to: Link.historyUndo, HistoryUndo.answer),
        ],
        pages: [HistoryPage.self, HistoryChangePage.self, RemovedChangePage.self],
        links: ["history": .history]
    )
}

/// `GET /history`: the changes of the book that match, newest first.
enum HistoryShow {
    static let most = 50

    static func answer(_ context: RequestContext) throws -> Response {
        let before = context.request.query.first("before").flatMap { Int64($0) }
        let book = try context.book()
        let words = try HistoryWords(context)
        let query = try query(context, kinds: words.kinds)
        let list = try book.history(query, before: before, limit: most, day: words.day)
        var days: [(day: CivilDate, lines: [HistoryLine])] = []
        for change in list.changes {
            let day = words.day(change.at)
            if days.last?.day != day { days.append((day, [])) }
            days[days.count - 1].lines.append(words.line(change))
        }
        return context.page(
            HistoryPage(
                chrome: context.chrome(),
                days: days.map { HistoryDay(title: words.formats.dayTitle($0.day), lines: $0.lines) },
                query: query,
                kinds: words.kinds,
                devices: try book.devicesOfHistory(),
                next: list.next,
                endsEarly: list.endsEarly,
                isShortened: try book.isHistoryShortened()
            )
        )
    }

    /// Reads the filters of an address.
    /// - Parameter kinds: the kinds that may be asked for.
    private static func query(_ context: RequestContext, kinds: [String]) throws -> HistoryQuery {
        let fields = context.request.query
        func value(_ name: String) -> String? { fields.first(name).flatMap { $0.asLine.isEmpty ? nil : $0 } }
        var query = HistoryQuery()
        query.decimalSign = try context.decimalSign()
        query.text = value("q")
        query.kind = value("kind")
        query.device = value("device").map(HistoryDevice.init(fieldValue:))
        for text in [query.text, value("device")] {
            guard text?.fits(TextLimit.payee) != false else { throw Refusal.malformed }
        }
        if let kind = query.kind, !kinds.contains(kind) { throw Refusal.malformed }
        if value("from") != nil || value("to") != nil {
            query.days = try TransactionsShow.days(from: value("from"), to: value("to"))
        }
        return query
    }
}

/// `GET /history/ID`: one change with its rows, a page at a time.
enum HistoryChangeShow {
    /// The number of entries on a page.
    private static let most = 100

    static func answer(_ context: RequestContext, _ number: Int64) throws -> Response {
        try page(context, number, error: nil)
    }

    static func page(_ context: RequestContext, _ number: Int64, error: UndoRefusal?) throws
        -> Response
    {
        let book = try context.book()
        let after = context.request.query.first("after").flatMap { Int64($0) }
        guard let change = try book.historyChange(number, rows: most, after: after) else {
            guard try book.wasRemovedFromHistory(number) else { throw Refusal.notFound }
            return context.page(RemovedChangePage(chrome: context.chrome()), .notFound)
        }
        let words = try HistoryWords(context)
        let day = words.formats.dayTitle(words.day(change.at))
        var (lines, more) = ([words.line(change)], 0)
        if case .rows(let rows, let beyond) = change.content {
            lines = rows.map { words.line(change, $0) }
            more = beyond
        }
        let next = change.next.map { Link.historyChange(number).adding(query: [("after", "\($0)")]) }
        let page = HistoryChangePage(
            chrome: context.chrome(),
            id: change.id,
            when: Text("history.day-and-time", ["day": .text(day), "time": .string(words.time(change.at))]),
            device: words.device(change),
            count: change.together.map { _ in words.line(change).title },
            lines: lines,
            more: more,
            next: next,
            canUndo: words.canUndo(change) && error == nil,
            isChangedSince: try book.wasChangedSince(change.id),
            error: error?.words
        )
        return context.page(page, error == nil ? .ok : .conflict)
    }
}

/// `POST /history/ID/undo`: undoes a change by a new change.
enum HistoryUndo {
    static func answer(_ context: RequestContext, _ number: Int64) throws -> Response {
        let device = try context.knownDevice()
        let book = try context.book()
        let isAsked = context.request.form.first("over") == "1"
        let typed = try typedTransaction(context)
        let undone: Undone
        do throws(BookError) {
            undone = try book.undo(number, overriding: isAsked)
        } catch {
            if error == .unknownChange, try book.wasRemovedFromHistory(number) {
                let text = Text("history.this-change-is-not-kept")
                device.show(Device.Toast(key: "change-not-undone", text: text))
                return try next(context, typed)
            }
            guard let refusal = UndoRefusal(error) else { throw error }
            if typed != nil {
                device.show(Device.Toast(key: "change-not-undone", text: refusal.words))
                return try next(context, typed)
            }
            return try HistoryChangeShow.page(context, number, error: refusal)
        }
        switch undone {
        case .changedSince:
            guard typed != nil else { return context.redirect(to: Link.historyChange(number)) }
            let text = Text("history.not-undone-while-typing")
            device.show(Device.Toast(key: "change-not-undone", text: text))
        case .already:
            device.show(Device.Toast(key: "change-undone", text: Text("history.nothing-to-undo")))
        case .done(let change):
            let undo = Link.historyUndo(change).text
            device.show(Device.Toast(key: "change-undone", text: Text("history.change-undone"), undo: undo))
        }
        return try next(context, typed)
    }

    /// A toast on the page of a transaction, whose button sends along whatever was typed there.
    static func sendingAlong(_ transaction: EntityID, _ toast: ToastLine) -> ToastLine {
        guard let undo = toast.undo, isUndo(undo) else { return toast }
        var toast = toast
        toast.undoWithEntry = undo.adding(query: [(Self.beside, "\(transaction)")])
        return toast
    }

    /// A toast on the list of all receipts, whose button leads back there.
    /// - Parameter address: the list with its filters.
    static func returning(to address: Link, _ toast: ToastLine) -> ToastLine {
        guard let undo = toast.undo, isUndo(undo) else { return toast }
        var toast = toast
        toast.undo = undo.adding(query: [(list, address.text)])
        return toast
    }

    private static func isUndo(_ link: Link) -> Bool {
        link.text.hasPrefix(Link.historyUndo.head) && link.text.hasSuffix(Link.historyUndo.tail)
    }

    /// The name of the address of the list on which the button was pressed.
    private static let list = "list"
    /// The name of the transaction on whose page the button was pressed.
    private static let beside = "beside"

    /// The transaction whose form was sent along, if it has changes that are not stored, or was deleted meanwhile.
    private static func typedTransaction(_ context: RequestContext) throws -> EntityID? {
        guard let id = transaction(context),
            context.request.form.names.contains(where: TransactionEntry.fields.contains)
        else { return nil }
        let book = try context.book()
        guard try book.transaction(id) != nil else {
            return try book.deletion(of: Transaction.self, id) == nil ? nil : id
        }
        return try SentTransaction(id, context).isChanged ? id : nil
    }

    private static func transaction(_ context: RequestContext) -> EntityID? {
        context.request.query.first(beside).flatMap { EntityID($0) }
    }

    /// The page from which the button was pressed, or the history, which lists the change.
    private static func next(_ context: RequestContext, _ typed: EntityID?) throws -> Response {
        if let typed { return try ReceiptPlace.answer(beside: typed, context) }
        if let list = context.request.query.first(list) {
            return context.redirect(to: ReceiptPlace.list(list))
        }
        guard let id = transaction(context), try context.book().transaction(id) != nil else {
            return context.redirect(to: .history)
        }
        return context.redirect(to: Link.transaction(id))
    }
}

extension UndoRefusal {
    /// The reason why a change cannot be undone; nil for errors that do not concern the rows of the book.
    fileprivate init?(_ error: BookError) {
        switch error {
        case .deletedSince, .deletedTransaction: self = .deleted
        case .accountInUse(let transactions): self = .accountInUse(transactions: transactions)
        case .accountScheduled(let count): self = .accountScheduled(schedules: count)
        case .categoryInUse, .categoryKindInUse: self = .categoryInUse
        case .unknownAccount: self = .accountGone
        case .unknownCategory: self = .categoryGone
        case .budgetExists: self = .budgetExists
        case .invalid, .overflow, .categoryNesting, .categoryKind: self = .other
        default: return nil
        }
    }
}
