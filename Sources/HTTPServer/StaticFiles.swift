// Files that a browser loads once: named by their content, compressed in advance, sent by the kernel.

import CMicroHTTPD
import Compression
import Glibc

/// The files of a folder, read when the server starts.
///
/// Each file is in anonymous memory with a descriptor, so that an answer is a `sendfile` from there,
/// independent of later changes of the folder. The name of a served file contains a hash of its content, so
/// that browsers may cache it forever.
public final class StaticFiles: Sendable {
    private struct Variant: Sendable {
        let descriptor: Int32
        let size: Int
    }

    private struct File: Sendable {
        let type: String
        let etag: String
        let plain: Variant
        let gzip: Variant?
    }

    private let files: [String: File]
    private let addresses: [String: String]
    private let route: String

    /// Copies the files into memory.
    /// - Parameters:
    ///   - contents: the bytes by name, such as `app.css`.
    ///   - prefix: the beginning of their addresses, such as `/static/`.
    /// - Throws: `ServerError.noMemory` if the system gives no memory for them.
    public init(_ contents: [String: [UInt8]], under prefix: String) throws(ServerError) {
        var files: [String: File] = [:]
        var addresses: [String: String] = [:]
        for (name, bytes) in contents {
            let hash = EntityTag.hash(bytes)
            let dot = name.lastIndex(of: ".") ?? name.endIndex
            let address = "\(prefix)\(name[..<dot])-\(hash)\(name[dot...])"
            let compressed = Gzip.compress(bytes, level: 9)
            files[address] = File(
                type: Self.types[String(name[dot...])] ?? "application/octet-stream",
                etag: "\"\(hash)\"",
                plain: try Self.held(bytes),
                // Compression that saves less than a packet's headers is not worth the browser's work.
                gzip: compressed.count + 64 < bytes.count ? try Self.held(compressed) : nil
            )
            addresses[name] = address
        }
        self.files = files
        self.addresses = addresses
        route = prefix + "{file}"
    }

    deinit {
        for file in files.values {
            close(file.plain.descriptor)
            if let gzip = file.gzip { close(gzip.descriptor) }
        }
    }

    /// The address at which a file is served; nil if there is no file of the name.
    public func address(of name: String) -> String? { addresses[name] }

    /// The answer for the request's path; nil if it is not the address of a file.
    public func answer(_ request: Request) -> Response? {
        guard let file = files[request.path] else { return nil }
        request.route = route
        guard request.method == "GET" || request.method == "HEAD" else {
            var refusal = Response.text(.methodNotAllowed, "Method not allowed\n")
            refusal.add("Allow", "GET, HEAD")
            return refusal
        }
        var headers = [
            ("ETag", file.etag), ("Cache-Control", "public, max-age=31536000, immutable"),
            ("Vary", "Accept-Encoding"),
        ]
        let known = request.header("If-None-Match") ?? ""
        if known == "*"
            || known.split(separator: ",").contains(where: { $0.filter { $0 != " " }.hasSuffix(file.etag) })
        {
            return Response(.notModified, headers: headers)
        }
        headers.append(("Content-Type", file.type))
        var variant = file.plain
        if let gzip = file.gzip, acceptsGzip(request.header("Accept-Encoding") ?? "") {
            variant = gzip
            headers.append(("Content-Encoding", "gzip"))
        }
        // The answer closes its descriptor. `sendfile` reads by offset, so that all answers may share one
        // file.
        let descriptor = dup(variant.descriptor)
        guard descriptor >= 0 else { return .text(.unavailable, "Too many open files.\n") }
        return Response(
            .ok,
            headers: headers,
            body: .file(descriptor: descriptor, size: UInt64(variant.size))
        )
    }

    private static func held(_ bytes: [UInt8]) throws(ServerError) -> Variant {
        let descriptor = breadly_memory_file()
        guard descriptor >= 0 else { throw .noMemory }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                close(descriptor)
                throw .noMemory
            }
            written += count
        }
        return Variant(descriptor: descriptor, size: bytes.count)
    }

    private static let types = [
        ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
        ".png": "image/png", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8",
        ".pdf": "application/pdf", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json",
    ]
}

/// Whether a client accepts gzip: by name or by `*`, and with a weight above 0.
public func acceptsGzip(_ header: String) -> Bool {
    header.split(separator: ",").contains { part in
        let pieces = part.lowercased().split(separator: ";").map { $0.filter { $0 != " " } }
        guard let coding = pieces.first, coding == "gzip" || coding == "*" else { return false }
        return !pieces.dropFirst().contains {
            $0 == "q=0" || $0 == "q=0.0" || $0 == "q=0.00" || $0 == "q=0.000"
        }
    }
}
