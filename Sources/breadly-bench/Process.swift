// The installed program: the time to its first answer, and its memory.

import Foundation
import Glibc

/// `breadly serve` or `breadly demo` in a process of its own.
final class Started {
    private let process = Process()
    let port: Int
    /// The time from the start to the first answer, in milliseconds.
    let milliseconds: Double

    convenience init(_ program: String, data: String) throws {
        try self.init(
            program,
            [
                "serve", "--port", "0", "--data", data, "--max-guests-per-hour", "10000",
                "--writes-per-second",
                "0",
            ]
        )
    }

    init(_ program: String, _ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        // A measurement sends no request to another server.
        process.environment = ProcessInfo.processInfo.environment.merging(["BREADLY_RATES": "off"]) { $1 }
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let clock = ContinuousClock()
        let begin = clock.now
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let port = line.split(separator: ":").last.flatMap({ Int($0.filter(\.isNumber)) }) else {
            throw BenchError("the server did not start")
        }
        self.port = port
        let client = try Client(port: port)
        _ = try client.ask(client.request("GET", "/healthz"))
        let taken = clock.now - begin
        milliseconds = Double(taken.components.seconds) * 1e3 + Double(taken.components.attoseconds) / 1e15
    }

    deinit { stop() }

    /// Ends the process as a service manager does.
    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// Ends the process as a power cut would.
    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Resident memory, in megabytes, including pages of the program's file and of libraries, which processes
    /// may share.
    var megabytes: Double { megabytes("VmRSS:", of: "status") }

    /// The memory that the process has written to, in megabytes: it is not shared, and can only be swapped.
    var ownMegabytes: Double { megabytes("Private_Dirty:", of: "smaps_rollup") }

    /// The greatest resident memory while some work was done, less that before, in megabytes.
    func growth(during work: () throws -> Void) throws -> Double {
        // Resets the greatest resident memory to the present one.
        try "5".write(
            toFile: "/proc/\(process.processIdentifier)/clear_refs",
            atomically: false,
            encoding: .ascii
        )
        let before = megabytes
        try work()
        return megabytes("VmHWM:", of: "status") - before
    }

    private func megabytes(_ field: String, of file: String) -> Double {
        let path = "/proc/\(process.processIdentifier)/\(file)"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
        return (Double(line.filter(\.isNumber)) ?? 0) / 1_024
    }

    /// Requests pages with several devices.
    func view(_ pages: Int, devices: Int) throws {
        var clients: [Client] = []
        for _ in 0..<devices {
            let client = try Client(port: port)
            try client.onboard()
            clients.append(client)
        }
        let paths = ["/", "/transactions", "/budgets", "/reports?group=month", "/accounts"]
        for number in 0..<pages {
            let client = clients[number % devices]
            _ = try client.ask(client.request("GET", paths[number / devices % paths.count]))
        }
    }
}

extension Bench {
    static func showProgram(beside executable: String, _ folder: String, views: Int) throws {
        guard let program = program(beside: executable) else {
            add("start and memory", "build the product breadly first", "", nil)
            return
        }
        let starts = try (0..<5).map { try Started(program, data: folder + "/start-\($0)").milliseconds }
            .sorted()
        add("start to first answer", "\(Int(starts[2])) ms", "< 150 ms", starts[2] < 150)
        let started = try Started(program, data: folder + "/memory")
        let (idle, own) = (started.megabytes, started.ownMegabytes)
        add("resident memory, idle", "\(Int(idle)) MB", "< 30 MB", idle < 30)
        add("the part of it that is written to", "\(Int(own)) MB", "", nil)
        try started.view(views, devices: 100)
        let used = started.megabytes
        add(
            "resident memory after \(views) page views over 100 devices",
            "\(Int(used)) MB",
            "< 60 MB",
            used < 60
        )
        try started.view(6_000, devices: 300)
        let most = started.megabytes
        add("the same after 6,000 more over 300 in turn", "\(Int(most)) MB", "< 60 MB", most < 60)
    }
}
