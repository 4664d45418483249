// Forms with files, cut at every byte, and what is wrong with them.
import TestKit
import Testing

@testable import HTTPServer

private let type = "multipart/form-data; boundary=\"x y\""
private let body = [
    "--x y", "Content-Disposition: form-data; name=\"note\"", "", "line 1\r\n--x", "--x y",
    "Content-Disposition: form-data; name=\"file\"; filename=\"C:\\a\\b \u{fc}.csv\"",
    "Content-Type: text/csv", "",
    "1;2\r\n3;4\r\n", "--x y", "Content-Disposition: form-data; name=\"empty\"", "", "", "--x y--", "",
].joined(separator: "\r\n")

private func parsed(_ body: String, _ type: String = type, pieces: Int = 1) throws -> MultipartParser {
    var parser = try #require(MultipartParser(contentType: type, fieldBytes: 1_000, partCount: 5))
    let bytes = Array(body.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
        try parser.feed(bytes[start..<min(start + pieces, bytes.count)])
    }
    try parser.finish()
    return parser
}

@Suite struct MultipartForms {
    @Test func aFormIsReadTheSameHoweverItArrives() throws {
        for pieces in 1...body.utf8.count {
            let form = try parsed(body, pieces: pieces)
            #expect(form.fields.first("note") == "line 1\r\n--x")
            #expect(form.fields.first("empty") == "")
            let file = try #require(form.files.first)
            #expect(file.field == "file" && file.name == "b \u{fc}.csv" && file.type == "text/csv")
            #expect(file.size == 10 && file.target == nil)
        }
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\u{e4}",
        "multipart/form-data; boundary=" + String(repeating: "x", count: 71),
    ])
    func aBoundaryThatIsNoneIsRefused(type: String) {
        #expect(MultipartParser(contentType: type, fieldBytes: 1, partCount: 1) == nil)
    }

    @Test func whatIsBrokenIsRefused() {
        let broken = [
            "", "--x y", String(body.dropLast(6)),
            "--x y\r\nContent-Disposition: form-data\r\n\r\nx\r\n--x y--\r\n",
            "--x y\r\nNothing\r\n\r\nx\r\n--x y--\r\n", "--x y\r\n\r\nx\r\n--x y--\r\n", "--x yz\r\n",
            "--x y\r\nX: " + String(repeating: "h", count: 9_000),
            "--x y\r\nContent-Disposition: form-data; name=a\r\n\r\n\0\r\n--x y--\r\n",
        ]
        for text in broken {
            #expect(throws: MultipartParser.Fault.malformed) { try parsed(text, pieces: 7) }
        }
    }

    @Test func fieldsAndPartsHaveLimits() {
        func part(_ content: String) -> String {
            "--x y\r\nContent-Disposition: form-data; name=a\r\n\r\n\(content)\r\n"
        }
        let long = part(String(repeating: "x", count: 1_001)) + "--x y--\r\n"
        #expect(throws: MultipartParser.Fault.tooLarge) { try parsed(long, pieces: 100) }
        let many = String(repeating: part("x"), count: 6) + "--x y--\r\n"
        #expect(throws: MultipartParser.Fault.tooLarge) { try parsed(many, pieces: 100) }
    }

    /// Its page can say which files it has not taken.
    @Test func aRequestThatTakesNoFilesNamesThemAndKeepsNone() throws {
        var settings = Configuration()
        settings.port = 0
        let server = try Server(settings) { request in
            let files = request.files.map { "\($0.name) \($0.size) \($0.target == nil)" }
            return .text(.ok, "\(files) \(request.form.first("note") ?? "")")
        }
        func post(_ size: Int) throws -> Reply {
            let file = String(repeating: "f", count: size)
            let body = [
                "--b", "Content-Disposition: form-data; name=\"note\"", "", "n", "--b",
                "Content-Disposition: form-data; name=\"file\"; filename=\"f\"", "", file, "--b--", "",
            ].joined(separator: "\r\n")
            let type = ("Content-Type", "multipart/form-data; boundary=b")
            return try Visitor(port: Int(server.port)).send(
                "POST",
                "/other",
                headers: [type],
                body: Array(body.utf8)
            )
        }
        #expect(try post(100).text == #"["f 100 true"] n"#)
        #expect(try post(70_000).status == 413)
    }
}

@Suite struct TheRouter {
    private struct Number: PathValue {
        let value: Int
        init?(pathSegment: Substring) {
            guard let value = Int(pathSegment) else { return nil }
            self.value = value
        }
    }

    private let one = PathWith<Number>("/things/*/part")
    private let router: Router<String>

    init() {
        router = Router([
            Route("GET", Path("/"), "home"), Route("GET", Path("/things"), "list"),
            Route("POST", Path("/things"), "add"),
            Route("GET", Path("/things/new"), "new"),
            Route("GET", PathWith<Number>("/things/*")) { (number: Number) in "show \(number.value)" },
            Route("POST", PathWith<Number>("/things/*")) { (number: Number) in "change \(number.value)" },
            Route("GET", one) { (number: Number) in "part \(number.value)" },
        ])
    }

    private func told(_ method: String, _ path: String) -> String {
        switch router.match(method, path) {
        case .found(let action): action
        case .wrongMethod(let allow): "allow \(allow)"
        case .notFound: "none"
        }
    }

    @Test(arguments: [
        ("GET", "/", "home"), ("HEAD", "/", "home"), ("GET", "/things", "list"), ("POST", "/things", "add"),
        ("GET", "/things/new", "new"), ("POST", "/things/new", "allow GET, HEAD"),
        ("GET", "/things/7", "show 7"),
        ("POST", "/things/7", "change 7"), ("DELETE", "/things/7", "allow GET, HEAD, POST"),
        ("GET", "/things/x", "none"),
        ("GET", "/things/7/part", "part 7"), ("POST", "/things/7/part", "allow GET, HEAD"),
        ("GET", "/things/", "none"),
        ("GET", "/things/7/", "none"), ("GET", "/nothing", "none"), ("GET", "//", "none"),
    ])
    func anAddressLeadsToItsAction(method: String, path: String, expected: String) {
        #expect(told(method, path) == expected)
    }
}
