// The real server over loopback: what it answers, and what it refuses before a handler sees it.
import HTTPServer
import TestKit
import Testing

private func server(_ change: (inout Configuration) -> Void = { _ in }) throws -> Server {
    var settings = Configuration()
    settings.port = 0
    settings.defaultHeaders = [("X-Default", "yes")]
    change(&settings)
    return try Server(settings) { request in
        switch request.path {
        case "/echo":
            let fields = ["a", "b"].map { "\($0)=\(request.form.all($0).joined(separator: ","))" }
            return .text(
                .ok,
                "\(request.method) \(fields.joined(separator: " ")) q=\(request.query.first("q") ?? "")"
            )
        case "/who":
            return .text(.ok, "\(request.clientAddress) \(request.isSecure) \(request.cookie("c") ?? "-")")
        case "/go": return .seeOther("/there")
        default: return .text(.notFound, "no \(request.path)")
        }
    }
}

private func raw(_ server: Server, _ text: String) throws -> Reply {
    try Visitor(port: Int(server.port)).exchange(Array(text.utf8))
}

@Test func aPageIsAnsweredWithTheHeadersOfTheServer() throws {
    let server = try server()
    let reply = try Visitor(port: Int(server.port)).get("/echo?q=a%20b+c")
    #expect(reply.status == 200)
    #expect(reply.text == "GET a= b= q=a b c")
    #expect(reply.header("x-default") == "yes")
}

@Test func headIsAnsweredWithTheHeadersAlone() throws {
    let server = try server()
    let reply = try Visitor(port: Int(server.port)).send("HEAD", "/echo?q=1", headers: [], body: [])
    #expect(reply.status == 200 && reply.body.isEmpty)
    #expect(reply.header("content-length") == "\("HEAD a= b= q=1".count)")
}

@Test func aFormArrivesWithItsRepeatedFields() throws {
    let server = try server()
    let reply = try Visitor(port: Int(server.port)).post("/echo", [("a", "1 ü&"), ("b", "2"), ("a", "3")])
    #expect(reply.text == "POST a=1 ü&,3 b=2 q=")
}

@Test func aRedirectNamesThePage() throws {
    let server = try server()
    let reply = try Visitor(port: Int(server.port)).post("/go")
    #expect(reply.status == 303)
    #expect(reply.header("location") == "/there")
}

@Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
    ("GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n c\r\n\r\n", 400),
    ("GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a%2fb HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /a/../b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%2e%2e/b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET http://other/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /?q=%ff HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 501),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: magic\r\nContent-Length: 1\r\n\r\nx", 417),
    ("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx", 415),
    // Input that the library parses differently than others: a NUL ends a value, a line feed alone ends a
    // line.
    ("GET / HTTP/1.1\r\nHost: a\r\nX: b\0c\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX\0: b\r\n\r\n", 400),
    ("GET /echo\0/x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET /echo?a=\0b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
    ("POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    ("GARBAGE\r\n\r\n", 400), ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400), ("GARBAGE / \r\n\r\n", 400),
    ("\u{16}\u{3}\u{1}\u{2}", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: 16_384) + "\r\n\r\n", 431),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "b", count: 64_000) + "\r\n\r\n", 431),
    ("GET /echo?" + String(repeating: "a&", count: 1_500) + " HTTP/1.1\r\nHost: a\r\n\r\n", 400),
])
func whatNoHonestBrowserSendsIsRefused(request: String, status: Int) throws {
    let server = try server { $0.idleSeconds = 2 }
    #expect(try raw(server, request).status == status)
}

