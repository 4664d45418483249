// The description of a `CloudError` in the log.

extension CloudError: CustomStringConvertible {
    /// A few words for the log, without personal data.
    public var description: String {
        switch self {
        case .sessionRevoked: "the session has ended"
        case .sessionLocked: "the session was ended from another device"
        case .sessionErased: "the session was ended from another device, and the book is to be erased"
        case .accountGone: "the account was deleted"
        case .signUpClosed: "this cloud takes no new accounts"
        case .unreachable(let reason): "the cloud does not answer: \(reason)"
        case .timedOut(let reason), .cutOff(let reason): "the connection to the cloud stopped: \(reason)"
        case .failed(let reason): "a fault of the cloud: \(reason)"
        case .wrongCredentials: "wrong e-mail address or password"
        case .tooManySignUps(let seconds): "too many new accounts: wait \(seconds) seconds"
        case .tooManyAttempts(let seconds): "too many wrong attempts: wait \(seconds) seconds"
        case .emailTaken: "the e-mail address has an account already"
        case .badEmail: "this is no e-mail address"
        case .weakPassword: "the password is too short or too long"
        case .commonPassword: "the password is too easy to guess"
        case .malformed: "the request is malformed"
        case .subscriptionRequired: "sync needs a subscription"
        case .epochChanged(let epoch): "the data of the account was deleted (epoch \(epoch) now)"
        case .opGap(let expected): "operation \(expected) is missing"
        case .opReused: "another operation was sent under this number"
        case .cursorExpired: "the device was away for too long: it needs all rows anew"
        case .cursorAhead: "the cloud was put back to an earlier backup"
        case .tooLarge(.max): "more bytes at once than a proxy in front of the cloud accepts"
        case .tooLarge(let most): "more than \(most) operations at once"
        case .tooManyReplicas(let most): "more than \(most) devices sync with the account"
        case .upgradeRequired(let oldest, let newest):
            "the cloud accepts schemas \(oldest) to \(newest): the older side has to be upgraded"
        case .noSuchFile: "the cloud does not have the file"
        case .fileGap(let bytes): "the cloud has only the first \(bytes) bytes of the file"
        case .wrongContent: "the content of the file has another hash than its name"
        case .fileTooLarge(let most): "the file is larger than \(most) bytes"
        case .quotaExceeded(let used, let quota):
            "the files of the account have \(used) of \(quota) bytes, and there is no room for another one"
        case .notSupported: "the cloud does not support the request"
        case .busy(let seconds): "the cloud has too much to do: wait \(seconds) seconds"
        }
    }
}
