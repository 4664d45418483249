// The answer to a request with a page: its frame, its bytes.

import Book
import DeviceStore
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import SyncEngine
import Templates
import Texts

extension RequestContext {
    /// The frame of a page.
    /// - Parameter isBare: shows neither messages nor what must be read from the book.
    func chrome(isBare: Bool = false) -> Chrome {
        // A request that shows no page consumes no toasts, and neither does a script that requests rows only.
        let shows =
            !isBare && request.method != "HEAD" && request.header("Accept") != "text/html;quiet"
        let data = device.map { site.dataStatus(of: $0, in: lease?.book, sync) }
        let cloud = data?.shown ?? .guest
        // "Cloud sync is on" is shown once it is true, and neither beside a failure of sync nor after sync was switched
        // off. A file that is missing is no failure.
        let isFailure = cloud.look == .alert && !cloud.hasAllChanges
        let held: Set<String> = isFailure ? [Self.premiumActivated] : []
        if device?.tier != .premium || cloud.canSwitchOn { _ = device?.consumeToast(Self.premiumActivated) }
        let messages = shows ? device?.consumeToasts(but: held) ?? [] : []
        let theme = isBare ? nil : try? preferences().theme
        var chrome = Chrome(
            assets: site.assets,
            csrf: csrf,
            state: device?.shownState ?? State.uninitialized.name,
            tier: device?.tier ?? .guest,
            cloud: cloud,
            sync: device?.syncPhase(sync) ?? "off",
            pending: data?.pending ?? 0,
            theme: theme ?? .system,
            toasts: messages.filter { $0.key != Self.caution }.map {
                ToastLine(
                    key: $0.key,
                    text: $0.text,
                    undo: $0.undo.flatMap { Link($0) },
                    same: $0.same.flatMap { Link($0) },
                    another: $0.another.flatMap { Link($0) },
                    hide: $0.hide.flatMap { Link($0) }
                )
            },
            warning: messages.first { $0.key == Self.caution }?.text,
            canSignIn: true,
            toReview: isBare || sync == nil ? ToReview() : (try? lease?.book.toReview()) ?? ToReview(),
            notices: notices(isBare: isBare),
            decimal: (isBare ? nil : try? decimalSign()).map(String.init) ?? "."
        )
        chrome.backupDays = site.account.backupDays
        chrome.book = device?.bookName
        chrome.offer = isBare ? nil : ruleOffer()
        chrome.waitingFiles = sync?.files ?? 0
        return chrome
    }

    /// The notices of the device. A locked device shows nothing about its user's data.
    private func notices(isBare: Bool) -> [NoticeLine] {
        guard let device, !device.isLocked else { return [] }
        return device.notices.compactMap { notice in
            guard notice.key == Device.NoticeKind.guestCount.rawValue else {
                return text(of: notice, of: device).map { NoticeLine(key: notice.key, text: $0) }
            }
            // Counted anew, because some were entered and some deleted since.
            guard !isBare, device.session == nil, let count = try? lease?.book.counts().transactions,
                count > 0
            else { return nil }
            return NoticeLine(key: notice.key, text: Chrome.guestReminder(count))
        }
    }

    /// The text of a notice with the present numbers; nil if it has nothing left to say.
    private func text(of notice: Notice, of device: Device) -> Text? {
        guard let book = lease?.book else { return notice.text }
        do { return try device.text(of: notice, in: book) } catch { return notice.text }
    }

    /// The key of the toast that is shown above the content instead of over it.
    static let caution = "left-out"
    /// The key of the toast that appears without a user action.
    static let premiumActivated = "premium-activated"
    /// A text in the language of the pages, for output without a template.
    func string(_ text: Text) -> String { site.pages.texts.string(text) }

    /// The answer with a page.
    func page(_ page: some Page, _ status: Status = .ok) -> Response {
        Self.printed(page, status, site, device)
    }

    /// A page for a browser without a device.
    static func bare(
        _ site: Site,
        _ problem: ErrorPage.Problem,
        _ status: Status,
        kept: PreservedForm? = nil
    ) -> Response {
        let chrome = Chrome(
            assets: site.assets,
            csrf: "",
            state: State.uninitialized.name,
            tier: .guest,
            cloud: .guest
        )
        return printed(ErrorPage(chrome: chrome, problem: problem, kept: kept), status, site, nil)
    }

    private static func printed(_ page: some Page, _ status: Status, _ site: Site, _ device: Device?)
        -> Response
    {
        let out = ByteBuffer(capacity: 48 << 10)
        site.pages.render(page, into: out)
        site.observer?(device, out)
        let (memory, count) = out.release()
        return Response(
            status,
            headers: [("Content-Type", "text/html; charset=utf-8")],
            body: .memory(OwnedMemory(memory, count: count))
        )
    }
}
