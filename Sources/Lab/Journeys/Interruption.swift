// The events that take away what the rest of a journey needs: a sign-out or a deletion that is no part of it, or a sign-in of
// another person.

import Devices
import Texts

/// An event on a device after which a journey cannot be continued.
struct Interruption: Hashable, Sendable {
    /// The raw value is for the script of the lab.
    enum Event: String, Sendable {
        case signedOut = "signed-out"
        case accountDeleted = "account-deleted"
        case dataDeleted = "data-deleted"
        /// Seen in the state of the device, not in its events.
        case anotherPerson = "another-person"

        /// - Parameter name: the name of an event of the lifecycle, as the log of transitions has it.
        init?(_ name: String) {
            switch name {
            case "USER_SIGNED_OUT", "SESSION_ERASED": self = .signedOut
            case "ACCOUNT_DELETE_COMPLETE", "ACCOUNT_GONE": self = .accountDeleted
            case "SERVER_DATA_DELETED": self = .dataDeleted
            default: return nil
            }
        }
    }

    let device: Int
    let event: Event

    /// Distinguishes it from another one of the same journey: `signed-out-1`.
    var key: String { "\(event.rawValue)-\(device)" }

    /// The event, and why the journey ends with it.
    var text: Text {
        let words: [String: Text.Argument] = ["device": .string("\(device)")]
        return switch event {
        case .signedOut: Text("lab.journey-was-signed-out", words)
        case .accountDeleted: Text("lab.journey-lost-its-account", words)
        case .dataDeleted: Text("lab.journey-lost-its-data", words)
        case .anotherPerson: Text("lab.journey-has-another-person", words)
        }
    }
}

extension Journey {
    /// Whether an event on a device is a part of the journey.
    func expects(_ event: Interruption.Event, on device: Int) -> Bool {
        let leaves = expectations.contains { expectation in
            switch expectation {
            case .isIn(device, "onboarding"), .has(device, .guest): true
            default: false
            }
        }
        let deletesAccount = expectations.contains { expectation in
            guard case .reads(_, let text, _) = expectation else { return false }
            return text.key == "notices.your-account-gone"
        }
        switch event {
        case .signedOut: return leaves && !deletesAccount
        case .accountDeleted: return leaves && deletesAccount
        case .anotherPerson: return !world.hasAccount
        case .dataDeleted:
            return expectations.contains { expectation in
                if case .isIn(device, "local_only") = expectation { return true }
                return false
            }
        }
    }
}

extension Walk {
    /// The latest event that has taken away what the signs to come need; nil while the journey can be continued.
    func interruption(in world: World) -> Interruption? {
        let toCome = journey.expectations.dropFirst(reached)
        for part in world.devices where toCome.contains(where: { $0.devices.contains(part.number) }) {
            guard let device = part.device else { continue }
            if let user = device.session?.user, user.email != Person.anna.email,
                !journey.expects(.anotherPerson, on: part.number)
            {
                return Interruption(device: part.number, event: .anotherPerson)
            }
            let events = ((try? device.transitions()) ?? []).compactMap { Interruption.Event($0.event) }
            let last = events.last { event in
                guard !journey.expects(event, on: part.number) else { return false }
                // The user may have signed in again since.
                return event != .signedOut || device.session == nil
            }
            if let last { return Interruption(device: part.number, event: last) }
        }
        return nil
    }
}

extension Expectation {
    /// The devices that the sign is about.
    fileprivate var devices: [Int] {
        switch self {
        case .reads(let device, _, _), .readsNext(let device, _, _): [device]
        case .readsEither(let device, _, _): [device]
        case .readsOnce(let device, _), .readsNever(let device, _): [device]
        case .isInStepWithin(let device, _), .isIn(let device, _), .has(let device, _): [device]
        case .isInStep(let device), .holds(let device, _): [device]
        case .sameBooks(let one, let other): [one, other]
        }
    }
}
