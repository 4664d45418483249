// The notices of a device: messages on every page, until they are dismissed or are no longer true.

public import DeviceStore
import Lifecycle
public import Texts

extension Device {
    /// A kind of notice that no transition announces.
    public enum NoticeKind: String, CaseIterable, Sendable {
        /// The user has subscribed, and the cloud has not answered what that changes.
        case purchaseWaits = "purchase-waits"
        /// The transactions of a guest, which are not backed up. Pages count them anew, because the stored
        /// text is as old as the notice.
        case guestCount = "guest-count"
        /// Files of receipts that the disk has damaged, and of which there is no other copy.
        case damagedFiles = "files-damaged"
    }

    /// The notices to show, oldest first, each until it is dismissed. The end of a subscription is shown
    /// after the last changes are uploaded, because sync still runs until then.
    public var notices: [Notice] {
        machine { machine in
            guard case .draining = machine.state else { return machine.notices }
            return machine.notices.filter { $0.key != Announcement.subscriptionEnded.rawValue }
        }
    }

    /// Whether the user has subscribed, and the cloud has not answered what that changes.
    public var awaitsPurchase: Bool {
        machine { machine in machine.notices.contains { $0.key == NoticeKind.purchaseWaits.rawValue } }
    }

    /// Removes a notice; does nothing if there is none.
    public func dismiss(notice key: String) throws(DevicesError) {
        try keeping { store throws(DeviceStoreError) in _ = try store.dismiss(key, of: id) }
        machine { $0.notices.removeAll { $0.key == key } }
    }

    /// Shows a notice from now on, in place of an earlier one of its kind.
    public func show(_ kind: NoticeKind, _ text: Text) {
        let notice = Notice(key: kind.rawValue, at: services.dependencies.now, text: text)
        machine { $0.show(notice) }
        store(notice)
    }

    /// The same, unless it cannot be stored.
    func showStored(_ kind: NoticeKind, _ text: Text) throws(DevicesError) {
        let notice = Notice(key: kind.rawValue, at: services.dependencies.now, text: text)
        try keeping { store throws(DeviceStoreError) in try store.post(notice, to: id) }
        machine { $0.show(notice) }
        notify(.status)
    }

    /// Stores a notice, or a toast that must survive the process.
    func store(_ notice: Notice) {
        do {
            try keeping { store throws(DeviceStoreError) in try store.post(notice, to: id) }
        } catch {
            // It is shown nevertheless, until the process ends.
            services.dependencies.log.error("a notice could not be stored: \(error) (device \(id))")
        }
        notify(.status)
    }

    /// Removes notices that no longer apply.
    func withdraw(_ announcement: Announcement) { withdraw(announcement.rawValue) }

    /// The same for a notice that no transition announces.
    func withdraw(_ kind: NoticeKind) { withdraw(kind.rawValue) }

    private func withdraw(_ key: String) {
        guard machine({ machine in machine.notices.contains { $0.key == key } }) else { return }
        do { try dismiss(notice: key) } catch {
            services.dependencies.log.error("a notice could not be withdrawn: \(error) (device \(id))")
        }
    }
}
