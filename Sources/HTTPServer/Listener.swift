// The listening socket, and the thread that accepts connections.
//
// If the library's workers listened themselves, the worker that wakes first would accept all waiting
// connections. A browser opens several at once, and they would share one worker while the others sleep. This
// listener distributes them in turn.

import CMicroHTTPD
import Dispatch
import Glibc

/// Listens on an address from its creation until it is stopped.
///
/// Safe to share: its parts are constants; the source locks for itself; the source's cancel handler, which
/// runs after the last event handler, closes the descriptor.
final class Listener: @unchecked Sendable {
    /// The port that it listens on.
    let port: UInt16
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "breadly.listener")
    private let source: any DispatchSourceRead

    /// Binds the address. No connection is accepted before `start`.
    /// - Throws: `ServerError` if the address or the port is not available.
    init(host: String, port: UInt16) throws(ServerError) {
        guard let bytes = addressBytes(host) else { throw .badAddress(host) }
        let family = bytes.count == 16 ? AF_INET6 : AF_INET
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        var on: Int32 = 1
        if descriptor >= 0 {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
            // The system reports a connection once data has arrived, or after a second, so that a silent one
            // occupies no place.
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT, &on, 4)
            if family == AF_INET6 { setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, 4) }
        }
        let taken = withSocketAddress(bytes, port) { address, size in
            descriptor >= 0 && bind(descriptor, address, size) == 0 && listen(descriptor, SOMAXCONN) == 0
        }
        guard taken, let bound = boundPort(descriptor) else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { close(descriptor) }
            throw .cannotListen(host: host, port: port, reason: reason)
        }
        self.descriptor = descriptor
        self.port = bound
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { close(descriptor) }
    }

    deinit {
        source.cancel()
        // Dispatch aborts if a source is freed that was never activated.
        source.activate()
    }

    /// Accepts connections and passes them on; `accept` owns their descriptors from then on.
    /// - Parameters:
    ///   - hasRoom: whether another connection may be accepted; otherwise they wait.
    ///   - makeRoom: called while a connection waits and there is no room.
    func start(
        while hasRoom: @escaping @Sendable () -> Bool,
        makeRoom: @escaping @Sendable () -> Void,
        _ accept: @escaping @Sendable (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void
    ) {
        // Cancelling the source frees the handler, and with it this object.
        source.setEventHandler { [self] in
            guard !acceptAll(descriptor, while: hasRoom, accept) else { return }
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if !hasRoom(), poll(&waiting, 1, 0) > 0 { makeRoom() }
            // Without room, an immediate further event would only keep a core busy.
            source.suspend()
            queue.asyncAfter(deadline: .now() + .milliseconds(100)) { [self] in source.resume() }
        }
        source.activate()
    }

    /// Stops accepting. When it returns, `accept` is not running and will not be called again.
    func stop() {
        source.cancel()
        queue.sync {}
    }
}

/// Accepts the waiting connections.
/// - Returns: false if there is no room, or the system is short of a resource, so that connections still
///   wait.
private func acceptAll(
    _ listener: Int32,
    while hasRoom: () -> Bool,
    _ accept: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void
) -> Bool {
    while hasRoom() {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        // The structure is as large as any address, and `size` says so; the pointer ends with the closure.
        let accepted = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let accepted = breadly_accept(listener, address, &size)
                if accepted >= 0 { accept(accepted, address, size) }
                return accepted
            }
        }
        if accepted >= 0 { continue }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return false
        case EAGAIN: return true
        // Other errors concern only this connection, which is closed already.
        default: continue
        }
    }
    return false
}

private func boundPort(_ descriptor: Int32) -> UInt16? {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &address) { storage in
        storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            guard getsockname(descriptor, address, &size) == 0 else { return nil }
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                // The port is at the same offset for both families.
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
    }
}

private func withSocketAddress(
    _ bytes: [UInt8],
    _ port: UInt16,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool
)
    -> Bool
{
    func lend<Address>(_ address: Address) -> Bool {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
    if bytes.count == 4 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
        return lend(address)
    }
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = in_port_t(port).bigEndian
    withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
    return lend(address)
}
