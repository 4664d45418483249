// The status of a device, in the words of pages and markers.

import Book
import Devices
import Entitlements
import Ledger
import Lifecycle
import SyncCore
import SyncEngine
import Texts

extension SyncStatus.Phase {
    /// For `data-sync`.
    fileprivate var word: String {
        switch self {
        case .connecting: "connecting"
        case .downloading: "downloading"
        case .uploading: "uploading"
        case .idle: "idle"
        case .offline: "offline"
        case .failed: "failed"
        }
    }
}

extension Text {
    /// A time in words: `just now`, `3 min ago`.
    static func ago(_ seconds: Int64) -> Text {
        switch seconds {
        case ..<60: Text("sync.just-now")
        case ..<3_600: Text("sync.minutes-ago", ["count": .count(Int(seconds / 60))])
        case ..<86_400: Text("sync.hours-ago", ["count": .count(Int(seconds / 3_600))])
        default: Text("sync.days-ago", ["count": .count(Int(seconds / 86_400))])
        }
    }
}

extension Device {
    /// For `data-sync`.
    func syncPhase(_ status: SyncStatus?) -> String {
        switch state {
        case .switchingToSync: "connecting"
        case .synced, .draining: status?.phase.word ?? "connecting"
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .verifyingAccount,
            .migratingGuest, .blocked, .deletingServerData, .switchingToLocal, .signingOut, .deletingAccount,
            .error:
            "off"
        }
    }

    /// - Parameter rows: the numbers of a download that is not complete.
    private func shown(_ status: SyncStatus, _ rows: ReceivedRows?, _ now: Int64) -> CloudStatus {
        let missing = status.incomplete == nil ? nil : rows
        switch status.phase {
        case .offline:
            if let missing { return .interrupted(missing, pending: status.pending) }
            return status.isCatchingUp
                ? .behind(pending: status.pending)
                : .offline(pending: status.pending, files: status.files)
        case .failed(.signInAgain): return signInAgain(status, rows)
        case .failed(.refusedChanges):
            let refused = CloudStatus.refused(status.failed, pending: status.pending)
            return missing.map(refused.missing) ?? (status.isCatchingUp ? refused.missingNewest : refused)
        case .failed(let trouble):
            // Changes beside deleted data wait for a decision of the user.
            let pending = trouble == .dataDeleted ? 0 : status.pending
            var failed = CloudStatus.failed(text(of: trouble, status), pending: pending)
            failed.isDeletedElsewhere = trouble == .dataDeleted
            if trouble == .dataDeleted {
                return missing != nil || status.isCatchingUp ? failed.countingWhatIsHere : failed
            }
            return missing.map(failed.missing) ?? (status.isCatchingUp ? failed.missingNewest : failed)
        case .connecting, .downloading, .uploading, .idle: break
        }
        if let missing {
            let downloading = CloudStatus.incomplete(missing, pending: status.pending)
            return status.isSilent ? downloading.awaitingAnswer : downloading
        }
        if status.isCatchingUp {
            let behind = CloudStatus.catchingUpAtFirst(pending: status.pending)
            return status.isSilent ? behind.awaitingAnswer : behind
        }
        switch status.phase {
        case .uploading:
            let sending = CloudStatus.uploading(pending: status.pending, files: status.files)
            return status.isSilent ? sending.awaitingAnswer : sending
        case .connecting, .downloading, .idle, .offline, .failed: break
        }
        return switch status.phase {
        case .idle where status.fileTrouble == .cloudOutdated:
            .backedUp(
                without: status.files.addingClamped(status.refusedFiles),
                absent: status.absentFiles
            )
        case .idle where status.files > 0:
            (status.fileTrouble == .cloudAway
                ? CloudStatus.waiting(files: status.files) : .uploading(files: status.files))
                .noting(refused: status.refusedFiles, status.absentFiles)
        case .idle where status.refusedFiles + status.absentFiles.overdue + status.absentFiles.lost > 0:
            .backedUp(without: status.refusedFiles, absent: status.absentFiles)
        case .idle where status.absentFiles.expected > 0: .expecting(files: status.absentFiles.expected)
        case .idle: .backedUp(lastSynced: status.syncedAt.map { .ago(now.subtractingClamped($0)) })
        case .downloading: rows.map { .downloading($0) } ?? .catchingUp
        case .connecting, .uploading, .offline, .failed: .connecting
        }
    }

