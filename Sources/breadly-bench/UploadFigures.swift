// Files that `curl` sends to the installed program and to the C program, and the memory that a large one takes.

import BreadlyApp
import Foundation
import Ledger

/// The bytes of the same files in a second, each sent by one `curl` over one connection.
struct UploadFigures {
    /// By the C program, which reads and forgets them.
    let discarded: Double
    /// By the C program, which makes each durable before its answer.
    let stored: Double
    /// By Breadly, which adds each to a transaction.
    let added: Double

    /// A million bytes, so that a thousand files are within the usual quota.
    private static let fileBytes = 1_000_000
    private static let filesOfTransaction = 10

    init(_ count: Int, program: String, baseline: String, in folder: String) throws {
        let files = folder + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: files) }
        for number in 0..<count {
            try Self.file(number, Self.fileBytes).write(to: URL(fileURLWithPath: "\(files)/\(number).pdf"))
        }
        let server = try Started(program, data: folder + "/uploads")
        let user = try UploadingUser(server.port)
        let transactions = try user.record(count / Self.filesOfTransaction + 1)
        let reference = try Baseline(
            baseline,
            rows: "",
            around: user.page("/transactions?month=all"),
            in: folder,
            threads: 2,
            port: 20_000 + Int(getpid()) % 20_000
        )
        let origin = "http://127.0.0.1:\(reference.port)"
        func send(_ status: Int, _ address: (Int) -> String) throws -> Double {
            let requests = (0..<count).map { (address($0), "\(files)/\($0).pdf") }
            return try user.curl(requests, status: status, config: folder + "/curl")
        }
        let bytes = Double(count * Self.fileBytes)
        // Once for the file cache, which the first of several runs would fill for the others.
        _ = try send(200) { _ in "\(origin)/discard" }
        discarded = bytes / (try send(200) { _ in "\(origin)/discard" })
        stored = bytes / (try send(200) { _ in "\(origin)/store" })
        added =
            bytes
            / (try send(303) { number in
                let transaction = transactions[number / Self.filesOfTransaction]
                return "http://127.0.0.1:\(server.port)/transactions/\(transaction)/attachments"
            })
    }

    /// A file that the program accepts as a PDF. Files with other numbers have other content.
    static func file(_ number: Int, _ size: Int) -> Data {
        let head = Data("%PDF-1.7\n\(number)\n".utf8)
        return head + Data(repeating: 65, count: size - head.count)
    }
}

/// The growth of the memory of two processes during one file of 10 MB, in megabytes.
struct UploadMemory {
    /// The device's server, from the browser to the disk.
    let adding: Double
    /// The device's server, from the browser to the cloud.
    let sending: Double
    /// The cloud meanwhile.
    let receiving: Double

    init(program: String, in folder: String) throws {
        let cloud = try Started(
            program,
            ["cloud", "--port", "0", "--data", folder + "/upload-cloud", "--premium", "everyone"]
        )
        let server = try Started(
            program,
            [
                "serve", "--port", "0", "--data", folder + "/upload-device", "--cloud",
                "http://127.0.0.1:\(cloud.port)",
            ]
        )
        let (small, large) = ("\(folder)/small.pdf", "\(folder)/large.pdf")
        try UploadFigures.file(1, 20 << 10).write(to: URL(fileURLWithPath: small))
        try UploadFigures.file(2, 10 << 20).write(to: URL(fileURLWithPath: large))
        func add(_ file: String, to transaction: String, by user: UploadingUser) throws {
            let address = "http://127.0.0.1:\(server.port)/transactions/\(transaction)/attachments"
            _ = try user.curl([(address, file)], status: 303, config: folder + "/curl")
        }
        // The small file brings code and connections into memory, and no part of full size.
        let guest = try UploadingUser(server.port)
        var transactions = try guest.record(2)
        try add(small, to: transactions[0], by: guest)
        adding = try server.growth { try add(large, to: transactions[1], by: guest) }
        let user = try UploadingUser(server.port)
        try user.signUp()
        transactions = try user.record(2)
        try add(small, to: transactions[0], by: user)
        try user.waitForUpload(transactions[0])
        var growth = 0.0
        receiving = try cloud.growth {
            growth = try server.growth {
                try add(large, to: transactions[1], by: user)
                try user.waitForUpload(transactions[1])
            }
        }
        sending = growth
    }
}

/// A user whose files `curl` sends.
private struct UploadingUser {
    let client: Client

    init(_ port: Int) throws {
        client = try Client(port: port)
        try client.onboard()
    }

