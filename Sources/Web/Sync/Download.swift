import Devices
import HTTPServer
import Pages

/// `GET /download`: all data on its way to this device.
enum DownloadShow {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard device.showsDownload, let status = device.syncStatus else {
            return .seeOther(Routes.overview.link)
        }
        let download = try visit.book().standing().download
        return visit.page(
            DownloadPage(
                chrome: visit.chrome(isBare: true),
                done: download?.done ?? 0,
                total: download?.total ?? 0,
                isOffline: status.phase == .offline
            )
        )
    }
}

/// `POST /download/dismiss`: the indicator in the header shows the rest.
enum DownloadDismiss {
    static func answer(_ visit: Visit) throws -> Response {
        try visit.knownDevice().dismissDownload()
        return .seeOther(Routes.overview.link)
    }
}
