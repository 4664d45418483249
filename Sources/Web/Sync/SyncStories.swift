// The pages of sync: the waiting changes, the conflicts, the download.

import Ledger
import Links
import SyncEngine
import Texts

enum SyncStories {
    static let all = statuses + troubles + reviews + downloads

    private static let statuses: [Story] = [
        Story("sync", .sync, "Everything is in the cloud") { $0.framed(.idle).sync([]) },
        Story("sync-new", .sync, "Never synced yet") { $0.framed(.connecting).sync([], hasSynced: false) },
        Story("sync-waiting", .sync, "Changes wait") { $0.framed(.uploading).sync([$0.waiting()], more: 0) },
        Story("sync-waiting-many", .sync, "More changes wait than are listed") {
            $0.framed(.offline).sync([$0.waiting(), $0.waiting(canRevert: false)], more: 412, canRetry: true)
        },
        Story("sync-deadline", .sync, "Changes wait after the end of a subscription") {
            $0.framed(.stalled).sync([$0.waiting()], deadline: Sample.uploadDeadline, canRetry: true)
        },
        Story("sync-stopped", .sync, "The data in the cloud was deleted on another device") {
            $0.framed(.failed).with { $0.cloud = .failed(Text("sync.data-deleted")) }
                .sync([$0.waiting()], error: Text("sync.data-deleted"), isStopped: true)
        },
        Story("sync-unreadable", .sync, "Entries of the cloud cannot be read") {
            $0.framed(.idle).sync([], unreadable: $0.unreadable)
        },
        Story("sync-long", .sync, "Long names, and names from right to left") {
            let sample = $0.of(.longLived).framed(.offline)
            return sample.sync([sample.waiting(), sample.refused(Text("sync.refused-deleted"))], more: 3)
        },
    ]

    private static let failures: [(name: String, trouble: SyncStatus.Trouble)] = [
        ("signed-out", .signInAgain), ("needs-premium", .subscriptionRequired),
        ("too-many-devices", .tooManyDevices), ("upgrade-required", .upgradeRequired),
        ("cloud-outdated", .cloudOutdated), ("cloud-busy", .cloudBusy), ("book-not-written", .storage),
        ("line-too-slow", .lineTooSlow), ("no-progress", .noProgress),
    ]

    private static let refusals: [(name: String, text: Text)] = [
        ("too-large", Text("sync.refused-too-large")),
        ("too-many-rows", Text("sync.refused-too-many-rows", ["count": .count(1)])),
        ("account-full", Text("sync.refused-account-full", ["size": .count(2)])),
        ("deleted", Text("sync.refused-deleted")), ("unknown", Text("sync.refused-unknown")),
        ("row-too-large", Text("sync.refused-row-too-large", ["fields": .count(64), "size": .count(32)])),
        ("field", Text("sync.refused-field", ["field": .string("note")])),
        ("other", Text("sync.refused")),
    ]

    private static let troubles =
        failures.map { name, trouble in
            Story("sync-failed-\(name)", .sync, "Sync does not continue: \(name)") { sample in
                sample.framed(.failed).with { $0.cloud = .failed(trouble.text) }
                    .sync([sample.waiting()], error: trouble.text, way: trouble.way, canRetry: true)
            }
        }
        + refusals.map { name, text in
            Story("sync-refused-\(name)", .sync, "The cloud refuses a change: \(name)") {
                $0.framed(.failed).with { $0.cloud = .failed(Text("sync.changes-not-taken")) }.sync(
                    [$0.refused(text), $0.waiting()],
                    error: Text("sync.changes-not-taken"),
                    canRetry: true
                )
            }
        }

    private static let reviews: [Story] = [
        Story("review", .sync, "Two conflicts, and changes that gave way") {
            $0.review([$0.conflict(mine: true), $0.conflict(mine: false)], $0.losses)
        },
        Story("review-conflict", .sync, "One conflict") { $0.review([$0.conflict(mine: true)], []) },
        Story("review-losses", .sync, "Changes that another device overwrote or deleted") {
            $0.review([], $0.losses)
        },
        Story("review-empty", .sync, "Nothing to decide") { $0.review([], []) },
        Story("review-long", .sync, "Long names, and names from right to left") {
            let sample = $0.of(.longLived)
            return sample.review([sample.conflict(mine: true)], sample.losses)
        },
    ]

