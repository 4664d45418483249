// Detects header lines that were not sent as the library reports them.
//
// libmicrohttpd ends a line at a line feed or a carriage return alone, and a value or a target at a NUL,
// without reporting it. But it parses the lines in place: each ends in two bytes, CR and LF, before the next
// begins. This code compares addresses and dereferences none.
//
// This holds up to version 0.9. From 1.0 on the library refuses all of this itself
// (`MHD_OPTION_STRICT_FOR_CLIENT`), and trims white space at the end of a value, so that the addresses prove
// nothing any more.

import CMicroHTTPD

/// The lines of one request, checked in their order.
struct HeaderLines {
    var gatekeeper: Gatekeeper
    /// The end of the previous line, without its CR and LF.
    private var end: UInt
    private static let isNeeded = String(cString: MHD_get_version()).hasPrefix("0.")

    /// - Parameters:
    ///   - target: the end of the target: one space before the version, unless a NUL ends it earlier.
    ///   - version: the beginning of the version, and its length.
    init(_ gatekeeper: Gatekeeper, afterTarget target: UInt, version: UInt, _ versionCount: Int) {
        self.gatekeeper = gatekeeper
        end = version + UInt(versionCount)
        // A request without a version has none in this memory; it is refused for that reason.
        if versionCount > 0, target + 1 != version { refuse() }
    }

    /// Checks one header line.
    mutating func look(at name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?, _ valueCount: Int) {
        guard let name else { return refuse() }
        if UInt(bitPattern: name) != end + 2 { refuse() }
        // A nil value means that the line ends at its colon.
        guard let value else { return refuse() }
        end = UInt(bitPattern: value) + UInt(valueCount)
    }

    /// Checks the end of the last line and the empty line after it.
    mutating func finish(end blockEnd: UInt) { if blockEnd != end + 4 { refuse() } }

    private mutating func refuse() { if Self.isNeeded { gatekeeper.refuseBrokenLines() } }
}

/// Whether a header's value was joined from several lines (RFC 9112, section 5.2).
///
/// The library joins them silently, in new memory. The value of a single line is where it arrived, directly
/// after its name. The addresses are compared and not dereferenced.
func isFolded(_ name: UnsafePointer<CChar>?, _ count: Int, _ value: UnsafePointer<CChar>?) -> Bool {
    guard let name, let value else { return false }
    return !(0...64).contains(UnsafeRawPointer(value) - UnsafeRawPointer(name + count))
}
