// The page of the demo's sign-in: the made-up people, one of whom signs in.

import HTTPServer
import Ledger
import Links
import Templates
import Web

/// The choice of a person.
struct PeoplePage: Page {
    static let template = "lab/people"
    let assets: LabAssets
    let csrf: String
    /// Identifies the sign-in.
    let state: String

    static let keys = Keys<PeoplePage>()
        .model("assets", of: LabAssets.self) { $0.assets }
        .text("csrf") { $0.csrf }
        .text("state") { $0.state }
        .list("people", of: Person.self) { _ in Person.all }
}

extension Person: TemplateModel {
    static let keys = Keys<Person>()
        .text("id") { $0.id }
        .text("name") { $0.name }
        .text("initial") { String($0.name.prefix(1)) }
        .text("email") { $0.email }
}

/// `GET /lab/sign-in`: the people to choose from.
enum PeopleShow {
    static func answer(_ call: LabCall) -> Response {
        let lab = call.lab
        guard let state = call.request.query.first("state"),
            call.reviewer.now.world?.provider.redirect(of: state) != nil
        else { return lab.page(ProblemPage(.notFound, lab.assets), .notFound) }
        return lab.page(PeoplePage(assets: lab.assets, csrf: lab.csrf(call.reviewer), state: state))
    }
}

/// `POST /lab/sign-in`: the choice; it returns to the device as an identity provider does.
enum PersonChoice {
    static func answer(_ call: LabCall) -> Response {
        guard let state = call.form.first("state"),
            let redirect = call.reviewer.now.world?.provider.redirect(of: state)
        else { return call.lab.page(ProblemPage(.notFound, call.lab.assets), .notFound) }
        let choice = call.form.first("person") ?? ""
        // The provider's own page has a way back as well.
        let answer = Person.all.contains { $0.id == choice } ? ("code", choice) : ("error", "access_denied")
        let query = Link.overview.adding(query: [("state", state), answer]).text.dropFirst()
        return .seeOther(redirect + query)
    }
}
