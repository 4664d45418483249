// A whole server with a filled book, measured over loopback.

import Book
import BreadlyApp
import Devices
import Foundation
import Ledger

/// A server of this process on a free port, with one device whose book holds a number of transactions.
final class Served {
    let app: App
    let client: Client
    let transactions: [Transaction]
    let accounts: [Account]
    let categories: [Ledger.Category]
    let book: String

    init(_ count: Int, in folder: String, resources: Resources, today: CivilDate) throws {
        let data = folder + "/data-\(count)"
        var settings = Settings()
        settings.port = 0
        settings.data = data
        let first = try App(settings, resources: resources, dependencies: .system())
        let visitor = try Client(port: Int(first.port))
        try visitor.onboard()
        first.stop()
        let name =
            (FileManager.default.subpaths(atPath: data + "/devices") ?? []).first { $0.hasSuffix(".sqlite") }
            ?? ""
        book = data + "/devices/" + name
        let opened = try Book.open(at: book) { 0 }
        accounts = try opened.accountBalances().map(\.account)
        categories = try opened.categoryUses().map(\.category)
        var generator = Generator(accounts: accounts.map(\.id), categories: categories, today: today)
        transactions = generator.transactions(count)
        try opened.record(all: transactions)
        for (number, category) in categories.filter({ $0.kind == .expense }).prefix(5).enumerated() {
            let limit = Money(minor: 30_000, currency: .eur)
            let id = EntityID(high: 1, low: UInt64(number))
            try opened.add(
                Budget(id: id, category: category.id, limit: limit, from: today.yearMonth, rollover: false)
            )
        }
        opened.close()
        app = try App(settings, resources: resources, dependencies: .system())
        client = try Client(port: Int(app.port))
        client.cookie = visitor.cookie
    }

    deinit { app.stop() }

    /// The page of an address, as text.
    func page(_ path: String) throws -> String {
        let answer = try client.ask(client.request("GET", path))
        guard answer.head.contains(" 200 ") else { throw BenchError("\(path): \(answer.head.prefix(60))") }
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// The median time of one request, in microseconds.
    func time(_ path: String, times: Int = 2_000) throws -> Double { try Self.time(client, path, times) }

    static func time(_ client: Client, _ path: String, _ times: Int) throws -> Double {
        let bytes = client.request("GET", path)
        return try median(of: times) { _ = try client.exchange(bytes) }
    }
}

/// Requests a second with 32 connections, by `wrk`; nil if it is not installed.
func throughput(port: Int, path: String, cookie: String, seconds: Int) throws -> Double? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
        "wrk", "-t1", "-c32", "-d\(seconds)s", "-H", "Cookie: \(cookie)", "http://127.0.0.1:\(port)\(path)",
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return text.split(separator: "\n").first { $0.hasPrefix("Requests/sec:") }
        .flatMap { Double($0.dropFirst(13).filter { $0 != " " }) }
}

extension Bench {
    static func show(list count: Int, _ lists: [Int: Double]) {
        let time = lists[count] ?? 0
        switch count {
        case 100_000:
            add(
                "list of transactions over loopback, 100,000 in the book",
                micro(time),
                "< 300 µs",
                time < 300
            )
        case 1_000_000:
            let ratio = time / (lists[10_000] ?? time)
            add(
                "the same, 1,000,000",
                "\(micro(time)), \(times(ratio)) that of 10,000",
                "≤ 1.2 ×",
                ratio <= 1.2
            )
        default: add("list of transactions over loopback, 10,000 in the book", micro(time), "", nil)
        }
    }

    static func showPages(_ served: Served, _ today: CivilDate) throws {
        let year = today.components.year
        let pages = [
            ("dashboard, 100,000", "/"), ("budgets of the month, 100,000", "/budgets"),
            ("a year by month, 100,000", "/reports?group=month&from=\(year)-01&to=\(year)-12"),
            ("register of an account, 100,000", "/accounts/\(served.accounts[0].id)/transactions"),
        ]
        for (what, path) in pages {
            let time = try served.time(path)
            add(what, micro(time), "< 1,000 µs", time < 1_000)
        }
        let form = try served.page("/transactions/new")
        func field(_ name: String) -> String {
            form.firstRange(of: "name=\"\(name)\" value=\"").map {
                String(form[$0.upperBound...].prefix { $0 != "\"" })
            } ?? ""
        }
        let body =
            "csrf=\(field("csrf"))&kind=expense&date=\(today)&amount=12.50&payee=Bench&account=\(served.accounts[0].id)"
        let bytes = served.client.request("POST", "/transactions", body: body)
        let insert = try median(of: 200) {
            guard try served.client.ask(bytes).head.contains(" 303 ") else {
                throw BenchError("not recorded")
            }
        }
        add("recording one transaction over loopback, on the disk when answered", micro(insert), "", nil)
    }
}
