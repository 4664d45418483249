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
    /// Sync requires premium. A replica that was attached before the end of premium may still push until this
    /// time, in UTC seconds. It is nil for other replicas, which may push nothing.
    case subscriptionRequired(drainUntil: Int64?)
    /// There was no answer, or an answer that could not be understood. The text is for the log.
    case unreachable(String)
    /// The connection stopped during a push or a page. A smaller one may succeed. The text is for the log.
    case timedOut(String)
    /// The connection ended while a push or a page was on its way. A smaller one may succeed. The text is for the log.
    case cutOff(String)
    /// The disk or the file of the cloud failed. The text is for the log.
    case failed(String)
    /// The request is out of bounds: an issuer or a subject that is empty or longer than 255 characters.
    case malformed
    /// The cloud is older than the call, or a proxy in front of it does not pass it on.
    case notSupported
    /// The cloud is overloaded. The next attempt is accepted after this time, in seconds.
    case busy(retryAfterSeconds: Int64)
    /// Only of a call with credentials.
    case signIn(CredentialRefusal)
    /// A call of sync was refused, or the body of any call is too large.
    case sync(SyncRefusal)
    /// Only of a call about files.
    case file(FileRefusal)
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
        case .signIn(.wrongCredentials): "sign-in refused from \(address): wrong e-mail address or password"
        case .signIn(.tooManyAttempts): "sign-in refused from \(address): too many wrong attempts"
        default: nil
        }
    }
}
