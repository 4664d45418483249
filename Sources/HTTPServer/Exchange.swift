// One request from its first byte to its answer.

import CMicroHTTPD

/// The state of a request while it arrives and is answered. It belongs to the worker thread of its
/// connection.
final class Exchange {
    let rawTarget: String
    /// The end of the target in the library's memory; only compared, never dereferenced.
    private let targetEnd: UInt
    private var request: Request?
    private var refusal: Status?
    private var body: [UInt8] = []
    private var multipart: MultipartParser?
    private var fault: Status?
    private var bodyLimit = 0
    private let bodyShare: Share
    private let uploadSpace: UploadSpace
    private var uploadShare: UploadShare?
    /// Whether the files of the body are written to the disk.
    private(set) var isUpload = false
    /// The number of bytes of the body so far.
    private(set) var bodyBytes = 0
    /// The memory reserved for the answer until it is sent.
    let answerShare: Share
    /// The pending answer.
    var later: LaterAnswer?
    /// An object that the answer keeps alive until it is sent.
    var owner: (any AnyObject & Sendable)?
    /// The time when the request line, and then the whole request, had arrived, in `monotonicNanoseconds`; 0
    /// if nothing is measured.
    var arrivedAt: UInt64 = 0
    /// The answer, if it is measured.
    var sent: SentAnswer?
    private var method = ""
    private var address = ""

    /// - Parameter targetEnd: the end of the target in the library's memory.
    init(rawTarget: String, targetEnd: UInt, bodies: Budget, uploads: UploadSpace, answers: Budget) {
        bodyShare = Share(of: bodies)
        uploadSpace = uploads
        answerShare = Share(of: answers)
        self.rawTarget = rawTarget
        self.targetEnd = targetEnd
    }

    /// The key by which limits count the client; empty until the headers are read.
    var clientNetwork: String { request?.clientNetwork ?? "" }

    /// The report about the complete request; nil if it was not answered or nothing is measured.
    var served: ServedRequest? {
        sent.map { sent in
            ServedRequest(
                method: method,
                route: request?.route ?? ServedRequest.noRoute,
                status: sent.status,
                bytes: method == "HEAD" ? 0 : sent.bytes,
                seconds: Double(sent.nanoseconds) / 1e9,
                isStream: sent.isStream,
                address: address
            )
        }
    }

    /// Whether the request came over TLS; false until the headers are read.
    private(set) var isSecure = false

    /// Whether the request is of a known client or of monitoring.
    func isKnown(_ settings: Configuration) -> Bool {
        request.map { settings.takesAnyHost($0.path) || settings.isKnown($0) } ?? false
    }

    /// The same after the handler has returned: reads the headers again.
    func isKnownAgain(_ connection: OpaquePointer, _ settings: Configuration) -> Bool {
        request?.attach(connection)
        defer { request?.detach() }
        return isKnown(settings)
    }

    /// The client for which a trusted proxy sent the request; nil if the sender is the client.
    private(set) var spokenFor: String?

    /// Whether the request line and the headers were checked.
    private(set) var hasBegun = false

