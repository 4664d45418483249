// The refusals of calls with credentials.

/// The reason why the cloud refused credentials, or an account for them.
public enum CredentialRefusal: Hashable, Sendable {
    /// No account has this address and password. The error does not tell which of the two is wrong.
    case wrongCredentials
    /// There were many wrong attempts. The next one is accepted after this time, in seconds.
    case tooManyAttempts(retryAfterSeconds: Int64)
    /// Many accounts were created from the network in a short time. The next one is accepted after this time, in seconds.
    case tooManySignUps(retryAfterSeconds: Int64)
    /// This cloud accepts no new accounts.
    case signUpClosed
    /// The e-mail address already has an account.
    case emailTaken
    /// The text is not an e-mail address.
    case badEmail
    /// The password is too short or too long.
    case weakPassword
    /// The password is in common use, or consists of the e-mail address or of the product's name.
    case commonPassword
}

extension CredentialRefusal: Refusal {
    var wire: WireRefusal {
        switch self {
        case .wrongCredentials: WireRefusal("wrong_credentials", 401, "wrong e-mail address or password")
        case .tooManyAttempts(let seconds):
            WireRefusal("too_many_attempts", 429, "too many wrong attempts: wait \(seconds) seconds")
        case .tooManySignUps(let seconds):
            WireRefusal("too_many_sign_ups", 429, "too many new accounts: wait \(seconds) seconds")
        case .signUpClosed: WireRefusal("sign_up_closed", 403, "this cloud takes no new accounts")
        case .emailTaken: WireRefusal("email_taken", 409, "the e-mail address has an account already")
        case .badEmail: WireRefusal("bad_email", 422, "this is no e-mail address")
        case .weakPassword: WireRefusal("weak_password", 422, "the password is too short or too long")
        case .commonPassword: WireRefusal("common_password", 422, "the password is too easy to guess")
        }
    }

    /// The time until the next attempt, in seconds; nil if the refusal does not state one.
    var retryAfterSeconds: Int64? {
        switch self {
        case .tooManyAttempts(let seconds), .tooManySignUps(let seconds): seconds
        default: nil
        }
    }

    func fill(_ message: inout FailureMessage) { message.retryAfterSeconds = retryAfterSeconds }

    init?(_ message: FailureMessage) {
        let seconds = (message.retryAfterSeconds ?? 1).withinADay
        switch message.code {
        case "wrong_credentials": self = .wrongCredentials
        case "too_many_attempts": self = .tooManyAttempts(retryAfterSeconds: seconds)
        case "too_many_sign_ups": self = .tooManySignUps(retryAfterSeconds: seconds)
        case "sign_up_closed": self = .signUpClosed
        case "email_taken": self = .emailTaken
        case "bad_email": self = .badEmail
        case "weak_password": self = .weakPassword
        case "common_password": self = .commonPassword
        default: return nil
        }
    }
}
