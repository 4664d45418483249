import Devices
import HTTPServer
import Links
import SyncEngine
import Texts

/// `GET /download`: the progress of the download of all data to this device.
enum DownloadShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let book = try context.book()
        guard device.showsDownload(in: book), let status = device.syncStatus(in: book) else {
            return context.redirect(to: .overview)
        }
        return context.page(
            DownloadPage(
                chrome: context.chrome(isBare: true),
                done: status.download?.done ?? 0,
                total: status.download?.total ?? 0,
                rows: context.site.receivedRows(status.download, of: device, in: book),
                trouble: status.phase.trouble
            )
        )
    }
}

extension SyncStatus.Phase {
    /// The reason why no row of a download arrives at present; nil if there is none.
    var trouble: Text? {
        switch self {
        case .offline: Text("sync.the-cloud-cannot-be")
        case .failed(.signInAgain): Text("chrome.session-ended-and-syncs-again")
        case .failed(let why): why.text
        case .connecting, .downloading, .uploading, .idle: nil
        }
    }
}

/// The page until the first page of an account is here: of `GET /verifying` for a guest who has signed in, of `GET /blocked`
/// for a user who has subscribed.
enum FirstPage {
    /// - Parameter takesLong: whether the user is offered a way back although nothing has failed.
    static func answer(
        _ context: RequestContext,
        _ device: Device,
        _ origin: FirstDownloadPage.Origin,
        takesLong: Bool
    ) -> Response {
        context.page(
            FirstDownloadPage(
                chrome: context.chrome(isBare: true),
                origin: origin,
                trouble: device.firstPageTrouble?.text,
                hasTooManyDevices: device.firstPageTrouble?.isOfDevices ?? false,
                readsFormerBook: device.showsFormerBook,
                takesLong: takesLong
            )
        )
    }
}

extension FirstPageTrouble {
    /// The text for the user, whose data is in the cloud, and nothing of it here.
    fileprivate var text: Text {
        switch self {
        case .offline: Text("sync.the-cloud-cannot-be")
        case .subscriptionRequired: Text("sync.premium-not-found-yet")
        case .tooManyDevices(let limit): Text("sync.no-room-for-this-device", ["count": .count(limit)])
        case .upgradeRequired: Text("sync.data-waits-for-an-upgrade")
        case .cloudOutdated: Text("sync.data-waits-for-the-cloud")
        case .cloudBusy: Text("sync.cloud-is-busy")
        case .unusableAnswer: Text("sync.answer-not-understood")
        case .storage: Text("sync.your-data-not-written")
        }
    }

    fileprivate var isOfDevices: Bool {
        if case .tooManyDevices = self { true } else { false }
    }
}

/// `POST /download/dismiss`: leaves the page; the indicator in the header shows the further progress.
enum DownloadDismiss {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.dismissDownload()
        }
    }
}
