// The lifecycle's effects on the device's book and in the device store, which need no answer of the cloud.

import Book
import CloudProtocol
import DeviceStore
import Entitlements
import Ledger
import Lifecycle
import SyncEngine
import Texts

extension Device {
    func run(_ effect: Effect) async throws(DevicesError) -> StepOutcome {
        switch effect {
        case .gatherContext: return .ran(try await gatherContext(), .none)
        case .seedDefaults: return .ran(try await seedDefaults(), .none)
        case .clearBook: try await clearBook()
        case .moveToAccount: return .ran(try await moveToAccount(), .none)
        case .signOut(_, let reason):
            let how = StartOver(reason: reason, isSessionEnded: reason != .chosen)
            return .startedOver(guest: try await startOver(how), .signOutComplete)
        case .announce(let announcement): await announce(announcement)
        // The session ended together with the state; the cloud does not know it yet.
        case .endSession: services.revoker.wake()
        // Stored together with the state.
        case .skipOnboarding: break
        case .attachSync(_, let mode): return try await attachSync(mode)
        case .detachSync:
            let outcome = try await detachSync()
            await announceFiles()
            return outcome
        case .runSync: run(SyncRunner(self, mode: .run, run: machine { $0.syncRun }))
        case .drainQueue: run(SyncRunner(self, mode: .drain, run: machine { $0.syncRun }))
        // Cloud tasks.
        case .verifyAccount, .deleteServerData, .deleteAccount: break
        }
        return .done
    }

    private func gatherContext() async throws(DevicesError) -> Event {
        let counts = try await withBook { book throws(BookError) in try book.counts() }
        let session = session
        var findings = Findings()
        findings.needsOnboarding = onboarding < .done
        // Rows of the cloud must not be mixed with defaults.
        findings.needsSeed =
            counts.accounts == 0 && counts.categories == 0 && counts.transactions == 0
            && session?.isAttached != true
        if let session {
            let now = services.dependencies.now
            findings.user = session.userID
            findings.syncs = session.wantsSync && session.isPremium(at: now)
            findings.isAttached = session.isAttached
            if session.entitlement?.trust(at: now) == .stale {
                services.dependencies.log.warning(
                    "the entitlement was not verified for over 7 days (device \(id))"
                )
            }
        }
        return .initComplete(findings)
    }

    private func seedDefaults() async throws(DevicesError) -> Event {
        let (guest, user) = (guest, session?.user.id)
        // The ids of a user's defaults are the same on all their devices; the ids of a guest's defaults are unique.
        let owner = state.user == nil ? guest : user ?? guest
        try await withBook { book throws(BookError) in
            let base = try book.preferences().resolved(browser: services.locale(locale), timeZone: "")
                .baseCurrency
            try book.seed(
                categories: Seed.categories(of: owner),
                accounts: Seed.accounts(of: owner, currency: base),
                for: owner
            )
        }
        return .seedingComplete(isPremium: wantsPremiumSync)
    }

    private func moveToAccount() async throws(DevicesError) -> Event {
        if let user = session?.user.id {
            try await withBookAlone { book throws(BookError) in try book.move(to: user) }
        }
        return .migrationComplete(isPremium: wantsPremiumSync)
    }

    private var wantsPremiumSync: Bool {
        session.map { $0.wantsSync && $0.isPremium(at: services.dependencies.now) } ?? false
    }

    /// Replaces the book by an empty one, once it is unused.
    func clearBook() async throws(DevicesError) {
        let (folder, store, id, now) = (services.folder, services.store, id, services.dependencies.now)
        try await services.books.closing(id) { () throws(DevicesError) in
            // This comes first: if the process dies in between, the book is opened as it is, and cleared
            // again.
            try wrapping { () throws(DeviceStoreError) in try store.note(hasBook: false, id, now: now) }
            do throws(DataFolderError) { try folder.removeBook(of: id) } catch { throw .folder(error) }
            machine { $0.rates.forgetStored() }
        }
        machine { $0.filesElsewhere.forget() }
        withdraw(.damagedFiles)
        banksWereRemoved()
    }

