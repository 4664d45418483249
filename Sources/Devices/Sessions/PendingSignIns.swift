// Sign-ins under way at a provider, stored in their browsers, and sessions that no device adopted.

public import CloudProtocol
public import DeviceStore
import Encoding
import Ledger
import Storage
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
        let content = SealedSignIn(cookie: Hex.encode(cookie.bytes), purpose: purpose, pending: pending)
        return (try? StoredJSON.encode(content))
            .flatMap { services.seal.close(Array($0.utf8), for: Self.nobody, .signIn) }
            .map { Hex.encode($0) }
    }

    /// The purpose of a sign-in at a provider.
    public enum SignInPurpose: String, Codable, Sendable {
        case signIn
        /// The user confirms the deletion of the account.
        case accountDeletion
    }

    /// Opens a sealed sign-in; nil for a value that is too old, or of another server or browser.
    /// - Parameter cookies: the browser's present cookie and its former cookie.
    public func pendingSignIn(_ closed: String, for cookies: [CookieHash]) -> (PendingSignIn, SignInPurpose)?
    {
        guard let sealed = Hex.decode(closed),
            let text = services.seal.open(sealed, for: Self.nobody, .signIn),
            let content = StoredJSON.decode(SealedSignIn.self, String(decoding: text, as: UTF8.self)),
            cookies.contains(where: { Hex.encode($0.bytes) == content.cookie }),
            dependencies.now < content.pending.expiresAt
        else { return nil }
        return (content.pending, content.purpose)
    }

    private static let nobody = EntityID(high: 0, low: 0)
}

/// The content of a browser's sealed sign-in.
private struct SealedSignIn: Codable {
    /// The hash of the browser's cookie, in hexadecimal digits.
    var cookie: String
    var purpose: DeviceManager.SignInPurpose
    var pending: PendingSignIn
}
