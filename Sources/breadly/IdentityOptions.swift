import ArgumentParser
import Foundation
import Identity

/// How people sign in: `local` accounts, an OpenID Connect provider, or `both`.
enum IdentityKind: String, ExpressibleByArgument, CaseIterable { case local, oidc, both }

/// The options about signing in.
struct IdentityOptions: ParsableArguments {
    @Option(help: "How people sign in: with accounts of this server, at an OpenID Connect provider, or both.")
    var identity: IdentityKind?

    @Option(
        name: .customLong("public-url"),
        help: "Where browsers find this server, as https://budget.example.org."
    )
    var publicURL: String?

    @Option(name: .customLong("oidc-issuer"), help: "The provider, as https://accounts.google.com.")
    var oidcIssuer: String?

    @Option(name: .customLong("oidc-client-id"), help: "The id that the provider gave this server.")
    var oidcClientID: String?

    @Option(
        name: .customLong("oidc-client-secret"),
        help: "The secret that goes with it; better in BREADLY_OIDC_CLIENT_SECRET or a file."
    )
    var oidcClientSecret: String?

    @Option(name: .customLong("oidc-client-secret-file"), help: "A file with that secret.")
    var oidcClientSecretFile: String?

    @Option(name: .customLong("oidc-name"), help: "What users know the provider by. Default: its host.")
    var oidcName: String?

    /// Whether there are passwords, and the provider.
    func ways() throws -> (passwords: Bool, provider: OpenIDProvider.Client?) {
        let kind = try value(identity, "identity")
        let issuer = try value(oidcIssuer, "oidc-issuer")
        let id = try value(oidcClientID, "oidc-client-id")
        guard kind == .oidc || kind == .both else {
            guard issuer == nil, id == nil else {
                throw ValidationError("--oidc-issuer and --oidc-client-id go with --identity oidc or both.")
            }
            return (true, nil)
        }
        guard let issuer, let id else {
            throw ValidationError("--identity oidc needs --oidc-issuer and --oidc-client-id.")
        }
        guard let host = URLComponents(string: issuer)?.host,
            issuer.hasPrefix("https://") || ["localhost", "127.0.0.1"].contains(host)
        else { throw ValidationError("'\(issuer)' is no issuer: write one as https://accounts.google.com.") }
        let usual = host == "accounts.google.com" ? "Google" : host
        let client = OpenIDProvider.Client(
            issuer: issuer,
            id: id,
            secret: try secret(),
            name: try value(oidcName, "oidc-name") ?? usual
        )
        return (kind == .both, client)
    }

    /// Where browsers find this server.
    func publicAddress() throws -> String? {
        guard var address = try value(publicURL, "public-url") else { return nil }
        while address.hasSuffix("/") { address.removeLast() }
        guard let parts = URLComponents(string: address), ["http", "https"].contains(parts.scheme),
            parts.host != nil,
            parts.path.isEmpty, parts.query == nil, parts.fragment == nil
        else {
            throw ValidationError(
                "'\(address)' is no address of a server: write one as https://budget.example.org."
            )
        }
        return address
    }

    private func secret() throws -> String? {
        if let given = try value(oidcClientSecret, "oidc-client-secret") { return given }
        guard let path = try value(oidcClientSecretFile, "oidc-client-secret-file") else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("The secret in \(path) cannot be read.")
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw ValidationError("There is no secret in \(path).") }
        return trimmed
    }
}
