import ArgumentParser
import BreadlyApp
import CSystem
import Devices
import Foundation

/// Runs a server with pages until SIGTERM or SIGINT.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the server.")

    @OptionGroup var service: ServiceOptions

    @Option(help: "The maximum number of guests. Default: 1000.")
    var maxGuests: Int?

    @Option(help: "The maximum number of new guests per address and hour. Default: 60.")
    var maxGuestsPerHour: Int?

    @Option(
        help: "The maximum size of the books and files of all guests together. Default: a tenth of the disk."
    )
    var guestBytes: ByteCount?

    @Option(help: "The maximum size of a book, in bytes or with a suffix, such as 500M. Default: 1G.")
    var bookBytes: ByteCount?

    @Option(help: "The maximum size of a book's files that were fetched from the cloud. Default: 256M.")
    var attachmentCache: ByteCount?

    @Option(
        help: "The maximum number of forms per second and browser, on average; 0 for no limit. Default: 20."
    )
    var writesPerSecond: Int?

    @Option(help: "Whether guests can keep a book without an account: on or off. Default: on.")
    var guests: OnOrOff?

    @OptionGroup var banks: BankOptions

    @Option(help: "The cloud: embedded, or the address of a server with breadly cloud. Default: embedded.")
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
        settings.limits.guestBytes = try value(guestBytes, "guest-bytes")?.bytes
        guard settings.limits.guestBytes ?? .max >= 1 << 20 else {
            throw ValidationError("--guest-bytes must be at least 1M; --guests off accepts no guests.")
        }
        settings.limits.bookBytes = try value(bookBytes, "book-bytes")?.bytes ?? settings.limits.bookBytes
        guard (1 << 20...1 << 40).contains(settings.limits.bookBytes) else {
            throw ValidationError("--book-bytes must be between 1M and 1024G.")
        }
        if let most = try value(attachmentCache, "attachment-cache")?.bytes {
            guard (0...1 << 40).contains(most) else {
                throw ValidationError("--attachment-cache must be at most 1024G.")
            }
            settings.limits.receipts.cacheBytes = most
        }
        let writes = try number(writesPerSecond, "writes-per-second", in: 0...1_000_000)
        settings.limits.writesPerSecond = writes ?? settings.limits.writesPerSecond
        settings.guests = try value(guests, "guests") != .off
        settings.banks = try banks.settings()
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

/// A number of bytes: `1000000`, `500K`, `500M` or `1G`; K, M and G are powers of 1024.
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
    ///   - work: the description for the first log line, such as `serves the books`.
    ///   - usualPort: the default port.
    ///   - giveBackSeconds: the interval of giving memory back to the system.
    ///   - start: starts the server, and returns its address and the function that stops it.
    static func run(
        _ settings: Settings,
        _ work: String,
        usualPort: UInt16,
        giveBackSeconds: Int = 10,
        _ start: (ProcessLog) throws -> Running
    ) throws {
        breadly_share_heaps(Int32(clamping: max(2, ProcessInfo.processInfo.activeProcessorCount)))
        breadly_count_no_database_memory()
        keepStandardStreams()
        let log = ProcessLog(settings.log)
        // Also writes the lines before a failed start.
        defer { log.flush() }
        // Blocked before any thread starts, so that all threads inherit it and only `sigtimedwait` gets the
        // signals.
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
        var patience = timespec(tv_sec: giveBackSeconds, tv_nsec: 0)
        while sigtimedwait(&stops, nil, &patience) < 0 { breadly_give_back_memory() }
        running.stop()
        log.log("breadly \(breadlyVersion) has stopped")
    }

    /// Opens `/dev/null` for each closed standard stream. Otherwise the next file or connection would get its
    /// number, and the log would be written into it.
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
    /// The path of the executable, with symbolic links resolved.
    static var path: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first ?? "breadly"
    }
}
