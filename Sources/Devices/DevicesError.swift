// Errors of devices.

public import Book
public import DeviceStore

/// The reason why a device cannot be served.
public enum DevicesError: Error, Hashable, Sendable {
    /// The book refused an operation or failed.
    case book(BookError)
    /// The device store refused an operation or failed.
    case store(DeviceStoreError)
    /// The folder of a book cannot be created.
    case folder(DataFolderError)
    /// The number of devices has reached the operator's limit.
    case tooManyGuests
    /// The address has created too many devices in the last hour.
    case tooManyFromAddress
    /// Guests have used all the space that they may have: `DiskRoom`.
    case noRoomForGuests
    /// A destructive operation has been running on the device for long: try again in a moment.
    case busy
    /// The cloud accepted a sign-in that the device refuses.
    case signInRefused(SignInRefusal)
    /// The server's secret cannot be read or stored in the data folder; the text gives the reason and the
    /// remedy.
    case secret(String)
    /// The folder contains books but no device store; its path.
    case noDeviceStore(String)

    /// Whether the server is stopping, and its files are closed.
    public var isClosed: Bool { self == .book(.closed) || self == .store(.storage(.closed)) }

    /// A short key for the lifecycle's store and log: never personal data.
    var key: String {
        switch self {
        case .book(let error): error.key
        case .store(.storage(let error)): BookError(error).key
        case .folder(.diskFull): BookError.diskFull.key
        case .folder(.readOnly): BookError.readOnly.key
        case .store, .folder, .tooManyGuests, .tooManyFromAddress, .noRoomForGuests, .busy, .signInRefused,
            .secret,
            .noDeviceStore:
            "book_failed"
        }
    }
}

extension BookError {
    /// A short key for the lifecycle's store and log: never personal data.
    public var key: String {
        switch self {
        case .damaged: "damaged_book"
        case .diskFull: "disk_full"
        case .readOnly: "read_only"
        case .newerSchema: "newer_schema"
        case .migrationRefused: "migration_refused"
        default: "book_failed"
        }
    }
}
