// The diagram of the lifecycle, with a light for each device at its present state.

import Lifecycle
import Templates

/// A state in the diagram.
struct DiagramNode: TemplateModel {
    let name: String
    /// The centre, in the units of the drawing.
    let x: Int64
    let y: Int64
    /// The numbers of the devices in this state.
    let devices: [Int]

    static let width: Int64 = 176
    static let height: Int64 = 40

    static let keys = Keys<DiagramNode>()
        .text("name") { $0.name }
        .text("label") { $0.name.replacing("_", with: " ") }
        .integer("x") { $0.x }
        .integer("y") { $0.y }
        .integer("left") { $0.x - width / 2 }
        .integer("top") { $0.y - height / 2 }
        .integer("text_y") { $0.y + 5 }
        .flag("is_lit") { !$0.devices.isEmpty }
        .list("lights", of: DiagramLight.self) { node in
            (1...LabParts.mostDevices).map {
                DiagramLight(
                    device: $0,
                    isOn: node.devices.contains($0),
                    x: node.x + width / 2 - 14 * Int64($0),
                    y: node.top
                )
            }
        }

    fileprivate var top: Int64 { y - Self.height / 2 }
}

/// The light of a device at a state.
struct DiagramLight: TemplateModel {
    let device: Int
    let isOn: Bool
    let x: Int64
    let y: Int64

    static let keys = Keys<DiagramLight>()
        .integer("device") { Int64($0.device) }
        .flag("is_on") { $0.isOn }
        .integer("x") { $0.x }
        .integer("y") { $0.y }
}

/// A transition in the diagram.
struct DiagramEdge: TemplateModel {
    private let from: (x: Int64, y: Int64)
    private let to: (x: Int64, y: Int64)

    /// - Parameters:
    ///   - from: the centre of a state.
    ///   - to: the centre of the next one, at whose border the arrow ends.
    init(from: (x: Int64, y: Int64), to: (x: Int64, y: Int64)) {
        let (across, down) = (Double(to.x - from.x), Double(to.y - from.y))
        let (half, tall) = (Double(DiagramNode.width / 2 + 3), Double(DiagramNode.height / 2 + 3))
        // The share of the line that is inside of the state.
        let inside = min(half / max(abs(across), 1), tall / max(abs(down), 1), 1)
        self.from = from
        self.to = (to.x - Int64(across * inside), to.y - Int64(down * inside))
    }

    static let keys = Keys<DiagramEdge>()
        .integer("x1") { $0.from.x }
        .integer("y1") { $0.from.y }
        .integer("x2") { $0.to.x }
        .integer("y2") { $0.to.y }
}

enum Diagram {
    /// The states in four columns. The states of each row follow one another in many journeys.
    private static let rows: [[String?]] = [
        ["uninitialized", "initializing", "onboarding", "seeding_guest"],
        ["error", "verifying_account", "migrating_guest_to_auth", "local_only"],
        ["deleting_server_data", "blocked_no_sync", "switching_to_sync", "switching_to_local"],
        ["deleting_account", "signing_out", "synced", "draining_upload_queue"],
    ]

    /// The transitions between different states. Transitions to `error`, and of an account that is gone,
    /// are left out: they lead from almost everywhere.
    private static let transitions: [(String, [String])] = [
        ("uninitialized", ["initializing"]),
        ("initializing", ["onboarding", "seeding_guest", "switching_to_sync", "local_only", "error"]),
        ("onboarding", ["seeding_guest", "verifying_account"]),
        (
            "seeding_guest",
            ["local_only", "switching_to_sync", "migrating_guest_to_auth", "verifying_account"]
        ),
        (
            "local_only",
            [
                "migrating_guest_to_auth", "verifying_account", "switching_to_sync", "draining_upload_queue",
                "switching_to_local", "signing_out", "deleting_account",
            ]
        ),
        (
            "verifying_account",
            ["switching_to_sync", "blocked_no_sync", "seeding_guest", "local_only", "onboarding"]
        ),
        ("migrating_guest_to_auth", ["switching_to_sync", "local_only"]),
        (
            "blocked_no_sync",
            ["switching_to_sync", "signing_out", "deleting_server_data", "deleting_account"]
        ),
        ("switching_to_sync", ["synced"]),
        ("synced", ["draining_upload_queue", "switching_to_local", "signing_out", "deleting_account"]),
        ("draining_upload_queue", ["switching_to_local", "synced", "signing_out", "deleting_account"]),
        ("switching_to_local", ["local_only"]), ("signing_out", ["uninitialized"]),
        ("deleting_server_data", ["seeding_guest"]), ("deleting_account", ["uninitialized"]),
        ("error", ["initializing"]),
    ]

    private static func centre(of name: String) -> (x: Int64, y: Int64) {
        for (row, names) in rows.enumerated() {
            if let column = names.firstIndex(of: name) {
                return (100 + Int64(column) * 200, 32 + Int64(row) * 60)
            }
        }
        return (0, 0)
    }

    /// The nodes, lit for the states of the devices.
    static func nodes(_ states: [Int: String]) -> [DiagramNode] {
        State.names.map { name in
            let (x, y) = centre(of: name)
            let devices = states.filter { $0.value == name }.map(\.key).sorted()
            return DiagramNode(name: name, x: x, y: y, devices: devices)
        }
    }

    static let edges = transitions.flatMap { from, ways in
        ways.map { DiagramEdge(from: centre(of: from), to: centre(of: $0)) }
    }
}
