// The device cookie of a browser: its names and its path.

import Devices
import HTTPServer
import Links

/// The names and the path of the device cookie on this server.
///
/// Over TLS, the prefix of the name makes a browser accept the cookie over TLS only. The prefix `__Host-`
/// also proves that no other host has set it, but browsers require `Path=/` for it (RFC 6265bis, section
/// 4.1.3.2): a server below a base path would send its cookie to every other service of the host. It uses
/// `__Secure-` and its own path.
///
/// The base path is a part of the names too: the servers at `/` and at `/breadly` of the same host, or the
/// servers at `/a` and `/a/b`, do not see each other's cookie under their own name.
struct DeviceCookie: Sendable {
    /// The name without TLS.
    let name: String
    /// The name over TLS.
    let secureName: String
    /// The path that browsers send the cookie to, and to the paths below it.
    let path: String

    /// The cookie of a server below a base path.
    init(below base: BasePath) {
        name = "breadly_device" + base.text.replacing("/", with: ".")
        secureName = (base == .root ? "__Host-" : "__Secure-") + name
        path = base.folder
    }

    /// The token that a browser sends under one of these names.
    /// - Returns: in addition, whether the token is bound to this host; nil if it should be and is not yet.
    func token(of request: Request) -> (token: DeviceToken, isHostBound: Bool?)? {
        if let bound = request.cookie(secureName).flatMap({ DeviceToken($0) }) { return (bound, true) }
        return request.cookie(name).flatMap { DeviceToken($0) }.map { ($0, request.isSecure ? nil : false) }
    }

    /// The cookie to set.
    /// - Parameter isSecure: whether the browser keeps it over TLS.
    func holding(_ token: DeviceToken, isSecure: Bool) -> Cookie {
        Cookie(
            name: isSecure ? secureName : name,
            value: token.text,
            maxAgeSeconds: DeviceManager.cookieSeconds,
            isSecure: isSecure,
            path: path
        )
    }
}
