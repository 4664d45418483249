// Whether the lines of a request were sent as the library shows them.
//
// libmicrohttpd ends a line at a line feed or a carriage return alone, and a value or a target at a NUL; what it shows
// does not tell. But it changes the lines where they arrived: each ends in two bytes, CR and LF, before the next begins.
// Here addresses are compared, and nothing is read through them.
//
// That is so up to version 0.9. From 1.0 on the library refuses all of this itself (`MHD_OPTION_STRICT_FOR_CLIENT`), and
// takes white space off the end of a value, so that nothing can be said by addresses any more.

import CMicroHTTPD

/// The lines of one request, looked at in their order.
struct HeaderLines {
    var gatekeeper: Gatekeeper
    /// Where the line before ends, without its CR and LF.
    private var end: UInt
    private static let isNeeded = String(cString: MHD_get_version()).hasPrefix("0.")

    /// - Parameters:
    ///   - target: where the target ends: one space before the version, unless a NUL ends it before that.
    ///   - version: where the version begins, and its length.
    init(_ gatekeeper: Gatekeeper, afterTarget target: UInt, version: UInt, _ versionCount: Int) {
        self.gatekeeper = gatekeeper
        end = version + UInt(versionCount)
        // A request without a version has none in this memory; it is refused for that.
        if versionCount > 0, target + 1 != version { refuse() }
    }

    /// Looks at one header line.
    mutating func look(at name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?, _ valueCount: Int) {
        guard let name else { return refuse() }
        if UInt(bitPattern: name) != end + 2 { refuse() }
        // Without a value there is nothing behind the colon.
        guard let value else { return refuse() }
        end = UInt(bitPattern: value) + UInt(valueCount)
    }

    /// Looks at the end of the last line and the empty line behind it.
    mutating func finish(end blockEnd: UInt) { if blockEnd != end + 4 { refuse() } }

    private mutating func refuse() { if Self.isNeeded { gatekeeper.refuseBrokenLines() } }
}

/// Whether a header's value was joined from several lines (RFC 9112, section 5.2).
///
/// The library joins them silently, into new memory. The value of a single line stands where it arrived, right
/// behind its name. The addresses are compared, nothing is read through them.
func isFolded(_ name: UnsafePointer<CChar>?, _ count: Int, _ value: UnsafePointer<CChar>?) -> Bool {
    guard let name, let value else { return false }
    return !(0...64).contains(UnsafeRawPointer(value) - UnsafeRawPointer(name + count))
}
