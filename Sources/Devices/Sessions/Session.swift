// The session of a device, with the last known state of its user account.

public import CloudProtocol
import DeviceStore
public import Entitlements
import Ledger
import Lifecycle
import Storage

/// A device's session with the cloud.
public struct Session: Hashable, Sendable {
    /// The user who is signed in.
    public internal(set) var user: UserAccount
    /// Proves the session to the cloud; nil if it cannot be decrypted, for example after the server's secret
    /// was lost.
    package let token: SessionToken?
    /// The sealed token in the device store.
    let sealedToken: [UInt8]
    /// Whether the cloud rejects the token: the device continues locally until the user signs in again.
    public internal(set) var isRevoked = false
    /// Whether another device or the operator ended the session: the book stays closed until the same user
    /// signs in again.
    public internal(set) var isLocked = false
    /// Whether sync is attached to the book.
    public internal(set) var isAttached = false
    /// Whether the user has sync turned on.
    public internal(set) var wantsSync = true
    /// The last verified entitlement; nil if it is unknown or not trusted.
    public internal(set) var entitlement: VerifiedEntitlement?
    /// The user's holdings in the cloud's last answer.
    public internal(set) var holdings = Holdings()
    /// Whether a deletion of the user's data in the cloud was not answered, and the cloud was not asked since.
    var isDeletionUnanswered = false
    /// Whether the user has left the page of the download that is under way.
    var hasLeftDownload = false

    init(user: UserAccount, token: SessionToken?, sealedToken: [UInt8], entitlement: VerifiedEntitlement?) {
        self.user = user
        self.token = token
        self.sealedToken = sealedToken
        self.entitlement = entitlement
        isRevoked = token == nil
    }

    /// The user's id for the lifecycle.
    var userID: UserID? { UserID(user.id.description) }
}

extension Session {
    /// Decodes the record of the device store. A stored entitlement that this version does not understand
    /// counts as none.
    init(_ record: SessionRecord, of device: EntityID, _ seal: Seal) {
        let status = record.sealedEntitlement.flatMap { seal.open($0, for: device, .entitlement) }
            .map { String(decoding: $0, as: UTF8.self) }
        self.init(
            user: record.user,
            token: seal.token(record.sealedToken, of: device),
            sealedToken: record.sealedToken,
            entitlement: status.flatMap { StoredJSON.decode(VerifiedEntitlement.self, $0) }
        )
        isRevoked = isRevoked || record.isRevoked
        isLocked = record.isLocked
        isAttached = record.isAttached
        wantsSync = record.wantsSync
        holdings = record.holdings
        isDeletionUnanswered = record.isDeletionUnanswered
        hasLeftDownload = record.hasLeftDownload
    }

    /// The record for the device store.
    func record(of device: EntityID, _ seal: Seal) -> SessionRecord {
        let status = entitlement.flatMap { try? StoredJSON.encode($0) }
        return SessionRecord(
            user: user,
            sealedToken: sealedToken,
            isRevoked: isRevoked,
            isLocked: isLocked,
            isAttached: isAttached,
            wantsSync: wantsSync,
            sealedEntitlement: status.flatMap { seal.close(Array($0.utf8), for: device, .entitlement) },
            holdings: holdings,
            isDeletionUnanswered: isDeletionUnanswered,
            hasLeftDownload: hasLeftDownload
        )
    }
}

extension Seal {
    /// Seals a token, which is a single text without a structure to encode; nil if the system cannot.
    func close(_ token: SessionToken, for device: EntityID) -> [UInt8]? {
        close(Array(token.text.utf8), for: device, .token)
    }

    /// Opens a token.
    func token(_ sealed: [UInt8], of device: EntityID) -> SessionToken? {
        open(sealed, for: device, .token).flatMap { SessionToken(String(decoding: $0, as: UTF8.self)) }
    }
}
