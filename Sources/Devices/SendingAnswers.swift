// What forms were answered with that give their browser a cookie, for those that are sent again.

import SyncCore

/// The cookies of the last minutes, by the form that they were given for. A process that starts anew knows none.
struct SendingAnswers {
    private var answers: [DeviceManager.Sending: (cookie: DeviceToken, at: Int64)] = [:]
    /// How long a form that is sent again gets the same answer, in seconds: as long as somebody may wait for a line that has
    /// died before they send it again.
    static let seconds: Int64 = 600
    private static let most = 10_000

    /// The cookie that a form was answered with; nil where it has no id of its own, or was not sent of late.
    func cookie(of sending: DeviceManager.Sending, at now: Int64) -> DeviceToken? {
        guard let answer = answers[sending], (0...Self.seconds).contains(now - answer.at) else { return nil }
        return answer.cookie
    }

    /// Notes the cookie of a form, unless it was answered meanwhile.
    /// - Returns: the form's cookie.
    mutating func note(_ cookie: DeviceToken, for sending: DeviceManager.Sending, at now: Int64)
        -> DeviceToken
    {
        guard sending.form != nil else { return cookie }
        if let known = self.cookie(of: sending, at: now) { return known }
        if answers.count >= Self.most {
            answers = answers.filter { (0...Self.seconds).contains(now - $0.value.at) }
            // A crowd of strangers within minutes: forms that are sent twice make two devices then.
            if answers.count >= Self.most { answers = [:] }
        }
        answers[sending] = (cookie, now)
        return cookie
    }
}

extension DeviceManager.Sending {
    /// The same, of somebody who has just signed in; nil for a guest.
    func by(_ user: User?) -> DeviceManager.Sending {
        var sending = self
        sending.user = user?.id
        return sending
    }
}

extension DeviceManager.Found {
    /// The same, with an answer that sets this cookie.
    func giving(_ cookie: DeviceToken) -> DeviceManager.Found {
        DeviceManager.Found(device: device, cookie: cookie.hash, newCookie: cookie)
    }
}
