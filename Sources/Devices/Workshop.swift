// What all devices of a server share: the data folder, the register, the open books, the cloud.

import Book
import Ledger
import Lifecycle
import SyncCore

/// The shared ground of the devices.
struct Workshop: Sendable {
    let folder: DataFolder
    let register: DeviceRegister
    let books: OpenBooks
    let surroundings: Surroundings
    let locales: LocaleTable
    let cloud: any AccountsAPI
    let seal: Seal
    let farewells: Farewells
    /// Asked before and after each effect: a test answers no where the process is to die.
    let mayBegin: @Sendable (Effect) -> Bool
    let mayEnd: @Sendable (Effect) -> Bool

    /// A device's book, opened if need be.
    func book(of device: EntityID) throws(DevicesError) -> Book {
        if let open = books.find(device) { return open }
        do { try folder.prepareBookFolder(of: device) } catch { throw .folder(error) }
        let surroundings = surroundings
        let book = try wrapping { () throws(BookError) in
            try Book.open(at: folder.bookPath(of: device)) { surroundings.now }
        }
        books.keep(book, of: device)
        return book
    }

    /// Removes a device's book; the next one to be opened there is new.
    func clearBook(of device: EntityID) throws(DevicesError) {
        books.close(device)
        do { try folder.removeBook(of: device) } catch { throw .folder(error) }
    }

    func locale(_ tag: String) -> LocaleFacts? { locales[tag] }
}
