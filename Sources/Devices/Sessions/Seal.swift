// Encryption of a device's secrets (tokens, the stored entitlement, data of banks), so that they cannot be read, changed
// or copied to another device.

import Crypto
import Foundation
import Ledger

/// Authenticated encryption (AES-256-GCM) with a key of each device's own, made from the server's secret (HKDF).
struct Seal: Sendable {
    /// The purpose of a sealed value: a value that was sealed for another purpose cannot be opened.
    enum Purpose: String {
        case token, entitlement
        case signIn = "sign-in"
        case bankAccess = "bank-access"
        case bankConsent = "bank-consent"
        case bankCache = "bank-cache"
    }

    private let secret: SymmetricKey

    /// A seal with 32 random bytes that are the same at every start.
    init(key: [UInt8]) { secret = SymmetricKey(data: key) }

    /// Seals a value for a device; nil if the system cannot, which makes it unknown.
    func close(_ bytes: [UInt8], for device: EntityID, _ purpose: Purpose) -> [UInt8]? {
        let box = try? AES.GCM.seal(
            bytes,
            using: key(of: device),
            authenticating: Data(purpose.rawValue.utf8)
        )
        return box?.combined.map { Array($0) }
    }

    /// Opens a value; nil if it was changed, or sealed for another device or purpose.
    func open(_ sealed: [UInt8], for device: EntityID, _ purpose: Purpose) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
        let bytes = try? AES.GCM.open(
            box,
            using: key(of: device),
            authenticating: Data(purpose.rawValue.utf8)
        )
        return bytes.map { Array($0) }
    }

    private func key(of device: EntityID) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret,
            info: Data("breadly device \(device)".utf8),
            outputByteCount: 32
        )
    }
}
