// The progress of the download of a user's data to a new device.

import Templates
import Texts

/// The progress of a download. The page reloads itself, and can be dismissed.
struct DownloadPage: Page {
    static let template = "sync/download"

    let chrome: Chrome
    let done: Int
    /// 0 if it is not known yet.
    let total: Int
    /// The same numbers as text.
    let rows: ReceivedRows?
    /// The reason why nothing arrives at present; nil if there is none.
    let trouble: Text?

    static let keys = Keys<DownloadPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .integer("done") { Int64($0.done) }
        .integer("total") { Int64(max(1, $0.total)) }
        .flag("known") { $0.total > 0 }
        .optionalMessage("rows") { $0.rows?.text }
        .optionalMessage("trouble") { $0.trouble }
}
