// The C program that Breadly is compared with: compiled, filled with the same transactions, started and
// stopped.

import Foundation
import Ledger

/// A running `Resources/bench/baseline.c`.
final class Baseline {
    private let process = Process()
    let port: Int

    /// Compiles the program.
    /// - Returns: its path; nil if there is no C compiler.
    static func compile(_ source: String, in folder: String) throws -> String? {
        let program = folder + "/baseline"
        let status = try? run(
            "/usr/bin/env",
            ["cc", "-O2", "-o", program, source, "-lmicrohttpd", "-lsqlite3"]
        )
        return status == 0 ? program : nil
    }

    /// Fills a database with the transactions and serves it.
    init(_ program: String, rows: String, around page: String, in folder: String, threads: Int, port: Int)
        throws
    {
        self.port = port
        let database = folder + "/baseline-\(port).sqlite"
        let tsv = folder + "/rows-\(port).tsv"
        try rows.write(toFile: tsv, atomically: false, encoding: .utf8)
        guard try Self.run("/bin/sh", ["-c", "'\(program)' fill '\(database)' < '\(tsv)'"]) == 0 else {
            throw BenchError("the baseline could not be filled")
        }
        let (head, tail) = try aroundRows(of: page)
        try head.write(toFile: folder + "/head", atomically: false, encoding: .utf8)
        try tail.write(toFile: folder + "/tail", atomically: false, encoding: .utf8)
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["serve", database, "\(port)", "\(threads)", folder + "/head", folder + "/tail"]
        process.standardOutput = output
        try process.run()
        guard String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).hasPrefix("ready")
        else {
            throw BenchError("the baseline did not start")
        }
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    /// The transactions in the program's input format.
    static func rows(_ transactions: [Transaction], _ accounts: [Account], _ categories: [Ledger.Category])
        -> String
    {
        let account = Dictionary(accounts.map { ($0.id, $0.name) }) { $1 }
        let category = Dictionary(categories.map { ($0.id, $0) }) { $1 }
        var text = ""
        for one in transactions {
            let its = one.category.flatMap { category[$0] }
            let cells = [
                "\(one.date)", one.payee, one.note, account[one.account] ?? "", its?.name ?? "Transfer",
                its?.icon ?? "swap", its?.color ?? "slate", one.kind.rawValue,
                "\(one.kind == .income ? one.amount.minor : -one.amount.minor)",
            ]
            text += cells.joined(separator: "\t") + "\n"
        }
        return text
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
