// The errors of the device store.
public import Ledger
public import Storage

/// The reason why the device store refused an operation or failed. A call that throws has changed nothing.
public enum DeviceStoreError: Error, Hashable, Sendable {
    /// There is no device with this id.
    case unknownDevice(EntityID)
    /// Another device has this id or cookie: generate another one.
    case idTaken(EntityID)
    /// The file refused an operation or failed.
    case storage(StorageError)
}

extension DeviceStoreError: StorageFailure {
    /// Translates an error of SQLite, GRDB or the storage.
    package init(_ error: any Error) { self = error as? DeviceStoreError ?? .storage(StorageError(error)) }
}

extension DeviceStoreError: CustomStringConvertible {
    /// A short phrase for the log.
    public var description: String {
        switch self {
        case .unknownDevice(let id): "there is no device \(id)"
        case .idTaken(let id): "the id \(id) is in use"
        case .storage(let error): "\(error)"
        }
    }
}
