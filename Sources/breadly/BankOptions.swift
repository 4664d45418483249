import ArgumentParser
import BankFeeds
import BreadlyApp
import Foundation
import Outbound

/// The systems of TrueLayer.
enum TrueLayerEnvironment: String, ExpressibleByArgument, CaseIterable { case sandbox, live }

/// The options for bank connections.
struct BankOptions: ParsableArguments {
    @Option(
        name: .customLong("truelayer-client-id"),
        help: "The client id of this server at TrueLayer, for banks in Europe. Default: none."
    )
    var trueLayerClientID: String?

    @Option(
        name: .customLong("truelayer-client-secret-file"),
        help: "A file that contains the client secret of TrueLayer."
    )
    var trueLayerClientSecretFile: String?

    @Option(
        name: .customLong("truelayer-environment"),
        help: "The system of TrueLayer: sandbox or live. Default: live."
    )
    var trueLayerEnvironment: TrueLayerEnvironment?

    @Option(
        name: .customLong("truelayer-auth-address"),
        help: "Another address for TrueLayer's consent page and tokens, for tests."
    )
    var trueLayerAuthAddress: String?

    @Option(
        name: .customLong("truelayer-api-address"),
        help: "Another address for TrueLayer's Data API, for tests."
    )
    var trueLayerAPIAddress: String?

    @Option(
        name: .customLong("simplefin"),
        help: "SimpleFIN, for banks in North America: off, on (the SimpleFIN Bridge) or hosts. Default: off."
    )
    var simpleFIN: String?

    /// The providers.
    /// - Throws: `ValidationError` if options are missing, malformed or contradictory.
    func settings() throws -> BankSettings {
        BankSettings(trueLayer: try trueLayer(), simpleFINHosts: try simpleFINHosts())
    }

    private func trueLayer() throws -> TrueLayerFeed.Client? {
        let id = try value(trueLayerClientID, "truelayer-client-id")
        let file = try value(trueLayerClientSecretFile, "truelayer-client-secret-file")
        let environment = try value(trueLayerEnvironment, "truelayer-environment")
        let auth = try address(trueLayerAuthAddress, "truelayer-auth-address")
        let api = try address(trueLayerAPIAddress, "truelayer-api-address")
        guard let id, let file, !id.isEmpty else {
            guard [id, file, environment?.rawValue, auth, api].allSatisfy({ $0 == nil }) else {
                throw ValidationError(
                    "TrueLayer needs --truelayer-client-id and --truelayer-client-secret-file."
                )
            }
            return nil
        }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw ValidationError("The secret in \(file) cannot be read.")
        }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else { throw ValidationError("There is no secret in \(file).") }
        return TrueLayerFeed.Client(
            id: id,
            secret: secret,
            environment: environment == .sandbox ? .sandbox : .live,
            authAddress: auth,
            apiAddress: api
        )
    }

    /// An address without a slash at its end: https, or http of this machine.
    private func address(_ given: String?, _ option: String) throws -> String? {
        guard var text = try value(given, option) else { return nil }
        while text.hasSuffix("/") { text.removeLast() }
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            ProtectedAddress.accepts(scheme: parts.scheme, host: host)
        else {
            throw ValidationError(
                "'\(text)' of --\(option) is no address: write one with https, or with http on this machine."
            )
        }
        return text
    }

    private func simpleFINHosts() throws -> Set<String> {
        switch try value(simpleFIN, "simplefin") {
        case nil, "off": return []
        case "on": return SimpleFINFeed.bridge
        case let text?:
            let hosts = list(text).map { $0.lowercased() }
            guard !hosts.isEmpty, hosts.allSatisfy({ !$0.isEmpty && !$0.contains { "/@?#* ".contains($0) } })
            else {
                throw ValidationError("--simplefin takes off, on, or hosts such as bridge.simplefin.org.")
            }
            return Set(hosts)
        }
    }
}
