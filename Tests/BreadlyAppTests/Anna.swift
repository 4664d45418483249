// The steps of Anna, who has an account.
import TestKit
import Testing

extension Visitor {
    /// Her fields on the form to create her account, and to sign in.
    static let anna = [("email", "anna@x.test"), ("password", "correct horse battery")]

    /// Creates her account, and signs in to it.
    func signUp() throws { try send(to: "/sign-up") }

    /// Signs in to her account.
    func signIn() throws { try send(to: "/sign-in") }

    private func send(to path: String) throws {
        _ = try get("/sign-in")
        try #require(try post(path, Self.anna).status == 303)
    }

    /// Whether nothing waits for the cloud.
    func isInStep() throws -> Bool { try get("/status.json").text.contains(#""phase":"idle","pending":0"#) }

    /// Waits until nothing waits for the cloud.
    func waitUntilInStep() throws { try until("in step") { try isInStep() } }
}