    func page(_ path: String) throws -> String {
        let answer = try client.ask(client.request("GET", path))
        guard answer.head.contains(" 200 ") else { throw BenchError("\(path): \(answer.head.prefix(60))") }
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// Records expenses.
    /// - Returns: their ids.
    func record(_ count: Int) throws -> [String] {
        let form = try page("/transactions/new")
        guard let select = form.firstRange(of: "name=\"account\""),
            let account = Self.values(after: "<option value=\"", in: form[select.upperBound...])
                .lazy.compactMap({ EntityID($0) }).first
        else { throw BenchError("a new book has no account") }
        for _ in 0..<count { try client.record(on: account) }
        var ids: [String] = []
        var path = "/transactions?month=all"
        while ids.count < count {
            let list = try page(path)
            ids += Self.values(after: "<li id=\"t", in: list[...])
            guard let next = Self.values(after: "after=", in: list[...]).first else { break }
            path = "/transactions?month=all&after=\(next)"
        }
        guard ids.count == count else { throw BenchError("\(ids.count) of \(count) transactions are listed") }
        return ids
    }

    /// The texts between each occurrence of a beginning and the next quotation mark.
    private static func values(after beginning: String, in page: Substring) -> [String] {
        page.ranges(of: beginning).map { String(page[$0.upperBound...].prefix { $0 != "\"" }) }
    }

    func signUp() throws { _ = try client.signUp("anna%40x.test") }

    /// Looks at a transaction until the cloud has its file.
    func waitForUpload(_ transaction: String) throws {
        let end = Date().addingTimeInterval(60)
        while try !page("/transactions/\(transaction)").contains("data-status=\"uploaded\"") {
            guard Date() < end else { throw BenchError("a file does not reach the cloud") }
            usleep(100_000)
        }
    }

    /// Sends a file with each request, one after another over one connection.
    /// - Returns: seconds.
    func curl(_ requests: [(address: String, file: String)], status: Int, config: String) throws -> Double {
        let token = Client.token(try page("/transactions/new"))
        let texts = requests.map { address, file in
            """
            url = "\(address)"
            cookie = "\(client.cookie)"
            form-string = "csrf=\(token)"
            form = "file=@\(file);type=application/pdf"
            header = "Expect:"
            output = "/dev/null"
            write-out = "%{http_code}\\n"
            silent
            """
        }
        try texts.joined(separator: "\nnext\n").write(toFile: config, atomically: false, encoding: .utf8)
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["curl", "--disable", "--config", config]
        process.standardOutput = output
        let clock = ContinuousClock()
        let begin = clock.now
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let taken = clock.now - begin
        guard text.split(separator: "\n") == requests.map({ _ in Substring("\(status)") }) else {
            throw BenchError("\(requests[0].address): \(text.prefix(60))")
        }
        return microseconds(taken) / 1e6
    }
}

extension Bench {
    static func showUploads(
        beside executable: String,
        _ resources: Resources,
        _ folder: String,
        isQuick: Bool
    ) throws {
        guard let program = program(beside: executable) else {
            return add("uploads", "build the product breadly first", "", nil)
        }
        guard try Baseline.run("/bin/sh", ["-c", "command -v curl >/dev/null"]) == 0 else {
            return add("uploads", "curl is not installed", "", nil)
        }
        guard
            let baseline = try Baseline.compile(resources.folder + "/Resources/bench/baseline.c", in: folder)
        else { return add("uploads", "no C compiler here", "", nil) }
        let count = isQuick ? 100 : 1_000
        let figures = try UploadFigures(count, program: program, baseline: baseline, in: folder)
        func rate(_ bytes: Double) -> String { "\(Int(bytes / 1e6)) MB/s" }
        let share = figures.added / figures.discarded
        add("\(count) files of 1 MB by curl, read by the C program", rate(figures.discarded), "", nil)
        add("the same, made durable by the C program", rate(figures.stored), "", nil)
        add(
            "the same, added to transactions of Breadly",
            "\(rate(figures.added)), \(times(share)) the first, \(times(figures.added / figures.stored)) the second",
            "≥ 0.33 ×",
            share >= 1.0 / 3
        )
        let memory = try UploadMemory(program: program, in: folder)
        for (what, growth) in [
            ("memory of a server while a file of 10 MB is added", memory.adding),
            ("the same while it is also sent to the cloud", memory.sending),
            ("memory of the cloud meanwhile", memory.receiving),
        ] {
            add(what, tenths(growth, "MB"), "< 4 MB", growth < 4)
        }
    }
}
