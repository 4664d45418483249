// The services that all devices of a server share.

import Book
import CloudProtocol
import DeviceStore
import FileStore
import Ledger

/// The data folder, the device store, the open books, the cloud, and the dependencies.
struct DeviceServices: Sendable {
    let folder: DataFolder
    let store: DeviceStore
    let books: BookPool
    /// The greatest size of a book, in bytes.
    let bookBytes: Int64
    /// The greatest rate of forms of a device in a second, averaged over a long time; 0 for no limit.
    let writesPerSecond: Int
    /// The time that a device which is about to remove its files waits for the cloud's word about them, in milliseconds.
    let leavingCheckMilliseconds: Int64
    let dependencies: Dependencies
    let locales: LocaleTable
    let cloud: any CloudAPI
    let seal: Seal
    let revoker: SessionRevoker
    let tasks: TaskScope
    let downloads: DownloadQueue
    let room: DiskRoom
    let soundFiles = SoundFiles()
    let fileReading = FileReading()
    let executor: any StepExecutor
    let banks: BankServices
    let bankRevoker: BankRevoker
    let bankViews = BankViews()
    let divergences = Divergences()
    let damagedBooks = DamagedBooks()
    let dueRecordings = WorkBeside()
    let textForms = WorkBeside()

    /// - Parameter changed: called after each change of the user's, from any thread.
    func openBook(of device: EntityID, changed: @escaping @Sendable () -> Void) throws(DevicesError) -> Book {
        do { try folder.prepareBookFolder(of: device) } catch { throw .folder(error) }
        let (dependencies, path) = (dependencies, folder.bookPath(of: device))
        let hasBook = try wrapping { () throws(DeviceStoreError) in
            // A request that was under way while its idle guest was removed creates no book.
            guard let hasBook = try store.bookState(of: device) else { throw .unknownDevice(device) }
            return hasBook
        }
        let book: Book
        do throws(BookError) {
            // A missing book is an error: an empty one in its place would look like a fresh one.
            guard folder.hasBook(of: device) || !hasBook else {
                throw .damaged("\(path) is missing or empty, and its device has had one")
            }
            book = try Book.open(
                at: path,
                clock: { dependencies.now },
                mostBytes: bookBytes,
                changed: changed
            )
        } catch {
            // An attached device tries again every few seconds.
            switch error {
            case .damaged(let why):
                if damagedBooks.note(device, isDamaged: true) {
                    dependencies.log.error("a book is damaged: \(why) (device \(device))")
                }
            case .newerSchema(let schema):
                if damagedBooks.note(device, isDamaged: true) {
                    dependencies.log.error("a book cannot be opened: \(schema) (device \(device))")
                }
            case .migrationRefused(let why):
                if damagedBooks.note(device, isDamaged: true) {
                    dependencies.log.error(
                        "a book cannot be upgraded: \(why) (device \(device))"
                    )
                }
            default: break
            }
            throw .book(error)
        }
        if !hasBook {
            do { try store.note(hasBook: true, device, now: dependencies.now) } catch {
                book.close()
                throw .store(error)
            }
        }
        // A page never fails for the want of a removal.
        do { try collectFiles(of: device, book) } catch {
            dependencies.log.warning("files of receipts are not checked: \(error) (device \(device))")
        }
        if let upgrade = book.upgrade { dependencies.log("a book was \(upgrade) (device \(device))") }
        damagedBooks.note(device, isDamaged: false)
        return book
    }

    func locale(_ tag: String) -> LocaleFacts? { locales[tag] }
}
