// "Continue with Google (demo)": made-up people, a page to choose one of them, and the proof of the choice.

import CloudProtocol
import Devices
import Ledger
import Links
import SyncCore
import Synchronization

/// A made-up person.
struct Person: Hashable, Sendable {
    let id: String
    let name: String
    let email: String

    /// The only person with an account in the prepared worlds that have an account.
    static let anna = Person(id: "anna", name: "Anna Berger", email: "anna@example.com")
    static let all = [
        anna,
        Person(id: "ben", name: "Ben Okafor", email: "ben@example.com"),
        Person(id: "chiara", name: "Chiara Rossi", email: "chiara@example.com"),
    ]

    /// The credentials of a person who has chosen themselves.
    var credentials: Credentials { .idToken(id, nonce: "", accessToken: nil) }

    var identity: Identity {
        Identity(issuer: DemoProvider.issuer, subject: id, email: email, name: name)
    }
}

/// An identity provider whose users are chosen instead of verified.
final class DemoProvider: IdentityProvider, Authenticator {
    static let issuer = "https://people.example.com"
    /// Not translated: a name.
    let name = "Google (demo)"
    private let seconds: @Sendable () -> Int64
    private let random: Randomness
    /// The sign-ins that have begun: the address that each returns to, the oldest first.
    private let begun = Mutex<[(state: String, redirect: String)]>([])
    private static let mostBegun = 20
    /// The time within which a sign-in has to end, in seconds.
    private static let patience: Int64 = 600

    init(_ clock: WorldClock, _ random: Randomness) {
        seconds = { clock.milliseconds / 1_000 }
        self.random = random
    }

    /// As `IdentityProvider`.
    func begin(redirect: String, again: Bool) async throws(ProviderRefusal) -> (
        address: String, pending: PendingSignIn
    ) {
        let (state, nonce) = (random.sessionToken().text, random.sessionToken().text)
        begun.withLock { begun in
            begun.append((state, redirect))
            if begun.count > Self.mostBegun { begun.removeFirst() }
        }
        let pending = PendingSignIn(
            state: state,
            nonce: nonce,
            verifier: "",
            redirect: redirect,
            expiresAt: seconds() + Self.patience
        )
        return (Link.labSignIn.adding(query: [("state", state)]).text, pending)
    }

    /// The address that a sign-in returns to; nil if it has not begun here.
    func redirect(of state: String) -> String? {
        begun.withLock { begun in begun.first { $0.state == state }?.redirect }
    }

    /// As `IdentityProvider`.
    func finish(_ pending: PendingSignIn, _ answer: ProviderAnswer) async throws(ProviderRefusal)
        -> Credentials
    {
        guard answer.error == nil else { throw .denied }
        guard answer.state == pending.state else { throw .rejected("the state is another one") }
        let isOpen = begun.withLock { begun in
            let count = begun.count
            begun.removeAll { $0.state == pending.state }
            return begun.count < count
        }
        guard isOpen else { throw .replayed }
        guard let person = Person.all.first(where: { $0.id == answer.code }) else {
            throw .rejected("there is no such person")
        }
        return person.credentials
    }

    /// As `Authenticator`.
    func verify(_ credentials: Credentials, from address: String, known: Set<String>) async throws(CloudError)
        -> Identity
    {
        guard case .idToken(let id, _, _) = credentials, let person = Person.all.first(where: { $0.id == id })
        else { throw .signIn(.wrongCredentials) }
        return person.identity
    }

    /// As `Authenticator`.
    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError) {
        throw .signIn(.wrongCredentials)
    }
}

/// Passes each kind of credentials to the one who can verify them.
struct LabAuthenticator: Authenticator {
    let passwords: any Authenticator
    let provider: DemoProvider

    /// As `Authenticator`.
    func verify(_ credentials: Credentials, from address: String, known: Set<String>) async throws(CloudError)
        -> Identity
    {
        switch credentials {
        case .password, .newAccount: try await passwords.verify(credentials, from: address, known: known)
        case .idToken: try await provider.verify(credentials, from: address, known: known)
        }
    }

    /// As `Authenticator`.
    func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError) {
        try await passwords.change(update, of: email, from: address)
    }
}
