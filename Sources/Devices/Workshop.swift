// What all devices of a server share: the data folder, the register, the open books, the cloud.

import Book
import Ledger
import Lifecycle
import SyncCore
import Synchronization

/// Held while a book is opened or removed.
private final class Opening: Sendable {
    let lock = Mutex(())
}

/// The shared ground of the devices.
struct Workshop: Sendable {
    let folder: DataFolder
    let register: DeviceRegister
    let books: OpenBooks
    let surroundings: Surroundings
    let locales: LocaleTable
    let cloud: any CloudAPI
    let seal: Seal
    let farewells: Farewells
    private let opening = Opening()
    let runners = Runners()
    let watchers = Watchers()
    /// Asked before and after each effect: a test answers no where the process is to die.
    let mayBegin: @Sendable (Effect) -> Bool
    let mayEnd: @Sendable (Effect) -> Bool

    /// A device's book, opened if need be.
    func book(of device: EntityID) throws(DevicesError) -> Book {
        if let open = books.find(device) { return open }
        // Of two who ask at once, one opens: two openings of one file would not hear of each other's changes.
        return try opening.lock.withLock { _ throws(DevicesError) in try open(device) }
    }

    private func open(_ device: EntityID) throws(DevicesError) -> Book {
        if let open = books.find(device) { return open }
        do { try folder.prepareBookFolder(of: device) } catch { throw .folder(error) }
        let surroundings = surroundings
        let book = try wrapping { () throws(BookError) in
            try Book.open(
                at: folder.bookPath(of: device),
                clock: { surroundings.now },
                changed: { [runners, watchers] in
                    runners[device]?.hurry()
                    watchers.tell(device, .status)
                }
            )
        }
        books.keep(book, of: device)
        return book
    }

    /// Removes a device's book; the next one to be opened there is new.
    func clearBook(of device: EntityID) throws(DevicesError) {
        try opening.lock.withLock { _ throws(DevicesError) in
            books.close(device)
            do throws(DataFolderError) { try folder.removeBook(of: device) } catch { throw .folder(error) }
        }
    }

    func locale(_ tag: String) -> LocaleFacts? { locales[tag] }
}