    /// The text of a failure of sync on this device.
    func text(of trouble: SyncStatus.Trouble, _ status: SyncStatus) -> Text {
        isUploadedAnew(status)
            ? .sentences([trouble.text, Text("sync.uploaded-anew")]) : trouble.text
    }

    private func signInAgain(_ status: SyncStatus?, _ rows: ReceivedRows?) -> CloudStatus {
        let missing = status?.incomplete == nil ? nil : rows
        let isCatchingUp = status?.isCatchingUp == true
        let shown = CloudStatus.signInAgain(
            pending: status?.pending ?? 0,
            isComplete: missing == nil && !isCatchingUp
        )
        return missing.map(shown.missing) ?? (isCatchingUp ? shown.missingNewest : shown)
    }

    /// The status for an outbox that is uploaded although sync has ended.
    /// - Parameters:
    ///   - isStalled: whether the outbox has waited for long, at some time. A cloud that cannot be reached is said at once.
    ///   - isOver: whether the last day for uploads is over.
    static func draining(_ status: SyncStatus?, isStalled: Bool, isOver: Bool = false) -> CloudStatus {
        if isOver { return .notUploaded(pending: status?.pending ?? 0, files: status?.files ?? 0) }
        // `isStalled` stays true when the cloud can be reached again.
        let isAway = status?.phase == .offline || isStalled && status?.phase != .uploading
        let shown = CloudStatus.draining(
            pending: status?.pending ?? 0,
            files: status?.files ?? 0,
            isStalled: isAway
        )
        return !isAway && status?.isSilent == true ? shown.awaitingAnswer : shown
    }

    /// The icon in the header.
    /// - Parameters:
    ///   - status: the status of sync.
    ///   - rows: the numbers of a download that is not complete; nil without one.
    ///   - copy: the copy that the cloud keeps while sync does not follow the book; nil if there is none.
    ///   - now: UTC seconds.
    fileprivate func cloudStatus(
        _ status: SyncStatus?,
        _ rows: ReceivedRows?,
        _ copy: RetainedCopy?,
        now: Int64
    ) -> CloudStatus {
        guard let session else { return .guest }
        switch state {
        case .deletingServerData: return .deletingData
        case .deletingAccount: return .deletingAccount
        case _ where hasUnknownServerData && !session.isRevoked:
            // Nothing is asked before the user has chosen on the page of the error.
            if case .error = state { return .deletionUnanswered(hasBook: !isWithoutBook, asks: false) }
            return .deletionUnanswered(hasBook: !isWithoutBook)
        case _ where hasUnknownServerData && !isWithoutBook && !session.isLocked: return .unknownUntilSignIn
        case .blocked where awaitsFirstPage: return .awaited
        case .blocked where !session.isRevoked: return awaitsPurchase ? .boughtWhileBlocked : .blocked
        case .blocked: return .sessionEnded
        // A locked device says nothing about its user's data.
        case _ where session.isLocked: return .sessionEnded
        case .verifyingAccount where awaitsFirstPage:
            return .awaitingFirstPage(keepsBook: showsFormerBook, isStuck: firstPageTrouble != nil)
        case .verifyingAccount: return .checking
        default: break
        }
        // Waiting changes are uploaded after the end of the subscription as well, and their status comes
        // first.
        if case .draining(_, let isStalled, mustSignIn: false) = state, !session.isRevoked {
            let isOver = status.map(isUploadOver) ?? false
            let shown = Self.draining(status, isStalled: isStalled, isOver: isOver)
            if status?.incomplete != nil, let rows { return shown.missing(allBut: rows) }
            return status?.isCatchingUp == true ? shown.missingNewest : shown
        }
        if case .error = state {
            let syncs = session.isPremium(at: now) && session.wantsSync && !session.isRevoked
            let failed = syncs ? CloudStatus.halted : .stepFailed
            return isWithoutBook ? failed.withoutBook : failed
        }
        guard session.isPremium(at: now) else {
            if session.isRevoked { return .signedOut(copy) }
            if awaitsPurchase { return .bought(copy) }
            guard let known = session.entitlement, known.entitlement.isPremium else {
                return copy.map { .ended($0) } ?? .free
            }
            return .verifying(copy, wantsSync: session.wantsSync)
        }
        // Signing in syncs nothing while the user has sync switched off.
        if session.isRevoked, case .localOnly = state, !session.wantsSync { return .signedOut(copy) }
        if session.isRevoked { return signInAgain(status, rows) }
        switch state {
        case .switchingToSync: return .connecting
        case .synced(_, mustSignIn: true), .draining: return signInAgain(status, rows)
        case .synced: return status.map { shown($0, rows, now) } ?? .connecting
        case .uninitialized, .initializing, .onboarding, .seedingGuest, .localOnly, .verifyingAccount,
            .migratingGuest, .blocked, .deletingServerData, .switchingToLocal, .signingOut, .deletingAccount,
            .error:
            return session.wantsSync ? .connecting : .off(copy)
        }
    }
}

