// The budgets of two categories as those of one.
import GRDB
import Ledger
import Storage
import SyncCore

/// Months in a row with one limit of a category.
struct BudgetPiece: Hashable {
    var from: YearMonth
    /// The first month after them; nil for no end.
    var end: YearMonth?
    var limit: Money
    /// Whether the remainders of these months carry over.
    var carries: Bool
    var pace: BudgetPace?

    func holds(in month: YearMonth) -> Bool { from <= month && end.map { month < $0 } ?? true }

    /// The pieces of two budgets together. Where both have a limit, it is the sum, or the first one's; carry-over and pace
    /// are the first one's.
    /// - Parameter adds: whether limits of one currency are added up.
    static func merged(_ first: [BudgetPiece], _ second: [BudgetPiece], adds: Bool) -> [BudgetPiece] {
        let ends = Set((first + second).flatMap { [$0.from, $0.end].compactMap(\.self) }).sorted()
        return ends.enumerated().compactMap { index, month in
            let (one, other) = (first.first { $0.holds(in: month) }, second.first { $0.holds(in: month) })
            guard var piece = one ?? other else { return nil }
            (piece.from, piece.end) = (month, index + 1 < ends.count ? ends[index + 1] : nil)
            if let one, let other, adds, one.limit.currency == other.limit.currency {
                piece.limit.minor = min(one.limit.minor + other.limit.minor, 1_000_000_000_000_000)
            }
            return piece
        }
    }
}

extension BudgetChain {
    /// The limits without overlaps, each with one answer to whether its remainders carry over.
    var pieces: [BudgetPiece] {
        rows.enumerated().flatMap { index, row -> [BudgetPiece] in
            let next = index + 1 < rows.count ? rows[index + 1].from : nil
            let end = [next, row.until?.next].compactMap(\.self).min()
            guard end.map({ row.from < $0 }) ?? true else { return [] }
            var piece = BudgetPiece(
                from: row.from,
                end: end,
                limit: row.limit,
                carries: row.rollover,
                pace: row.pace
            )
            guard let switched = row.switchMonth else { return [piece] }
            var before = piece
            before.carries.toggle()
            guard end.map({ switched < $0 }) ?? true else { return [before] }
            (before.end, piece.from) = (switched, switched)
            return [before, piece]
        }
    }
}

extension BookDatabase {
    /// The fate of the budgets of a category that is merged into another one.
    /// - Parameter month: the present month.
    func planBudgets(of source: Ledger.Category, into target: Ledger.Category, in month: YearMonth) throws
        -> CategoryMerge.Budgets?
    {
        let (from, to) = (try pieces(of: source.id), try pieces(of: target.id))
        if from.isEmpty { return nil }
        if to.isEmpty { return .moved }
        let areOfOneCurrency = Set((from + to).map(\.limit.currency)).count == 1
        guard source.parent != target.id, areOfOneCurrency else { return .kept }
        let limits = [from, to].map { $0.first { $0.holds(in: month) }?.limit }
        return limits.contains(nil) ? .added(nil, nil) : .added(limits[0], limits[1])
    }

    /// Makes the budgets of a category those of another one: the stored rows that begin in a month of the result are
    /// reused.
    func mergeBudgets(of source: Ledger.Category, into target: Ledger.Category, _ now: Int64) throws {
        let (from, to) = (try liveBudgets(of: source.id), try liveBudgets(of: target.id))
        guard !from.isEmpty else { return }
        guard !to.isEmpty else {
            for row in from {
                try patch(["category": .text("\(target.id)")], Budget.entityKind, row.id)
            }
            return
        }
        let pieces = BudgetPiece.merged(
            try self.pieces(of: target.id),
            try self.pieces(of: source.id),
            adds: source.parent != target.id
        )
        var used: Set<EntityID> = []
        var start: YearMonth?
        for (index, piece) in pieces.enumerated() {
            let before = index > 0 ? pieces[index - 1] : nil
            let continues =
                before.map { $0.carries && $0.end == piece.from && $0.limit.currency == piece.limit.currency }
                ?? false
            if !continues { start = piece.from }
            let isFollowed = index + 1 < pieces.count && pieces[index + 1].from == piece.end
            var row = Budget(
                id: target.id,
                category: target.id,
                limit: piece.limit,
                from: piece.from,
                rollover: piece.carries,
                until: isFollowed ? nil : piece.end?.previous,
                carryFrom: piece.carries && continues ? start : nil,
                pace: piece.pace
            )
            let stored =
                to.last { $0.from == piece.from } ?? from.last { $0.from == piece.from }
            if let stored {
                row.id = stored.id
                used.insert(row.id)
                var changes: Fields = [:]
                for field in row.fields.all where field.value != stored.fields[field.name] ?? .null {
                    changes[field.name] = field.value
                }
                if !changes.isEmpty { try patch(changes, Budget.entityKind, row.id) }
            } else {
                row.id = .derived(from: "budget", "\(target.id) \(piece.from)")
                while try isDeleted(row.id, in: "budgets") != nil { row.id = row.id.copy }
                try insert(row)
            }
        }
        for row in from where !used.contains(row.id) { try deleteBudget(row.id, now) }
    }

    private func pieces(of category: EntityID) throws -> [BudgetPiece] {
        BudgetChain(try liveBudgets(of: category)).pieces
    }
}
