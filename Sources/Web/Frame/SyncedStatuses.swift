// The states of the copy in the cloud while sync runs, or sends its last changes.

import Ledger
import SyncEngine
import Texts

extension CloudStatus {
    /// Premium, no change waits.
    static func backedUp(lastSynced: Text?) -> CloudStatus {
        CloudStatus(
            look: .check,
            label: Text("chrome.backed-up"),
            text: lastSynced.map { Text("chrome.all-backed-up-at", ["last": .text($0)]) }
                ?? Text("chrome.all-backed-up")
        ).havingAllChanges
    }

    private var havingAllChanges: CloudStatus {
        var copy = self
        copy.hasAllChanges = true
        return copy
    }

    /// Premium, changes are on their way.
    /// - Parameter files: the number of files that follow the changes.
    static func uploading(pending: Int, files: Int = 0) -> CloudStatus {
        let words = words(pending, files)
        return CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: files == 0
                ? Text("chrome.changes-on-the-way", words)
                : Text("chrome.changes-and-files-on-the-way", words)
        ).counting(files)
    }

    private func counting(_ files: Int) -> CloudStatus {
        var copy = self
        copy.countsFiles = files > 0
        return copy
    }

    private static func words(_ changes: Int, _ files: Int) -> [String: Text.Argument] {
        ["count": .count(changes), "files": .count(files), "total": .count(changes + files)]
    }

    /// Premium, no change waits, and files of receipts are on their way.
    static func uploading(files: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.syncing"),
            text: Text("chrome.files-on-the-way", ["files": .count(files)])
        ).counting(files)
    }

    /// Premium, no change waits, and files of receipts wait for the cloud.
    static func waiting(files: Int) -> CloudStatus {
        CloudStatus(
            look: .alert,
            label: Text("chrome.not-all-backed-up"),
            text: Text("chrome.files-wait-here", ["files": .count(files)]),
            canRetry: true
        ).counting(files)
    }

    /// Premium, no change waits, and the cloud does not have all files of receipts. One of the numbers is not 0.
    /// - Parameters:
    ///   - files: the number of files on this device, which the cloud does not accept.
    ///   - absent: the numbers of the files that are not on this device either.
    static func backedUp(without files: Int, absent: AbsentFiles = AbsentFiles()) -> CloudStatus {
        let backedUp =
            files > 0
            ? Text("chrome.files-not-backed-up", ["files": .count(files)]) : Text("chrome.all-backed-up")
        let expected = absent.expected > 0 ? [areExpected(absent.expected)] : []
        return CloudStatus(
            look: .alert,
            label: Text("chrome.not-all-backed-up"),
            text: .sentences([backedUp] + expected)
        ).counting(files + absent.count).havingAllChanges.noting(refused: 0, absent)
    }

    /// The same status beside files that are not on their way: another device or a person has to look after them.
    /// - Parameter refused: the number of files on this device that are not sent.
    func noting(refused: Int, _ absent: AbsentFiles) -> CloudStatus {
        var notes: [Text] = []
        if refused > 0 { notes.append(Text("sync.files-were-refused", ["count": .count(refused)])) }
        if absent.lost > 0 { notes.append(Text("chrome.files-are-lost", ["files": .count(absent.lost)])) }
        if absent.overdue > 0 {
            notes.append(Text("chrome.files-are-absent", ["files": .count(absent.overdue)]))
        }
        guard !notes.isEmpty else { return self }
        var copy = self
        copy.text = .sentences([text] + notes)
        copy.textBesideNotes = text
        return copy
    }

    /// Premium, no change waits, and another device has to send files of receipts. It is not known whether it can.
    static func expecting(files: Int) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.not-all-backed-up"),
            text: .sentences([Text("chrome.all-backed-up"), areExpected(files)])
        ).counting(files).havingAllChanges
    }

    private static func areExpected(_ files: Int) -> Text {
        Text("chrome.files-are-expected", ["files": .count(files)])
    }

    /// The subscription ended, or sync was switched off: the waiting changes are still uploaded.
    /// - Parameter files: the number of files that follow the changes.
    static func draining(pending: Int, files: Int = 0, isStalled: Bool) -> CloudStatus {
        let words = words(pending, files)
        let text =
            switch (pending, files) {
            case (_, 0) where isStalled: Text("chrome.changes-are-kept-here", words)
            case _ where isStalled: Text("chrome.changes-and-files-are-kept-here", words)
            case (_, 0): Text("chrome.changes-on-the-way-at-last", words)
            case (0, _): Text("chrome.files-on-the-way-at-last", words)
            default: Text("chrome.changes-and-files-on-the-way-at-last", words)
            }
        return CloudStatus(
            look: isStalled ? .alert : .sync,
            label: Text("chrome.syncing-your-data"),
            text: text,
            canRetry: isStalled
        ).counting(files)
    }

    /// The subscription has ended, the last day for uploads is over, and the cloud has not said so yet.
    /// - Parameter files: the number of files that would follow the changes.
    static func notUploaded(pending: Int, files: Int) -> CloudStatus {
        let here = RetainedCopy(day: nil, changes: pending, files: files).onlyHere
        let over = Text("chrome.last-day-for-uploads-is-over")
        return CloudStatus(
            look: .slash,
            label: Text("chrome.backup-has-ended"),
            text: .sentences([here, over].compactMap(\.self))
        ).counting(files)
    }

    /// Premium, all rows are loaded again while the present rows stay.
    static func downloading(_ rows: ReceivedRows) -> CloudStatus {
        CloudStatus(
            look: .sync,
            label: Text("chrome.downloading"),
            text: Text("chrome.your-data-is-loaded-again", rows.words)
        )
    }

    /// Premium, and changes of other devices are on their way.
    static let catchingUp = CloudStatus(
        look: .sync,
        label: Text("chrome.syncing"),
        text: Text("chrome.newer-changes-are-on-their-way")
    )

    /// Premium, the first download is under way.
    /// - Parameter pending: the number of changes that wait here.
    static func incomplete(_ rows: ReceivedRows, pending: Int = 0) -> CloudStatus {
        let downloading =
            rows.total == nil
            ? Text("chrome.your-data-begins-to-arrive") : Text("chrome.your-data-is-arriving", rows.words)
        return part(.sync, Text("chrome.downloading"), downloading, pending)
    }

    /// Premium, the first download is not complete, and the cloud cannot be reached.
    /// - Parameter pending: as of `incomplete`.
    static func interrupted(_ rows: ReceivedRows, pending: Int) -> CloudStatus {
        let here =
            rows.total == nil
            ? Text("chrome.nothing-is-here-yet")
            : .sentences([Text("chrome.so-many-are-here", rows.words), totals])
        return part(.alert, Text("chrome.offline"), here, pending)
    }

    /// Premium, all rows of the first download are here, and the changes since it began are asked for.
    /// - Parameter pending: as of `incomplete`.
    static func catchingUpAtFirst(pending: Int) -> CloudStatus {
        let asked = Text.sentences([Text("chrome.newest-changes-are-asked-for"), totals])
        return part(.sync, Text("chrome.syncing"), asked, pending)
    }

    /// Premium, the cloud cannot be reached, and the changes since the first download began are missing.
    /// - Parameter pending: as of `incomplete`.
    static func behind(pending: Int) -> CloudStatus {
        let here = Text.sentences([Text("chrome.newest-changes-come-with-a-connection"), totals])
        return part(.alert, Text("chrome.offline"), here, pending)
    }

    private static func part(_ look: Look, _ label: Text, _ here: Text, _ pending: Int) -> CloudStatus {
        var status = CloudStatus(
            look: look,
            label: label,
            text: text(here, pending),
            canRetry: look == .alert
        )
        status.isIncomplete = true
        return status
    }

    /// A sentence, and one about the changes that wait here.
    private static func text(_ sentence: Text, _ pending: Int) -> Text {
        pending == 0 ? sentence : .sentences([sentence, waitHere(pending)])
    }

    private static func waitHere(_ pending: Int) -> Text {
        Text("chrome.so-many-changes-wait-here", ["count": .count(pending)])
    }

    /// Premium, the cloud cannot be reached.
    /// - Parameter files: the number of files that wait as well.
    static func offline(pending: Int, files: Int = 0) -> CloudStatus {
        let words = words(pending, files)
        return CloudStatus(
            look: .alert,
            label: Text("chrome.offline"),
            text: files == 0
                ? Text("chrome.changes-wait-here", words) : Text("chrome.changes-and-files-wait-here", words),
            canRetry: true
        ).counting(files)
    }

    /// Premium, the last attempt failed.
    /// - Parameter pending: the number of changes that wait here.
    static func failed(_ reason: Text, pending: Int = 0) -> CloudStatus {
        var status = CloudStatus(
            look: .alert,
            label: Text("chrome.sync-failed"),
            text: text(reason, pending),
            canRetry: true
        )
        status.isReason = pending == 0
        if pending > 0 { status.textBesideNotes = waitHere(pending) }
        return status
    }

    /// Premium, and the cloud did not accept changes.
    /// - Parameter pending: the number of other changes, which wait here.
    static func refused(_ count: Int, pending: Int) -> CloudStatus {
        let refused = Text("chrome.changes-were-refused", ["count": .count(count)])
        var status = CloudStatus(
            look: .alert,
            label: Text("chrome.sync-failed"),
            text: text(.sentences([refused, Text("chrome.sync-says-why")]), pending),
            canRetry: true
        )
        status.textBesideNotes = text(refused, pending)
        return status
    }

    /// The same status beside changes that the cloud did not accept, unless it counts them already.
    func noting(refusedChanges status: SyncStatus) -> CloudStatus {
        switch status.phase {
        case .failed(.refusedChanges), .failed(.dataDeleted): return self
        case .connecting, .downloading, .uploading, .idle, .offline, .failed: break
        }
        guard status.failed > 0, hasBook, !hasRetainedCopy else { return self }
        let refused = Text("chrome.changes-were-refused", ["count": .count(status.failed)])
        var copy = self
        copy.text = .sentences([text, refused])
        copy.textBesideNotes =
            textBesideNotes.map { .sentences([$0, refused]) } ?? (isReason ? refused : nil)
        return copy
    }

    /// Premium, sync is being attached.
    static let connecting = CloudStatus(
        look: .sync,
        label: Text("chrome.connecting"),
        text: Text("chrome.sync-is-being-set-up")
    )

    /// Premium, and the session has ended.
    /// - Parameters:
    ///   - pending: the number of changes that wait here.
    ///   - isComplete: whether all data is here.
    static func signInAgain(pending: Int, isComplete: Bool) -> CloudStatus {
        let ended =
            isComplete ? Text("sync.session-has-ended") : Text("chrome.session-ended-and-syncs-again")
        return CloudStatus(
            look: .alert,
            label: Text("chrome.sign-in-again-to-sync"),
            text: text(ended, pending),
            canSignIn: true
        )
    }
}