extension Device {
    /// The number of changes that wait for the cloud, or that the copy which it keeps does not have. Pages and reports for
    /// scripts show this number.
    /// - Parameter book: nil if it is not open; then the copy that the cloud keeps is not known.
    func changesOutsideTheCloud(in book: Book?, _ status: SyncStatus?) -> Int {
        Self.changesOutsideTheCloud(book.flatMap { try? cloudCopy(in: $0) }, status)
    }

    fileprivate static func changesOutsideTheCloud(_ copy: CloudCopy?, _ status: SyncStatus?) -> Int {
        status?.unsent ?? copy?.changes ?? 0
    }
}

extension Site {
    /// Where the data of a device's user is, for its header and its pages.
    /// - Parameters:
    ///   - book: nil if it is not open; then the copy that the cloud keeps is not known.
    ///   - status: the status of sync.
    func dataStatus(of device: Device, in book: Book?, _ status: SyncStatus?) -> DataStatus {
        // A page never fails for the want of its header.
        let copy = book.flatMap { try? device.cloudCopy(in: $0) }
        let words = copy.map { retainedCopy($0, of: device, in: book) }
        let rows = receivedRows(status?.download ?? copy?.incomplete, of: device, in: book)
        var shown = device.cloudStatus(status, rows, words, now: devices.dependencies.now)
        if shown.isUnknown {
            // Whether the cloud has the rest is not known.
            let replica = book.flatMap { try? $0.replicaState() }
            if replica?.incomplete != nil || replica?.isCatchingUp == true {
                shown = shown.countingWhatIsHere
            }
        } else if copy?.incomplete != nil, let rows {
            shown = shown.missing(allBut: rows)
        } else if copy?.isCatchingUp == true {
            shown = shown.missingNewest
        }
        if let status { shown = shown.noting(refusedChanges: status) }
        return DataStatus(shown: shown, pending: Device.changesOutsideTheCloud(copy, status), rows: rows)
    }

    /// The copy that the cloud keeps while sync does not follow the book, in words; nil if there is none.
    func retainedCopy(of device: Device, in book: Book) throws(BookError) -> RetainedCopy? {
        try device.cloudCopy(in: book).map { retainedCopy($0, of: device, in: book) }
    }

    /// The numbers of a download that is not complete; nil without one.
    func receivedRows(_ download: ReplicaState.Download?, of device: Device, in book: Book?) -> ReceivedRows?
    {
        download.map { ReceivedRows($0.done, of: $0.total, style(preferences(of: device, in: book).locale)) }
    }

    private func retainedCopy(_ copy: CloudCopy, of device: Device, in book: Book?) -> RetainedCopy {
        let preferences = preferences(of: device, in: book)
        let day = copy.changedAt.map {
            style(preferences.locale).longDay(devices.dependencies.day(of: $0, in: preferences.timeZone))
        }
        return RetainedCopy(
            day: day,
            mayHaveChanged: copy.mayHaveChanged,
            changes: copy.changes,
            files: copy.files,
            absentFiles: copy.absentFiles
        )
    }

    private func preferences(of device: Device, in book: Book?) -> ResolvedPreferences {
        let chosen = (try? book?.preferences()) ?? Preferences()
        return chosen.resolved(
            browser: tables.locales[device.locale],
            timeZone: devices.dependencies.serverZone
        )
    }
}

/// Where a user's data is, as the header shows it.
struct DataStatus {
    var shown: CloudStatus
    /// The number of changes that wait for the cloud, or that its copy does not have.
    var pending: Int
    /// The numbers of a download that is not complete; nil without one.
    var rows: ReceivedRows?
}
