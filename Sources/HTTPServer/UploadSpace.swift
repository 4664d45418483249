// The disk space for files of forms that are arriving, and the share of it that one sender may have.

import Synchronization

/// The disk space for the files of all forms that are arriving. Safe to use from any thread.
///
/// Clients without a signed-in user can use half of it, and one sender can use a share: a sender of many
/// files, or a slow sender, refuses nothing to the others.
final class UploadSpace: Sendable {
    /// The senders that the space is enough for if each uses all of its share.
    private static let shares = 8
    /// The forms of one sender that may write files at once. A page sends one file after the other.
    static let formsAtOnce = 8

    private struct Use {
        var forms = 0
        var bytes = 0
    }

    private struct State {
        var bytes = 0
        var uses: [String: Use] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    init(bytes limit: Int) { self.limit = limit }

    /// The number of reserved bytes.
    var bytesTaken: Int { state.withLock { $0.bytes } }

    /// Begins the upload of a form.
    /// - Parameter network: of the client, for one without a user.
    func share(for rules: UploadRules, of network: String) -> UploadShare {
        // No user has such a key.
        let sender = rules.sender ?? "network " + network
        let isCrowded = state.withLock { state in
            state.uses[sender, default: Use()].forms += 1
            return state.uses[sender, default: Use()].forms > Self.formsAtOnce
        }
        // A share is enough for one file at least.
        let most = isCrowded ? 0 : max(limit / Self.shares, rules.fileBytes)
        return UploadShare(self, sender, most: most, ofAll: rules.sender == nil ? limit / 2 : limit)
    }

    fileprivate func reserve(_ bytes: Int, for share: UploadShare) -> Bool {
        state.withLock { state in
            let use = state.uses[share.sender, default: Use()]
            guard use.bytes + bytes <= share.most, state.bytes + bytes <= share.mostOfAll else {
                return false
            }
            state.bytes += bytes
            state.uses[share.sender] = Use(forms: use.forms, bytes: use.bytes + bytes)
            return true
        }
    }

    fileprivate func giveBack(_ bytes: Int, of sender: String, ends: Bool) {
        state.withLock { state in
            state.bytes -= bytes
            var use = state.uses[sender, default: Use()]
            use.bytes -= bytes
            if ends { use.forms -= 1 }
            state.uses[sender] = use.forms > 0 ? use : nil
        }
    }
}

/// The reservations of one form, which end when this object is freed.
final class UploadShare: Sendable {
    private let space: UploadSpace
    fileprivate let sender: String
    /// The greatest number of bytes of all forms of the sender.
    fileprivate let most: Int
    /// The greatest number of bytes of all forms.
    fileprivate let mostOfAll: Int
    private let bytes = Atomic(0)

    fileprivate init(_ space: UploadSpace, _ sender: String, most: Int, ofAll: Int) {
        (self.space, self.sender) = (space, sender)
        (self.most, mostOfAll) = (most, ofAll)
    }

    deinit { space.giveBack(bytes.load(ordering: .relaxed), of: sender, ends: true) }

    /// - Returns: false, without a reservation, if too few bytes are left.
    func reserve(_ more: Int) -> Bool {
        guard space.reserve(more, for: self) else { return false }
        bytes.add(more, ordering: .relaxed)
        return true
    }

    /// Gives back bytes of a file that was discarded.
    func giveBack(_ fewer: Int) {
        bytes.subtract(fewer, ordering: .relaxed)
        space.giveBack(fewer, of: sender, ends: false)
    }
}