/// The library closes a connection without an answer if its memory is too small for a head.
@Test(arguments: [0, 1, 5, 20, 50, 100, 300, 1_000, 4_000])
func eachNumberOfCookiesGetsAnAnswer(length: Int) throws {
    let server = try server()
    let most = 15_800 / (length + 6)
    var statuses: Set<Int> = []
    for count in Set([1, 2, 10, 100, 200, 300, 360, 400, 420, 500, 540, 900, 1_000, 2_000, most / 2, most])
    where count <= most {
        let cookies = (0..<count).map { "c\($0 % 10)=" + String(repeating: "b", count: length) }
        let head =
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCookie: \(cookies.joined(separator: "; "))\r\n\r\n"
        let reply = try raw(server, head)
        #expect([200, 404, 431].contains(reply.status), "\(count)")
        if reply.status == 431 { #expect(reply.text.contains("too many cookies"), "\(count)") }
        // As many as a browser has of one host.
        if count <= 180, length < 20 { #expect(reply.status != 431, "\(count)") }
        statuses.insert(reply.status)
    }
    #expect(statuses.count == 2 || length >= 100, "both sides of the limit")
}

@Test func aFormOverTheLimitIsTooLarge() throws {
    let server = try server { $0.formBytes = 100 }
    let announced = try raw(server, "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n")
    #expect(announced.status == 413)
    let body = String(repeating: "x", count: 200)
    let chunked =
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nc8\r\n\(body)\r\n0\r\n\r\n"
    #expect(try raw(server, chunked).status == 413)
}

@Test func sixHundredFieldsOfAQueryAreAnswered() throws {
    let server = try server()
    let fields = (0..<600).map { "f\($0)=1" }.joined(separator: "&")
    #expect(try Visitor(port: Int(server.port)).get("/echo?q=x&\(fields)").text == "GET a= b= q=x")
}

@Test func linesThatAreSentAsTheyShouldAreTakenOneAfterTheOther() throws {
    let server = try server()
    let wire = try Wire(port: Int(server.port))
    for value in ["", " padded \t", "a: b", "ü"] {
        wire.send("GET /echo?q=1 HTTP/1.1\r\nHost: a\r\nX:\(value)\r\nY:  z\r\n\r\n")
        #expect(wire.receive(until: "q=1").contains("200 OK"), "\(value)")
    }
    wire.send("GET /echo?q=2 HTTP/1.0\r\n\r\n")
    #expect(wire.receive(until: "q=2").contains("200 OK"))
}

@Test func onlyATrustedProxySpeaksForOthers() throws {
    let headers = [
        ("X-Forwarded-For", "1.2.3.4, 203.0.113.9"), ("X-Forwarded-Proto", "https"), ("Cookie", "c=1"),
    ]
    let open = try server()
    #expect(try Visitor(port: Int(open.port)).get("/who", headers: headers).text == "127.0.0.1 false 1")
    let networks = try #require(TrustedProxies(["127.0.0.0/8"]))
    let behind = try server { $0.trustedProxies = networks }
    #expect(try Visitor(port: Int(behind.port)).get("/who", headers: headers).text == "203.0.113.9 true 1")
}

/// HAProxy adds a line of its own behind those that the client has written.
@Test(arguments: [
    (["6.6.6.6", "203.0.113.9"], "203.0.113.9"),
    (["6.6.6.6, 7.7.7.7", "8.8.8.8, 203.0.113.9"], "203.0.113.9"),
    (["203.0.113.9:4711"], "203.0.113.9"), (["[2001:db8::1]:4711"], "2001:db8::1"),
    (["2001:db8::1"], "2001:db8::1"), (["6.6.6.6", "unknown"], "127.0.0.1"), (["6.6.6.6", ""], "127.0.0.1"),
])
func whatATrustedProxyAddsLastIsTheClient(lines: [String], client: String) throws {
    let networks = try #require(TrustedProxies(["127.0.0.0/8"]))
    let server = try server { $0.trustedProxies = networks }
    let reply = try Visitor(port: Int(server.port)).get(
        "/who",
        headers: lines.map { ("X-Forwarded-For", $0) }
    )
    #expect(reply.text == "\(client) false -")
}

@Test(arguments: ["X-Forwarded-Proto", "X-Forwarded-Host"])
func aProxyThatSaysTwoThingsIsRefused(name: String) throws {
    let twice = [(name, "https"), (name, "http")]
    let open = try server()
    #expect(
        try Visitor(port: Int(open.port)).get("/who", headers: twice).status == 200,
        "not believed anyway"
    )
    let networks = try #require(TrustedProxies(["127.0.0.0/8"]))
    let behind = try server { $0.trustedProxies = networks }
    #expect(try Visitor(port: Int(behind.port)).get("/who", headers: twice).status == 400)
}

@Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
    ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
    ("::1", "0:0:0:0::/64"), ("nonsense", "nonsense"),
])
func aNetworkPrefixIsOneClient(address: String, network: String) {
    #expect(limitedNetwork(of: address) == network)
}

@Test func onlyTheHostsThatWereNamedAreAnswered() throws {
    let server = try server {
        $0.hosts = ["budget.example.org"]
        $0.takesAnyHost = { $0 == "/go" }
    }
    func status(_ host: String, _ path: String = "/who") throws -> Int {
        try raw(server, "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n").status
    }
    for host in ["budget.example.org", "BUDGET.example.org:8443", "budget.example.org."] {
        #expect(try status(host) == 200, "\(host)")
    }
    for host in ["evil.example", "127.0.0.1", "budget.example.org.evil.example", "[::1]:80"] {
        #expect(try status(host) == 421, "\(host)")
    }
    #expect(try status("127.0.0.1", "/go") == 303)
}

@Test func overTLSEveryAnswerSaysSo() throws {
    let networks = try #require(TrustedProxies(["127.0.0.0/8"]))
    let server = try server {
        $0.trustedProxies = networks
        $0.secureHeaders = [("Strict-Transport-Security", "max-age=1")]
    }
    let visitor = Visitor(port: Int(server.port))
    for path in ["/who", "/nowhere", "/go"] {
        let reply = try visitor.get(path, headers: [("X-Forwarded-Proto", "https")])
        #expect(reply.header("strict-transport-security") == "max-age=1")
        #expect(try visitor.get(path).header("strict-transport-security") == nil)
    }
}

@Test(arguments: ["nonsense", "1.2.3.4/33", "1.2.3.4/", "::/129"]) func whatIsNoNetworkIsNotTrusted(
    text: String
) {
    #expect(TrustedProxies([text]) == nil)
}

@Test func aTakenPortIsOneClearLine() throws {
    let first = try server()
    let error = #expect(throws: ServerError.self) { try server { $0.port = first.port } }
    #expect(error?.description.contains("cannot listen on 127.0.0.1:\(first.port)") == true)
}

@Test func aStoppedServerAnswersNobody() throws {
    let server = try server()
    let port = Int(server.port)
    server.stop(withinSeconds: 1)
    #expect(throws: VisitorError.self) { try Visitor(port: port).get("/echo") }
}
