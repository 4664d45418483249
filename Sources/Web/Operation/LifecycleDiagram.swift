// A diagram of a device's lifecycle, with a box for each state and a line for each transition.

import Templates
import Texts

/// An SVG picture of the states and their transitions.
enum LifecycleDiagram {
    private struct Box {
        let name: String
        let column: Int
        let row: Int
        let meaning: Text
    }

    // swift-format-ignore
    private static let boxes = [
        Box(name: "uninitialized",           column: 0, row: 0, meaning: Text("status.meaning-uninitialized")),
        Box(name: "initializing",            column: 1, row: 0, meaning: Text("status.meaning-initializing")),
        Box(name: "onboarding",              column: 2, row: 0, meaning: Text("status.meaning-onboarding")),
        Box(name: "seeding_guest",           column: 3, row: 0, meaning: Text("status.meaning-seeding-guest")),
        Box(name: "local_only",              column: 3, row: 1, meaning: Text("status.meaning-local-only")),
        Box(name: "verifying_account",       column: 2, row: 1, meaning: Text("status.meaning-verifying-account")),
        Box(name: "migrating_guest_to_auth", column: 3, row: 2, meaning: Text("status.meaning-migrating-guest-to-auth")),
        Box(name: "blocked_no_sync",         column: 1, row: 1, meaning: Text("status.meaning-blocked-no-sync")),
        Box(name: "deleting_server_data",    column: 0, row: 1, meaning: Text("status.meaning-deleting-server-data")),
        Box(name: "switching_to_sync",       column: 2, row: 2, meaning: Text("status.meaning-switching-to-sync")),
        Box(name: "synced",                  column: 2, row: 3, meaning: Text("status.meaning-synced")),
        Box(name: "draining_upload_queue",   column: 3, row: 3, meaning: Text("status.meaning-draining-upload-queue")),
        Box(name: "switching_to_local",      column: 3, row: 4, meaning: Text("status.meaning-switching-to-local")),
        Box(name: "signing_out",             column: 0, row: 2, meaning: Text("status.meaning-signing-out")),
        Box(name: "deleting_account",        column: 0, row: 3, meaning: Text("status.meaning-deleting-account")),
        Box(name: "error",                   column: 1, row: 4, meaning: Text("status.meaning-error")),
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

    /// The names of the states that have a box.
    static var names: Set<String> { Set(boxes.map(\.name)) }

    /// The meaning of a state, in a sentence.
    static func meaning(of state: String) -> Text? { boxes.first { $0.name == state }?.meaning }

    private static let width = 196
    private static let height = 44
    private static let columnStep = 220
    private static let rowStep = 84

    /// The diagram, with the current state marked. Its texts are names of states of this file, or escaped.
    static func markup(current: String, _ texts: TextCatalogue) -> Markup {
        func corner(_ box: Box) -> (x: Int, y: Int) { (4 + box.column * columnStep, 4 + box.row * rowStep) }
        func middle(_ name: String) -> (x: Int, y: Int) {
            guard let box = boxes.first(where: { $0.name == name }) else { return (0, 0) }
            let corner = corner(box)
            return (corner.x + width / 2, corner.y + height / 2)
        }
        let size = "\(3 * columnStep + width + 8) \(4 * rowStep + height + 8)"
        let label = ByteBuffer(capacity: 64)
        label.appendEscaped(texts.string(Text("status.the-states-of-a-device")))
        var text = "<svg class=\"states\" viewBox=\"0 0 \(size)\" role=\"img\" aria-label=\"\(label.text)\">"
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
