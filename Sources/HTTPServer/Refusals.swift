// Answers to data that never becomes a request. They are written to the socket directly, because the library
// would close the connection without an answer.

import Glibc

private let badRequest = refusal("400 Bad Request", "Bad request\n")
private let headTooLarge = refusal(
    "431 Request Header Fields Too Large",
    "The address and the headers are too long\n"
)
private let tooManyCookies = refusal(
    "431 Request Header Fields Too Large",
    "This browser sends too many cookies to this address, also those of other programs on the same host. Delete them.\n"
)

private func refusal(_ status: String, _ text: String) -> [UInt8] {
    Array(
        "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: \(text.utf8.count)\r\nContent-Type: text/plain\r\n\r\n\(text)"
            .utf8
    )
}

/// Sends a refusal on a connection without a request, and ends the connection.
func refuseUnread(_ descriptor: Int32) { refuseUnread(descriptor, badRequest) }

private func refuseUnread(_ descriptor: Int32, _ answer: [UInt8]) {
    // The call never blocks: an answer that does not fit into an empty buffer is dropped.
    _ = answer.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
}

/// Refuses a new connection if its first data cannot become a request: a first line without exactly two
/// spaces, the beginning of TLS, or more header fields and cookies than fit into the memory of a connection. Later data is
/// the library's, which closes the connection.
/// - Parameter memory: the bytes that the library has for the head of a request.
func isRefusedUnread(_ descriptor: Int32, memory: Int) -> Bool {
    isRefusedUnread(descriptor, peeking: 2_048, memory: memory)
}

private func isRefusedUnread(_ descriptor: Int32, peeking most: Int, memory: Int) -> Bool {
    // The memory is valid within the closure, and `recv` writes at most the given count.
    withUnsafeTemporaryAllocation(byteCount: most, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        guard count > 0 else { return false }
        // A head of this length is rare, and has few fields otherwise.
        if count == most, most < memory {
            return isRefusedUnread(descriptor, peeking: memory, memory: memory)
        }
        let bytes = buffer.prefix(count)
        let size = HeadSize(bytes)
        if size.bytes > memory {
            refuseUnread(descriptor, size.hasCookies ? tooManyCookies : headTooLarge)
            return true
        }
        let isTLS = bytes.first == 0x16
        let end = bytes.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        let line = end.map { bytes.prefix(upTo: $0) }
        // Some clients send an empty line before their request (RFC 9112, section 2.2).
        let isNone = line.map { !$0.isEmpty && $0.count { $0 == UInt8(ascii: " ") } != 2 } ?? false
        guard isTLS || isNone else { return false }
        refuseUnread(descriptor)
        return true
    }
}

/// An upper bound of the memory that the library uses for the head of a request: the head itself, a copy of the cookies, and
/// a record for each field and each cookie. Beyond its memory, version 0.9.75 closes the connection without an answer.
struct HeadSize {
    /// The bytes of a record and its alignment, as measured; and the bytes that the library uses besides.
    private static let (recordBytes, fixedBytes) = (72, 512)

    private(set) var bytes = Self.fixedBytes
    private(set) var hasCookies = false

    /// - Parameter head: the beginning of a request, which may be incomplete, or longer than the head.
    init(_ head: Slice<UnsafeMutableRawBufferPointer>) {
        var rest = head[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[..<end]
            guard line.count > 1 || line.first.map({ $0 != UInt8(ascii: "\r") }) == true else { return }
            count(line)
            rest = rest[(end + 1)...]
        }
        count(rest)
    }

    private mutating func count(_ line: Slice<UnsafeMutableRawBufferPointer>) {
        bytes += line.count + 1 + Self.recordBytes
        guard line.starts(with: Self.cookie, by: { $0 | 32 == $1 }) else { return }
        hasCookies = true
        bytes += line.count + Self.recordBytes * line.count { $0 == UInt8(ascii: ";") }
    }

    private static let cookie = Array("cookie:".utf8)
}
