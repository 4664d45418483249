// Reads the text of version 0.1 stores: a line of words for an entitlement.

import CloudProtocol

extension VerifiedEntitlement {
    /// Decodes a line such as `1 active 1795262400 1797854400 renews`: the number of the format, the status,
    /// the time of the confirmation, the end or `-`, and whether it is renewed. Nil for any other text.
    public init?(words text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard (4...5).contains(words.count), words[0] == "1",
            let status = Entitlement.Status(rawValue: String(words[1])),
            let verifiedAt = Int64(words[2]), words.count == 4 || words[4] == "renews"
        else { return nil }
        let expiresAt = Int64(words[3])
        guard expiresAt != nil || words[3] == "-" else { return nil }
        self.init(
            Entitlement(status, expiresAt: expiresAt, willRenew: words.count == 5),
            verifiedAt: verifiedAt
        )
    }
}
