// The comparison of secrets.

/// Whether two sequences of bytes are equal. The comparison takes constant time, so that a secret cannot be
/// found byte by byte; the lengths are not secret.
public func isEqualInConstantTime(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
