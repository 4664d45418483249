// The nonce of a sign-in for which the provider must authenticate the user again, even in an existing session.

/// The readable beginning of such a nonce. The cloud, which verifies the token, learns from it when the sign-in began.
struct FreshNonce {
    /// UTC seconds.
    let begunAt: Int64

    /// The beginning of the nonce.
    var prefix: String { "fresh-\(begunAt)-" }

    init(begunAt: Int64) { self.begunAt = begunAt }

    /// - Returns: nil for the nonce of any other sign-in. A fresh one without a time begins at no time, so that no token
    ///   is accepted for it.
    init?(_ nonce: String) {
        guard nonce.hasPrefix("fresh-") else { return nil }
        let words = nonce.split(separator: "-", maxSplits: 2, omittingEmptySubsequences: false)
        begunAt = words.count == 3 ? Int64(words[1]).flatMap { $0 >= 0 ? $0 : nil } ?? 0 : 0
    }
}
