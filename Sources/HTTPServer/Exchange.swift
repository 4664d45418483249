// One request from its first byte to its answer.

import CMicroHTTPD

/// What is known of a request while it arrives. It belongs to the one worker thread of its connection.
final class Exchange {
    let rawTarget: String
    private var request: Request?
    private var refusal: Status?
    private var body: [UInt8] = []
    private var multipart: MultipartParser?
    private var fault: Status?
    private var bodyBytes = 0
    private var bodyLimit = 0
    /// The answer that is waited for.
    var later: LaterAnswer?

    init(rawTarget: String) { self.rawTarget = rawTarget }

    /// Where the request came from, as far as it was read.
    var clientAddress: String { request?.clientAddress ?? "" }

    /// Whether the request line and the headers were looked at.
    private(set) var hasBegun = false

    /// Looks at request line and headers: the first of the library's calls, before any body.
    /// - Returns: an answer for what must not go on; nil where the body may come.
    func begin(_ connection: OpaquePointer, method: String, version: String, _ settings: Configuration)
        -> Response?
    {
        hasBegun = true
        var gatekeeper = Gatekeeper()
        gatekeeper.check(method: method, target: rawTarget, version: version)
        withUnsafeMutablePointer(to: &gatekeeper) { pointer in
            // The library calls back before it returns, so the pointer lives through every call.
            _ = MHD_get_connection_values_n(
                connection,
                .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    let gatekeeper = context?.assumingMemoryBound(to: Gatekeeper.self)
                    if isFolded(name, nameSize, value) { gatekeeper?.pointee.refuseFolding() }
                    gatekeeper?.pointee.check(header: text(name, nameSize), text(value, valueSize))
                    return .YES
                },
                pointer
            )
        }
        gatekeeper.finish(version: version)
        let path = gatekeeper.path(of: rawTarget)
        let query = FormFields(
            urlencoded: rawTarget.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst(),
            limit: settings.fieldCount
        )
        if let status = gatekeeper.refusal { return refuse(status, settings) }
        guard let path, let query else { return refuse(.badRequest, settings) }
        bodyLimit = settings.takesUploads(method, path) ? settings.uploadBytes : settings.formBytes
        if settings.takesJSON(path) { bodyLimit = max(bodyLimit, settings.jsonBytes) }
        if let length = gatekeeper.contentLength, length > UInt64(bodyLimit) {
            // Answered before the body: the library then closes the connection instead of reading it all.
            return refuse(.contentTooLarge, settings)
        }
        let request = Request(
            connection: connection,
            method: method,
            path: path,
            target: rawTarget,
            query: query,
            client: facts(connection, host: gatekeeper.host, settings)
        )
        if let type = request.header("Content-Type"), mediaType(type) == "multipart/form-data" {
            multipart = MultipartParser(
                contentType: type,
                fieldBytes: settings.formBytes,
                partCount: settings.fieldCount
            )
            guard multipart != nil else { return refuse(.badRequest, settings) }
        }
        self.request = request
        return nil
    }

    /// Takes a piece of the body. After a fault the rest is only counted: no answer may be queued within a body.
    func receive(_ bytes: UnsafeRawBufferPointer, _ settings: Configuration) {
        guard fault == nil else { return }
        bodyBytes += bytes.count
        guard bodyBytes <= bodyLimit else { return fail(.contentTooLarge) }
        guard multipart != nil else {
            body += bytes
            return
        }
        do { try multipart?.feed(bytes) } catch { fail(error == .tooLarge ? .contentTooLarge : .badRequest) }
    }

    /// Answers when all has arrived.
    func answer(_ settings: Configuration, _ handler: Handler) -> Response {
        guard let request else { return settings.errorPage(.badRequest) }
        defer { request.detach() }
        if fault == nil { readForm(request, settings) }
        if let fault {
            return fault == .contentTooLarge ? refuse(fault, settings) : settings.errorPage(fault)
        }
        return handler(request)
    }

    /// Answers after the connection rested.
    func goOn(_ connection: OpaquePointer, _ settings: Configuration, _ making: LaterAnswer.Making)
        -> Response
    {
        guard let request else { return settings.errorPage(.badRequest) }
        request.attach(connection)
        defer { request.detach() }
        return making(request)
    }

    private func readForm(_ request: Request, _ settings: Configuration) {
        if multipart != nil {
            do { try multipart?.finish() } catch { return fail(.badRequest) }
            request.form = multipart?.fields ?? FormFields()
            request.files = multipart?.files ?? []
            return
        }
        guard !body.isEmpty else { return }
        let type = mediaType(request.header("Content-Type") ?? "")
        if type == "application/json", settings.takesJSON(request.path) {
            request.body = body
            return
        }
        guard type == "application/x-www-form-urlencoded" else { return fail(.unsupportedMediaType) }
        guard let form = FormFields(urlencoded: body, limit: settings.fieldCount) else {
            return fail(.badRequest)
        }
        request.form = form
    }

    private func fail(_ status: Status) {
        fault = status
        body = []
        multipart = nil
    }

    private func refuse(_ status: Status, _ settings: Configuration) -> Response {
        closing(settings.errorPage(status))
    }

    private func closing(_ response: Response) -> Response {
        var response = response
        response.add("Connection", "close")
        return response
    }

    private func facts(_ connection: OpaquePointer, host: String, _ settings: Configuration) -> ClientFacts {
        var facts = ClientFacts(
            address: addressText(breadly_mhd_peer(connection)),
            isSecure: false,
            host: host
        )
        guard settings.trustedProxies.contains(facts.address) else { return facts }
        func header(_ name: String) -> String? {
            MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
        }
        // The last entry is what the trusted proxy itself has seen; what stands before it anyone can write.
        if let last = header("X-Forwarded-For")?.split(separator: ",").last?.filter({ $0 != " " }),
            addressBytes(last) != nil
        {
            facts.address = last
        }
        facts.isSecure = header("X-Forwarded-Proto")?.lowercased() == "https"
        if let forwarded = header("X-Forwarded-Host"), !forwarded.contains(where: { " ,/@".contains($0) }) {
            facts.host = forwarded
        }
        return facts
    }
}

/// The type without its parameters, in lower case.
private func mediaType(_ header: String) -> String {
    header.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
}

/// Text of the library's, copied. What is not UTF-8 is repaired: the gatekeeper refuses control characters, and
/// no header of ours may hold more than ASCII.
private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start else { return "" }
    return UnsafeRawBufferPointer(start: start, count: count).withMemoryRebound(to: UInt8.self) {
        String(decoding: $0, as: UTF8.self)
    }
}

/// Whether a header's value was joined from several lines (RFC 9112, section 5.2).
///
/// The library joins them silently, into new memory. The value of a single line stands where it arrived, right
/// behind its name. The addresses are compared, nothing is read through them.
private func isFolded(_ name: UnsafePointer<CChar>?, _ count: Int, _ value: UnsafePointer<CChar>?) -> Bool {
    guard let name, let value else { return false }
    return !(0...64).contains(UnsafeRawPointer(value) - UnsafeRawPointer(name + count))
}
