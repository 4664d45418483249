// The answers to forms that give their browser a cookie, for repeated forms.

import CloudProtocol

/// The cookies of the last minutes, by the form for which they were created. They are lost when the process
/// ends.
struct SubmissionAnswers {
    private var answers: [DeviceManager.FormSubmission: (cookie: DeviceToken, at: Int64)] = [:]
    /// The time within which a repeated form gets the same answer, in seconds: as long as a user may wait for
    /// a dead connection before repeating the form.
    static let seconds: Int64 = 600
    private static let most = 10_000

    /// The cookie of a form's answer; nil if the form has no id, or was not sent recently.
    func cookie(of submission: DeviceManager.FormSubmission, at now: Int64) -> DeviceToken? {
        guard let answer = answers[submission], (0...Self.seconds).contains(now - answer.at) else {
            return nil
        }
        return answer.cookie
    }

    /// Stores the cookie of a form, unless a concurrent request has answered it.
    /// - Returns: the form's cookie.
    mutating func note(_ cookie: DeviceToken, for submission: DeviceManager.FormSubmission, at now: Int64)
        -> DeviceToken
    {
        guard submission.form != nil else { return cookie }
        if let known = self.cookie(of: submission, at: now) { return known }
        if answers.count >= Self.most {
            answers = answers.filter { (0...Self.seconds).contains(now - $0.value.at) }
            // Very many anonymous forms within minutes: beyond the limit, repeated forms create two devices.
            if answers.count >= Self.most { answers = [:] }
        }
        answers[submission] = (cookie, now)
        return cookie
    }
}

extension DeviceManager.FormSubmission {
    /// The form with the user who has just signed in; nil for a guest.
    func by(_ user: UserAccount?) -> DeviceManager.FormSubmission {
        var submission = self
        submission.user = user?.id
        return submission
    }
}

extension DeviceManager.Found {
    /// The device with an answer that sets this cookie.
    func giving(_ cookie: DeviceToken) -> DeviceManager.Found {
        DeviceManager.Found(device: device, cookie: cookie.hash, newCookie: cookie)
    }
}
