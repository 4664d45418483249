// The frame of a page in each state of the cloud.

import Ledger
import Texts

/// A state of the user and of the copy in the cloud, as the header of each page shows it.
enum Frame: String, CaseIterable, Sendable {
    case guest, free
    case ended
    case signedOut = "signed-out"
    case connecting, catchingUp = "catching-up", downloading, incomplete, interrupted, behind, uploading
    case idle
    case files
    case withoutFiles = "without-files"
    case absentFiles = "absent-files"
    case offline
    case offlineIdle = "offline-idle"
    case failed
    case halted
    case deletionUnanswered = "deletion-unanswered"
    case userDeletionUnanswered = "user-deletion-unanswered"
    case signInAgain = "sign-in-again"
    case verifying
    case off
    case draining
    case stalled

    /// The state in plain English.
    var title: String {
        switch self {
        case .guest: "a guest"
        case .free: "signed in without Premium"
        case .ended: "signed in without Premium, and the cloud keeps a copy of earlier"
        case .signedOut: "signed in without Premium, and the session has ended"
        case .connecting: "Premium, sync is being set up"
        case .catchingUp: "Premium, the newest changes are on their way"
        case .downloading: "Premium, all data is loaded again"
        case .incomplete: "Premium, data arrives"
        case .interrupted: "Premium, offline before all data has arrived"
        case .behind: "Premium, offline before the newest changes have arrived"
        case .uploading: "Premium, changes are on their way"
        case .idle: "Premium, everything is backed up"
        case .files: "Premium, files of receipts are on their way"
        case .withoutFiles: "Premium, a file of a receipt was not taken"
        case .absentFiles: "Premium, a file of a receipt is not in the cloud, and not here"
        case .offline: "Premium, offline with changes that wait"
        case .offlineIdle: "Premium, offline and nothing waits"
        case .failed: "Premium, the last attempt failed"
        case .halted: "Premium, and a step of the device has failed"
        case .deletionUnanswered: "a deletion of the data in the cloud was not answered"
        case .userDeletionUnanswered: "the same on a device with the data"
        case .signInAgain: "Premium, and the session has ended"
        case .verifying: "the subscription could not be checked for days"
        case .off: "Premium, sync is switched off"
        case .draining: "the subscription ended, the last changes are uploaded"
        case .stalled: "the subscription ended, the last changes cannot be uploaded"
        }
    }

    private var cloud: CloudStatus {
        switch self {
        case .guest: .guest
        case .free: .free
        case .ended: .ended(Self.copy)
        case .signedOut: .signedOut(nil)
        case .connecting: .connecting
        case .catchingUp: .catchingUp
        case .downloading: .downloading(ReceivedRows(310, of: 900, PlainStyle()))
        case .incomplete: .incomplete(ReceivedRows(310, of: 900, PlainStyle()))
        case .interrupted: .interrupted(ReceivedRows(963, of: 100_037, PlainStyle()), pending: 0)
        case .behind: .behind(pending: 0)
        case .uploading: .uploading(pending: 2)
        case .idle: .backedUp(lastSynced: Text("sync.minutes-ago", ["count": .count(3)]))
        case .files: .uploading(files: 2)
        case .withoutFiles: .backedUp(without: 1)
        case .absentFiles: .backedUp(without: 0, absent: AbsentFiles(overdue: 1))
        case .offline: .offline(pending: 3)
        case .offlineIdle: .offline(pending: 0)
        case .failed: .failed(Text("sync.cloud-busy"))
        case .halted: .halted
        case .deletionUnanswered: .deletionUnanswered(hasBook: false)
        case .userDeletionUnanswered: .deletionUnanswered(hasBook: true)
        case .signInAgain: .signInAgain(pending: 2, isComplete: true)
        case .verifying: .verifying(Self.copy, wantsSync: true)
        case .off: .off(Self.copy)
        case .draining: .draining(pending: 3, isStalled: false)
        case .stalled: .draining(pending: 3, isStalled: true)
        }
    }

    private static let copy = RetainedCopy(day: "Friday 20 November 2026", changes: 3, files: 0)

    /// Puts the state into a frame.
    func apply(to chrome: inout Chrome) {
        chrome.cloud = cloud
        chrome.tier =
            switch self {
            case .guest: .guest
            case .free, .ended, .signedOut, .verifying, .draining, .stalled, .deletionUnanswered,
                .userDeletionUnanswered:
                .free
            default: .premium
            }
        (chrome.state, chrome.sync, chrome.pending) =
            switch self {
            case .guest, .free, .signedOut, .userDeletionUnanswered: ("local_only", "off", 0)
            case .ended, .verifying, .off: ("local_only", "off", 3)
            case .connecting: ("switching_to_sync", "connecting", 0)
            case .catchingUp, .downloading, .incomplete: ("synced", "downloading", 0)
            case .uploading: ("synced", "uploading", 2)
            case .idle, .files, .withoutFiles, .absentFiles: ("synced", "idle", 0)
            case .offline: ("synced", "offline", 3)
            case .offlineIdle, .interrupted, .behind: ("synced", "offline", 0)
            case .failed: ("synced", "failed", 0)
            case .halted: ("error", "off", 0)
            case .deletionUnanswered: ("blocked_no_sync", "off", 0)
            case .signInAgain: ("synced", "failed", 2)
            case .draining: ("draining_upload_queue", "uploading", 3)
            case .stalled: ("draining_upload_queue", "offline", 3)
            }
    }
}

extension Sample {
    /// The same sample in the frame of a state.
    func framed(_ frame: Frame) -> Sample { with(frame.apply) }
}
