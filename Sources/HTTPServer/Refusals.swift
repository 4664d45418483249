// Answers to data that never becomes a request. They are written to the socket directly, because the library
// would close the connection without an answer.

import Glibc

private let badRequest = Array(
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 12\r\nContent-Type: text/plain\r\n\r\nBad request\n"
        .utf8
)

/// Sends a refusal on a connection without a request, and ends the connection.
func refuseUnread(_ descriptor: Int32) {
    // The call never blocks: an answer that does not fit into an empty buffer is dropped.
    _ = badRequest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
}

/// Refuses a new connection if its first data cannot become a request: a first line without exactly two
/// spaces, or the beginning of TLS. Later data is the library's, which closes the connection.
func isRefusedUnread(_ descriptor: Int32) -> Bool {
    // The memory is valid within the closure, and `recv` writes at most the given count.
    withUnsafeTemporaryAllocation(byteCount: 2_048, alignment: 1) { buffer in
        let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK | MSG_DONTWAIT))
        guard count > 0 else { return false }
        let bytes = buffer.prefix(count)
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
