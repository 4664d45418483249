// Sign-ins under way at a provider, stored in their browsers, and sessions that no device adopted.

public import CloudProtocol
public import DeviceStore
import Encoding
import Ledger
import SyncCore

extension DeviceManager {
    /// Ends a session on the cloud that no device adopted.
    public func discard(_ signedIn: SignedIn) {
        services.revoker.end(signedIn.token, of: dependencies.newID())
    }

    /// A pending sign-in, sealed for its browser, which can neither read nor change it.
    /// - Parameter cookie: the browser's cookie, without which no browser can finish the sign-in.
    /// - Returns: nil if the system cannot seal it.
    public func closed(
        _ pending: PendingSignIn,
        for cookie: CookieHash,
        _ purpose: SignInPurpose = .signIn
    ) -> String? {
        let content = cookie.bytes + [purpose.rawValue] + Array(pending.encoded.utf8)
        return services.seal.close(content, for: Self.nobody, .signIn).map { Hex.encode($0) }
    }

    /// The purpose of a sign-in at a provider.
    public enum SignInPurpose: UInt8, Sendable {
        case signIn = 1
        /// The user confirms the deletion of the account.
        case accountDeletion
    }

    /// Opens a sealed sign-in; nil for a value of another server or browser, and for one that is too old.
    /// - Parameter cookies: the browser's cookie, and the one that it held before.
    public func pendingSignIn(_ closed: String, for cookies: [CookieHash]) -> (PendingSignIn, SignInPurpose)?
    {
        guard let sealed = Hex.decode(closed),
            let content = services.seal.open(sealed, for: Self.nobody, .signIn),
            let cookie = CookieHash(content.prefix(32)), cookies.contains(cookie),
            let purpose = content.dropFirst(32).first.flatMap({ SignInPurpose(rawValue: $0) }),
            let pending = PendingSignIn(encoded: String(decoding: content.dropFirst(33), as: UTF8.self)),
            dependencies.now < pending.expiresAt
        else { return nil }
        return (pending, purpose)
    }

    private static let nobody = EntityID(high: 0, low: 0)
}
