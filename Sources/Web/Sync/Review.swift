import Book
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /sync/review`: conflicting and lost values.
enum ReviewShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let book = try context.book()
        let words = try ChangeWords(context)
        let own = try book.replicaState().replica
        let lines = try book.openConflicts().map { conflict in
            let row = try book.synced(conflict.kind, conflict.entity)
            func side(_ choice: ConflictChoice) -> ReviewLine.Side {
                let isKept = choice == .kept
                let writer = isKept ? conflict.keptBy : conflict.lostBy
                let name = writer.name.isEmpty ? Text("sync.a-browser") : .verbatim(writer.name)
                return ReviewLine.Side(
                    value: words.value(
                        conflict.field,
                        isKept ? conflict.kept : conflict.lost,
                        conflict.kind,
                        row
                    ),
                    device: writer.replica == own ? Text("changes.this-device") : name,
                    stands: isKept
                )
            }
            let mine = conflict.mine(of: own)
            return ReviewLine(
                id: conflict.id,
                title: words.title(conflict.kind, row),
                field: words.label(conflict.field, conflict.kind),
                mine: side(mine),
                theirs: side(mine == .kept ? .lost : .kept),
                when: words.agoTitle(conflict.at)
            )
        }
        let losses = try book.losses().map { loss in
            let row = try book.synced(loss.kind, loss.entity)
            let (entity, lost) = (words.declaration[loss.kind], Set(loss.mine.all.map(\.name)))
            let fields = loss.mine.all.filter {
                entity?.isSilent($0.name, among: lost, inHistory: true) != true
            }
            return LossLine(
                number: loss.id,
                title: words.title(loss.kind, row),
                device: loss.device,
                when: words.agoTitle(loss.at),
                fields: fields.map { field in
                    LossLine.Value(
                        field: words.heading(field.name, loss.kind),
                        mine: words.value(field.name, field.value, loss.kind, row),
                        theirs: loss.present.map {
                            words.value(field.name, $0[field.name] ?? .null, loss.kind, row)
                        }
                    )
                },
                isDeleted: loss.present == nil
            )
        }
        return context.page(ReviewPage(chrome: context.chrome(), lines: lines, losses: losses))
    }
}

/// `POST /sync/review/ID`: chooses one of the two values.
enum ReviewAnswer {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let device = try context.knownDevice()
        guard let conflict = try book.openConflicts().first(where: { $0.id == id }) else {
            throw Refusal.notFound
        }
        let mine = conflict.mine(of: try book.replicaState().replica)
        let choice: ConflictChoice
        switch context.request.form.first("choose") {
        case "mine": choice = mine
        case "theirs": choice = mine == .kept ? .lost : .kept
        default: throw Refusal.malformed
        }
        do { try book.resolve(id, choice) } catch {
            // The row has changed in the meantime, or a row that it refers to was deleted.
            guard error.isAboutTheRow else { throw error }
            let text = Text("sync.other-value-does-not-fit")
            device.show(Device.Toast(key: "conflict-not-resolved", text: text))
            return context.redirect(to: .review)
        }
        device.show(Device.Toast(key: "conflict-resolved", text: Text("sync.decided")))
        return context.redirect(to: .review)
    }
}

/// `POST /sync/review/lost/NUMBER`: keeps the current values, or writes the lost values again.
enum LossAnswer {
    static func answer(_ context: RequestContext, _ number: Int64) throws -> Response {
        let book = try context.book()
        let putsBack: Bool
        switch context.request.form.first("choose") {
        case "mine": putsBack = true
        case "theirs": putsBack = false
        default: throw Refusal.malformed
        }
        var toast: Device.Toast?
        do throws(BookError) {
            if putsBack {
                try book.putBack(loss: number)
                toast = Device.Toast(key: "loss-put-back", text: Text("sync.put-back"))
            } else {
                try book.accept(loss: number)
            }
        } catch {
            switch error {
            // The user has answered in another window already.
            case .unknownChange: break
            case .deletedSince, .deletedTransaction, .unknownTransaction, .unknownBudget:
                toast = Device.Toast(key: "conflict-not-resolved", text: gone)
            default:
                guard error.isAboutTheRow else { throw error }
                let isDeleted = try book.losses().contains { $0.id == number && $0.present == nil }
                toast = Device.Toast(key: "conflict-not-resolved", text: isDeleted ? gone : misfit)
            }
        }
        if let toast { try context.knownDevice().show(toast) }
        return context.redirect(to: .review)
    }

    private static let gone = Text("sync.cannot-come-back")
    private static let misfit = Text("sync.your-value-does-not-fit")
}

extension Book {
    /// The number of conflicts and losses on the Review page.
    func toReview() throws(BookError) -> ToReview {
        ToReview(conflicts: try openConflictCount(), losses: try lossCount())
    }
}

extension Conflict {
    /// The value that this device wrote; the current one if it wrote neither.
    fileprivate func mine(of replica: EntityID?) -> ConflictChoice {
        lostBy.replica == replica && replica != nil ? .lost : .kept
    }
}
