// The errors of the cloud, thrown on devices and by the cloud itself.

/// The reason why the cloud did not execute a request. A cloud that throws one has changed nothing.
public enum CloudError: Error, Hashable, Sendable {
    /// The token is not accepted any more, but the account still exists as far as it is known. The user has
    /// to sign in again.
    case sessionRevoked
    /// Another device or the operator ended the session. The data on the device is accessible only after a
    /// sign-in of the same user.
    case sessionLocked
    /// As `sessionLocked`, and the data on the device has to be erased.
    case sessionErased
    /// The account does not exist any more.
    case accountGone
    /// This cloud accepts no new accounts.
    case signUpClosed
    /// There was no answer, or an answer that could not be understood. The text is for the log.
    case unreachable(String)
    /// The connection stopped during a push or a page. A smaller one may succeed. The text is for the log.
    case timedOut(String)
    /// The connection ended while a push or a page was on its way. A smaller one may succeed. The text is for the log.
    case cutOff(String)
    /// The disk or the file of the cloud failed. The text is for the log.
    case failed(String)
    /// No account has this address and password. The error does not tell which of the two is wrong.
    case wrongCredentials
    /// There were many wrong attempts. The next one is accepted after this time, in seconds.
    case tooManyAttempts(retryAfterSeconds: Int64)
    /// Many accounts were created from the network in a short time. The next one is accepted after this time, in seconds.
    case tooManySignUps(retryAfterSeconds: Int64)
    /// The e-mail address already has an account.
    case emailTaken
    /// The text is not an e-mail address.
    case badEmail
    /// The password is too short or too long.
    case weakPassword
    /// The password is in common use, or consists of the e-mail address or of the product's name.
    case commonPassword
    /// The request is out of bounds: an issuer or a subject that is empty or longer than 255 characters.
    case malformed
    /// Sync requires premium. A replica that was attached before the end of premium may still push until this
    /// time, in UTC seconds. It is nil for other replicas, which may push nothing.
    case subscriptionRequired(drainUntil: Int64?)
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
    /// The account has no such file, or not the whole of it.
    case noSuchFile
    /// Bytes before the part of a file are missing; the number of bytes that have arrived.
    case fileGap(received: Int64)
    /// The content of a file does not have the hash that is its name. What had arrived was discarded.
    case wrongContent
    /// The file is larger than the cloud accepts; the maximum in bytes.
    case fileTooLarge(max: Int64)
    /// The file does not fit beside the other files of the account; the bytes that are in use, and the maximum.
    case quotaExceeded(used: Int64, quota: Int64)
    /// The cloud is older than the call, or a proxy in front of it does not pass it on.
    case notSupported
    /// The cloud is overloaded. The next attempt is accepted after this time, in seconds.
    case busy(retryAfterSeconds: Int64)
}

/// The way in which a session ended.
public enum SessionEnding: String, CaseIterable, Hashable, Sendable {
    /// The device itself ended it, it expired, or the reason is unknown.
    case revoked
    /// Another device or the operator ended it. The data on the device is accessible only after a sign-in of
    /// the same user.
    case locked
    /// As `locked`, and the data on the device has to be erased.
    case erased
    /// The account was deleted.
    case accountGone = "gone"
}

extension CloudError {
    /// The error for the end of a session.
    public init(_ ending: SessionEnding) {
        self =
            switch ending {
            case .revoked: .sessionRevoked
            case .locked: .sessionLocked
            case .erased: .sessionErased
            case .accountGone: .accountGone
            }
    }

    /// The way in which the session ended; nil for other errors.
    public var sessionEnding: SessionEnding? {
        switch self {
        case .sessionRevoked: .revoked
        case .sessionLocked: .locked
        case .sessionErased: .erased
        case .accountGone: .accountGone
        default: nil
        }
    }
}

extension CloudError {
    /// The line for the log about refused credentials, in a form that fail2ban and similar tools can match;
    /// nil for errors that do not concern the sender's credentials.
    public func refusalLine(from address: String) -> String? {
        switch self {
        case .wrongCredentials: "sign-in refused from \(address): wrong e-mail address or password"
        case .tooManyAttempts: "sign-in refused from \(address): too many wrong attempts"
        default: nil
        }
    }
}