    private static let downloads: [Story] = [
        Story("download", .sync, "The download has begun") { $0.download(0, of: 0) },
        Story("download-half", .sync, "A half of it has arrived") { $0.download(4_500, of: 9_000) },
        Story("download-offline", .sync, "It waits for the cloud") {
            $0.framed(.interrupted).download(3, of: 9, trouble: Text("sync.the-cloud-cannot-be"))
        },
        Story("download-signed-out", .sync, "The session has ended on the way") {
            $0.with { $0.cloud = .signInAgain(pending: 0, isComplete: false) }
                .download(3, of: 9, trouble: Text("chrome.session-ended-and-syncs-again"))
        },
        Story("download-first", .sync, "A guest has signed in, and the first entries are on their way") {
            $0.firstDownload(.guest)
        },
        Story("download-first-offline", .sync, "The same, and the line is cut") {
            $0.firstDownload(.guest, Text("sync.the-cloud-cannot-be"))
        },
        Story("download-first-refused", .sync, "The same, and the account has too many devices") {
            $0.firstDownload(
                .guest,
                Text("sync.no-room-for-this-device", ["count": .count(100)]),
                hasTooManyDevices: true
            )
        },
        Story("download-first-not-written", .sync, "The same, and the disk has failed") {
            $0.firstDownload(.guest, Text("sync.your-data-not-written"))
        },
        Story("download-first-upgrade", .sync, "The same, and this server is too old") {
            $0.firstDownload(.guest, Text("sync.data-waits-for-an-upgrade"))
        },
        Story("download-first-outdated", .sync, "The same, and the cloud is too old") {
            $0.firstDownload(.guest, Text("sync.data-waits-for-the-cloud"))
        },
        Story("download-first-busy", .sync, "The same, and the cloud is busy") {
            $0.firstDownload(.guest, Text("sync.cloud-is-busy"))
        },
        Story("download-first-malformed", .sync, "The same, and the answer cannot be used") {
            $0.firstDownload(.guest, Text("sync.answer-not-understood"))
        },
        Story("download-first-refused-premium", .sync, "The same, and the cloud does not see the Premium") {
            $0.firstDownload(.blocked, Text("sync.premium-not-found-yet"))
        },
        Story("download-first-blocked", .sync, "A blocked account has Premium; its entries will follow") {
            $0.firstDownload(.blocked)
        },
        Story("download-first-blocked-offline", .sync, "The same account, and the line is cut") {
            $0.firstDownload(.blocked, Text("sync.the-cloud-cannot-be"))
        },
    ]
}

extension Sample {
    /// Another device of the user.
    var device: Text { words("Anna’s phone") }
    /// A change of an amount.
    var change: Text { .verbatim(typed("12.50 → 13.00")) }

    fileprivate func waiting(canRevert: Bool = true) -> ChangeLine {
        ChangeLine(
            id: canRevert ? 1 : 3,
            title: words("Green Market"),
            detail: change,
            waiting: Text("sync.waiting-minutes", ["count": .count(3)]),
            refusal: nil,
            canRevert: canRevert
        )
    }

    fileprivate func refused(_ reason: Text) -> ChangeLine {
        ChangeLine(
            id: 2,
            title: words("Corner Café"),
            detail: change,
            waiting: Text("sync.waiting-days", ["count": .count(1)]),
            refusal: reason,
            canRevert: true,
            href: .transaction(Self.id(110))
        )
    }

    fileprivate var unreadable: [UnreadableLine] {
        [
            UnreadableLine(
                kind: "transaction",
                id: "\(Self.id(1))",
                title: words("Corner Café"),
                reason: Text("sync.unreadable-field", ["field": .string("currency")])
            ),
            UnreadableLine(
                kind: "category",
                id: "\(Self.id(2))",
                title: words("Groceries"),
                reason: Text("sync.unreadable-entry")
            ),
        ]
    }

