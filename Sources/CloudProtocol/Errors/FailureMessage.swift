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
        retryAfterSeconds = error.retryAfterSeconds
        switch error {
        case .subscriptionRequired(let until): drainUntil = until
        case .epochChanged(let now): epoch = now
        case .opGap(let number): expected = number
        case .tooLarge(let most), .tooManyReplicas(let most): max = most
        case .upgradeRequired(let oldest, let newest): (self.oldest, self.newest) = (oldest, newest)
        case .fileGap(let bytes): received = bytes
        case .fileTooLarge(let most): maxBytes = most
        case .quotaExceeded(let bytes, let most): (used, quota) = (bytes, most)
        default: break
        }
    }

    /// The error for a device; nil for an unknown code.
    var error: CloudError? {
        switch code {
        case "token_revoked": CloudError(endedByOthers: ended)
        case "account_deleted": .accountGone
        case "sign_up_closed": .signUpClosed
        case "unavailable": .failed("the cloud is unavailable")
        case "wrong_credentials": .wrongCredentials
        case "too_many_attempts":
            .tooManyAttempts(retryAfterSeconds: (retryAfterSeconds ?? 1).withinADay)
        case "too_many_sign_ups": .tooManySignUps(retryAfterSeconds: (retryAfterSeconds ?? 1).withinADay)
        case "email_taken": .emailTaken
        case "bad_email": .badEmail
        case "weak_password": .weakPassword
        case "common_password": .commonPassword
        case "malformed": .malformed
        case "subscription_required": .subscriptionRequired(drainUntil: drainUntil?.withinTheCalendar)
        case "epoch_changed": epoch.map { .epochChanged($0) }
        case "op_gap": expected.map { .opGap(expected: $0) }
        case "op_reused": .opReused
        case "cursor_expired": .cursorExpired
        case "cursor_ahead": .cursorAhead
        case "too_large": max.map { .tooLarge(max: Swift.max(1, $0)) }
        case "too_many_replicas": max.map { .tooManyReplicas(max: Swift.max(1, $0)) }
        // A cloud that omits the schemas that it accepts requires a newer one.
        case "upgrade_required": .upgradeRequired(oldest: oldest ?? .max, newest: newest ?? .max)
        case "no_such_file": .noSuchFile
        case "file_gap": received.map { .fileGap(received: Swift.max(0, $0)) }
        case "wrong_content": .wrongContent
        case "file_too_large": maxBytes.map { .fileTooLarge(max: Swift.max(0, $0)) }
        case "quota_exceeded":
            used.flatMap { used in
                quota.map { .quotaExceeded(used: Swift.max(0, used), quota: Swift.max(0, $0)) }
            }
        case "not_supported": .notSupported
        case "busy": .busy(retryAfterSeconds: (retryAfterSeconds ?? 1).withinADay)
        default: nil
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
        case .tooManyAttempts(let seconds), .tooManySignUps(let seconds), .busy(let seconds): seconds
        default: nil
        }
    }

    /// The code of the error on the wire.
    public var code: String {
        switch self {
        case .sessionRevoked, .sessionLocked, .sessionErased: "token_revoked"
        case .accountGone: "account_deleted"
        case .signUpClosed: "sign_up_closed"
        case .unreachable, .timedOut, .cutOff, .failed: "unavailable"
        case .wrongCredentials: "wrong_credentials"
        case .tooManyAttempts: "too_many_attempts"
        case .tooManySignUps: "too_many_sign_ups"
        case .emailTaken: "email_taken"
        case .badEmail: "bad_email"
        case .weakPassword: "weak_password"
        case .commonPassword: "common_password"
        case .malformed: "malformed"
        case .subscriptionRequired: "subscription_required"
        case .epochChanged: "epoch_changed"
        case .opGap: "op_gap"
        case .opReused: "op_reused"
        case .cursorExpired: "cursor_expired"
        case .cursorAhead: "cursor_ahead"
        case .tooLarge: "too_large"
        case .tooManyReplicas: "too_many_replicas"
        case .upgradeRequired: "upgrade_required"
        case .noSuchFile: "no_such_file"
        case .fileGap: "file_gap"
        case .wrongContent: "wrong_content"
        case .fileTooLarge: "file_too_large"
        case .quotaExceeded: "quota_exceeded"
        case .notSupported: "not_supported"
        case .busy: "busy"
        }
    }

    /// The HTTP status for the error.
    public var status: Int {
        switch self {
        case .sessionRevoked, .sessionLocked, .sessionErased, .accountGone, .wrongCredentials: 401
        case .signUpClosed, .subscriptionRequired: 403
        case .emailTaken, .epochChanged, .opGap, .opReused, .tooManyReplicas, .fileGap: 409
        case .cursorExpired, .cursorAhead: 410
        case .tooLarge, .fileTooLarge: 413
        case .noSuchFile: 404
        case .quotaExceeded: 507
        case .notSupported: 501
        case .upgradeRequired: 426
        case .badEmail, .weakPassword, .commonPassword, .wrongContent: 422
        case .malformed: 400
        case .tooManyAttempts, .tooManySignUps: 429
        case .unreachable, .timedOut, .cutOff, .failed, .busy: 503
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
