// The command for a forgotten password, on the three pages that ask for one.
import Templates
import TestKit
import Testing
import Texts

@testable import Web

@Suite struct ForgottenPasswords {
    private func methods(
        _ change: (inout SignInPage.Methods) -> Void = { _ in }
    ) -> SignInPage.Methods {
        var methods = SignInPage.Methods(passwords: true, provider: nil, acceptsNewAccounts: true)
        change(&methods)
        return methods
    }

    private func signIn(
        _ known: FormState = FormState(),
        again: SignInPage.Owner? = nil,
        _ change: (inout SignInPage.Methods) -> Void = { _ in }
    ) throws -> HTMLReader {
        HTMLReader(
            try Renderer().render(
                SignInPage(
                    chrome: Sample().chrome,
                    methods: methods(change),
                    known: known,
                    again: again
                )
            )
        )
    }

    @Test(arguments: [
        ("anna@x.test", "anna@x.test"), (" anna@x.test ", "anna@x.test"), ("a'b@x.test", #"'a'\''b@x.test'"#),
        ("a;rm@x.test", "'a;rm@x.test'"), ("a b@x.test", "'a b@x.test'"), ("-rf@x.test", "-- -rf@x.test"),
        ("a\u{202E}b@x.test", #"$'a\u202eb@x.test'"#), ("a\nb@x.test", "'a b@x.test'"), ("", "EMAIL"),
        ("anna", "EMAIL"), ("@", "EMAIL"), ("a@b@c", "EMAIL"),
        (String(repeating: "a", count: 250) + "@x.test", "EMAIL"),
    ])
    func theAddressIsOneWordOfAShell(typed: String, word: String) {
        #expect(
            ForgottenPassword(of: typed, methods(), isOpen: false).command == "breadly reset-password \(word)"
        )
    }

    @Test func theSignInNamesThePersonWhoCanHelp() throws {
        let closed = try #require(try signIn().first("details", ["data-forgotten": ""]))
        #expect(closed["open"] == nil && closed.text.contains("Forgot your password?"))
        #expect(closed.text.contains("The person who runs this server"))
        #expect(try signIn().first("code")?.text == "breadly reset-password EMAIL")
        var state = FormState(values: ["email": "anna@x.test"])
        state.refuse("password", Text("user-account.wrong-credentials"))
        let refused = try signIn(state)
        #expect(refused.first("details", ["data-forgotten": ""])?["open"] != nil)
        #expect(refused.first("code")?.text == "breadly reset-password anna@x.test")
        let locked = try signIn(
            again: SignInPage.Owner(name: "ben@x.test", email: "ben@x.test", isLocked: true)
        )
        #expect(locked.first("code")?.text == "breadly reset-password ben@x.test")
        #expect(try signIn { $0.passwords = false }.first("details", ["data-forgotten": ""]) == nil)
    }

    @Test func theCloudsOwnPersonAndTheProviderAreNamed() throws {
        let remote = try signIn { $0.isOfRemoteCloud = true }
        let help = try #require(remote.first("details", ["data-forgotten": ""]))
        #expect(help.text.contains("The person who runs the cloud") && !help.text.contains("this server"))
        let both = try signIn { $0.provider = "Example ID" }
        #expect(both.first("details", ["data-forgotten": ""])?.text.contains("Example ID") == true)
    }
}
