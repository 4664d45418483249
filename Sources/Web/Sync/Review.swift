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
        return context.page(ReviewPage(chrome: context.chrome(), lines: lines))
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

extension Conflict {
    /// Which of the two values this device gave; of two that others gave, the one that stands.
    fileprivate func mine(of replica: EntityID?) -> ConflictChoice {
        lostBy.replica == replica && replica != nil ? .lost : .kept
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
