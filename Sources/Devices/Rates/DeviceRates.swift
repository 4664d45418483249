// Brings the latest exchange rates from the cloud to the book of a premium user's device.

import Book
import CloudProtocol
import Ledger

extension Device {
    /// Requests the latest rates in the background, if the book lacks them.
    ///
    /// A device that was not used since the start of the process is left alone: its book would be opened only
    /// for that.
    func refreshRates() {
        let now = services.dependencies.now
        let begun = machine { machine -> (version: RatesVersion, token: SessionToken)? in
            guard machine.state.hasUsersBook, !machine.state.isPassedThrough, machine.plan.isUsed,
                let session = machine.session, let token = session.token, !session.isRevoked,
                session.isPremium(at: now), let version = machine.rates.begin(at: now)
            else { return nil }
            return (version, token)
        }
        guard let begun else { return }
        let task = services.tasks.run { [self] in
            var isFailed = true
            do {
                try await bringRates(begun.version, begun.token)
                isFailed = false
            } catch {
                services.dependencies.log.debug("the rates are not in the book: \(error) (device \(id))")
            }
            let now = services.dependencies.now
            machine { $0.rates.end(failed: isFailed, at: now) }
            notify(.idle)
        }
        if task == nil { machine { $0.rates.end(failed: true, at: now) } }
    }

    /// Waits until no request for rates is under way, up to a limit.
    func waitForRates(withinMilliseconds limit: Int64) async {
        await wait(withinMilliseconds: limit) { !$0.machine { $0.rates.isAsking } }
    }

    /// Stores the cloud's latest rates in the book, unless it has them already.
    private func bringRates(_ version: RatesVersion, _ token: SessionToken) async throws {
        let held = try await withBook { book throws(BookError) in
            let isThere = try book.rates().map { RatesVersion(of: $0) } == version
            if isThere { machine { $0.rates.noteStored(version) } }
            return isThere
        }
        guard !held else { return }
        let latest = try await services.cloud.rates(token)
        guard session?.token == token else { return }
        try await withBook { book throws(BookError) in
            if let rates = latest.rates { try book.store(rates) }
            // Still with the lease: a book that is cleared later forgets it.
            machine { $0.rates.noteStored(version) }
        }
        // Open pages show amounts that were converted with the earlier rates.
        if latest.rates != nil { notify(.rows) }
    }
}