    /// Checks the request line and the headers, in the library's first call, before any body.
    /// - Returns: the answer to a refused request; nil if the body may arrive.
    /// - Parameters:
    ///   - methodStart: the beginning of the method in the library's memory; never dereferenced.
    ///   - versionStart: the beginning of the version.
    func begin(
        _ connection: OpaquePointer,
        method: String,
        at methodStart: UInt,
        version: String,
        at versionStart: UInt,
        _ settings: Configuration
    ) -> Response? {
        hasBegun = true
        self.method = method
        var lines = HeaderLines(
            Gatekeeper(),
            afterTarget: targetEnd,
            version: versionStart,
            version.utf8.count
        )
        lines.gatekeeper.check(method: method, target: rawTarget, version: version)
        withUnsafeMutablePointer(to: &lines) { pointer in
            // The library calls back before it returns, so that the pointer is valid in every call.
            _ = MHD_get_connection_values_n(
                connection,
                .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    let lines = context?.assumingMemoryBound(to: HeaderLines.self)
                    if isFolded(name, nameSize, value) { lines?.pointee.gatekeeper.refuseFolding() }
                    lines?.pointee.look(at: name, value, valueSize)
                    lines?.pointee.gatekeeper.check(header: text(name, nameSize), text(value, valueSize))
                    return .YES
                },
                pointer
            )
        }
        let headerBytes = breadly_mhd_header_size(connection)
        lines.finish(end: methodStart + UInt(headerBytes))
        var gatekeeper = lines.gatekeeper
        gatekeeper.finish(version: version)
        let path = gatekeeper.path(of: rawTarget)
        let query = FormFields(
            urlencoded: rawTarget.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst(),
            limit: settings.fieldCount
        )
        let (client, isTrusted) = facts(connection, &gatekeeper, settings)
        isSecure = client.isSecure
        address = client.address
        if let status = gatekeeper.refusal { return refuse(status, settings) }
        guard headerBytes <= settings.headerBytes else { return refuse(.headerTooLarge, settings) }
        guard let path, let query else { return refuse(.badRequest, settings) }
        let found = settings.pathInside(path)
        guard
            settings.hosts.isEmpty || settings.hosts.contains(hostName(client.host))
                || found.map(settings.takesAnyHost) == true
        else { return refuse(.misdirected, settings) }
        guard let inside = found else { return closing(settings.answerOutside(path)) }
        let request = Request(
            connection: connection,
            method: method,
            path: inside,
            target: rawTarget,
            query: query,
            client: client
        )
        spokenFor = isTrusted ? request.clientNetwork : nil
        bodyLimit = settings.formBytes
        let isMultipart = request.header("Content-Type").map(mediaType) == "multipart/form-data"
        let uploads = isMultipart ? settings.uploads(request) : nil
        if let uploads {
            isUpload = true
            uploadShare = uploadSpace.share(for: uploads, of: request.clientNetwork)
            bodyLimit = uploads.bodyBytes + settings.formBytes
        }
        if settings.takesJSON(inside) { bodyLimit = max(bodyLimit, settings.jsonBytes(request)) }
        if let length = gatekeeper.contentLength, length > UInt64(bodyLimit) {
            request.detach()
            // An answer before the body makes the library close the connection instead of reading the body.
            return refuse(.contentTooLarge, settings)
        }
        if let type = request.header("Content-Type"), mediaType(type) == "multipart/form-data" {
            multipart = MultipartParser(
                contentType: type,
                fieldBytes: settings.formBytes,
                partCount: settings.fieldCount,
                uploads: uploads,
                share: uploadShare
            )
            guard multipart != nil else { return refuse(.badRequest, settings) }
        }
        self.request = request
        return nil
    }

    /// Consumes a part of the body. After a fault the remaining parts are only counted, because no answer can
    /// be queued within a body.
    func receive(_ bytes: UnsafeRawBufferPointer, _ settings: Configuration) {
        guard fault == nil else { return }
        bodyBytes += bytes.count
        guard bodyBytes <= bodyLimit else { return fail(.contentTooLarge) }
        if !isUpload {
            guard bodyShare.reserve(bytes.count, isKnown: { isKnown(settings) }) else {
                return fail(.unavailable)
            }
        }
        guard multipart != nil else {
            body += bytes
            return
        }
        do throws(MultipartParser.Fault) {
            let before = multipart?.bytesInMemory ?? 0
            try multipart?.feed(bytes)
            // A form for a route of files may have none: its fields are in memory like the fields of any form.
            let more = (multipart?.bytesInMemory ?? 0) - before
            guard !isUpload || more == 0 || bodyShare.reserve(more, isKnown: { isKnown(settings) }) else {
                return fail(.unavailable)
            }
        } catch { fail(error == .tooLarge ? .contentTooLarge : .badRequest) }
    }

    private var secondsGranted = 0
    private var isOfKnownClient: Bool?
    /// From so many bytes on, it counts whether the client is known. Shorter bodies have time enough.
    private static let askedFrom = 16 << 10

    /// The seconds by which the deadline is to be moved since the last call, so that what counts is progress. A body of a
    /// known client gets one for each KB, up to ten minutes in all; an upload one for every 16 KB.
    func extendedSeconds(_ settings: Configuration) -> Int64 {
        var earned = isUpload ? bodyBytes >> 14 : 0
        if bodyBytes >= Self.askedFrom {
            let known = isOfKnownClient ?? isKnown(settings)
            isOfKnownClient = known
            if known { earned = max(earned, min(bodyBytes >> 10, 600 - Int(settings.arrivalSeconds))) }
        }
        guard earned > secondsGranted else { return 0 }
        defer { secondsGranted = earned }
        return Int64(earned - secondsGranted)
    }

    /// Makes the answer after the whole request has arrived.
    func answer(_ settings: Configuration, _ handler: Handler) -> Response {
        guard let request else { return settings.errorPage(.badRequest) }
        defer { request.detach() }
        if fault == nil { readForm(request, settings) }
        if let fault {
            return fault == .contentTooLarge || fault == .unavailable
                ? refuse(fault, settings) : settings.errorPage(fault)
        }
        return handler(request)
    }

    /// Makes the answer after the connection was suspended.
    func resume(_ connection: OpaquePointer, _ settings: Configuration, _ making: LaterAnswer.Making)
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
        if ["application/json", "application/octet-stream"].contains(type), settings.takesJSON(request.path) {
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

    /// - Returns: in addition, whether a trusted proxy speaks for the client.
    private func facts(
        _ connection: OpaquePointer,
        _ gatekeeper: inout Gatekeeper,
        _ settings: Configuration
    ) -> (ClientFacts, isTrusted: Bool) {
        var facts = ClientFacts(
            address: addressText(breadly_mhd_peer(connection)),
            isSecure: false,
            host: gatekeeper.host
        )
        guard settings.trustedProxies.contains(facts.address) else { return (facts, false) }
        gatekeeper.refuseRepeatedForwarding()
        func last(_ name: String) -> String? { gatekeeper.forwarded[name]?.last }
        // Only the last entry of the last line comes from the trusted proxy itself; a client can forge the
        // entries before it. HAProxy adds a line of its own.
        if let entry = last("x-forwarded-for")?.split(separator: ",").last,
            let address = forwardedAddress(entry)
        {
            facts.address = address
        }
        facts.isSecure = last("x-forwarded-proto")?.lowercased() == "https"
        if let forwarded = last("x-forwarded-host"), !forwarded.contains(where: { " ,/@".contains($0) }) {
            facts.host = forwarded
        }
        return (facts, true)
    }
}

