import ArgumentParser
import BreadlyApp
import Foundation
import HTTPServer

/// The options of every server: its address, its trusted proxies, and its connections.
struct ListeningOptions: ParsableArguments {
    @Option(help: "The numeric address to listen on, or localhost. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port to listen on; 0 for a free one. Default: 8080, or 8090 for the cloud.")
    var port: UInt16?

    @Option(
        name: .customLong("trusted-proxy"),
        help: "A network (CIDR) with trusted X-Forwarded-* headers; for the cloud, the servers that use it."
    )
    var trustedProxy: [String] = []

    @Option(help: "The maximum number of open connections. Default: 4096.")
    var connections: Int?

    @Option(help: "The maximum number of connections per address, or per IPv6 network (/64). Default: 512.")
    var connectionsPerAddress: Int?

    /// Sets what the options say.
    /// - Parameter usual: the default port.
    func set(_ settings: inout Settings, port usual: UInt16) throws {
        settings.host = try listeningHost() ?? settings.host
        settings.port = try value(port, "port") ?? usual
        settings.trustedProxies = try proxies()
        let most = try number(connections, "connections", in: 16...1_000_000)
        settings.connections = most ?? settings.connections
        let perAddress = try number(connectionsPerAddress, "connections-per-address", in: 1...1_000_000)
        settings.connectionsPerAddress = perAddress ?? settings.connectionsPerAddress
    }

    private func listeningHost() throws -> String? {
        guard let text = try value(host, "host") else { return nil }
        guard let address = listeningAddress(text) else {
            throw ValidationError(
                "'\(text)' is no address to listen on: write one in numbers, as 127.0.0.1 or ::, or localhost."
            )
        }
        return address
    }

    private func proxies() throws -> TrustedProxies {
        let texts = try trustedProxy.isEmpty ? value(nil, "trusted-proxy").map { [$0] } ?? [] : trustedProxy
        let networks = texts.flatMap(list)
        if let proxies = TrustedProxies(networks) { return proxies }
        let faulty = networks.first { TrustedProxies([$0]) == nil } ?? ""
        throw ValidationError("'\(faulty)' is no network: write one such as 127.0.0.1/32 or fd00::/8.")
    }
}

/// The items of a comma-separated list, without spaces around them.
func list(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
    }
}
