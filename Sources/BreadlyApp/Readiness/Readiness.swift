// Readiness of a server, for `/readyz`, `breadly_ready` and the log.
//
//   check       performed                                                      detected after
//   devices     at each query                                                   at once
//   accounts    at each query, if the cloud is in this process                  at once
//   disk        at a query, if the last check is 5 seconds old: a byte          5 seconds; without queries
//               is written; and every 10 seconds: the free space,               10 seconds, by the space only
//               and the byte again while it could not be written
//   cloud       every 10 seconds, if the cloud is elsewhere                     10 seconds, and the 4 to 16 that a
//                                                                               request without an answer takes
//
// A query is a request for `/readyz` or `/metrics`. Queries send no request to other servers, and write to
// the disk at most once in 5 seconds. Without queries the disk is not written to, so that an idle disk can
// sleep.

import CloudClient
import CloudProtocol
import DeviceStore
import Devices
import HTTPServer
import SyncCore

/// Checks whether a server can do its work, and logs each change.
actor Readiness {
    /// The parts that a server needs.
    enum Check: String, CaseIterable, Sendable { case devices, accounts, disk, cloud }

    /// Performs a check: returns the problem in a sentence, or nil.
    typealias Look = @Sendable () -> String?

    private let folder: DataFolder
    private let looks: [(check: Check, look: Look)]
    private let cloud: (@Sendable () async -> String?)?
    private let log: Log
    private let seconds: @Sendable () -> Int64
    /// The failed checks, each with a sentence, as of the last run.
    private var problems: [Check: String] = [:]
    private var diskSeenAt: Int64?

    private static let diskSeconds: Int64 = 5
    private static let watchMilliseconds: Int64 = 10_000

    /// - Parameters:
    ///   - looks: checks that are cheap enough for each query.
    ///   - cloud: checks a cloud elsewhere.
    ///   - seconds: a monotonic clock.
    init(
        _ folder: DataFolder,
        looks: [(check: Check, look: Look)],
        cloud: (@Sendable () async -> String?)? = nil,
        log: Log,
        seconds: @escaping @Sendable () -> Int64 = monotonicSeconds
    ) {
        self.folder = folder
        self.looks = looks
        self.cloud = cloud
        self.log = log
        self.seconds = seconds
    }

    /// The checks of this server.
    nonisolated var checks: [Check] { looks.map(\.check) + [.disk] + (cloud == nil ? [] : [.cloud]) }

    /// The failed checks, each with a sentence.
    func ask() -> [Check: String] {
        for (check, look) in looks { note(check, look()) }
        if diskSeenAt.map({ seconds() - $0 >= Self.diskSeconds }) ?? true { lookAtDisk(writes: true) }
        return problems
    }

    /// The sentences only, in the order of the checks.
    func sentences() -> [String] {
        let problems = ask()
        return Check.allCases.compactMap { problems[$0] }
    }

    /// Checks the disk and the cloud periodically until the task is cancelled.
    func watch(pause: @Sendable (_ milliseconds: Int64) async -> Void) async {
        while !Task.isCancelled {
            lookAtDisk(writes: problems[.disk] != nil)
            if let cloud {
                let problem = await cloud()
                guard !Task.isCancelled else { return }
                note(.cloud, problem)
            }
            await pause(Self.watchMilliseconds)
        }
    }

    private func lookAtDisk(writes: Bool) {
        do {
            let space = try folder.space()
            if space.bytes < space.alarm {
                note(.disk, "the disk of \(folder.path) has only \(space.bytes >> 20) MB left")
            } else if writes {
                try folder.tryWriting()
                note(.disk, nil)
            }
        } catch { note(.disk, "\(error)") }
        if writes { diskSeenAt = seconds() }
    }

    /// Records the result of a check, and logs a change.
    private func note(_ check: Check, _ problem: String?) {
        let before = problems[check]
        problems[check] = problem
        switch (before, problem) {
        // Another operator repairs a cloud elsewhere, and pages work without it.
        case (nil, let problem?) where check == .cloud: log.warning("not ready: \(problem)")
        case (nil, let problem?): log.error("not ready: \(problem)")
        case (_?, nil) where problems.isEmpty: log("ready again")
        case (let before?, nil): log("over, and still not ready: \(before)")
        default: break
        }
    }
}

extension Readiness {
    /// The checks of a server of books.
    init(
        _ folder: DataFolder,
        _ devices: DeviceManager,
        _ accounts: EmbeddedService?,
        _ remote: RemoteCloud?,
        log: Log
    ) {
        var looks: [(check: Check, look: Look)] = [
            (
                .devices,
                {
                    do throws(DevicesError) {
                        try devices.check()
                        return nil
                    } catch { return "the device store is not readable: \(error)" }
                }
            )
        ]
        if let accounts { looks.append((.accounts, { accounts.problem() })) }
        var cloud: (@Sendable () async -> String?)?
        if let remote {
            cloud = {
                do throws(CloudError) {
                    try await remote.check()
                    return nil
                } catch { return "\(error)" }
            }
        }
        self.init(folder, looks: looks, cloud: cloud, log: log)
    }
}
