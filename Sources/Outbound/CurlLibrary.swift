// The functions of libcurl, loaded at run time.

import CCurl

/// The functions of libcurl, loaded at run time.
///
/// Safe to share among threads: the table is written once, before it is shared, and never freed.
/// `multi_wakeup`, `strerror` and `version` may be called from any thread; all other functions are called
/// from the one thread that a handle belongs to.
struct CurlLibrary: @unchecked Sendable {
    let functions: UnsafePointer<breadly_curl>

    /// The installed library, loaded by the first request: the variant with OpenSSL, or else the one with
    /// GnuTLS.
    static let shared = load(["libcurl.so.4", "libcurl-gnutls.so.4"])

    /// Loads the first library that is installed and complete.
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
