// The actions of the page of sync. Those of the download, of reviews and of events are in files of their own.

import Book
import CloudProtocol
import Devices
import HTTPServer
import Ledger
import Lifecycle
package import Links
import SyncEngine
import Texts

extension Link {
    static let download = Link(declared: "/download")
    static let downloadDismiss = Link(declared: "/download/dismiss")
    package static let sync = Link(declared: "/sync")
    static let syncRetry = Link(declared: "/sync/retry")
    static let syncAnew = Link(declared: "/sync/anew")
    static let operationRetry = LinkTo<Int64>("/sync/operations/*/retry")
    static let operationRevert = LinkTo<Int64>("/sync/operations/*/revert")
    static let review = Link(declared: "/sync/review")
    static let reviewed = LinkTo<EntityID>("/sync/review/*")
    static let reviewedLoss = LinkTo<Int64>("/sync/review/lost/*")
    package static let events = Link(declared: "/events")
}

extension Feature {
    static let sync = Feature(
        routes: [
            get(.download, DownloadShow.answer),
            post(.downloadDismiss, DownloadDismiss.answer),
            get(.sync, SyncShow.answer),
            post(.syncRetry, SyncRetry.answer),
            post(.syncAnew, SyncAnew.answer),
            post(to: Link.operationRetry, OperationRetry.answer),
            post(to: Link.operationRevert, OperationRevert.answer),
            get(.review, ReviewShow.answer),
            post(to: Link.reviewed, ReviewAnswer.answer),
            post(to: Link.reviewedLoss, LossAnswer.answer),
            get(.events, EventsShow.answer),
        ],
        pages: [SyncPage.self, ReviewPage.self, DownloadPage.self, FirstDownloadPage.self],
        links: [
            "download_dismiss": .downloadDismiss,
            "sync": .sync,
            "sync_retry": .syncRetry,
            "sync_anew": .syncAnew,
            "review": .review,
            "events": .events,
        ]
    )
}

/// `GET /sync`: the waiting changes, the refused changes and the status of sync.
enum SyncShow {
    private static let most = 100

    static func answer(_ context: RequestContext) throws -> Response {
        guard let status = context.sync else { return context.redirect(to: .subscription) }
        let words = try ChangeWords(context)
        let changes = try context.book().pendingChanges(limit: most)
        let files = try context.book().receiptFilesOnlyHere(limit: 10_000)
        let refused = files.count { $0.status == .failed || $0.isDamaged }
        var trouble: SyncStatus.Trouble?
        if case .failed(let why) = status.phase { trouble = why }
        return context.page(
            SyncPage(
                chrome: context.chrome(),
                last: status.syncedAt.map(words.ago),
                error: trouble.flatMap { trouble in
                    trouble == .signInAgain ? nil : context.device?.text(of: trouble, status) ?? trouble.text
                },
                way: trouble?.way,
                deadline: try UploadDeadline.text(context),
                isStopped: trouble == .dataDeleted,
                canRetry: trouble != .dataDeleted && trouble != .signInAgain
                    && (status.phase != .idle || status.fileTrouble != nil),
                changes: changes.map(words.line),
                more: max(0, status.unsent - changes.count),
                unreadable: try context.book().unreadableRows(limit: most).map(words.line),
                waitingFiles: files.count - refused,
                refusedFiles: refused,
                absentFiles: status.absentFiles,
                cloud: context.receiptCloud,
                unsaved: try context.unsavedEntries()
            )
        )
    }
}

/// The day until which waiting changes can be uploaded.
enum UploadDeadline {
    /// Nil while the subscription lasts, and if nothing waits.
    static func text(_ context: RequestContext) throws -> Text? {
        guard let status = context.sync, let until = context.device?.uploadDeadline(status) else {
            return nil
        }
        let day = try context.formats().longDay(context.lastDay(before: until))
        // The cloud may be away, so that the changes still wait when it takes them no longer.
        guard until > context.site.devices.dependencies.now else {
            return Text("sync.could-be-uploaded-until", ["day": .string(day)])
        }
        let words: [String: Text.Argument] = [
            "count": .count(status.pending), "files": .count(status.files),
            "total": .count(status.pending.addingClamped(status.files)), "day": .string(day),
        ]
        return status.files == 0
            ? Text("sync.can-be-uploaded-until", words) : Text("sync.files-can-be-uploaded-until", words)
    }
}

/// `POST /sync/retry`: ends the pause of sync, and has refused files sent again.
enum SyncRetry {
    static func answer(_ context: RequestContext) throws -> Response {
        let (book, device) = (try context.book(), try context.knownDevice())
        try book.retryRefusedReceiptFiles()
        try device.recountDamage(in: book)
        device.retrySync()
        return context.redirect(to: .sync)
    }
}

/// `POST /sync/anew`: uploads the book again after another device has deleted the data on the cloud.
enum SyncAnew {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard case .failed(.dataDeleted) = context.sync?.phase else { return context.redirect(to: .sync) }
        return context.redirect(to: .sync) { () async throws(DevicesError) in
            try await device.startSyncAnew()
        }
    }
}

/// `POST /sync/operations/ID/retry`: sends a refused change again.
enum OperationRetry {
    static func answer(_ context: RequestContext, _ number: Int64) throws -> Response {
        try context.book().retry(change: number)
        return context.redirect(to: .sync)
    }
}

/// `POST /sync/operations/ID/revert`: reverts a change.
enum OperationRevert {
    static func answer(_ context: RequestContext, _ number: Int64) throws -> Response {
        let device = try context.knownDevice()
        try context.book().revert(change: number)
        device.show(Device.Toast(key: "change-reverted", text: Text("sync.change-taken-back")))
        return context.redirect(to: .sync)
    }
}

extension SyncStatus.Trouble {
    /// The page where the user can end it; nil for what passes, what the page of sync has a button for, and what is the
    /// operator's.
    var way: Way? {
        switch self {
        case .signInAgain: .signInAgain
        case .subscriptionRequired: .premium
        case .tooManyDevices: .signedInDevices
        case .dataDeleted, .refusedChanges, .upgradeRequired, .cloudOutdated, .cloudBusy, .storage,
            .lineTooSlow, .noProgress:
            nil
        }
    }

    /// Whether sync continues without a step of the user.
    var passes: Bool {
        switch self {
        case .signInAgain, .subscriptionRequired, .dataDeleted, .refusedChanges: false
        case .tooManyDevices, .upgradeRequired, .cloudOutdated, .cloudBusy, .storage, .lineTooSlow,
            .noProgress:
            true
        }
    }

    /// The text for the user.
    var text: Text {
        switch self {
        case .signInAgain: Text("sync.session-has-ended")
        case .subscriptionRequired: Text("sync.needs-premium")
        case .dataDeleted: Text("sync.data-deleted")
        case .refusedChanges: Text("sync.changes-not-taken")
        case .tooManyDevices: Text("sync.too-many-devices", ["limit": .count(UserAccountLimits().replicas)])
        case .upgradeRequired: Text("sync.upgrade-required")
        case .cloudOutdated: Text("sync.cloud-outdated")
        case .cloudBusy: Text("sync.cloud-busy")
        case .storage: Text("sync.book-not-written")
        case .lineTooSlow: Text("sync.line-too-slow")
        case .noProgress: Text("sync.no-progress")
        }
    }
}
