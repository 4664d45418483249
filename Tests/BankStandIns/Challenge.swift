// The challenge of PKCE.

import Crypto
import Encoding
import Foundation

/// The challenge for a verifier (RFC 7636, S256).
func challenge(_ verifier: String) -> String {
    Base64.url.encode(SHA256.hash(data: Data(verifier.utf8)))
}
