// Server-sent events tell an open page the status of sync and the arrival of rows.

import Devices
import Encoding
import HTTPServer
import Ledger
import SyncEngine
import Templates
import Texts

/// `GET /events`: `status` with the status of sync, `progress` during a transfer, `rows` after a change of
/// the book, and `toast` for events without a user action. The query is the name of the state that the page
/// shows: `GET /events?synced`.
enum EventsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let (device, site) = (try context.knownDevice(), context.site)
        let (notifications, subscription) = device.notifications()
        let stream = EventStream { subscription.finish() }
        let shown = context.request.query
        device.noteStream()
        site.tell(stream, of: device, shown)
        // Changes between the page and its stream would be missed.
        if device.hasFreshRows { stream.send(event: "rows", data: "{}") }
        // Ends with the subscription, which ends with the stream.
        Background.run { [weak stream] in
            for await notification in notifications {
                switch notification {
                // A verification, every 45 seconds, ends with `idle`: the status then has the present age of
                // "last synced".
                case .status, .idle: if let stream { site.tell(stream, of: device, shown) }
                case .rows: stream?.send(event: "rows", data: "{}")
                }
            }
        }
        return .events(stream)
    }
}

extension Site {
    /// Sends the status of its device to an open page.
    fileprivate func tell(_ stream: EventStream, of device: Device, _ shown: FormFields) {
        // Does not wait for a book that is closed or exclusively in use; the engine's last status counts.
        let lease = device.glance()
        let status = device.syncStatus(in: lease?.book)
        let data = dataStatus(of: device, in: lease?.book, status)
        let trouble = device.showsDownload(in: lease?.book) ? status?.phase.trouble : nil
        lease?.giveBack()
        let cloud = data.shown
        let state = device.shownState
        let news = JSON.object([
            ("state", .text(state)), ("sync", .text(device.syncPhase(status))),
            ("pending", .number(Int64(data.pending))), ("look", .text(cloud.look.rawValue)),
            ("label", .text(pages.texts.string(cloud.label))),
            ("text", .text(pages.texts.string(cloud.text))),
            ("trouble", .text(trouble.map(pages.texts.string) ?? "")),
        ])
        // Before the page has the words: its reader may ask at once which of them count.
        note([cloud.label] + [trouble].compactMap(\.self), folded: [cloud.text], of: device)
        stream.send(event: "status", data: news.description)
        if let progress = progress(device, status, data.rows) {
            let (done, total) = (Int64(progress.done), Int64(progress.total))
            let count = JSON.object([
                ("done", .number(done)), ("total", .number(total)),
                ("text", .text(pages.texts.string(progress.text))),
            ])
            stream.send(event: "progress", data: count.description)
        }
        // A page of another state is reloaded, and the next page shows the new state.
        guard shown.first(state) != nil, device.tier == .premium, cloud.hasAllChanges,
            let toast = device.consumeToast(RequestContext.premiumActivated)
        else { return }
        let text = JSON.object([("key", .text(toast.key)), ("text", .text(pages.texts.string(toast.text)))])
        note([toast.text], of: device)
        stream.send(event: "toast", data: text.description)
    }

    /// Lets the observer read the sentences that the script writes into an open page.
    /// - Parameter folded: the sentences in the sheet, which may be closed.
    private func note(_ sentences: [Text], folded: [Text] = [], of device: Device) {
        guard let observer else { return }
        let words = ByteBuffer(capacity: 512)
        for sentence in sentences { words.appendEscaped(pages.texts.string(sentence)) }
        words.append("<div popover>")
        for sentence in folded { words.appendEscaped(pages.texts.string(sentence)) }
        words.append("</div>")
        observer(device, words)
    }

    /// The progress of the current transfer, and its text.
    private func progress(
        _ device: Device,
        _ status: SyncStatus?,
        _ rows: ReceivedRows?
    ) -> (done: Int, total: Int, text: Text)? {
        guard let status else { return nil }
        if let download = status.download, let rows, status.phase == .downloading {
            return (download.done, download.total, rows.text)
        }
        guard let total = device.leavingTotal.map({ max($0, status.pending) }) else { return nil }
        let (done, isOfTransactions) = (total - status.pending, device.leavingIsOfTransactions ?? false)
        let text =
            if SignOutStake.isStuck(device, status) {
                SignOutPage.stuck(status.unsent, files: status.files, isOfTransactions: isOfTransactions)
            } else {
                SignOutPage.uploading(
                    done,
                    of: total,
                    files: status.files,
                    isOfTransactions: isOfTransactions,
                    isSilent: status.isSilent
                )
            }
        // The number of files that were sent is not known: the bar stays as it is.
        return done == total && status.files > 0 ? (0, 0, text) : (done, total, text)
    }
}
