// Sign-ins that were refused, by why.

import SyncCore

/// Why a sign-in, or a password that is asked for once more, was refused.
enum FailedSignIn: String, CaseIterable {
    case wrongCredentials = "wrong_credentials"
    case tooManyAttempts = "too_many_attempts"
    case signUpClosed = "sign_up_closed"
    /// The answer of an OpenID Connect provider was not acceptable.
    case provider

    /// Nil for errors that refuse nobody.
    init?(_ error: CloudError) {
        switch error {
        case .wrongCredentials: self = .wrongCredentials
        case .tooManyAttempts: self = .tooManyAttempts
        case .signUpClosed: self = .signUpClosed
        default: return nil
        }
    }
}

extension Metrics {
    func note(_ failure: FailedSignIn) {
        add(to: "breadly_sign_ins_failed_total", ["reason": failure.rawValue])
    }

    /// Begins every series whose labels are known with zero: one that begins with its first value is not noticed by `rate`.
    func beginSignIns() {
        for failure in FailedSignIn.allCases {
            add(0, to: "breadly_sign_ins_failed_total", ["reason": failure.rawValue])
        }
    }
}
