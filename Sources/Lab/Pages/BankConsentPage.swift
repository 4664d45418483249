// The page of the demo's bank on which a user consents.

import BankFeeds
import HTTPServer
import Ledger
import Links
import Templates
import Web

/// The question whether Breadly may read the accounts.
struct BankConsentPage: Page {
    static let template = "lab/bank"
    let assets: LabAssets
    let csrf: String
    /// Identifies the consent.
    let state: String

    static let keys = Keys<BankConsentPage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .text("csrf") { $0.csrf }
        .text("state") { $0.state }
}

/// `GET /lab/bank`: the question.
enum BankConsentShow {
    static func answer(_ call: LabCall) -> Response {
        let lab = call.lab
        guard let state = call.request.query.first("state"),
            call.reviewer.now.world?.bank.redirect(of: state) != nil
        else { return lab.page(ProblemPage(.notFound, lab.assets), .notFound) }
        return lab.page(BankConsentPage(assets: lab.assets, csrf: lab.csrf(call.reviewer), state: state))
    }
}

/// `POST /lab/bank`: the answer; it returns to the device as a bank does.
enum BankConsentAnswer {
    static func answer(_ call: LabCall) -> Response {
        guard let state = call.form.first("state"), let bank = call.reviewer.now.world?.bank,
            let redirect = bank.redirect(of: state)
        else { return call.lab.page(ProblemPage(.notFound, call.lab.assets), .notFound) }
        let isAllowed = call.form.first("answer") == "allow"
        let answer = isAllowed ? ("code", bank.allow()) : ("error", "access_denied")
        let query = Link.overview.adding(query: [("state", state), answer]).text.dropFirst()
        return .seeOther(redirect + query)
    }
}
