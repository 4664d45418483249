// The built program as a process of its own.
import Foundation
import TestKit

/// `breadly` with its arguments, running or ended.
final class Program {
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    /// The programs are beside the tests that they were built with.
    static let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/"

    /// - Parameters:
    ///   - name: which of the package's programs.
    ///   - wrapper: runs the program, such as `env`; it must become the program.
    init(
        _ arguments: [String],
        of name: String = "breadly",
        through wrapper: [String] = [],
        environment: [String: String] = [:]
    ) throws {
        let path = Self.folder + name
        process.executableURL = URL(fileURLWithPath: wrapper.isEmpty ? path : "/usr/bin/env")
        process.arguments = wrapper.isEmpty ? arguments : wrapper + [path] + arguments
        var whole = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("BREADLY_") && $0.key != "XDG_DATA_HOME"
        }
        // No test sends a request to another server.
        whole["BREADLY_RATES"] = "off"
        whole.merge(environment) { $1 }
        process.environment = whole
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit { kill(SIGKILL) }

    /// The process, for a signal.
    var identifier: Int32 { process.processIdentifier }

    /// The port of the first line; nil where the process says something else.
    lazy var port: Int? = {
        let text = line()
        guard text.hasPrefix("Listening on http://") else { return nil }
        return text.split(separator: ":").last.flatMap { Int($0) }
    }()

    /// The port of its metrics, from the second line.
    lazy var metricsPort: Int? = {
        guard port != nil else { return nil }
        let text = line()
        guard text.hasPrefix("Metrics on http://127.0.0.1:"), text.hasSuffix("/metrics") else { return nil }
        return text.split(separator: ":").last.flatMap { Int($0.dropLast("/metrics".count)) }
    }()

    private func line() -> String {
        var line: [UInt8] = []
        while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != 10 {
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }

    func kill(_ signal: Int32) {
        if process.isRunning { _ = Foundation.kill(process.processIdentifier, signal) }
    }

    /// Waits for the end.
    func end() -> (status: Int32, output: String, errors: String) {
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: text, as: UTF8.self),
            String(decoding: complaint, as: UTF8.self)
        )
    }
}

/// A folder that goes away with the test.
final class Folder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { path + "/" + name }
}

extension Visitor {
    /// Answers the onboarding and tells an account to record on.
    func onboard() throws -> String {
        _ = try get("/onboarding/welcome")
        _ = try post("/onboarding/welcome")
        _ = try get("/onboarding/currency")
        _ = try post("/onboarding/currency", [("currency", "EUR")])
        _ = try post("/onboarding/secondary")
        _ = try post("/onboarding/calendar", [("week_start", "monday")])
        let rows = try get("/accounts").html.elements.filter { $0["data-kind"] == "account" }
        return rows.first?["data-id"] ?? ""
    }

    func record(_ payee: String, on account: String) throws -> Int {
        try post(
            "/transactions",
            [
                ("kind", "expense"), ("date", "2026-11-21"), ("amount", "1"), ("account", account),
                ("payee", payee),
            ]
        ).status
    }
}
