// The page that connects a bank: the choice of a provider, a setup token, or the way to the provider's page.

import Ledger
import Links
import Templates
import Texts

/// The forms of the providers. They post `csrf`, `provider`, `connection` to renew an existing connection, and
/// `setup_token` for a provider that has tokens.
struct BankConnectPage: Page {
    static let template = "banks/connect"
    let chrome: Chrome
    /// The providers that can be chosen.
    let providers: [BankProviderForm]
    /// The consent that the user has begun to give; nil before the provider is chosen.
    var consent: Consent? = nil
    /// The reason why the connection was not made; nil for none.
    var message: Text? = nil

    /// The provider's page on which the user consents.
    struct Consent: Sendable {
        /// The provider's name for users.
        let provider: String
        /// The address of the provider's page, on another server.
        let address: String
    }

    static let keys = Keys<BankConnectPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .optionalMessage("message") { $0.message }
        .flag("has_consent") { $0.consent != nil }
        .text("consent_href") { $0.consent?.address ?? "" }
        .message("consent_text") { page in
            Text("banks.at-provider-you-choose", ["provider": .string(page.consent?.provider ?? "")])
        }
        .message("consent_label") { page in
            Text("banks.continue-at-provider", ["provider": .string(page.consent?.provider ?? "")])
        }
        .list("providers", of: BankProviderForm.self) { $0.consent == nil ? $0.providers : [] }
}

/// The form of one provider.
struct BankProviderForm: TemplateModel {
    let key: String
    let name: String
    let hasToken: Bool
    let connection: EntityID?
    let field: Field

    /// - Parameters:
    ///   - hasToken: whether the user pastes a setup token.
    ///   - connection: the connection to renew; nil for a new one.
    ///   - state: the values of a refused form.
    init(key: String, name: String, hasToken: Bool, connection: EntityID?, state: FormState) {
        self.key = key
        self.name = name
        self.hasToken = hasToken
        self.connection = connection
        // A token is a secret: a refused form does not repeat it.
        field = Field(name: "setup_token", value: "", error: state.errors["setup_token"], isFirstError: true)
    }

    static let keys = Keys<BankProviderForm>()
        .text("key") { $0.key }
        .text("name") { $0.name }
        .flag("has_token") { $0.hasToken }
        .optional("connection") { $0.connection?.description }
        .model("setup_token", of: Field.self) { $0.field }
        .message("explanation") { form in
            let name: [String: Text.Argument] = ["provider": .string(form.name)]
            return form.hasToken
                ? Text("banks.paste-the-token-of-provider", name) : Text("banks.consent-at-provider", name)
        }
        .message("button") { form in
            Text("banks.connect-with-provider", ["provider": .string(form.name)])
        }
}
