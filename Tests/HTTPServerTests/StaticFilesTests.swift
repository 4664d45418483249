// Static files: named by their content, compressed, and validated by their ETag.
import TestKit
import Testing

@testable import HTTPServer

@Suite struct FilesOfTheBrowser {
    private static let style = Array(String(repeating: "a { color: red }\n", count: 200).utf8)
    private static let tiny = Array("x".utf8)
    private let files: StaticFiles
    private let server: Server

    init() throws {
        let files = try StaticFiles(
            ["app.css": Self.style, "tiny.txt": Self.tiny, "what.bin": [0]],
            under: "/s/"
        )
        self.files = files
        var settings = Configuration()
        settings.port = 0
        server = try Server(settings) { files.answer($0) ?? .text(.notFound, "no") }
    }

    private func ask(_ name: String, _ headers: [(String, String)] = [], by method: String = "GET") throws
        -> Reply
    {
        let address = try #require(files.address(of: name))
        return try Visitor(port: Int(server.port)).send(method, address, headers: headers, body: [])
    }

    @Test func aFileIsServedWholeUnderANameOfItsContent() throws {
        let reply = try ask("app.css")
        #expect(reply.status == 200 && reply.body == Self.style)
        #expect(reply.header("content-type") == "text/css; charset=utf-8")
        #expect(reply.header("cache-control") == "public, max-age=31536000, immutable")
        #expect(reply.header("content-encoding") == nil && reply.header("vary") == "Accept-Encoding")
        let changed = try StaticFiles(["app.css": Self.style + [32]], under: "/s/")
        #expect(changed.address(of: "app.css") != files.address(of: "app.css"))
        #expect(files.address(of: "nothing.css") == nil)
    }

    @Test func whoTakesGzipGetsLess() throws {
        let reply = try ask("app.css", [("Accept-Encoding", "br, gzip")])
        #expect(reply.header("content-encoding") == "gzip")
        #expect(reply.body.prefix(2) == [0x1F, 0x8B] && reply.body.count < Self.style.count / 4)
        // A file that compression does not shrink is sent as it is.
        #expect(try ask("tiny.txt", [("Accept-Encoding", "gzip")]).body == Self.tiny)
        #expect(try ask("what.bin").header("content-type") == "application/octet-stream")
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP;q=0.5", true), ("*", true), ("br", false), ("", false), ("gzip;q=0", false),
        ("gzip; q=0.000", false), ("identity, gzip", true), ("xgzip", false),
    ])
    func gzipIsTakenWhereItIsNamed(header: String, takes: Bool) { #expect(acceptsGzip(header) == takes) }

    @Test func whoHasItAlreadyIsToldSo() throws {
        let mark = try #require(try ask("app.css").header("etag"))
        for known in [mark, "W/\(mark)", "\"other\", \(mark)", "*"] {
            let reply = try ask("app.css", [("If-None-Match", known)])
            #expect(reply.status == 304 && reply.body.isEmpty && reply.header("etag") == mark)
        }
        #expect(try ask("app.css", [("If-None-Match", "\"other\"")]).status == 200)
    }

    @Test func theHeadAloneAndNothingElse() throws {
        let head = try ask("app.css", by: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.header("content-length") == "\(Self.style.count)")
        let post = try ask("app.css", by: "POST")
        #expect(post.status == 405 && post.header("allow") == "GET, HEAD")
    }

    @Test func manyAtOnceReadTheSameFile() throws {
        let address = try #require(files.address(of: "app.css"))
        let wires = try (0..<50).map { _ in try Wire(port: Int(server.port)) }
        for wire in wires { wire.send("GET \(address) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n") }
        for wire in wires {
            // Which never comes: until the server closes.
            let answer = wire.receive(until: "\u{1}")
            #expect(answer.hasSuffix(String(decoding: Self.style, as: UTF8.self)))
        }
    }
}
