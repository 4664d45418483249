// The life of a device as a picture: a box for each state, a line for each way between two.

import Templates

/// An SVG picture of the states and their transitions.
public enum LifecycleDiagram {
    private struct Box {
        let name: String
        let column: Int
        let row: Int
        let meaning: String
    }

    // swift-format-ignore
    private static let boxes = [
        Box(name: "uninitialized",           column: 0, row: 0, meaning: "Just opened, or has just become a fresh guest."),
        Box(name: "initializing",            column: 1, row: 0, meaning: "The book opens."),
        Box(name: "onboarding",              column: 2, row: 0, meaning: "A few questions are left."),
        Box(name: "seeding_guest",           column: 3, row: 0, meaning: "Starter categories and accounts are being written."),
        Box(name: "local_only",              column: 3, row: 1, meaning: "Runs on the book of this device alone."),
        Box(name: "verifying_account",       column: 2, row: 1, meaning: "Signed in; the account is being looked at."),
        Box(name: "migrating_guest_to_auth", column: 3, row: 2, meaning: "What the guest wrote becomes the account’s."),
        Box(name: "blocked_no_sync",         column: 1, row: 1, meaning: "The account has data that needs a subscription."),
        Box(name: "deleting_server_data",    column: 0, row: 1, meaning: "The account’s data is being deleted from the cloud."),
        Box(name: "switching_to_sync",       column: 2, row: 2, meaning: "Sync is being attached."),
        Box(name: "synced",                  column: 2, row: 3, meaning: "Book and cloud are kept in step."),
        Box(name: "draining_upload_queue",   column: 3, row: 3, meaning: "The last changes are being uploaded."),
        Box(name: "switching_to_local",      column: 3, row: 4, meaning: "Sync is being detached."),
        Box(name: "signing_out",             column: 0, row: 2, meaning: "The session ends, the book is cleared."),
        Box(name: "deleting_account",        column: 0, row: 3, meaning: "The account is being deleted."),
        Box(name: "error",                   column: 1, row: 4, meaning: "A step failed. It can be tried again."),
    ]

    private static let ways = [
        ("uninitialized", "initializing"), ("initializing", "onboarding"), ("onboarding", "seeding_guest"),
        ("seeding_guest", "local_only"), ("onboarding", "verifying_account"),
        ("local_only", "verifying_account"),
        ("local_only", "migrating_guest_to_auth"), ("verifying_account", "blocked_no_sync"),
        ("verifying_account", "switching_to_sync"), ("migrating_guest_to_auth", "switching_to_sync"),
        ("blocked_no_sync", "deleting_server_data"), ("switching_to_sync", "synced"),
        ("switching_to_local", "local_only"),
        ("synced", "draining_upload_queue"), ("draining_upload_queue", "switching_to_local"),
        ("blocked_no_sync", "signing_out"), ("synced", "deleting_account"),
    ]

    /// Every state that has a box.
    public static var names: Set<String> { Set(boxes.map(\.name)) }

    /// The meaning of a state, in a sentence.
    static func meaning(of state: String) -> String { boxes.first { $0.name == state }?.meaning ?? "" }

    private static let width = 196
    private static let height = 44
    private static let columnStep = 220
    private static let rowStep = 84

    /// The picture, with the present state marked. All text in it comes from this file.
    static func markup(current: String) -> Markup {
        func corner(_ box: Box) -> (x: Int, y: Int) { (4 + box.column * columnStep, 4 + box.row * rowStep) }
        func middle(_ name: String) -> (x: Int, y: Int) {
            guard let box = boxes.first(where: { $0.name == name }) else { return (0, 0) }
            let corner = corner(box)
            return (corner.x + width / 2, corner.y + height / 2)
        }
        let size = "\(3 * columnStep + width + 8) \(4 * rowStep + height + 8)"
        var text =
            "<svg class=\"states\" viewBox=\"0 0 \(size)\" role=\"img\" aria-label=\"The states of a device\">"
        for (from, to) in ways {
            let (start, end) = (middle(from), middle(to))
            text += "<line x1=\"\(start.x)\" y1=\"\(start.y)\" x2=\"\(end.x)\" y2=\"\(end.y)\"/>"
        }
        for box in boxes {
            let place = corner(box)
            let isHere = box.name == current
            text += "<g\(isHere ? " class=\"here\" aria-current=\"true\"" : "")>"
            text +=
                "<rect x=\"\(place.x)\" y=\"\(place.y)\" width=\"\(width)\" height=\"\(height)\" rx=\"10\"/>"
            text +=
                "<text x=\"\(place.x + width / 2)\" y=\"\(place.y + height / 2 + 5)\" text-anchor=\"middle\">"
            text += box.name + "</text></g>"
        }
        return Markup(trusted: text + "</svg>")
    }
}
