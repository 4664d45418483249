// The operator's commands for exchange rates, also while a server works on the folder: it notices changes
// within seconds.

import Cloud
import CloudProtocol
public import Devices
import Foundation
import Ledger
import Outbound
import RateFeeds

/// The exchange rates of a data folder, for the operator's commands.
public final class RateAdministration: Sendable {
    private let directory: Directory
    private let dependencies: Devices.Dependencies
    private let folder: String
    /// The size of the largest file that can be imported, in bytes.
    public static let mostFileBytes = RateFileReader.Limits().bytes

    /// Opens the cloud's file.
    /// - Throws: `AppError.folder` if the folder does not exist; `AppError.cloud`.
    public init(_ folder: String, dependencies: Devices.Dependencies) throws(AppError) {
        self.folder = folder
        self.dependencies = dependencies
        directory = try Directory.openBesideServer(folder, dependencies)
    }

    /// Closes the file.
    public func close() { directory.close() }

    /// Lines about the newest rates, the stored days, the last request, and implausible rates.
    public func summary() throws(AppError) -> [String] {
        try wrapping { () throws(CloudError) in
            guard let newest = try directory.newestRates() else { return ["There are no rates."] }
            let rates = newest.rates
            let age = Int(dependencies.today(in: "UTC").dayNumber) - Int(rates.day.dayNumber)
            let old = age == 1 ? "1 day old" : "\(max(0, age)) days old"
            var lines = [
                "\(rates.day)  \(old)  \(Self.count(rates.rates.count, "currency", "currencies"))  "
                    + "\(rates.source.name)  \(newest.origin.words)"
            ]
            if let days = try directory.rateDays() {
                lines.append("\(Self.count(days.count, "day is", "days are")) stored, from \(days.first) on")
            }
            if let last = try directory.rateFeed() {
                let outcome =
                    last.failures == 0
                    ? "successful" : "failed \(Self.count(last.failures, "time", "times")) in a row"
                lines.append("Last request: \(time(last.attemptedAt)), \(outcome)")
            } else {
                lines.append("No rates were requested yet")
            }
            lines += try directory.implausibleRates().map { "Not used: \($0.words)" }
            return lines
        }
    }

    /// Requests new rates.
    /// - Returns: the result, in lines.
    /// - Throws: `AppError.refused` if the last request was less than an hour ago, or if it fails.
    public func refresh(from address: RateAddress, resources: Resources) async throws(AppError) -> [String] {
        let feed = EuropeanCentralBankFeed(
            address.text,
            http: EuropeanCentralBankFeed.client(),
            currencies: try resources.currencies()
        )
        let wait = try wrapping { () throws(CloudError) in
            try directory.beginRateRequest(every: RateSchedule.leastSeconds, unlessFirst: true)
        }
        if let wait {
            throw .refused(
                "rates were requested within the last hour, and one request an hour is the limit: try again in "
                    + "\(Self.count(Int((wait + 59) / 60), "minute", "minutes"))."
            )
        }
        let outcome: RateOutcome?
        do {
            let request = RateRequest(directory: directory, feed: feed, dependencies: dependencies)
            outcome = try await request.send()
        } catch { throw .cloud(error, path: folder) }
        switch outcome {
        case .unchanged?: return ["Nothing new: the file is that of the last request"]
        case .stored(let additions, let newest)?:
            let day = newest.map { " The newest ones are of \($0)" } ?? ""
            return ["\(additions.words).\(day)"] + additions.details
        case .failed(let error)?: throw .refused("\(address.text): \(error).")
        case nil: throw .refused("the request was cancelled.")
        }
    }

    /// Stores all days of a file, or none of them.
    /// - Parameter name: the name of the file, for errors.
    /// - Returns: the result, in lines.
    /// - Throws: `AppError.refused` if the file is no file of rates.
    public func importFile(_ bytes: [UInt8], named name: String, resources: Resources)
        throws(AppError) -> [String]
    {
        let reader = RateFileReader(
            currencies: try resources.currencies(),
            today: dependencies.today(in: "UTC")
        )
        let file: RateFile
        do { file = try reader.read(bytes) } catch { throw .refused("\(name): \(error).") }
        let additions = try wrapping { () throws(CloudError) in try directory.store(file.days, from: .file) }
        var lines = [additions.words] + additions.details
        if !file.withdrawn.isEmpty {
            let codes = file.withdrawn.keys.sorted().map(\.rawValue).joined(separator: ", ")
            let count = file.withdrawn.values.reduce(0, +)
            lines.append("\(Self.count(count, "rate", "rates")) of withdrawn currencies left out: \(codes)")
        }
        return lines
    }

    private static func count(_ count: Int, _ one: String, _ several: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(several)"
    }

    /// A time in UTC, to the minute.
    private func time(_ seconds: Int64) -> String {
        let minute = dependencies.minuteOfDay(seconds, in: "UTC")
        let digits = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(dependencies.day(of: seconds, in: "UTC")) \(digits[0]):\(digits[1]) UTC"
    }

    private func wrapping<Value>(_ body: () throws(CloudError) -> Value) throws(AppError) -> Value {
        do { return try body() } catch { throw .cloud(error, path: folder) }
    }
}

extension RateOrigin {
    /// Words for the operator.
    fileprivate var words: String {
        switch self {
        case .bundled: "as they came with Breadly"
        case .feed: "as requested"
        case .file: "imported"
        }
    }
}

extension RateAdditions {
    /// The counts for the operator.
    fileprivate var words: String {
        let days = added == 1 ? "1 day was added" : "\(added) days were added"
        return days + (corrected == 0 ? "" : ", \(corrected) corrected") + ", \(unchanged) already there"
    }

    /// Lines about rates that were left out or are gone.
    fileprivate var details: [String] {
        implausible.map(\.words)
            + (missing.isEmpty
                ? [] : ["There are no rates of \(missing.map(\.rawValue).joined(separator: ", ")) any more"])
    }
}
