import Devices
import HTTPServer
import Links
import Pages

/// `GET /download`: the progress of the download of all data to this device.
enum DownloadShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let book = try context.book()
        guard device.showsDownload(in: book), let status = device.syncStatus(in: book) else {
            return context.redirect(to: .overview)
        }
        let download = try book.replicaState().download
        return context.page(
            DownloadPage(
                chrome: context.chrome(isBare: true),
                done: download?.done ?? 0,
                total: download?.total ?? 0,
                isOffline: status.phase == .offline
            )
        )
    }
}

/// `POST /download/dismiss`: leaves the page; the indicator in the header shows the further progress.
enum DownloadDismiss {
    static func answer(_ context: RequestContext) throws -> Response {
        try context.knownDevice().dismissDownload()
        return context.redirect(to: .overview)
    }
}
