import ArgumentParser
import BreadlyApp
import Foundation
import Identity
import Outbound

/// The kinds of sign-in: `local` passwords, an OpenID Connect provider, or both.
enum IdentityKind: String, ExpressibleByArgument, CaseIterable { case local, oidc, both }

/// The options for sign-in.
struct IdentityOptions: ParsableArguments {
    @Option(help: "How users sign in: local (passwords), oidc (OpenID Connect) or both. Default: local.")
    var identity: IdentityKind?

    @Option(
        name: .customLong("public-url"),
        help: "The address for browsers, such as https://budget.example.org or https://home.example/breadly."
    )
    var publicURL: String?

    @Option(name: .customLong("oidc-issuer"), help: "The provider, such as https://accounts.google.com.")
    var oidcIssuer: String?

    @Option(name: .customLong("oidc-client-id"), help: "The client id of this server at the provider.")
    var oidcClientID: String?

    @Option(
        name: .customLong("oidc-client-secret"),
        help: "The client secret. Prefer BREADLY_OIDC_CLIENT_SECRET or a file."
    )
    var oidcClientSecret: String?

    @Option(name: .customLong("oidc-client-secret-file"), help: "A file that contains the client secret.")
    var oidcClientSecretFile: String?

    @Option(
        name: .customLong("oidc-name"),
        help: "The provider's name on the sign-in button. Default: its host."
    )
    var oidcName: String?

    /// Whether users can sign in with passwords, and the provider; nil without one.
    /// - Throws: `ValidationError` if options are missing, malformed or contradictory.
    func methods() throws -> (passwords: Bool, provider: OpenIDProvider.Client?) {
        let kind = try value(identity, "identity")
        let issuer = try value(oidcIssuer, "oidc-issuer")
        let id = try value(oidcClientID, "oidc-client-id")
        let secret = try secret()
        let shownName = try value(oidcName, "oidc-name")
        guard kind == .oidc || kind == .both else {
            guard [issuer, id, secret, shownName].allSatisfy({ $0 == nil }) else {
                throw ValidationError("The --oidc options go with --identity oidc or both.")
            }
            return (true, nil)
        }
        guard let issuer, let id, !id.isEmpty else {
            throw ValidationError("--identity oidc needs --oidc-issuer and --oidc-client-id.")
        }
        guard let parts = URLComponents(string: issuer), let host = parts.host, !host.isEmpty,
            !host.contains(where: \.isWhitespace), parts.query == nil, parts.fragment == nil,
            parts.user == nil, parts.password == nil,
            ProtectedAddress.accepts(scheme: parts.scheme, host: host)
        else { throw ValidationError("'\(issuer)' is no issuer: write one as https://accounts.google.com.") }
        let usual = host == "accounts.google.com" ? "Google" : host
        let client = OpenIDProvider.Client(
            issuer: issuer,
            id: id,
            secret: secret,
            name: shownName ?? usual
        )
        return (kind == .both, client)
    }

    /// The address that browsers use; nil if none was given.
    func publicAddress() throws -> PublicAddress? {
        guard let text = try value(publicURL, "public-url") else { return nil }
        do throws(AppError) { return try PublicAddress(text) } catch {
            throw ValidationError("--public-url: \(error)")
        }
    }

    private func secret() throws -> String? {
        guard oidcClientSecret == nil || oidcClientSecretFile == nil else {
            throw ValidationError("Say either --oidc-client-secret or --oidc-client-secret-file, not both.")
        }
        // A file on the command line overrides the variable with the secret.
        if oidcClientSecretFile == nil, let given = try value(oidcClientSecret, "oidc-client-secret") {
            return given
        }
        guard let path = try value(oidcClientSecretFile, "oidc-client-secret-file") else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("The secret in \(path) cannot be read.")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw ValidationError("There is no secret in \(path).") }
        return trimmed
    }
}
