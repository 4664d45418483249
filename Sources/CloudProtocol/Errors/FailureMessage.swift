// The JSON, the code and the HTTP status of an error, version 1.

/// The response to a request that failed.
struct FailureMessage: Codable, Sendable {
    /// The code of the error, such as `token_revoked`.
    var code: String
    /// The time until the next attempt, in seconds.
    var retryAfterSeconds: Int64?
    /// The time until which a replica may still push, in UTC seconds.
    var drainUntil: Int64?
    /// The epoch of the account's data.
    var epoch: Int64?
    /// The number of the expected operation.
    var expected: Int64?
    /// The oldest schema that the cloud accepts.
    var oldest: Int64?
    /// The newest schema that the cloud accepts.
    var newest: Int64?
    /// The maximum number of operations in a push, or of replicas of an account.
    var max: Int?
    /// The way in which a session ended, if another device or the operator ended it. Versions without this
    /// member read only the code.
    var ended: String?
    /// The number of bytes of a file that have arrived.
    var received: Int64?
    /// The maximum size of a file in bytes.
    var maxBytes: Int64?
    /// The bytes of the files of an account.
    var used: Int64?
    /// The maximum of `used`.
    var quota: Int64?

    /// Omits the texts for the log.
    init(_ error: CloudError) {
        code = error.code
        ended = error.endedByOthers
        switch error {
        case .subscriptionRequired(let until): drainUntil = until
        case .busy(let seconds): retryAfterSeconds = seconds
        case .signIn(let refusal): refusal.fill(&self)
        case .sync(let refusal): refusal.fill(&self)
        case .file(let refusal): refusal.fill(&self)
        default: break
        }
    }

    /// The error for a device; nil for an unknown code.
    var error: CloudError? {
        switch code {
        case "token_revoked": CloudError(endedByOthers: ended)
        case "account_deleted": .accountGone
        case "subscription_required": .subscriptionRequired(drainUntil: drainUntil?.withinTheCalendar)
        case "unavailable": .failed("the cloud is unavailable")
        case "malformed": .malformed
        case "not_supported": .notSupported
        case "busy": .busy(retryAfterSeconds: (retryAfterSeconds ?? 1).withinADay)
        default:
            CredentialRefusal(self).map { .signIn($0) } ?? SyncRefusal(self).map { .sync($0) }
                ?? FileRefusal(self).map { .file($0) }
        }
    }
}

extension CloudError {
    /// The body of the response for the error, without the texts for the log.
    public var encoded: [UInt8] { CodableJSON.encode(FailureMessage(self)) }

    /// Decodes the response for an error. Nil if it is not a response of a cloud, or if the status is not
    /// the status of the error.
    public init?(_ bytes: [UInt8], status: Int) {
        guard let error = CodableJSON.decode(FailureMessage.self, bytes)?.error, error.status == status
        else { return nil }
        self = error
    }

    /// The time until the next attempt, in seconds; nil if the error does not state one.
    public var retryAfterSeconds: Int64? {
        switch self {
        case .signIn(let refusal): refusal.retryAfterSeconds
        case .busy(let seconds): seconds
        default: nil
        }
    }

    /// The word that names the error in a response, such as `op_gap`.
    public var code: String { wire.code }

    /// The HTTP status for the error.
    public var status: Int { wire.status }

    private var wire: WireRefusal {
        switch self {
        case .sessionRevoked: WireRefusal("token_revoked", 401, "the session has ended")
        case .sessionLocked:
            WireRefusal("token_revoked", 401, "the session was ended from another device")
        case .sessionErased:
            WireRefusal(
                "token_revoked",
                401,
                "the session was ended from another device, and the book is to be erased"
            )
        case .accountGone: WireRefusal("account_deleted", 401, "the account was deleted")
        case .subscriptionRequired: WireRefusal("subscription_required", 403, "sync needs a subscription")
        case .unreachable(let reason): WireRefusal("unavailable", 503, "the cloud does not answer: \(reason)")
        case .timedOut(let reason), .cutOff(let reason):
            WireRefusal("unavailable", 503, "the connection to the cloud stopped: \(reason)")
        case .failed(let reason): WireRefusal("unavailable", 503, "a fault of the cloud: \(reason)")
        case .malformed: WireRefusal("malformed", 400, "the request is malformed")
        case .notSupported: WireRefusal("not_supported", 501, "the cloud does not support the request")
        case .busy(let seconds):
            WireRefusal("busy", 503, "the cloud has too much to do: wait \(seconds) seconds")
        case .signIn(let refusal): refusal.wire
        case .sync(let refusal): refusal.wire
        case .file(let refusal): refusal.wire
        }
    }

    /// The member beside the code for a session that another device or the operator has ended; nil for other
    /// errors.
    var endedByOthers: String? {
        switch self {
        case .sessionLocked, .sessionErased: sessionEnding?.rawValue
        default: nil
        }
    }

    /// The error for the end of a session. A missing or unknown word means that the session was ended on its
    /// own device.
    init(endedByOthers word: String?) {
        let ending = word.flatMap { SessionEnding(rawValue: $0) } ?? .revoked
        self.init(ending)
    }
}

extension CloudError: CustomStringConvertible {
    /// A few words for the log, without personal data.
    public var description: String { wire.words }
}
