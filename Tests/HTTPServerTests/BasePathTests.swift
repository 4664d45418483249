// A server below a path: what it takes off, and what it answers outside of it.
import HTTPServer
import TestKit
import Testing

@Suite struct AServerBelowAPath {
    private let server: Server

    init() throws {
        var settings = Configuration()
        settings.port = 0
        settings.basePath = "/home/breadly"
        settings.isAnsweredEverywhere = { $0 == "/healthz" }
        settings.takesAnyHost = { $0 == "/healthz" }
        settings.hosts = ["127.0.0.1"]
        server = try Server(settings) { .text(.ok, "\($0.path) \($0.query.first("a") ?? "-")") }
    }

    private func ask(_ path: String, host: String? = nil) throws -> Reply {
        let visitor = Visitor(port: Int(server.port))
        guard let host else { return try visitor.get(path) }
        let lines = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        return try visitor.exchange(Array(lines.utf8))
    }

    @Test(arguments: [
        ("/home/breadly/", "/ -"), ("/home/breadly/transactions?a=1", "/transactions 1"),
        ("/home/breadly/home/breadly/x", "/home/breadly/x -"), ("/home/breadly/healthz", "/healthz -"),
        ("/healthz", "/healthz -"), ("/home/bre%61dly/x", "/x -"),
    ])
    func handlersSeeWhatIsBelowIt(path: String, seen: String) throws {
        let reply = try ask(path)
        #expect(reply.status == 200 && reply.text == seen)
    }

    @Test(arguments: ["/", "/transactions", "/home", "/home/", "/home/breadlyx/", "/breadly/", "/healthz/"])
    func whatIsOutsideIsNotFound(path: String) throws {
        let reply = try ask(path)
        #expect(reply.status == 404 && reply.text.contains("below /home/breadly/ only"))
        #expect(reply.header("location") == nil)
    }

    @Test func itsOwnNameLeadsIntoIt() throws {
        let reply = try ask("/home/breadly")
        #expect(reply.status == 303 && reply.header("location") == "/home/breadly/")
    }

    @Test func anotherHostLearnsNothing() throws {
        for path in ["/", "/home/breadly", "/home/breadly/"] {
            #expect(try ask(path, host: "evil.example").status == 421, "\(path)")
        }
        for path in ["/healthz", "/home/breadly/healthz"] {
            #expect(try ask(path, host: "10.0.0.1").status == 200, "\(path)")
        }
    }
}
