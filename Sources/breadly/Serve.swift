import ArgumentParser
import BreadlyApp
import CSystem
import Devices
import Foundation
import Logging

/// Serves the books until it is told to stop.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the books to browsers.")

    @Option(help: "The address to listen on, in numbers. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port; 0 takes a free one. Default: 8080.")
    var port: UInt16?

    @OptionGroup var data: DataOption

    @Option(
        name: .customLong("trusted-proxy"),
        help: "A network (CIDR) whose X-Forwarded-* headers are believed."
    )
    var trustedProxy: [String] = []

    @Option(help: "How many books strangers may open. Default: 1000.")
    var maxGuests: Int?

    @Option(help: "How many books one address may open in an hour. Default: 60.")
    var maxGuestsPerHour: Int?

    @Option(name: .customLong("sign-up"), help: "Whether anybody may make an account. Default: open.")
    var signUp: OpenOrClosed?

    @Option(help: "Whether anybody may keep a book without an account. Default: on.")
    var guests: OnOrOff?

    @Option(help: "Who is premium: whom breadly grant says, or everyone who signs in. Default: granted.")
    var premium: Premium?

    @OptionGroup var identity: IdentityOptions

    @Option(
        help: "The cloud that keeps accounts: embedded, or the address of a breadly cloud. Default: embedded."
    )
    var cloud: String?

    func run() throws {
        try Service.run { surroundings in
            let resources = try Resources.find(executable: Program.path)
            let app = try App(try settings(), resources: resources, surroundings: surroundings)
            return (app.url, { app.stop() })
        }
    }

    private func settings() throws -> Settings {
        var settings = Settings()
        settings.host = try value(host, "host") ?? settings.host
        settings.port = try value(port, "port") ?? settings.port
        settings.data = try data.path()
        let proxies =
            try trustedProxy.isEmpty
            ? value(nil as String?, "trusted-proxy").map { [$0] } ?? [] : trustedProxy
        settings.trustedProxies = proxies.flatMap { $0.split(separator: ",").map(String.init) }
        settings.limits.guests = try value(maxGuests, "max-guests") ?? settings.limits.guests
        let perHour = try value(maxGuestsPerHour, "max-guests-per-hour")
        settings.limits.guestsPerAddressAndHour = perHour ?? settings.limits.guestsPerAddressAndHour
        guard settings.limits.guestsPerAddressAndHour > 0 else {
            throw ValidationError("--max-guests-per-hour must be above zero.")
        }
        guard settings.limits.guests > 0 else { throw ValidationError("--max-guests must be above zero.") }
        settings.takesNewAccounts = try value(signUp, "sign-up") != .closed
        settings.guests = try value(guests, "guests") != .off
        (settings.hasPasswords, settings.provider) = try identity.ways()
        settings.publicAddress = try identity.publicAddress()
        settings.premiumForEveryone = try value(premium, "premium") == .everyone
        settings.cloudAddress = try cloudAddress()
        return settings
    }

    private func cloudAddress() throws -> String? {
        guard let address = try value(cloud, "cloud"), address != "embedded" else { return nil }
        guard let parts = URLComponents(string: address), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/", parts.query == nil,
            parts.scheme == "https" || parts.scheme == "http"
        else {
            throw ValidationError(
                "'\(address)' is no cloud: write embedded, or an address as https://cloud.example.org."
            )
        }
        return address
    }
}

/// `open` or `closed`.
enum OpenOrClosed: String, ExpressibleByArgument, CaseIterable { case open, closed }

/// `on` or `off`.
enum OnOrOff: String, ExpressibleByArgument, CaseIterable { case on, off }

/// Who is premium.
enum Premium: String, ExpressibleByArgument, CaseIterable { case granted, everyone }

/// Runs something until it is told to stop.
enum Service {
    /// - Parameter start: starts it, and says where it is and how it stops.
    static func run(_ start: (Surroundings) throws -> (url: String, stop: () -> Void)) throws {
        LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
        let logger = Logger(label: "breadly")
        // Blocked before any thread starts, so that all inherit it and only `sigwait` below sees them.
        var stops = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGTERM)
        sigaddset(&stops, SIGINT)
        pthread_sigmask(SIG_BLOCK, &stops, nil)
        signal(SIGPIPE, SIG_IGN)

        let (url, stop) = try start(.system { logger.info("\($0)") })
        FileHandle.standardOutput.write(Data("Listening on \(url)\n".utf8))
        breadly_forget_startup_code()
        var received: Int32 = 0
        sigwait(&stops, &received)
        stop()
    }
}

/// The running program.
enum Program {
    /// Its path, as the system knows it.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
    }
}
