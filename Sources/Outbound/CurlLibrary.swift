// libcurl's functions.

import CCurl

/// libcurl's functions, loaded.
///
/// Safe to share among threads: the table is written once, before anybody else sees it, and never freed. Of the
/// functions, `multi_wakeup`, `strerror` and `version` may be called from any thread; all others are called from the one
/// thread that a handle belongs to.
struct CurlLibrary: @unchecked Sendable {
    let functions: UnsafePointer<breadly_curl>

    /// The installed library, loaded by the first request: the one with OpenSSL, else the one with GnuTLS.
    static let shared = load(["libcurl.so.4", "libcurl-gnutls.so.4"])

    /// Loads the first library that is there and complete.
    static func load(_ names: [String]) -> Result<CurlLibrary, HTTPClientError> {
        var error = HTTPClientError.noLibrary
        for name in names {
            let table = UnsafeMutablePointer<breadly_curl>.allocate(capacity: 1)
            table.initialize(to: breadly_curl())
            switch breadly_curl_load(table, name) {
            case 0: return .success(CurlLibrary(functions: UnsafePointer(table)))
            case 1: break
            case 2: error = .oldLibrary(table.pointee.version?().map { String(cString: $0) } ?? name)
            default: error = .failed("\(name) cannot be initialized")
            }
            table.deallocate()
        }
        return .failure(error)
    }
}
