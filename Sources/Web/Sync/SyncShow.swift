import Book
import CloudProtocol
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Pages
import SyncEngine

/// `GET /sync`: what waits, what was refused, and how it goes.
enum SyncShow {
    private static let most = 100

    static func answer(_ context: RequestContext) throws -> Response {
        guard let status = context.sync else { return context.redirect(to: .subscription) }
        let words = try ChangeWords(context)
        let changes = try context.book().pendingChanges(limit: most)
        var trouble: SyncStatus.Trouble?
        if case .failed(let why) = status.phase { trouble = why }
        return context.page(
            SyncPage(
                chrome: context.chrome(),
                last: status.syncedAt.map(words.ago),
                error: trouble.flatMap { $0 == .signInAgain ? nil : $0.words },
                isStopped: trouble == .dataDeleted,
                canRetry: trouble != .dataDeleted && trouble != .signInAgain && status.phase != .idle,
                changes: changes.map(words.line),
                more: max(0, status.unsent - changes.count)
            )
        )
    }
}

/// `POST /sync/retry`: ends the pause of sync.
enum SyncRetry {
    static func answer(_ context: RequestContext) throws -> Response {
        try context.knownDevice().retrySync()
        return context.redirect(to: .sync)
    }
}

/// `POST /sync/anew`: the data on the cloud was deleted elsewhere; what is here goes up again.
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

/// `POST /sync/operations/ID/revert`: takes a change back.
enum OperationRevert {
    static func answer(_ context: RequestContext, _ number: Int64) throws -> Response {
        let device = try context.knownDevice()
        try context.book().revert(change: number)
        device.show(Device.Toast(key: "change-reverted", text: "The change was taken back"))
        return context.redirect(to: .sync)
    }
}

extension SyncStatus.Trouble {
    /// The text for the user.
    var words: String {
        switch self {
        case .signInAgain:
            "This device was signed out. Your data is all here, and syncs again once you sign in."
        case .subscriptionRequired: "Sync needs Premium. What waits here is kept."
        case .dataDeleted:
            "Your data on the server was deleted on another device. Sync has stopped; what is on this device is all "
                + "still here."
        case .refusedChanges: "Some changes were not taken. Look at them below."
        case .tooManyDevices:
            "\(AccountLimits().replicas) devices sync this account, which is the most. Sign out one that you no longer "
                + "use, under Signed-in devices; this one then goes on by itself."
        case .upgradeRequired:
            "The cloud needs a newer version of Breadly on this server. What waits here is kept."
        case .cloudOutdated:
            "The cloud runs an older version of Breadly than this server, and has to be upgraded. What waits here is "
                + "kept."
        case .cloudBusy: "The cloud cannot take changes at the moment. It is tried again by itself."
        case .storage: "This device’s book could not be written: the server’s disk may be full."
        case .noProgress: "Sync is going round in circles. It is tried again in a minute."
        }
    }
}
