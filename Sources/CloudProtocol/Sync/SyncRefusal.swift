// The refusals of the calls of sync.

/// The reason why the cloud refused a push or a pull of this replica, or the body of a request.
public enum SyncRefusal: Hashable, Sendable {
    /// All data of the account was deleted in the meantime; the current epoch.
    case epochChanged(Int64)
    /// An operation is missing; its number.
    case opGap(expected: Int64)
    /// A different operation was sent under this number: the book was cloned, or restored from a backup.
    case opReused
    /// The replica was not seen for so long that the cloud has forgotten deletions since. It has to download
    /// all rows again.
    case cursorExpired
    /// The replica has seen more than the cloud has: the cloud's data was restored from a backup.
    case cursorAhead
    /// The request is too large; the maximum number of operations, or `Int.max` if a proxy refused the
    /// request for its size in bytes.
    case tooLarge(max: Int)
    /// The maximum number of the user's devices sync, and all of them are in use. The user has to sign one of
    /// them out.
    case tooManyReplicas(max: Int)
    /// The cloud accepts schemas from `oldest` to `newest`, but not the schema of the operations. The older side has to
    /// be upgraded.
    case upgradeRequired(oldest: Int64, newest: Int64)
}

extension SyncRefusal: Refusal {
    var wire: WireRefusal {
        switch self {
        case .epochChanged(let epoch):
            WireRefusal("epoch_changed", 409, "the data of the account was deleted (epoch \(epoch) now)")
        case .opGap(let expected): WireRefusal("op_gap", 409, "operation \(expected) is missing")
        case .opReused: WireRefusal("op_reused", 409, "another operation was sent under this number")
        case .cursorExpired:
            WireRefusal("cursor_expired", 410, "the device was away for too long: it needs all rows anew")
        case .cursorAhead: WireRefusal("cursor_ahead", 410, "the cloud was put back to an earlier backup")
        case .tooLarge(.max):
            WireRefusal("too_large", 413, "more bytes at once than a proxy in front of the cloud accepts")
        case .tooLarge(let most): WireRefusal("too_large", 413, "more than \(most) operations at once")
        case .tooManyReplicas(let most):
            WireRefusal("too_many_replicas", 409, "more than \(most) devices sync with the account")
        case .upgradeRequired(let oldest, let newest):
            WireRefusal(
                "upgrade_required",
                426,
                "the cloud accepts schemas \(oldest) to \(newest): the older side has to be upgraded"
            )
        }
    }

    func fill(_ message: inout FailureMessage) {
        switch self {
        case .epochChanged(let now): message.epoch = now
        case .opGap(let number): message.expected = number
        case .tooLarge(let most), .tooManyReplicas(let most): message.max = most
        case .upgradeRequired(let oldest, let newest): (message.oldest, message.newest) = (oldest, newest)
        case .opReused, .cursorExpired, .cursorAhead: break
        }
    }

    init?(_ message: FailureMessage) {
        let refusal: SyncRefusal? =
            switch message.code {
            case "epoch_changed": message.epoch.map { .epochChanged($0) }
            case "op_gap": message.expected.map { .opGap(expected: $0) }
            case "op_reused": .opReused
            case "cursor_expired": .cursorExpired
            case "cursor_ahead": .cursorAhead
            case "too_large": message.max.map { .tooLarge(max: max(1, $0)) }
            case "too_many_replicas": message.max.map { .tooManyReplicas(max: max(1, $0)) }
            // A cloud that omits the schemas that it accepts requires a newer one.
            case "upgrade_required":
                .upgradeRequired(oldest: message.oldest ?? .max, newest: message.newest ?? .max)
            default: nil
            }
        guard let refusal else { return nil }
        self = refusal
    }
}
