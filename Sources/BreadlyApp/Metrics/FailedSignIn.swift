// Counts of refused sign-ins, by reason.

import CloudProtocol

/// The reason why a sign-in, or a confirmation of the password, was refused.
enum FailedSignIn: String, CaseIterable {
    case wrongCredentials = "wrong_credentials"
    case tooManyAttempts = "too_many_attempts"
    case signUpClosed = "sign_up_closed"
    /// The answer of an OpenID Connect provider was not acceptable.
    case provider

    /// Nil for errors that are not refusals.
    init?(_ error: CloudError) {
        switch error {
        case .signIn(.wrongCredentials): self = .wrongCredentials
        case .signIn(.tooManyAttempts): self = .tooManyAttempts
        case .signIn(.signUpClosed): self = .signUpClosed
        default: return nil
        }
    }
}

extension Metrics {
    func note(_ failure: FailedSignIn) {
        add(to: "breadly_sign_ins_failed_total", ["reason": failure.rawValue])
    }

    /// Starts every series of known labels with zero: `rate` does not notice a series that begins with its
    /// first value.
    func beginSignIns() {
        for failure in FailedSignIn.allCases {
            add(0, to: "breadly_sign_ins_failed_total", ["reason": failure.rawValue])
        }
    }
}