    /// The last day on which a change can be uploaded.
    static let uploadDeadline = Text(
        "sync.can-be-uploaded-until",
        ["count": .count(1), "day": .string("Friday 19 February 2027")]
    )

    func sync(
        _ changes: [ChangeLine],
        more: Int = 0,
        unreadable: [UnreadableLine] = [],
        hasSynced: Bool = true,
        error: Text? = nil,
        way: Way? = nil,
        deadline: Text? = nil,
        isStopped: Bool = false,
        canRetry: Bool = false,
        files: (waiting: Int, refused: Int) = (0, 0),
        absentFiles: AbsentFiles = AbsentFiles(),
        fileCloud: ReceiptCloud = .on
    ) -> SyncPage {
        SyncPage(
            chrome: chrome,
            last: hasSynced ? Text("sync.minutes-ago", ["count": .count(3)]) : nil,
            error: error,
            way: way,
            deadline: deadline,
            isStopped: isStopped,
            canRetry: canRetry,
            changes: changes,
            more: more,
            unreadable: unreadable,
            waitingFiles: files.waiting,
            refusedFiles: files.refused,
            absentFiles: absentFiles,
            cloud: fileCloud
        )
    }

    /// An amount that two devices changed.
    /// - Parameter mine: whether the value of this device counts now.
    fileprivate func conflict(mine: Bool) -> ReviewLine {
        func side(_ value: String, _ device: Text, _ stands: Bool) -> ReviewLine.Side {
            .init(value: words(value), device: device, stands: stands)
        }
        return ReviewLine(
            id: Self.id(mine ? 1 : 2),
            title: words(mine ? "Green Market" : "Corner Café"),
            field: Text("transactions.amount"),
            mine: side("42.10 EUR", Text("user-account.this-device"), mine),
            theirs: side("38.00 EUR", device, !mine),
            when: Text("sync.minutes-ago", ["count": .count(3)])
        )
    }

    /// A change that was overwritten, and one of a deleted entry.
    fileprivate var losses: [LossLine] {
        [false, true].map { isDeleted in
            LossLine(
                number: isDeleted ? 1 : 2,
                title: words(isDeleted ? "Trattoria Luca" : "Online bookshop"),
                device: isDeleted ? "" : typed("Anna’s phone"),
                when: Text("sync.hours-ago", ["count": .count(2)]),
                fields: [
                    LossLine.Value(
                        field: Text("transactions.note"),
                        mine: words("Birthday of Anna"),
                        theirs: isDeleted ? nil : words("A present")
                    )
                ],
                isDeleted: isDeleted
            )
        }
    }

    fileprivate func review(_ lines: [ReviewLine], _ losses: [LossLine]) -> ReviewPage {
        let framed = framed(.idle).with {
            $0.toReview = ToReview(conflicts: lines.count, losses: losses.count)
        }
        return ReviewPage(chrome: framed.chrome, lines: lines, losses: losses)
    }

    fileprivate func firstDownload(
        _ origin: FirstDownloadPage.Origin,
        _ trouble: Text? = nil,
        hasTooManyDevices: Bool = false
    ) -> FirstDownloadPage {
        let framed = framed(origin == .guest ? .free : .idle).with {
            ($0.state, $0.cloud, $0.sync) =
                origin == .guest
                ? ("verifying_account", .awaitingFirstPage(keepsBook: true, isStuck: trouble != nil), "off")
                : ("blocked_no_sync", .awaited, "off")
        }
        return FirstDownloadPage(
            chrome: framed.chrome,
            origin: origin,
            trouble: trouble,
            hasTooManyDevices: hasTooManyDevices,
            readsFormerBook: origin == .guest,
            takesLong: origin == .blocked
        )
    }

    fileprivate func download(_ done: Int, of total: Int, trouble: Text? = nil) -> DownloadPage {
        DownloadPage(
            chrome: (trouble == nil ? framed(.incomplete) : self).chrome,
            done: done,
            total: total,
            rows: ReceivedRows(done, of: total, formats.style),
            trouble: trouble
        )
    }
}
