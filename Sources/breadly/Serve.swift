import ArgumentParser
import BreadlyApp
import CSystem
import Devices
import Foundation

/// Serves the books until a signal stops it.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the books to browsers.")

    @OptionGroup var service: ServiceOptions

    @Option(help: "How many books strangers may open. Default: 1000.")
    var maxGuests: Int?

    @Option(help: "How many books one address may open in an hour. Default: 60.")
    var maxGuestsPerHour: Int?

    @Option(help: "How large a book may grow, in bytes, or as 500M or 1G. Default: 1G.")
    var bookBytes: ByteCount?

    @Option(
        help: "How many forms a browser may send in a second over a long time; 0 for any number. Default: 20."
    )
    var writesPerSecond: Int?

    @Option(help: "Whether anybody may keep a book without an account. Default: on.")
    var guests: OnOrOff?

    @Option(
        help: "The cloud that keeps accounts: embedded, or the address of a breadly cloud. Default: embedded."
    )
    var cloud: String?

    func run() throws {
        let settings = try settings()
        try Service.run(settings, "serves the books", usualPort: 8_080) { log in
            let resources = try Resources.find(executable: Program.path)
            let app = try App(
                settings,
                resources: resources,
                dependencies: .system(log: log.log),
                accessLog: log.access
            )
            return Service.Running(url: app.url, metricsURL: app.metricsURL) { app.stop() }
        }
    }

    private func settings() throws -> Settings {
        var settings = try service.settings(port: 8_080)
        let most = try number(maxGuests, "max-guests", in: 1...1_000_000_000)
        settings.limits.guests = most ?? settings.limits.guests
        let perHour = try number(maxGuestsPerHour, "max-guests-per-hour", in: 1...1_000_000_000)
        settings.limits.guestsPerAddressAndHour = perHour ?? settings.limits.guestsPerAddressAndHour
        settings.limits.bookBytes = try value(bookBytes, "book-bytes")?.bytes ?? settings.limits.bookBytes
        guard (1 << 20...1 << 40).contains(settings.limits.bookBytes) else {
            throw ValidationError("--book-bytes must be between 1M and 1024G.")
        }
        let writes = try number(writesPerSecond, "writes-per-second", in: 0...1_000_000)
        settings.limits.writesPerSecond = writes ?? settings.limits.writesPerSecond
        settings.guests = try value(guests, "guests") != .off
        settings.cloudAddress = try cloudAddress()
        return settings
    }

    private func cloudAddress() throws -> String? {
        guard let address = try value(cloud, "cloud"), address != "embedded" else { return nil }
        do throws(AppError) { return try PublicAddress(address).text } catch {
            throw ValidationError(
                "'\(address)' is no cloud: write embedded, or an address as https://cloud.example.org."
            )
        }
    }
}

/// So many bytes: `1000000`, `500K`, `500M` or `1G`.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int64

    init?(argument: String) {
        let shifts: [Character: Int64] = ["K": 10, "M": 20, "G": 30]
        let shift = argument.last.flatMap { shifts[$0] }
        guard let number = Int64(shift == nil ? argument[...] : argument.dropLast()), number >= 0,
            number <= Int64.max >> (shift ?? 0)
        else { return nil }
        bytes = number << (shift ?? 0)
    }
}

/// `on` or `off`.
enum OnOrOff: String, ExpressibleByArgument, CaseIterable { case on, off }

/// Runs a server until a signal stops it.
enum Service {
    /// The running server.
    struct Running {
        let url: String
        let metricsURL: String?
        let stop: () -> Void
    }

    /// - Parameters:
    ///   - work: what it does: `serves the books`.
    ///   - usualPort: the port where none is named.
    ///   - start: starts it, and says where it is and how it stops.
    static func run(
        _ settings: Settings,
        _ work: String,
        usualPort: UInt16,
        _ start: (ProcessLog) throws -> Running
    ) throws {
        breadly_share_heaps(Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
        keepStandardStreams()
        let log = ProcessLog(settings.log)
        // The lines before a start that fails as well.
        defer { log.flush() }
        // Blocked before any thread starts, so that all inherit it and only `sigwait` below sees them.
        var stops = sigset_t()
        sigemptyset(&stops)
        sigaddset(&stops, SIGTERM)
        sigaddset(&stops, SIGINT)
        pthread_sigmask(SIG_BLOCK, &stops, nil)
        signal(SIGPIPE, SIG_IGN)

        let running = try start(log)
        log.log(settings.startLine(work, at: running.url, usualPort: usualPort))
        say("Listening on \(running.url)")
        if let url = running.metricsURL { say("Metrics on \(url)") }
        var patience = timespec(tv_sec: 10, tv_nsec: 0)
        while sigtimedwait(&stops, nil, &patience) < 0 { breadly_give_back_memory() }
        running.stop()
        log.log("breadly \(breadlyVersion) has stopped")
    }

    /// Puts nothing in the place of a standard stream that is closed: else the next file or connection would have its
    /// number, and be written the log.
    private static func keepStandardStreams() {
        for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 { _ = open("/dev/null", O_RDWR) }
    }

    /// Prints a line for the operator. A server continues without a reader: its output may be closed, or a
    /// full disk.
    private static func say(_ line: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    }
}

/// The running program.
enum Program {
    /// Its path, as the system knows it.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first ?? "breadly"
    }
}
