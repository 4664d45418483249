// The errors of the device store.
public import Ledger
public import Storage

/// The reason why the device store refused or failed. Nothing was changed where one is thrown.
public enum DeviceStoreError: Error, Hashable, Sendable {
    /// There is no device with this id.
    case unknownDevice(EntityID)
    /// Another device has this id, or this cookie: make another one.
    case idTaken(EntityID)
    /// The file refused or failed.
    case storage(StorageError)
}

extension DeviceStoreError: StorageFailure {
    /// The error that a failure from below amounts to.
    package init(_ error: any Error) { self = error as? DeviceStoreError ?? .storage(StorageError(error)) }
}

extension DeviceStoreError: CustomStringConvertible {
    /// A few words for the log.
    public var description: String {
        switch self {
        case .unknownDevice(let id): "there is no device \(id)"
        case .idTaken(let id): "the id \(id) is in use"
        case .storage(let error): "\(error)"
        }
    }
}
