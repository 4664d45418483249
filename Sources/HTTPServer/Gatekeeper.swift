// Refuses what no honest browser sends, before anything else looks at it.
//
// libmicrohttpd's parser is lax at every level. What two parties may read differently (lengths, hosts, folded
// lines, encoded slashes) is a way to smuggle one request inside another: RFC 9112, sections 5, 6.3 and 11.

import CMicroHTTPD

/// What a request must not be.
struct Gatekeeper {
    private(set) var refusal: Status?
    private var hosts = 0
    private var lengths = 0
    private var codings: [String] = []
    private var headerCount = 0
    private(set) var host = ""
    /// The lines in which a proxy says for whom it speaks, in order, by name in lower case.
    private(set) var forwarded: [String: [String]] = [:]
    private(set) var contentLength: UInt64?

    /// Looks at the request line.
    mutating func check(method: String, target: String, version: String) {
        if method.isEmpty || !method.utf8.allSatisfy(isTokenCharacter) { refuse(.badRequest) }
        if method == "TRACE" || method == "CONNECT" { refuse(.notImplemented) }
        if version != "HTTP/1.1", version != "HTTP/1.0" { refuse(.badRequest) }
        if target != "*", target.first != "/" { refuse(.badRequest) }
        if !target.utf8.allSatisfy(isTargetCharacter) || target.hasPrefix("//") { refuse(.badRequest) }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        if path.contains(UInt8(ascii: "%")) {
            let escapes = String(decoding: path, as: UTF8.self).lowercased()
            if ["%00", "%2f", "%5c"].contains(where: escapes.contains) { refuse(.badRequest) }
        }
    }

    /// The decoded path; nil where it holds dot segments, control characters or is not UTF-8.
    mutating func path(of target: String) -> String? {
        let raw = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        guard let path = decodedText(raw, plusIsSpace: false),
            !path.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 }),
            !path.split(separator: "/", omittingEmptySubsequences: false).contains(where: {
                $0 == "." || $0 == ".."
            })
        else {
            refuse(.badRequest)
            return nil
        }
        return path
    }

    /// Looks at one header line.
    mutating func check(header name: String, _ value: String) {
        headerCount += 1
        if headerCount > 100 || name.isEmpty || !name.utf8.allSatisfy(isTokenCharacter) {
            refuse(.badRequest)
        }
        // A tab inside a value is allowed; a folded line arrives with its line break in it.
        if value.utf8.contains(where: { ($0 < 32 && $0 != 9) || $0 == 127 }) { refuse(.badRequest) }
        switch name.lowercased() {
        case "host":
            hosts += 1
            host = value
            if value.contains(where: { " \t/@?#,".contains($0) }) { refuse(.badRequest) }
        case "content-length":
            lengths += 1
            contentLength = UInt64(value)
            if contentLength == nil || value.first == "+" { refuse(.badRequest) }
        case "transfer-encoding": codings.append(value.lowercased())
        case "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host":
            forwarded[name.lowercased(), default: []].append(value)
        case "expect":
            if value.lowercased() != "100-continue" { refuse(.expectationFailed) }
        default: break
        }
    }

    /// Refuses a header that goes on over several lines.
    mutating func refuseFolding() { refuse(.badRequest) }

    /// Looks at what the lines say together.
    mutating func finish(version: String) {
        if hosts > 1 || (hosts == 0 && version == "HTTP/1.1") { refuse(.badRequest) }
        if lengths > 1 || (lengths > 0 && !codings.isEmpty) || codings.count > 1 { refuse(.badRequest) }
        // A version that knows of no chunks reads the body otherwise (RFC 9112, section 6.1).
        if !codings.isEmpty, version == "HTTP/1.0" { refuse(.badRequest) }
        if let coding = codings.first, coding != "chunked" { refuse(.notImplemented) }
    }

    /// Refuses more than one line of a kind of which a proxy sends one: they say different things, or somebody else has
    /// written one of them.
    mutating func refuseRepeatedForwarding() {
        for name in ["x-forwarded-proto", "x-forwarded-host"] where (forwarded[name]?.count ?? 0) > 1 {
            refuse(.badRequest)
        }
    }

    /// Refuses lines that were not sent as they arrived here.
    mutating func refuseBrokenLines() { refuse(.badRequest) }

    private mutating func refuse(_ status: Status) {
        if refusal == nil { refusal = status }
    }
}

/// What of ASCII may stand in a path or a query: RFC 3986, and a little more that browsers send.
private func isTargetCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
        UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
        false
    default: byte > 32 && byte < 127
    }
}

/// `tchar` of RFC 9110, section 5.6.2.
private func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
