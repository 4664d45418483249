import Book
import Devices
import HTTPServer
import Ledger
import Pages

/// `GET /sync/review`: values that met.
enum ReviewShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let book = try context.book()
        let words = try ChangeWords(context)
        let own = try book.standing().replica
        let lines = try book.openConflicts().map { conflict in
            let row = try book.synced(conflict.kind, conflict.entity)
            func side(_ choice: ConflictChoice) -> ReviewLine.Side {
                let isKept = choice == .kept
                let writer = isKept ? conflict.keptBy : conflict.lostBy
                let name = writer.name.isEmpty ? "a browser" : writer.name
                return ReviewLine.Side(
                    value: words.value(
                        conflict.field,
                        isKept ? conflict.kept : conflict.lost,
                        conflict.kind,
                        row
                    ),
                    device: writer.replica == own ? "this device" : name,
                    stands: isKept
                )
            }
            let mine = conflict.mine(of: own)
            return ReviewLine(
                id: conflict.id,
                title: words.title(conflict.kind, row),
                field: words.label(conflict.field),
                mine: side(mine),
                theirs: side(mine == .kept ? .lost : .kept),
                when: words.ago(conflict.at).capitalizedFirst
            )
        }
        let losses = try book.losses().map { loss in
            let row = try book.synced(loss.kind, loss.entity)
            // What goes along with another field is not said.
            let fields = loss.mine.all.filter { $0.name != "accountAmount" || loss.mine["amount"] == nil }
            return LossLine(
                number: loss.id,
                title: words.title(loss.kind, row),
                device: loss.device,
                when: words.ago(loss.at).capitalizedFirst,
                fields: fields.map { field in
                    LossLine.Value(
                        field: words.label(field.name).capitalizedFirst,
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

/// `POST /sync/review/ID`: one of the two values stands from now on.
enum ReviewAnswer {
    static func answer(_ context: RequestContext, _ id: EntityID) throws -> Response {
        let book = try context.book()
        let device = try context.knownDevice()
        guard let conflict = try book.openConflicts().first(where: { $0.id == id }) else {
            throw Refusal.notFound
        }
        let mine = conflict.mine(of: try book.standing().replica)
        let choice: ConflictChoice
        switch context.request.form.first("choose") {
        case "mine": choice = mine
        case "theirs": choice = mine == .kept ? .lost : .kept
        default: throw Refusal.malformed
        }
        do { try book.resolve(id, choice) } catch {
            // The row has changed since, or what it refers to is gone.
            guard error.isAboutTheRow else { throw error }
            let text =
                "The other value does not fit any more. Open the entry and set it there, or keep what stands."
            device.show(Device.Toast(key: "conflict-not-resolved", text: text))
            return .seeOther(Routes.review.link)
        }
        device.show(Device.Toast(key: "conflict-resolved", text: "Decided. It counts on all your devices."))
        return .seeOther(Routes.review.link)
    }
}

/// `POST /sync/review/lost/NUMBER`: what another device's change took the place of is left so, or put back.
enum LossAnswer {
    static func answer(_ context: RequestContext, _ number: ChangeNumber) throws -> Response {
        let book = try context.book()
        let device = try context.knownDevice()
        do throws(BookError) {
            switch context.request.form.first("choose") {
            case "mine":
                try book.putBack(loss: number.position)
                let text = "Put back. It counts on all your devices."
                device.show(Device.Toast(key: "loss-put-back", text: text))
            case "theirs": try book.accept(loss: number.position)
            default: throw BookError.invalid(.other)
            }
        } catch {
            switch error {
            // Answered in another window already.
            case .unknownChange: break
            case .invalid(.other): throw Refusal.malformed
            default:
                guard error.isAboutTheRow || error.isAboutWhatIsGone else { throw error }
                let isDeleted = try book.losses().contains { $0.id == number.position && $0.present == nil }
                let text =
                    isDeleted
                    ? "It cannot come back: something that it belongs to was deleted as well. Bring that back first."
                    : "Your value does not fit any more. Open the entry and set it there, or keep what stands."
                device.show(Device.Toast(key: "conflict-not-resolved", text: text))
            }
        }
        return .seeOther(Routes.review.link)
    }
}

extension BookError {
    fileprivate var isAboutWhatIsGone: Bool {
        switch self {
        case .deletedSince, .deletedTransaction: true
        default: false
        }
    }
}

extension Book {
    /// Counts of what stands under Review.
    func toReview() throws(BookError) -> ToReview {
        ToReview(conflicts: try openConflictCount(), losses: try lossCount())
    }
}

extension Conflict {
    /// Which of the two values this device gave; of two that others gave, the one that stands.
    fileprivate func mine(of replica: EntityID?) -> ConflictChoice {
        lostBy.replica == replica && replica != nil ? .lost : .kept
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
