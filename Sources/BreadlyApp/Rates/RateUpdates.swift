// Keeps the exchange rates of a cloud up to date, for as long as its server runs.

import Cloud
import CloudProtocol
import Devices
import Ledger
import Outbound
import RateFeeds
import Synchronization

/// Requests new rates on the days on which there are some.
///
/// The loop checks every minute whether a request is due (`RateSchedule`); the next minute makes up for a
/// missed one, and a restart begins with a check. The time of each request is in the cloud's file before it
/// is sent, so that a restart, or a command beside the server, sends none within the same hour.
final class RateUpdates: Sendable {
    private let directory: Directory
    private let feed: any RateFeed
    private let dependencies: Devices.Dependencies
    private let metrics: Metrics?
    private let delaySeconds: Int64
    /// Whether the failure to use the cloud's file is in the log.
    private let isFaultLogged = Mutex(false)
    private static let lookMilliseconds: Int64 = 60_000

    init(
        _ directory: Directory,
        _ feed: any RateFeed,
        _ dependencies: Devices.Dependencies,
        _ metrics: Metrics?
    ) {
        self.directory = directory
        self.feed = feed
        self.dependencies = dependencies
        self.metrics = metrics
        let chance = dependencies.random.bytes(2).reduce(0) { $0 << 8 | Int64($1) }
        delaySeconds = chance % (RateSchedule.mostDelaySeconds + 1)
    }

    /// Starts every series with zero: `rate` does not notice a series that begins with its first value.
    static func begin(_ metrics: Metrics) {
        for name in RateOutcome.names { metrics.add(0, to: requests, ["outcome": name]) }
        metrics.add(0, to: implausible)
    }

    private static let requests = "breadly_rates_requests_total"
    private static let implausible = "breadly_rates_implausible_total"

    /// Runs until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do throws(CloudError) {
                try await requestIfDue()
                isFaultLogged.withLock { $0 = false }
            } catch {
                let isKnown = isFaultLogged.withLock { isLogged in
                    defer { isLogged = true }
                    return isLogged
                }
                if !isKnown { dependencies.log.error("rates: they cannot be stored: \(error)") }
            }
            await dependencies.pause(Self.lookMilliseconds)
        }
    }

    private func requestIfDue() async throws(CloudError) {
        var last = try directory.rateFeed()
        if let attemptedAt = last?.attemptedAt, attemptedAt > dependencies.now {
            try directory.correctRateRequest()
            last = try directory.rateFeed()
        }
        let version = try directory.ratesVersion()
        let schedule = RateSchedule(
            attemptedAt: last?.attemptedAt,
            failures: last?.failures ?? 0,
            notBefore: last?.notBefore,
            newestDay: version?.day,
            delaySeconds: delaySeconds
        )
        let now = dependencies.now
        guard schedule.nextRequest(at: now) <= now,
            // A command may have sent one in this minute.
            try directory.beginRateRequest(every: RateSchedule.leastSeconds) == nil
        else { return }
        let request = RateRequest(directory: directory, feed: feed, dependencies: dependencies)
        guard let outcome = try await request.send() else { return }
        metrics?.add(to: Self.requests, ["outcome": outcome.name])
        report(outcome, failuresBefore: last?.failures ?? 0)
    }

    /// Logs an outcome: each new day, but only the first of several failures.
    private func report(_ outcome: RateOutcome, failuresBefore: Int) {
        let log = dependencies.log
        switch outcome {
        case .failed(let error):
            let line = "rates: \(feed.address): \(error)"
            if failuresBefore == 0 {
                log.warning("\(line); the stored ones stay, and further requests follow")
            } else {
                log.debug(line)
            }
            return
        case .unchanged: break
        case .stored(let additions, let newest):
            if let newest, additions.added + additions.corrected > 0 {
                log("rates: those of \(newest) are stored")
            }
            for rate in additions.implausible { log.warning("rates: \(rate.words)") }
            if !additions.implausible.isEmpty {
                metrics?.add(additions.implausible.count, to: Self.implausible)
            }
            if !additions.missing.isEmpty {
                let codes = additions.missing.map(\.rawValue).joined(separator: ", ")
                log.warning("rates: there are none of \(codes) any more")
            }
        }
        if failuresBefore > 0 { log("rates: \(feed.address) answers again") }
    }
}

extension ImplausibleRate {
    /// A phrase for the operator.
    var words: String {
        "\(currency) of \(day) is left out, because it cannot be right: \(rate), after \(earlier) on the day before"
    }
}
