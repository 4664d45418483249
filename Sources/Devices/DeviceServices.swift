// The services that all devices of a server share.

import Book
import Ledger
import SyncCore

/// The data folder, the register, the open books, the cloud, and what comes in from the top.
struct DeviceServices: Sendable {
    let folder: DataFolder
    let register: DeviceRegister
    let books: BookPool
    let dependencies: Dependencies
    let locales: LocaleTable
    let cloud: any CloudAPI
    let seal: Seal
    let revoker: SessionRevoker
    let tasks: TaskScope
    let executor: any StepExecutor
    let divergences = Divergences()

    /// - Parameter changed: called after each change of the user's, from any thread.
    func openBook(of device: EntityID, changed: @escaping @Sendable () -> Void) throws(DevicesError) -> Book {
        do { try folder.prepareBookFolder(of: device) } catch { throw .folder(error) }
        let dependencies = dependencies
        return try wrapping { () throws(BookError) in
            try Book.open(
                at: folder.bookPath(of: device),
                clock: { dependencies.now },
                changed: changed
            )
        }
    }

    func locale(_ tag: String) -> LocaleFacts? { locales[tag] }
}