    /// Removes all data of the user: an empty book, a new guest, the first page of the onboarding.
    func startOver(_ how: StartOver) async throws(DevicesError) -> EntityID {
        try await clearBook()
        let (guest, now) = (services.dependencies.newID(), services.dependencies.now)
        let notice = how.reason.text.map {
            Notice(key: Announcement.accountGone.rawValue, at: now, text: $0)
        }
        try keeping { store throws(DeviceStoreError) in
            try store.welcome(
                guest: guest,
                to: id,
                onboarding: OnboardingStep.welcome.rawValue,
                telling: notice,
                isEnded: how.isSessionEnded,
                now: now
            )
        }
        machine { $0.notices = notice.map { [$0] } ?? [] }
        services.revoker.wake()
        return guest
    }

    /// Shows a message: as a toast, or as a notice that stays until it is dismissed if the user must not miss
    /// it. That of a transition is stored with its state already, and without the messages that it replaces.
    private func announce(_ announcement: Announcement) async {
        let notice = await notice(of: announcement, at: services.dependencies.now)
        for former in announcement.withdrawn {
            if former.stays {
                withdraw(former)
            } else {
                _ = consumeToast(former.rawValue)
            }
        }
        if announcement.stays {
            machine { $0.show(notice) }
        } else {
            show(Toast(key: notice.key, text: notice.text))
        }
        store(notice)
    }

    private func attachSync(_ mode: AttachMode) async throws(DevicesError) -> StepOutcome {
        let replica = services.dependencies.newID()
        guard let user = session?.user.id else { return .ran(.schemaSwitchComplete, try keepAttached(false)) }
        // They are sent now, and the book with them.
        withdraw(.filesNotUploaded)
        withdraw(.noCloudBackup)
        withdraw(.ownDataDeleted)
        if mode == .download { try await replaceBook(for: user) }
        try await withBookAlone { book throws(BookError) in
            if mode == .download { try book.move(to: user) }
            try book.attach(as: replica, mode == .download ? .download : .upload)
        }
        return .ran(.schemaSwitchComplete, try keepAttached(true, beginsDownload: mode == .download))
    }

    private func detachSync() async throws(DevicesError) -> StepOutcome {
        let held = try await withBookAlone { book throws(BookError) in
            let (counts, replica) = (try book.counts(), try book.replicaState())
            try book.detach()
            return Holdings(
                accounts: counts.accounts,
                transactions: counts.transactions,
                categories: counts.categories,
                // The cloud has nothing of a book whose data was deleted there.
                changedAt: replica.isStopped ? nil : replica.syncedAt
            )
        }
        return .ran(.schemaSwitchComplete, try keepAttached(false, leaving: held))
    }

    /// Says that files are only on this device after sync has ended, unless a notice counts them with the changes already.
    private func announceFiles() async {
        let isTold = notices.contains { $0.key == Announcement.changesNotUploaded.rawValue }
        guard !isTold, await facts(for: .filesNotUploaded).files > 0 else { return }
        await announce(.filesNotUploaded)
    }

    /// - Parameters:
    ///   - held: the rows that the cloud holds for a detached book, until it is asked.
    ///   - beginsDownload: as `Session.noteAttached`.
    private func keepAttached(
        _ isAttached: Bool,
        leaving held: Holdings? = nil,
        beginsDownload: Bool = false
    ) throws(DevicesError) -> StepOutcome.SessionUpdate {
        guard var session else { return .attached(isAttached) }
        session.noteAttached(isAttached, leaving: held, beginsDownload: beginsDownload)
        try store(session, at: services.dependencies.now)
        return .attached(isAttached, leaving: held, beginsDownload: beginsDownload)
    }
}

extension SignOutReason {
    /// The notice for the fresh guest; nil if the user chose to sign out.
    fileprivate var text: Text? {
        switch self {
        case .chosen: nil
        case .accountGone: Text("notices.your-account-gone")
        case .erased: Text("notices.book-erased")
        }
    }
}
