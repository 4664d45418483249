// The errors of the cloud, as devices and the cloud itself throw them.

/// Why the cloud did not do what it was asked. Nothing was changed where one is thrown.
public enum CloudError: Error, Hashable, Sendable {
    /// The token is not accepted any more; the account is still there, as far as that is known: sign in again.
    case sessionRevoked
    /// The session was ended by somebody else: what is on the device is for whoever signs in as the same user.
    case sessionLocked
    /// As `sessionLocked`, and what is on the device is to be erased.
    case sessionErased
    /// The account does not exist any more.
    case accountGone
    /// This cloud takes no new accounts.
    case signUpClosed
    /// Nobody answers, or nothing that could be understood: try again later. The text is for the log.
    case unreachable(String)
    /// A push or a page did not get through: the connection stopped in the middle of it. A smaller one may. The text is
    /// for the log.
    case timedOut(String)
    /// The cloud's own disk or file failed; the text is for the log.
    case failed(String)
    /// No account has this address and password; which of the two is wrong, nobody is told.
    case wrongCredentials
    /// There were many wrong attempts: wait so long, in seconds.
    case tooManyAttempts(retryAfterSeconds: Int64)
    /// The address has an account already.
    case emailTaken
    /// This is no e-mail address.
    case badEmail
    /// The password is too short or too long.
    case weakPassword
    /// The password is one that many have, or made of the address or of the product's name.
    case commonPassword
    /// The request is out of bounds: an issuer or a subject that is empty or longer than 255 characters.
    case malformed
    /// Sync is for premium. A replica that was attached before the end may still push, until that moment in UTC seconds;
    /// nil where the one that asks was not, and may push nothing.
    case subscriptionRequired(drainUntil: Int64?)
    /// All data of the account was deleted since; the epoch now.
    case epochChanged(Int64)
    /// There is an operation missing; the number that is expected.
    case opGap(expected: Int64)
    /// Another operation was sent under this number: the book was cloned, or restored from a backup.
    case opReused
    /// The replica was away for so long that the cloud has forgotten deletions since: it needs all rows anew.
    case cursorExpired
    /// The replica has seen more than the cloud has: the cloud's data was restored from a backup.
    case cursorAhead
    /// More was sent than is taken at once; the most operations that are.
    case tooLarge(max: Int)
    /// As many devices of the user sync as may, and all are in use: one of them has to be signed out.
    case tooManyReplicas(max: Int)
    /// The cloud does not take operations of this schema, but those from `oldest` to `newest`: the older side of the
    /// two has to be upgraded.
    case upgradeRequired(oldest: Int64, newest: Int64)
    /// The cloud has too much to do: wait so long, in seconds.
    case busy(retryAfterSeconds: Int64)
}

/// How a session ended.
public enum SessionEnding: String, CaseIterable, Hashable, Sendable {
    /// By its own device, by its age, or nobody knows.
    case revoked
    /// By somebody else: what is on the device is for whoever signs in as the same user.
    case locked
    /// The same, and what is on the device is to be erased.
    case erased
    /// With its account.
    case accountGone = "gone"
}

extension CloudError {
    /// That a session has ended.
    public init(_ ending: SessionEnding) {
        self =
            switch ending {
            case .revoked: .sessionRevoked
            case .locked: .sessionLocked
            case .erased: .sessionErased
            case .accountGone: .accountGone
            }
    }

    /// How the session ended; nil where it is another error.
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
    /// The line of the log about credentials that were not accepted, as fail2ban and its like look for it; nil for errors
    /// that say nothing about whoever sent them.
    public func refusalLine(from address: String) -> String? {
        switch self {
        case .wrongCredentials: "sign-in refused from \(address): wrong e-mail address or password"
        case .tooManyAttempts: "sign-in refused from \(address): too many wrong attempts"
        default: nil
        }
    }
}
