// The room on the disk: decided here for books, files, drafts, schedules and downloads alike.
//
//   free space                     guests                  files and downloads    entries, sessions,
//                                                          of users               sync, cloud
//   more than `usersReserve`       to their budget         yes                    yes
//   down to `entriesReserve`       no                      yes                    yes
//   less                           no                      no                     to the end of the disk
//
// One guest may use a sixteenth of the budget, and at least 16 MB. Files count while they arrive.
// Downloads are temporary files. The downloads of guests together may have as much as the budget, and end at
// half of `usersReserve`: a guest who can enter nothing more can still download the book.

import DeviceStore
public import Ledger
import Storage
import SyncCore
import Synchronization

/// Decides whether the disk has room for a write, and counts what guests use. Safe to use from any thread.
public final class DiskRoom: Sendable {
    private struct Uses {
        var bytes: [EntityID: Int64] = [:]
        var total: Int64 = 0
        var incoming: Int64 = 0
        var downloading: Int64 = 0

        mutating func set(_ bytes: Int64?, of guest: EntityID) {
            total = total.addingClamped(bytes ?? 0).addingClamped(-(self.bytes[guest] ?? 0))
            self.bytes[guest] = bytes
        }
    }

    private let folder: DataFolder
    private let space: @Sendable (_ path: String) -> DiskSpace?
    private let budget: Int64?
    private let log: Log
    private let uses = Mutex(Uses())
    /// Whether guests were refused at the last decision.
    private let refusesGuests = Mutex(false)

    /// - Parameter budget: the bytes that all guests together may use; nil for a tenth of the disk.
    init(
        _ folder: DataFolder,
        budget: Int64?,
        space: @escaping @Sendable (_ path: String) -> DiskSpace?,
        log: Log
    ) {
        (self.folder, self.budget, self.space, self.log) = (folder, budget, space, log)
    }

    /// The bytes of the books and files of all guests, as they were after the last form of each.
    public var guestBytes: Int64 { uses.withLock { $0.total } }

    /// The bytes that all guests together may use; nil if the system does not report the size of the disk.
    public var mostGuestBytes: Int64? { budget ?? space(folder.path).map { $0.size / 10 } }

    /// The smallest share of one guest, in bytes.
    private static let leastShare: Int64 = 16 << 20

    /// Whether a guest may write anything that takes room.
    /// - Parameter guest: nil for a new one.
    public func accepts(_ guest: EntityID?) -> Bool {
        // A disk that cannot be asked refuses a write by itself.
        guard let space = space(folder.path) else { return true }
        let most = budget ?? space.size / 10
        let (used, own) = uses.withLock { uses in
            (uses.total.addingClamped(uses.incoming), guest.flatMap { uses.bytes[$0] } ?? 0)
        }
        let isFull = used >= most || space.bytes <= space.usersReserve
        let hasChanged = refusesGuests.withLock { refuses in
            defer { refuses = isFull }
            return refuses != isFull
        }
        // One line for each change, because guests could fill the log.
        if hasChanged {
            log.write(
                isFull
                    ? "guests can write nothing more: they use \(used >> 20) of \(most >> 20) MB, and "
                        + "\(space.bytes >> 20) MB of the disk are free" : "guests can write again",
                at: isFull ? .warning : .info
            )
        }
        return !isFull && own < max(most / 16, min(Self.leastShare, most))
    }

    /// Whether a file of a user may be written.
    public var acceptsFiles: Bool {
        guard let space = space(folder.path) else { return true }
        return space.bytes > space.entriesReserve
    }

    /// Whether a device may have a second book beside its own for a while. Without that much room, it has only one.
    var acceptsSecondBook: Bool {
        guard let space = space(folder.path) else { return true }
        return space.bytes > space.entriesReserve.addingClamped(4 << 20)
    }

    /// Whether a download may be written to a folder for temporary files.
    public func acceptsDownload(in path: String, ofGuest isGuest: Bool) -> Bool {
        guard let space = space(path) else { return true }
        guard isGuest else { return space.bytes > space.entriesReserve }
        let most = mostGuestBytes ?? .max
        return space.bytes > space.usersReserve / 2 && uses.withLock { $0.downloading } < most
    }

    /// The bytes of a guest's file while it arrives, or of a download, until this object is freed.
    public final class Passing: Sendable {
        private let room: DiskRoom
        private let isDownload: Bool
        private let bytes = Atomic<Int64>(0)

        fileprivate init(_ room: DiskRoom, isDownload: Bool) {
            (self.room, self.isDownload) = (room, isDownload)
        }

        deinit { room.pass(-bytes.load(ordering: .relaxed), isDownload) }

        /// Counts further bytes.
        public func add(_ count: Int) {
            bytes.add(Int64(count), ordering: .relaxed)
            room.pass(Int64(count), isDownload)
        }
    }

    /// Begins to count bytes that guests use for some time only.
    public func passing(isDownload: Bool) -> Passing { Passing(self, isDownload: isDownload) }

    fileprivate func pass(_ bytes: Int64, _ isDownload: Bool) {
        uses.withLock { uses in
            if isDownload { uses.downloading += bytes } else { uses.incoming += bytes }
        }
    }

    /// Counts the book and the files of a guest anew.
    func count(_ guest: EntityID) {
        let bytes = folder.bytesOnDisk(of: guest)
        uses.withLock { $0.set(bytes, of: guest) }
    }

    /// Counts a device no more: it was removed, or a user has signed in.
    func leave(_ device: EntityID) { uses.withLock { $0.set(nil, of: device) } }

    /// Counts all guests anew.
    func count(all guests: [EntityID]) {
        let present = Set(guests)
        for device in uses.withLock({ Array($0.bytes.keys) }) where !present.contains(device) {
            leave(device)
        }
        for guest in guests { count(guest) }
    }
}

extension DeviceManager {
    /// The decisions about writes of this server, and the bytes of its guests.
    public var room: DiskRoom { services.room }

    /// Counts what guests use, now and then every hour. A guest's own form counts that guest at once.
    public func watchRoom() {
        services.tasks.run { [weak self, pause = dependencies.pause] in
            while !Task.isCancelled {
                self?.countGuestBytes()
                await pause(3_600_000)
            }
        }
    }

    func countGuestBytes() {
        do { services.room.count(all: try services.store.guests().map(\.id)) } catch {
            dependencies.log.error("the disk space of guests cannot be counted: \(error)")
        }
        // The log tells of a change that no request has met.
        _ = services.room.accepts(nil)
    }
}

extension Device {
    /// Whether no user is signed in.
    public var isGuest: Bool { session == nil }

    /// Notes that a form of this device may have changed what it uses.
    public func noteForm() {
        if isGuest { services.room.count(id) } else { services.room.leave(id) }
    }
}
