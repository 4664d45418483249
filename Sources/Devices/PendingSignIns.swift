// Sign-ins that are under way at a provider, as their browsers keep them, and sessions that no device took.

public import DeviceStore
import Encoding
import Ledger
public import SyncCore

extension DeviceManager {
    /// Ends on the cloud a session that no device took.
    public func discard(_ signedIn: SignedIn) {
        services.revoker.end(signedIn.token, of: dependencies.newID())
    }

    /// A sign-in that waits for its browser, as that browser keeps it: it can neither read nor change it.
    /// - Parameter cookie: the browser's own, which no other browser can finish the sign-in without.
    /// - Returns: nil where the system cannot seal it.
    public func closed(
        _ pending: PendingSignIn,
        for cookie: CookieHash,
        _ purpose: SignInPurpose = .signIn
    ) -> String? {
        let content = cookie.bytes + [purpose.rawValue] + Array(pending.written.utf8)
        return services.seal.close(content, for: Self.nobody, .signIn).map { Hex.encode($0) }
    }

    /// What a sign-in at a provider is for.
    public enum SignInPurpose: UInt8, Sendable {
        case signIn = 1
        /// The user shows that it is they who delete the account.
        case accountDeletion
    }

    /// Opens it again; nil for what is none of this server's, another browser's, or too old.
    /// - Parameter cookies: the browser's own, and the one that it held before.
    public func pendingSignIn(_ closed: String, for cookies: [CookieHash]) -> (PendingSignIn, SignInPurpose)?
    {
        guard let sealed = Hex.decode(closed),
            let content = services.seal.open(sealed, for: Self.nobody, .signIn),
            let cookie = CookieHash(content.prefix(32)), cookies.contains(cookie),
            let purpose = content.dropFirst(32).first.flatMap({ SignInPurpose(rawValue: $0) }),
            let pending = PendingSignIn(written: String(decoding: content.dropFirst(33), as: UTF8.self)),
            dependencies.now < pending.expiresAt
        else { return nil }
        return (pending, purpose)
    }

    private static let nobody = EntityID(high: 0, low: 0)
}
