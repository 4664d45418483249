import ArgumentParser
import BreadlyApp
import Foundation

/// Serves the accounts to other servers until it is told to stop.
struct CloudCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cloud",
        abstract: "Serve accounts and sync to other servers, without any pages."
    )

    @Option(help: "The address to listen on, in numbers. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port; 0 takes a free one. Default: 8090.")
    var port: UInt16?

    @OptionGroup var data: DataOption

    @Option(
        name: .customLong("trusted-proxy"),
        help: "A network (CIDR) whose X-Forwarded-For is believed: the servers that use this cloud."
    )
    var trustedProxy: [String] = []

    @Option(name: .customLong("sign-up"), help: "Whether anybody may make an account. Default: open.")
    var signUp: OpenOrClosed?

    @Option(help: "Who is premium: whom breadly grant says, or everyone who signs in. Default: granted.")
    var premium: Premium?

    @OptionGroup var identity: IdentityOptions

    func run() throws {
        try Service.run { surroundings in
            let server = try CloudServer(try settings(), surroundings: surroundings)
            return (server.url, { server.stop() })
        }
    }

    private func settings() throws -> Settings {
        var settings = Settings()
        settings.host = try value(host, "host") ?? settings.host
        settings.port = try value(port, "port") ?? 8_090
        settings.data = try data.path()
        let proxies =
            try trustedProxy.isEmpty
            ? value(nil as String?, "trusted-proxy").map { [$0] } ?? [] : trustedProxy
        settings.trustedProxies = proxies.flatMap { $0.split(separator: ",").map(String.init) }
        settings.takesNewAccounts = try value(signUp, "sign-up") != .closed
        settings.premiumForEveryone = try value(premium, "premium") == .everyone
        (settings.hasPasswords, settings.provider) = try identity.ways()
        return settings
    }
}
