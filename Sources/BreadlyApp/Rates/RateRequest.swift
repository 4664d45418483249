// One request for new exchange rates, of a server or of a command: at most one an hour for a data folder.

import Cloud
import CloudProtocol
import Devices
import Ledger
import RateFeeds

/// The result of a request that was sent.
enum RateOutcome: Sendable {
    /// The file has not changed since the last request.
    case unchanged
    /// The file was read and stored, with this result.
    case stored(RateAdditions, newest: CivilDate?)
    case failed(RateFeedError)

    /// The value of the label `outcome` in the metrics.
    var name: String {
        switch self {
        case .unchanged: "unchanged"
        case .stored: "stored"
        case .failed(.unreachable): "unreachable"
        case .failed(.refused): "refused"
        case .failed(.badFile): "bad_file"
        }
    }

    /// All values of the label.
    static let names = ["stored", "unchanged", "unreachable", "refused", "bad_file"]
}

/// A request of a feed for a directory.
struct RateRequest: Sendable {
    let directory: Directory
    let feed: any RateFeed
    let dependencies: Devices.Dependencies

    /// Sends the request, whose time must have been recorded by `Directory.beginRateRequest`, and stores the
    /// rates and the outcome. Rates that cannot be stored are left as they are.
    /// - Returns: nil if the task was cancelled.
    /// - Throws: the errors of the directory.
    func send() async throws(CloudError) -> RateOutcome? {
        let last = try directory.rateFeed()
        var validators: RateFileValidators?
        if let last, last.address == feed.address, last.entityTag != nil || last.lastModified != nil {
            validators = RateFileValidators(entityTag: last.entityTag, lastModified: last.lastModified)
        }
        let answer: RateFeedAnswer
        do throws(RateFeedError) {
            let today = dependencies.today(in: "UTC")
            answer = try await feed.newRates(since: validators, today: today)
        } catch {
            guard !Task.isCancelled else { return nil }
            var notBefore: Int64?
            if case .refused(_, let seconds?) = error {
                notBefore = dependencies.now.addingClamped(
                    min(max(0, seconds), RateSchedule.mostPostponedSeconds)
                )
            }
            try directory.noteRateFailure(notBefore: notBefore)
            return .failed(error)
        }
        switch answer {
        case .unchanged:
            try directory.noteRateSuccess(
                feed.address,
                entityTag: validators?.entityTag,
                lastModified: validators?.lastModified
            )
            return .unchanged
        case .file(let file, let fresh):
            let additions = try directory.store(file.days, from: .feed)
            try directory.noteRateSuccess(
                feed.address,
                entityTag: fresh.entityTag,
                lastModified: fresh.lastModified
            )
            return .stored(additions, newest: file.days.first?.day)
        }
    }
}
