// The labels of the lab's buttons.

import BankFeeds
import Ledger
import Texts

/// The name of a state as the diagram writes it: `local only`.
func inWords(_ state: String) -> String { state.replacing("_", with: " ") }

extension WorldKind {
    var label: Text {
        switch self {
        case .empty: Text("lab.world-empty")
        case .newGuest: Text("lab.world-new-guest")
        case .guest: Text("lab.world-guest")
        case .free: Text("lab.world-free")
        case .premium: Text("lab.world-premium")
        case .exPremium: Text("lab.world-ex-premium")
        case .threeCurrencies: Text("lab.world-three-currencies")
        case .conflict: Text("lab.world-conflict")
        case .bigBook: Text("lab.world-big-book")
        }
    }

    /// The story of the world, in a sentence or two.
    var story: Text {
        switch self {
        case .empty: Text("lab.story-empty")
        case .newGuest: Text("lab.story-new-guest")
        case .guest: Text("lab.story-guest")
        case .free: Text("lab.story-free")
        case .premium: Text("lab.story-premium")
        case .exPremium: Text("lab.story-ex-premium")
        case .threeCurrencies: Text("lab.story-three-currencies")
        case .conflict: Text("lab.story-conflict")
        case .bigBook: Text("lab.story-big-book")
        }
    }
}

extension TimeStep {
    var label: Text {
        switch self {
        case .hour: Text("lab.plus-1-hour")
        case .day: Text("lab.plus-1-day")
        case .fourDays: Text("lab.plus-4-days")
        case .eightDays: Text("lab.plus-8-days")
        }
    }
}

extension LineState {
    var label: Text {
        switch self {
        case .on: Text("lab.line-on")
        case .slow: Text("lab.line-slow")
        case .off: Text("lab.line-off")
        case .cut: Text("lab.line-cut")
        case .noChecks: Text("lab.line-no-checks")
        case .noRoom: Text("lab.line-no-room")
        case .full: Text("lab.line-full")
        }
    }

    /// The effect on calls; nil for none.
    var help: Text? {
        switch self {
        case .on: nil
        case .slow: Text("lab.slow-means")
        case .off: Text("lab.off-means")
        case .cut: Text("lab.cut-means")
        case .noChecks: Text("lab.no-checks-means")
        case .noRoom: Text("lab.no-room-means")
        case .full: Text("lab.full-means")
        }
    }
}

extension StoreAction {
    var label: Text {
        switch self {
        case .subscribe: Text("lab.store-subscribe")
        case .approvalPending: Text("lab.store-approval-pending")
        case .renew: Text("lab.store-renew")
        case .paymentFailing: Text("lab.store-payment-failing")
        case .cancel: Text("lab.store-cancel")
        case .expire: Text("lab.store-expire")
        case .refund: Text("lab.store-refund")
        }
    }
}

extension RateState {
    var label: Text {
        switch self {
        case .fresh: Text("lab.rates-fresh")
        case .old: Text("lab.rates-old")
        case .none: Text("lab.rates-none")
        }
    }
}

extension DemoBank.Behaviour {
    private var label: Text {
        switch self {
        case .works: Text("lab.bank-works")
        case .slow: Text("lab.bank-slow")
        case .down: Text("lab.bank-down")
        case .consentEnds: Text("lab.bank-consent-ends")
        case .tooManyRequests: Text("lab.bank-too-many-requests")
        case .wrongContentType: Text("lab.bank-wrong-content-type")
        case .duplicates: Text("lab.bank-duplicates")
        case .changingPending: Text("lab.bank-changing-pending")
        }
    }

    /// The label with the effect on requests, if there is one.
    var labelWithEffect: Text {
        effect.map { Text("lab.bank-with-effect", ["behaviour": .text(label), "effect": .text($0)]) } ?? label
    }

