// Payments that are due in great number, recorded piece by piece: no request and no other change of the book waits for all.

public import Book
public import Ledger
public import Lifecycle

extension State {
    /// Whether payments that are due are recorded. A device that is signing out, or is barred from its book, records nothing.
    public var recordsSchedules: Bool {
        switch self {
        case .localOnly, .switchingToSync, .synced, .draining, .switchingToLocal: true
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .verifyingAccount, .migratingGuest,
            .blocked, .deletingServerData, .deletingAccount, .signingOut, .error:
            false
        }
    }
}

extension Device {
    /// Whether the disk has room for what this device enters.
    public var hasRoom: Bool { !isGuest || services.room.accepts(id) }

    /// The occurrences that are recorded at once: a tenth of a second on a slow disk.
    public static let occurrencesAtOnce = 200

    /// Records all that is due. Each piece is a change of its own; a kill in between loses nothing, and the next page
    /// continues from there. A guest for whom the disk has no room is left with what is still due.
    /// - Parameter isConfirmed: as of `Book.recordDue`.
    public func recordDue(on today: CivilDate, isConfirmed: Bool) async throws(DevicesError)
        -> ScheduledTransactions
    {
        var all = ScheduledTransactions()
        var pieces = 0
        // The user may have signed out, or was locked out, since the last piece.
        while !Task.isCancelled, state.recordsSchedules, session?.isLocked != true {
            let piece = try await withBook { book throws(BookError) in
                try book.recordDue(on: today, isConfirmed: isConfirmed, most: Self.occurrencesAtOnce) {
                    hasRoom
                }
            }
            noteForm()
            pieces += piece.count + piece.matched > 0 ? 1 : 0
            all.count += piece.count
            all.matched += piece.matched
            all.match = piece.match ?? all.match
            // A schedule that is refused is refused in each piece.
            all.refused = piece.refused
            all.change = pieces == 1 ? all.change ?? piece.change : nil
            guard piece.hasMore else { break }
        }
        return all
    }

    /// Records the rest of what is due and needs no confirmation beside the requests, unless that is under way. If the
    /// process ends meanwhile, the next page begins again.
    public func recordRest(on today: CivilDate) {
        guard services.dueRecordings.begin(id) else { return }
        services.tasks.run { [self] in
            defer { services.dueRecordings.end(id) }
            do throws(DevicesError) { _ = try await recordDue(on: today, isConfirmed: false) } catch {
                services.dependencies.log.warning("what is due was not recorded: \(error) (device \(id))")
            }
        }
    }
}
