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
/// servers at `/a` and `/a/b`, do not see each other's cookie under their own name. Browsers send a cookie to every
/// port of its host (RFC 6265, section 8.5), so a name ends with the mark of the server's data folder.
struct DeviceCookie: Sendable {
    /// The name without TLS.
    let name: String
    /// The name over TLS.
    let secureName: String
    /// The path that browsers send the cookie to, and to the paths below it.
    let path: String
    /// The name, without TLS, of a server without a mark.
    private let plainName: String
    private let securePrefix: String

    /// A cookie as a browser has sent it.
    struct Sent {
        let token: DeviceToken
        /// Whether the browser sends the cookie over TLS and to this host only.
        let isHostBound: Bool
        /// Whether the browser is to get another one, because this one has not the name that it should have.
        var mustBeReplaced = false
    }

    /// The cookie of a server below a base path.
    /// - Parameter mark: the mark of the server's data folder; nil for a name that all servers share.
    init(below base: BasePath, of mark: String?) {
        plainName = "breadly_device" + base.text.replacing("/", with: ".")
        name = plainName + (mark.map { "-\($0)" } ?? "")
        securePrefix = base == .root ? "__Host-" : "__Secure-"
        secureName = securePrefix + name
        path = base.folder
    }

    /// The cookie that a browser sends under one of these names.
    func sent(with request: Request) -> Sent? {
        if let token = token(named: secureName, of: request) { return Sent(token: token, isHostBound: true) }
        return token(named: name, of: request).map {
            Sent(token: $0, isHostBound: false, mustBeReplaced: request.isSecure)
        }
    }

    /// The cookies of this path under the names of other servers, or of this one before: it had no mark in earlier
    /// versions, and gets another one with another `secret.key`. Those that are bound to the host come first.
    func sentOfOtherServers(with request: Request) -> [Sent] {
        let names = request.cookieNames.filter { $0 != name && $0 != secureName }
        func sent(_ prefix: String, isHostBound: Bool) -> [Sent] {
            names.filter { $0 == prefix + plainName || $0.hasPrefix("\(prefix)\(plainName)-") }
                .compactMap { token(named: $0, of: request) }
                .map { Sent(token: $0, isHostBound: isHostBound, mustBeReplaced: true) }
        }
        return sent(securePrefix, isHostBound: true) + sent("", isHostBound: false)
    }

    private func token(named name: String, of request: Request) -> DeviceToken? {
        request.cookie(name).flatMap { DeviceToken($0) }
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
