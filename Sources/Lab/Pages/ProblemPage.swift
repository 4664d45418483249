// The page for what the lab cannot do.

import Templates
import Texts
import Web

/// A problem in a sentence or two, and the way back.
struct ProblemPage: Page {
    static let template = "lab/problem"

    enum Problem: Sendable {
        case gone, full, failed, notFound, wrongMethod, malformed, foreignForm, noCustomer, noPurchase,
            noSession, endOfTime, story, notBegun
    }

    let problem: Problem
    let assets: LabAssets

    init(_ problem: Problem, _ assets: LabAssets) {
        self.problem = problem
        self.assets = assets
    }

    static let keys = Keys<ProblemPage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .message("title") { page in
            switch page.problem {
            case .gone: Text("lab.this-world-was-put-away")
            case .full: Text("lab.the-lab-is-full")
            case .failed: Text("lab.that-did-not-work")
            case .notFound: Text("lab.there-is-no-such-page")
            case .wrongMethod, .malformed: Text("lab.that-was-not-understood")
            case .foreignForm: Text("lab.the-form-is-too-old")
            case .noCustomer: Text("lab.there-is-no-customer")
            case .noPurchase: Text("lab.there-is-no-purchase")
            case .noSession: Text("lab.there-is-no-session")
            case .endOfTime: Text("lab.the-clock-is-at-its-end")
            case .story: Text("lab.stories-lead-nowhere")
            case .notBegun: Text("lab.nothing-has-begun")
            }
        }
        .message("text") { page in
            switch page.problem {
            case .gone: Text("lab.worlds-are-put-away-after")
            case .full: Text("lab.as-many-worlds-as")
            case .failed: Text("lab.a-new-world-helps")
            case .notFound: Text("lab.the-lab-has-what-you-look-for")
            case .wrongMethod, .malformed: Text("lab.nothing-was-changed")
            case .foreignForm: Text("lab.load-the-page-again")
            case .noCustomer: Text("lab.sign-in-on-a-device-first")
            case .noPurchase: Text("lab.subscribe-before-a-refund")
            case .noSession: Text("lab.sign-in-on-this-device-first")
            case .endOfTime: Text("lab.a-new-world-begins-anew")
            case .story: Text("lab.a-story-is-one-moment")
            case .notBegun: Text("lab.begin-in-the-lab")
            }
        }
        .flag("is_gone") { $0.problem == .gone }
}
