// The progress of the download of a user's data to a new device.

public import Templates

/// The progress of a download. The page reloads itself, and can be dismissed.
public struct DownloadPage: Page {
    /// The name of the page's template.
    public static let template = "sync/download"

    let chrome: Chrome
    let done: Int
    let total: Int
    let isOffline: Bool

    /// - Parameter total: 0 if it is not known yet.
    public init(chrome: Chrome, done: Int, total: Int, isOffline: Bool) {
        self.chrome = chrome
        self.done = done
        self.total = total
        self.isOffline = isOffline
    }

    /// The values for the template.
    public static let keys = Keys<DownloadPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .integer("done") { Int64($0.done) }
        .integer("total") { Int64(max(1, $0.total)) }
        .flag("known") { $0.total > 0 }
        .flag("offline") { $0.isOffline }
}
