// A file of a receipt in each of its states: beside its transaction, in the list of all receipts, and on the page of sync.

import Ledger
import Texts

enum FileStateStories {
    static let all = beside + lists

    /// Each way in which files stand to the cloud, with the frame that a page has then.
    private static let ways: [(name: String, title: String, frame: Frame, cloud: ReceiptCloud)] = [
        ("guest", "Files of a guest", .guest, .off),
        ("free", "Files after the end of Premium", .ended, .needsPremium),
        ("off", "Files while sync is switched off", .off, .switchedOff),
        ("session", "Files after the end of a session", .signInAgain, .needsSignIn),
        ("ending", "Files that are sent after the end of Premium", .draining, .ending),
        ("synced", "Files in each state of their upload", .files, .on),
        ("away", "Files while the cloud cannot be reached", .offlineIdle, .away),
        ("outdated", "Files with a cloud that takes none", .withoutFiles, .outdated),
    ]

    private static let beside = ways.map { way in
        Story("transaction-files-\(way.name)", .transactions, "\(way.title), beside a transaction") {
            sample in
            let sample = sample.framed(way.frame)
            return sample.edit(
                sample.transactions[0],
                receipts: sample.section(sample.states(way.cloud), cloud: way.cloud)
            )
        }
    }

    private static let lists = ways.map { way in
        Story("receipts-files-\(way.name)", .transactions, "\(way.title), in the list of all receipts") {
            let sample = $0.framed(way.frame)
            return sample.receiptList(sample.states(way.cloud), cloud: way.cloud)
        }
    }

    static let sync: [Story] = [
        Story("sync-files", .sync, "Files are on their way") {
            $0.framed(.files).sync([], files: (waiting: 2, refused: 0), fileCloud: .on)
        },
        Story("sync-files-away", .sync, "Files wait for the cloud") {
            $0.framed(.offlineIdle).sync(
                [],
                canRetry: true,
                files: (waiting: 2, refused: 0),
                fileCloud: .away
            )
        },
        Story("sync-files-outdated", .sync, "Files that the cloud does not take") {
            $0.framed(.withoutFiles).sync(
                [],
                canRetry: true,
                files: (waiting: 1, refused: 0),
                fileCloud: .outdated
            )
        },
        Story("sync-files-here", .sync, "Files are on this device only, and sync has stopped") {
            $0.framed(.failed).sync([], isStopped: true, files: (waiting: 2, refused: 0), fileCloud: .off)
        },
        Story("sync-files-refused", .sync, "Files that the cloud has refused") {
            $0.framed(.withoutFiles).sync([], files: (waiting: 0, refused: 1), fileCloud: .on)
        },
        Story("sync-files-absent", .sync, "A file that is neither here nor in the cloud") {
            $0.framed(.absentFiles).sync([], absentFiles: AbsentFiles(overdue: 1))
        },
    ]
}

extension Sample {
    /// The files that a device can have while they stand to the cloud in some way.
    fileprivate func states(_ cloud: ReceiptCloud) -> [ShownReceipt] {
        let local = receipt(311, "till.jpg", .jpeg)
        let elsewhere = receipt(312, "warranty.heic", .heic, isHere: false, isInCloud: true)
        let uploaded = receipt(313, "invoice.pdf", .pdf, size: 84_000, status: .uploaded)
        let half = receipt(314, "manual.pdf", .pdf, size: 9_400_000, status: .uploading, sent: 4_900_000)
        return switch cloud {
        case .off:
            [
                local, elsewhere, receipt(315, "lost.png", .png, failure: .missing),
                receipt(317, "damaged.png", .png, failure: .wrongContent),
            ]
        case .needsPremium, .switchedOff, .needsSignIn:
            [half, local, elsewhere, uploaded, receipt(316, "refused.png", .png, failure: .refused)]
        case .ending: [half, local, elsewhere, uploaded]
        case .outdated: [local, elsewhere, uploaded]
        case .away: [half, local, elsewhere, uploaded]
        case .on:
            [
                half, local, elsewhere, receipt(318, "till.jpg", .jpeg, isHere: false, isInCloud: false),
            ]
                + failures.enumerated().map {
                    receipt(320 + UInt64($0), "photo \($0).png", .png, failure: $1)
                }
        }
    }

    private var failures: [UploadFailure] {
        cases(from: .missing) { failure in
            switch failure {
            case .missing: .wrongContent
            case .wrongContent: .tooLarge(limit: 4 << 20)
            case .tooLarge: .quota(used: 1_071_000_000, limit: 1 << 30)
            case .quota: .refused
            // A file that the cloud does not support waits.
            case .refused, .notSupported: nil
            }
        }
    }
}
