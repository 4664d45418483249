// Refuses requests that no honest browser sends, before any other code reads them.
//
// libmicrohttpd's parser is lax at every level. Text that two parties may read differently (lengths, hosts,
// folded lines, encoded slashes) allows smuggling one request inside another: RFC 9112, sections 5, 6.3 and
// 11.

import CMicroHTTPD

/// Collects the lines of a request and the first reason to refuse it.
struct Gatekeeper {
    private(set) var refusal: Status?
    private var hosts = 0
    private var lengths = 0
    private var codings: [String] = []
    private var headerCount = 0
    private(set) var host = ""
    /// The lines in which a proxy describes its client, in order, by name in lower case.
    private(set) var forwarded: [String: [String]] = [:]
    private(set) var contentLength: UInt64?

    /// Checks the request line.
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

    /// The decoded path; nil if it contains dot segments or control characters or is not UTF-8.
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

    /// Checks one header line.
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

    /// Refuses a header that is folded over several lines.
    mutating func refuseFolding() { refuse(.badRequest) }

    /// Checks the lines together.
    mutating func finish(version: String) {
        if hosts > 1 || (hosts == 0 && version == "HTTP/1.1") { refuse(.badRequest) }
        if lengths > 1 || (lengths > 0 && !codings.isEmpty) || codings.count > 1 { refuse(.badRequest) }
        // HTTP/1.0 knows no chunks and would read the body differently (RFC 9112, section 6.1).
        if !codings.isEmpty, version == "HTTP/1.0" { refuse(.badRequest) }
        if let coding = codings.first, coding != "chunked" { refuse(.notImplemented) }
    }

    /// Refuses repeated lines of a kind that a proxy sends once: they may contradict each other, or the
    /// client may have added one.
    mutating func refuseRepeatedForwarding() {
        for name in ["x-forwarded-proto", "x-forwarded-host"] where (forwarded[name]?.count ?? 0) > 1 {
            refuse(.badRequest)
        }
    }

    /// Refuses lines that differ from the bytes as they arrived.
    mutating func refuseBrokenLines() { refuse(.badRequest) }

    private mutating func refuse(_ status: Status) {
        if refusal == nil { refusal = status }
    }
}

/// The characters of a path or a query: the characters of RFC 3986, and a few more that browsers send.
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
