// The progress of the download of a user's data to a new device.

import Templates
import Texts

/// The progress of a download. The page reloads itself, and can be dismissed.
struct DownloadPage: Page {
    /// The name of the page's template.
    static let template = "sync/download"

    let chrome: Chrome
    let done: Int
    let total: Int
    let rows: ReceivedRows?
    let trouble: Text?

    /// - Parameters:
    ///   - total: 0 if it is not known yet.
    ///   - rows: the same numbers as text.
    ///   - trouble: the reason why nothing arrives at present; nil if there is none.
    init(chrome: Chrome, done: Int, total: Int, rows: ReceivedRows?, trouble: Text?) {
        self.chrome = chrome
        self.done = done
        self.total = total
        self.rows = rows
        self.trouble = trouble
    }

    /// The values for the template.
    static let keys = Keys<DownloadPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .integer("done") { Int64($0.done) }
        .integer("total") { Int64(max(1, $0.total)) }
        .flag("known") { $0.total > 0 }
        .optionalMessage("rows") { $0.rows?.text }
        .optionalMessage("trouble") { $0.trouble }
}
