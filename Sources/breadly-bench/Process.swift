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
