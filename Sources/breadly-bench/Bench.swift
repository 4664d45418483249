// Measures Breadly against baselines of the same run and prints a table.
//
//   breadly-bench [--quick] [--rendering | --sync | --isolation | --program | --lab | --totals | --banks |
//                            --receipts | --uploads | --4g | --daily]
//
//   --quick       omits the million transactions, and takes fewer samples
//   --rendering   rendering of a page
//   --sync        sync only
//   --isolation   a page while other devices' books are opened
//   --program     the start of the program, and its memory
//   --lab         the reviewers' lab
//   --banks       transactions of banks beside the transactions of a book
//   --totals      totals of a month in six currencies, and converted
//   --receipts    a list of transactions with receipts
//   --4g          a new device over a mobile line
//   --daily       bulk changes, rules and suggestions
//   --uploads     files that `curl` sends, and the memory that they take

import Book
import BreadlyApp
import CSystem
import Foundation
import Ledger

@main
enum Bench {
    static func main() async {
        // As the server does: see `Serve`.
        breadly_count_no_database_memory()
        do { try await run(isQuick: CommandLine.arguments.contains("--quick")) } catch {
            FileHandle.standardError.write(Data("breadly-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(isQuick: Bool) async throws {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let resources = try Resources.find(executable: executable)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "breadly-bench-\(getpid())"
        ).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let today = CivilDate(dayNumber: Int32(Date().timeIntervalSince1970 / 86_400))
        let cores = ProcessInfo.processInfo.activeProcessorCount
        print(
            "\(cores) cores, shared with the load\n\n| what | figure | target | met |\n| --- | --- | --- | --- |"
        )

        let samples = isQuick ? 300 : 3_000
        if CommandLine.arguments.contains("--rendering") {
            let served = try Served(100, in: folder, resources: resources, today: today)
            let book = try Book.open(at: served.book) { 0 }
            return show(try Rendering(book, resources: resources, today: today, samples: samples))
        }
        if CommandLine.arguments.contains("--sync") {
            return show(try await SyncFigures(transactions: 100_000, in: folder, isQuick: isQuick))
        }
        if CommandLine.arguments.contains("--4g") { return show(try await newDevice(in: folder)) }
        if CommandLine.arguments.contains("--totals") {
            return show(try ConvertedTotals(100_000, in: folder, resources: resources, today: today))
        }
        if CommandLine.arguments.contains("--banks") {
            return show(try BankFigures(20_000, in: folder, resources: resources, today: today))
        }
        if CommandLine.arguments.contains("--receipts") {
            return show(
                try ReceiptFigures(20_000, in: folder, resources: resources, today: today, isQuick: isQuick)
            )
        }
        if CommandLine.arguments.contains("--daily") {
            return show(try DailyFigures(100_000, in: folder, today: today))
        }
        if CommandLine.arguments.contains("--uploads") {
            return try showUploads(beside: executable, resources, folder, isQuick: isQuick)
        }
        if CommandLine.arguments.contains("--isolation") {
            return try showIsolation(beside: executable, folder, resources, today)
        }
        if CommandLine.arguments.contains("--lab") { return try showLab(beside: executable) }
        if CommandLine.arguments.contains("--program") {
            return try showProgram(beside: executable, folder, views: isQuick ? 10_000 : 100_000)
        }
        let program = try Baseline.compile(resources.folder + "/Resources/bench/baseline.c", in: folder)
        if program == nil { print("| the C baseline | no C compiler here | | |") }
        var lists: [Int: Double] = [:]
        for count in isQuick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000] {
            let served = try Served(count, in: folder, resources: resources, today: today)
            if count == 10_000 {
                let book = try Book.open(at: served.book) { 0 }
                show(try Rendering(book, resources: resources, today: today, samples: samples))
            }
            lists[count] = try served.time("/transactions")
            show(list: count, lists)
            if count >= 100_000 { try showSearches(served, count) }
            if count == 100_000 {
                try showPages(served, today)
                show(try ConvertedTotals(count, in: folder, resources: resources, today: today))
            }
            if count <= 100_000, let program {
                try compare(
                    served,
                    count,
                    program,
                    folder,
                    threads: cores,
                    today,
                    seconds: isQuick ? 2 : 5,
                    list: lists[count] ?? 0
                )
            }
            if count == 100_000 {
                show(try await UserAccountFigures(served, data: "\(folder)/data-\(count)"))
            }
        }
        show(try DailyFigures(100_000, in: folder, today: today))
        show(try await SyncFigures(transactions: 100_000, in: folder, isQuick: isQuick))
        show(try await newDevice(in: folder))
        show(try BankFigures(20_000, in: folder, resources: resources, today: today))
        show(try ReceiptFigures(20_000, in: folder, resources: resources, today: today, isQuick: isQuick))
        try showUploads(beside: executable, resources, folder, isQuick: isQuick)
        try showIsolation(beside: executable, folder, resources, today)
        try showLab(beside: executable)
        try showProgram(beside: executable, folder, views: isQuick ? 10_000 : 100_000)
    }

    private static func newDevice(in folder: String) async throws -> NewDeviceFigures {
        try await NewDeviceFigures(transactions: 100_000, in: folder, over: MobileLine.Profile.mobile)
    }

    /// The program beside this one; nil if it is not built.
    static func program(beside executable: String) -> String? {
        let path = URL(fileURLWithPath: executable).deletingLastPathComponent()
            .appendingPathComponent("breadly").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
