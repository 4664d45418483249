// Measures Breadly against baselines of the same run and prints a table.
//
//   breadly-bench [--quick] [--rendering | --sync | --isolation | --program | --lab | --totals]
//
//   --quick       omits the million transactions, and takes fewer samples
//   --rendering   rendering of a page
//   --sync        sync only
//   --isolation   a page while other devices' books are opened
//   --program     the start of the program, and its memory
//   --lab         the reviewers' lab
//   --totals      totals of a month in six currencies, and converted

import Book
import BreadlyApp
import Foundation
import Ledger

/// A line of the table.
private struct Line {
    let what: String
    let figure: String
    let target: String
    let isMet: Bool?

    var text: String { "| \(what) | \(figure) | \(target) | \(isMet.map { $0 ? "yes" : "**no**" } ?? "") |" }
}

@main
enum Bench {
    static func main() async {
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
        if CommandLine.arguments.contains("--totals") {
            return show(try ConvertedTotals(100_000, in: folder, resources: resources, today: today))
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
        show(try await SyncFigures(transactions: 100_000, in: folder, isQuick: isQuick))
        try showIsolation(beside: executable, folder, resources, today)
        try showLab(beside: executable)
        try showProgram(beside: executable, folder, views: isQuick ? 10_000 : 100_000)
    }

    private static func showLab(beside executable: String) throws {
        guard let program = program(beside: executable) else { return }
        let lab = try LabFigures(program)
        add("lab: an empty world, to its first page", "\(Int(lab.empty)) ms", "< 150 ms", lab.empty < 150)
        add("lab: a world with a year on two devices", "\(Int(lab.fresh)) ms", "< 150 ms", lab.fresh < 150)
        add("lab: memory of 50 reviewers", "\(Int(lab.megabytes)) MB", "< 300 MB", lab.megabytes < 300)
    }

    /// The program beside this one; nil if it is not built.
    private static func program(beside executable: String) -> String? {
        let path = URL(fileURLWithPath: executable).deletingLastPathComponent()
            .appendingPathComponent("breadly").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    private static func showIsolation(
        beside executable: String,
        _ folder: String,
        _ resources: Resources,
        _ today: CivilDate
    ) throws {
        guard let program = program(beside: executable) else { return }
        let served = try Served(100_000, in: folder + "/isolation", resources: resources, today: today)
        served.app.stop()
        guard let account = served.accounts.first?.id else { return }
        for count in [1, 8] {
            let isolation = try Isolation(
                program,
                data: folder + "/isolation/data-100000",
                cookie: served.client.cookie,
                account: account,
                books: count
            )
            let ratio = isolation.meanwhile / isolation.quiet
            let books = count == 1 ? "another device's book is" : "\(count) other devices' books are"
            add(
                "a page while \(books) opened after an unclean stop "
                    + "(\(Int(isolation.opening)) ms), and when nothing else happens",
                "\(micro(isolation.meanwhile)), \(micro(isolation.quiet)): \(times(ratio))",
                count == 1 ? "≤ 1.5 ×" : "",
                count == 1 ? ratio <= 1.5 : nil
            )
            add("the slowest of them", micro(isolation.slowest), "", nil)
        }
    }

    private static func show(_ rendering: Rendering) {
        let ratio = rendering.interpolation / rendering.engine
        add(
            "printing the page of 50 transactions, \(rendering.bytes / 1_024) KB",
            micro(rendering.engine),
            "< 40 µs",
            rendering.engine < 40
        )
        add(
            "the same by string interpolation",
            "\(micro(rendering.interpolation)), \(times(ratio)) as long",
            "≥ 5 ×",
            ratio >= 5
        )
        add("making the page from its rows, and printing it", micro(rendering.making), "", nil)
    }

    private static func show(list count: Int, _ lists: [Int: Double]) {
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

    private static func show(_ accounts: UserAccountFigures) {
        add(
            "a book of 100,000 becomes a user's, in one transaction",
            micro(accounts.move),
            "< 1,000,000 µs",
            accounts.move < 1_000_000
        )
        add(
            "making an account over loopback, with an empty book and with 100,000",
            "\(micro(accounts.signUp)), \(micro(accounts.fullSignUp)): "
                + "\(times(accounts.signUp / accounts.scrypt)) one hashing of a password",
            "",
            nil
        )
        add(
            "opening a signed-in device while the cloud is silent",
            micro(accounts.bootstrap),
            "< 5,000 µs",
            accounts.bootstrap < 5_000
        )
    }

    private static func show(_ sync: SyncFigures) {
        add("one write to the disk", micro(sync.fsync), "", nil)
        add(
            "a change is in the other device's book",
            tenths(sync.visible, "ms"),
            "< 150 ms",
            sync.visible < 150
        )
        add(
            "100,000 transactions are attached and uploaded",
            tenths(sync.upload, "s"),
            "< 12 s",
            sync.upload < 12
        )
        add(
            "the slowest list of transactions meanwhile",
            tenths(sync.pageMeanwhile, "ms"),
            "< 50 ms",
            sync.pageMeanwhile < 50
        )
        add("the same on a new device, downloaded", tenths(sync.download, "s"), "< 6 s", sync.download < 6)
        add("the first of them are there", tenths(sync.firstRows, "ms"), "< 300 ms", sync.firstRows < 300)
        add("memory grows meanwhile by", tenths(sync.grown, "MB"), "< 20 MB", sync.grown < 20)
        add(
            "operations a second that the cloud takes, 100 at a time",
            "\(Int(sync.operations))",
            "≥ 20,000",
            sync.operations >= 20_000
        )
        add("pushes a second of one operation", "\(Int(sync.pushes))", "≥ 1,000", sync.pushes >= 1_000)
        add(
            "bytes of an operation on the wire, 500 at a time",
            "\(Int(sync.wireBytes))",
            "< 100",
            sync.wireBytes < 100
        )
        add("one of a thousand that wait for news", tenths(sync.waiting, "KB"), "< 30 KB", sync.waiting < 30)
        add(
            "one push in a cloud of ten accounts, and of ten thousand",
            "\(micro(sync.withFew)), \(micro(sync.withMany))",
            "the same",
            sync.withMany < sync.withFew * 1.3
        )
    }

    private static func show(_ totals: ConvertedTotals) {
        add("totals of a month in six currencies, 100,000", micro(totals.plain), "", nil)
        add(
            "the same, converted",
            micro(totals.converted),
            "≤ 1.5 ×",
            totals.converted <= totals.plain * 1.5
        )
        add(
            "the slowest report over five years by category, account or month, converted",
            micro(totals.reports),
            "≤ 3 ×",
            totals.reports <= totals.converted * 3
        )
        add(
            "the report over five years by payee, converted",
            micro(totals.payees),
            "≤ 3 ×",
            totals.payees <= totals.converted * 3
        )
        for (what, time) in [("cash flow", totals.flow), ("net worth", totals.worth)] {
            let ratio = time / totals.converted
            add(
                "the \(what) over five years, converted",
                "\(micro(time)), \(times(ratio)) the month",
                "≤ 3 ×",
                ratio <= 3
            )
        }
        add(
            "the comparison of a month with twelve, up to the day",
            "\(micro(totals.comparison)), \(times(totals.comparison / totals.converted)) the month",
            "",
            nil
        )
        add("the slowest report over five years by the rates of each day", micro(totals.dayRates), "", nil)
    }

    private static func tenths(_ value: Double, _ unit: String) -> String {
        "\((value * 10).rounded() / 10) \(unit)"
    }

    private static func showPages(_ served: Served, _ today: CivilDate) throws {
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

    private static func compare(
        _ served: Served,
        _ count: Int,
        _ program: String,
        _ folder: String,
        threads: Int,
        _ today: CivilDate,
        seconds: Int,
        list ownList: Double
    ) throws {
        let rows = Baseline.rows(served.transactions, served.accounts, served.categories)
        let baseline = try Baseline(
            program,
            rows: rows,
            around: try served.page("/transactions"),
            in: folder,
            threads: threads,
            port: 20_000 + Int(getpid()) % 20_000 + count / 10_000
        )
        let list = "/tx?m=\(today.yearMonth)"
        let own = try Client(port: baseline.port)
        let year = try Served.time(own, "/summary?y=\(today.components.year)", 20)
        let theirList = try Served.time(own, list, 200)
        add("the C program: list, \(count); a year added up", "\(micro(theirList)); \(micro(year))", "", nil)
        if count == 100_000 {
            // If the C program takes 390 µs, as on the machine for which the target was set, this is 300 µs.
            let ratio = ownList / theirList
            add("the list of 100,000, to the C program's", times(ratio), "< 0.77 ×", ratio < 0.77)
        }
        var ours: [Double] = []
        var theirs: [Double] = []
        for _ in 0..<3 {
            let cookie = served.client.cookie
            guard
                let one = try throughput(
                    port: Int(served.app.port),
                    path: "/transactions",
                    cookie: cookie,
                    seconds: seconds
                ),
                let other = try throughput(port: baseline.port, path: list, cookie: "", seconds: seconds)
            else {
                add("requests a second", "wrk is not installed", "", nil)
                return
            }
            ours.append(one)
            theirs.append(other)
        }
        let (one, other) = (ours.sorted()[1], theirs.sorted()[1])
        let share = one / other
        let target = count == 10_000 ? 0.6 : 1
        add(
            "requests a second, \(count): Breadly, and the C program",
            "\(Int(one)), \(Int(other)): \(Int(share * 100)) %",
            count == 10_000 ? "≥ 60 %" : "> 100 %",
            share >= target
        )
    }

    private static func showProgram(beside executable: String, _ folder: String, views: Int) throws {
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

    private static func add(_ what: String, _ figure: String, _ target: String, _ isMet: Bool?) {
        print(Line(what: what, figure: figure, target: target, isMet: isMet).text)
        fflush(nil)
    }

    private static func micro(_ value: Double) -> String {
        value < 100 ? "\((value * 10).rounded() / 10) µs" : "\(Int(value.rounded())) µs"
    }

    private static func times(_ ratio: Double) -> String {
        let digits: Double = ratio < 1 ? 100 : 10
        return "\((ratio * digits).rounded() / digits) ×"
    }
}
