// The help for a forgotten password, as browsers get it: the same for every address.
import BreadlyApp
import Foundation
import TestKit
import Testing

@Suite struct HelpForAForgottenPassword {
    private let running: Running

    init() throws { running = try Running() }

    private func help(_ page: Reply) throws -> (isOpen: Bool, command: String?, text: String) {
        let details = try #require(page.html.first("details", ["data-forgotten": ""]))
        return (details["open"] != nil, page.html.first("code", ["class": "command"])?.text, details.text)
    }

    private func refusal(_ email: String) throws -> Reply {
        let visitor = try running.guest()
        _ = try visitor.get("/sign-in")
        return try visitor.post("/sign-in", [("email", email), ("password", "wrong wrong wrong")])
    }

    @Test func itSaysNothingAboutAnAddress() throws {
        try running.guest().signUp()
        let known = try refusal("anna@x.test")
        let unknown = try refusal("nina@x.test")
        #expect(known.status == 422 && unknown.status == 422)
        #expect(known.refused == ["password"] && unknown.refused == ["password"])
        let (first, second) = (try help(known), try help(unknown))
        #expect(first.isOpen && second.isOpen)
        #expect(first.command == "breadly reset-password anna@x.test")
        #expect(second.command == "breadly reset-password nina@x.test")
        #expect(first.text == second.text.replacing("nina@", with: "anna@"))
        let new = try help(running.guest().get("/sign-in"))
        #expect(!new.isOpen && new.command == "breadly reset-password EMAIL")
    }

    @Test func thePagesThatAskForThePasswordHaveItAsWell() throws {
        let anna = try running.guest()
        try anna.signUp()
        #expect(try help(anna.get("/settings/password")).command == "breadly reset-password anna@x.test")
        let change = [("password", "wrong wrong wrong"), ("new_password", "another long one")]
        #expect(try help(anna.post("/settings/password", change)).isOpen)
        // Another field is wrong.
        let weak = [("password", "correct horse battery"), ("new_password", "short")]
        #expect(try !help(anna.post("/settings/password", weak)).isOpen)
        let deletion = try anna.get("/account/delete")
        #expect(try !help(deletion).isOpen)
        let confirmed = [("confirm", "Delete my account"), ("password", "wrong wrong wrong")]
        let refused = try anna.post("/account/delete", confirmed)
        #expect(refused.status == 422 && refused.text.contains("This is not your password."))
        #expect(try help(refused).isOpen && help(refused).command == "breadly reset-password anna@x.test")
    }

    @Test func theAccountsOfACloudElsewhereHaveAnotherPerson() throws {
        #expect(try help(running.guest().get("/sign-in")).text.contains("who runs this server"))
        let cloud = try running.cloud(in: running.folder + "/elsewhere")
        defer { cloud.stop(withinSeconds: 0) }
        try running.restart { $0.cloudAddress = cloud.url }
        #expect(try help(running.guest().get("/sign-in")).text.contains("who runs the cloud"))
    }
}
