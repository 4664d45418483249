// Percent-encoding (RFC 3986, section 2.1): addresses, forms, file names in addresses of SQLite.

/// Text in which bytes are written as `%` and two hexadecimal digits.
public enum PercentEncoding {
    /// Encodes all characters except letters, digits, `-`, `.`, `_` and `~` (RFC 3986, unreserved). The
    /// result can be a value in a query, a form or a path.
    public static func encode(_ text: String) -> String {
        encode(text, keeping: isUnreserved)
    }

    /// Whether a byte needs no encoding anywhere in an address (RFC 3986, section 2.3).
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// Encodes all bytes except some of ASCII.
    /// - Parameter isKept: whether a byte is written as it is.
    public static func encode(_ text: String, keeping isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte < 0x80, isKept(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(upperCaseDigit(byte >> 4))
                bytes.append(upperCaseDigit(byte & 15))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes of an encoded text; nil where a `%` is not followed by two hexadecimal digits.
    /// - Parameter plusIsSpace: whether `+` is a space, as in `application/x-www-form-urlencoded`.
    public static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(Hex.value), let low = rest.next().flatMap(Hex.value)
                else {
                    return nil
                }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return decoded
    }

    /// The form that RFC 3986 recommends.
    private static func upperCaseDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
