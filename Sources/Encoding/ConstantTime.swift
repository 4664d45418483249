// The comparison of secrets.

/// Whether two runs of bytes are equal. It takes the same time wherever they differ, so that nobody finds a secret byte
/// by byte; their lengths are no secret.
public func isEqualInConstantTime(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