/// The address in a proxy's entry, with or without a port: `192.0.2.1:443`, `[2001:db8::1]:443`; nil for any
/// other text.
private func forwardedAddress(_ entry: Substring) -> String? {
    let text = entry.filter { $0 != " " && $0 != "\t" }
    if addressBytes(text) != nil { return text }
    let bare =
        text.first == "[" ? text.dropFirst().prefix { $0 != "]" } : text.prefix { $0 != ":" }
    return addressBytes(String(bare)).map { _ in String(bare) }
}

/// A host without its port, in lower case.
private func hostName(_ host: String) -> String {
    let lower = host.lowercased()
    let name = lower.first == "[" ? lower.prefix { $0 != "]" } + "]" : lower.prefix { $0 != ":" }
    return String(name.last == "." ? name.dropLast() : name)
}

/// The media type without its parameters, in lower case.
private func mediaType(_ header: String) -> String {
    header.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
}

/// A copy of the library's text. Invalid UTF-8 is repaired: the gatekeeper refuses control characters, and no
/// header that the server reads may contain more than ASCII.
private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    guard let start else { return "" }
    return UnsafeRawBufferPointer(start: start, count: count).withMemoryRebound(to: UInt8.self) {
        String(decoding: $0, as: UTF8.self)
    }
}