    private var effect: Text? {
        switch self {
        case .works: nil
        case .slow: Text("lab.bank-slow-means")
        case .down: Text("lab.bank-down-means")
        case .consentEnds: Text("lab.bank-consent-ends-means")
        case .tooManyRequests: Text("lab.bank-too-many-requests-means")
        case .wrongContentType: Text("lab.bank-wrong-content-type-means")
        case .duplicates: Text("lab.bank-duplicates-means")
        case .changingPending: Text("lab.bank-changing-pending-means")
        }
    }
}

extension KillPoint {
    var label: Text {
        switch self {
        case .now: Text("lab.kill-now")
        case .never: Text("lab.kill-never")
        case .gatherContext: Text("lab.kill-gather-context")
        case .seedDefaults: Text("lab.kill-seed-defaults")
        case .clearBook: Text("lab.kill-clear-book")
        case .moveToAccount: Text("lab.kill-move-to-account")
        case .attachSync: Text("lab.kill-attach-sync")
        case .detachSync: Text("lab.kill-detach-sync")
        case .signOut: Text("lab.kill-sign-out")
        case .askCloud: Text("lab.kill-ask-cloud")
        }
    }
}

extension WalkState {
    var label: Text {
        switch self {
        case .open: Text("lab.walk-open")
        case .staged: Text("lab.walk-staged")
        case .reached: Text("lab.walk-reached")
        }
    }
}

extension Expectation {
    /// The sign that the reviewer looks for, in a sentence.
    var label: Text {
        switch self {
        case .reads(let device, let text, .file):
            Text("lab.device-reads-of-file", ["device": .string("\(device)"), "sentence": .text(text)])
        case .reads(let device, let text, _):
            Text("lab.device-reads", ["device": .string("\(device)"), "sentence": .text(text)])
        case .readsNext(let device, let text, _):
            Text("lab.device-reads-next", ["device": .string("\(device)"), "sentence": .text(text)])
        case .readsEither(let device, let one, let other):
            Text(
                "lab.device-reads-either",
                ["device": .string("\(device)"), "one": .text(one), "other": .text(other)]
            )
        case .readsOnce(let device, let text):
            Text("lab.device-reads-once", ["device": .string("\(device)"), "sentence": .text(text)])
        case .readsNever(let device, let text):
            Text("lab.device-reads-never", ["device": .string("\(device)"), "sentence": .text(text)])
        case .isIn(let device, let state):
            Text("lab.device-is-in", ["device": .string("\(device)"), "state": .string(inWords(state))])
        case .has(let device, .guest): Text("lab.device-is-guest", ["device": .string("\(device)")])
        case .has(let device, .free): Text("lab.device-is-free", ["device": .string("\(device)")])
        case .has(let device, .premium): Text("lab.device-is-premium", ["device": .string("\(device)")])
        case .isInStep(let device): Text("lab.device-is-in-step", ["device": .string("\(device)")])
        case .isInStepWithin(let device, let seconds):
            Text(
                "lab.device-is-in-step-within",
                ["device": .string("\(device)"), "seconds": .string("\(seconds)")]
            )
        case .holds(let device, let transactions):
            Text("lab.device-holds", ["device": .string("\(device)"), "count": .count(transactions)])
        case .sameBooks(let one, let other):
            Text("lab.same-books", ["device": .string("\(one)"), "other": .string("\(other)")])
        }
    }
}

extension Journey.Source {
    var label: Text {
        switch self {
        case .safety(let row): Text("lab.source-safety", ["number": .string("\(row)")])
        case .journey(let number): Text("lab.source-journey", ["number": .string("\(number)")])
        case .signOut(let row): Text("lab.source-sign-out", ["number": .string("\(row)")])
        case .scenario(let number): Text("lab.source-scenario", ["number": .string(number)])
        case .banks: Text("lab.source-banks")
        case .conflicts: Text("lab.source-conflicts")
        case .receipts: Text("lab.source-receipts")
        case .currencies: Text("lab.source-currencies")
        case .refusals: Text("lab.source-refusals")
        }
    }
}
