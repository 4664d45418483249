// The latest report of a process that has died, or is to die: the lab's answer to a press of "Kill".

import Synchronization
import Texts

/// The report of the last kill in a world, until another button is pressed. Safe to use from any thread.
final class KillReport: Sendable {
    private let latest = Mutex<Text?>(nil)

    /// Nil if nothing was killed since the last other button.
    var text: Text? { latest.withLock { $0 } }

    /// Ends the report, because another button is pressed.
    func clear() { latest.withLock { $0 = nil } }

    /// Reports what a button has done, if it kills something.
    func note(_ step: StageStep) {
        let text: Text? =
            switch step {
            case .kill(let device, .now): Text("lab.process-was-killed", ["device": .string("\(device)")])
            case .kill(let device, .never): Text("lab.process-is-spared", ["device": .string("\(device)")])
            case .kill(let device, let point):
                Text(
                    "lab.process-is-to-die",
                    ["device": .string("\(device)"), "moment": .text(point.label)]
                )
            default: nil
            }
        guard let text else { return }
        latest.withLock { $0 = text }
    }

    /// Reports that the process of a device has died at the effect for which that was armed, and runs again.
    func noteDeath(of device: Int, at point: KillPoint) {
        let text = Text(
            "lab.process-has-died",
            ["device": .string("\(device)"), "moment": .text(point.label)]
        )
        latest.withLock { $0 = text }
    }
}
