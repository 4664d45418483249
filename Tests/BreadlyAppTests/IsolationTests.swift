// A device with a slow disk delays no other device.
import BreadlyApp
import Foundation
import Synchronization
import TestKit
import Testing

@Suite struct Isolation {
    let server: Running

    init() throws { server = try Running() }

    private func books() -> Set<String> {
        let paths = FileManager.default.subpaths(atPath: server.folder + "/devices") ?? []
        return Set(paths.filter { $0.hasSuffix(".sqlite") }.map { server.folder + "/devices/" + $0 })
    }

    /// Locks an SQLite file, as only another process can, until it is released.
    private final class Holder {
        private let process = Process()
        private let (input, output) = (Pipe(), Pipe())

        init(of path: String) throws {
            let script = """
                import sqlite3, sys
                book = sqlite3.connect(sys.argv[1], isolation_level=None)
                book.execute("PRAGMA locking_mode = EXCLUSIVE")
                book.execute("BEGIN EXCLUSIVE")
                print("held", flush=True)
                sys.stdin.read()
                """
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, path]
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            let said = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            #expect(said.hasPrefix("held"))
        }

        func letGo() {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test func aBookThatCannotBeOpenedYetHoldsUpItsOwnDeviceOnly() throws {
        let other = try server.guest()
        let before = books()
        let slow = try server.guest()
        let book = try #require(books().subtracting(before).first)
        server.app.stop()
        let holder = try Holder(of: book)
        try server.restart()
        (other.port, slow.port) = (Int(server.app.port), Int(server.app.port))
        // More requests at once than there are workers.
        let answered = Mutex(0)
        let (cookies, port) = (slow.cookies, slow.port)
        let waiting = (0..<8).map { _ in
            let thread = Thread {
                let visitor = Visitor(port: port)
                visitor.cookies = cookies
                _ = try? visitor.get("/transactions")
                answered.withLock { $0 += 1 }
            }
            thread.start()
            return thread
        }
        for _ in 0..<5 { #expect(try other.get("/transactions").status == 200) }
        #expect(answered.withLock { $0 } == 0, "the other's pages came first")
        holder.letGo()
        #expect(becomesTrue { answered.withLock { $0 } == waiting.count })
        // Where the wait was longer than SQLite's patience, the device says so and is mended by a click.
        if try slow.get("/transactions").status == 303 {
            #expect(try slow.post("/error/retry").status == 303)
        }
        #expect(try slow.get("/transactions").status == 200)
    }
}
