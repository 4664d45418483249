// Addresses with queries.

/// A path with a query; values are percent-encoded, so that they may hold anything.
func address(_ path: String, _ items: [(String, String)]) -> String {
    items.isEmpty ? path : path + "?" + items.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
}

private func encoded(_ value: String) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in value.utf8 {
        switch byte {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
        default: bytes += [37, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
