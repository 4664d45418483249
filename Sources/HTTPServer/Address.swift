// Addresses of the network, as bytes and as text.

import CMicroHTTPD
import Glibc

/// The 4 or 16 bytes of an IP address in text; nil if the text is not an IP address.
func addressBytes(_ text: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
    var sixteen = in6_addr()
    if inet_pton(AF_INET6, text, &sixteen) == 1 { return withUnsafeBytes(of: sixteen) { Array($0) } }
    return nil
}

/// The IP address to listen on: a numeric address unchanged, `127.0.0.1` for `localhost`, nil for any other
/// text.
///
/// `localhost` is not resolved: an entry of a name server or of `/etc/hosts` must not make the server listen
/// elsewhere. The loopback address of IPv6 is given as `::1`.
public func listeningAddress(_ text: String) -> String? {
    if text.lowercased() == "localhost" { return "127.0.0.1" }
    return addressBytes(text) == nil ? nil : text
}

/// The key by which limits count an address. Hosts commonly own an IPv6 network of 64 bits, which counts as
/// one client; an IPv4 address mapped into IPv6 counts as the IPv4 address.
public func limitedNetwork(of address: String) -> String {
    guard let bytes = addressBytes(address), bytes.count == 16 else { return address }
    if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
        return bytes.suffix(4).map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map {
        String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
    }
    return groups.joined(separator: ":") + "::/64"
}

/// The address of a socket's peer as text; empty if it has none.
func addressText(_ peer: UnsafePointer<sockaddr>?) -> String {
    guard let peer else { return "" }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    // The family says which structure the library put behind the pointer; it lives as long as the connection.
    switch Int32(peer.pointee.sa_family) {
    case AF_INET:
        peer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
            var bytes = address.pointee.sin_addr
            _ = inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
        }
    case AF_INET6:
        peer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
            var bytes = address.pointee.sin6_addr
            _ = inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        }
    default: return ""
    }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
