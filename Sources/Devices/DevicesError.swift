// The errors between a browser and its book.

public import Book
public import DeviceStore

/// The reason why a device cannot be served.
public enum DevicesError: Error, Hashable, Sendable {
    /// The book refused or failed.
    case book(BookError)
    /// The device store refused or failed.
    case store(DeviceStoreError)
    /// The folder of a book cannot be made.
    case folder(DataFolderError)
    /// As many devices as the operator allows are there already.
    case tooManyGuests
    /// This address has made many devices in the last hour.
    case tooManyFromAddress
    /// A destructive operation has been running on the device for long: try again in a moment.
    case busy
    /// The cloud let somebody in, and the device does not.
    case signInRefused(SignInRefusal)
    /// The server's secret cannot be read or kept in the data folder; the text says why, and what to do.
    case secret(String)
    /// There are books, and no device store that says whose they are; the path where it should be.
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
        case .store, .folder, .tooManyGuests, .tooManyFromAddress, .busy, .signInRefused, .secret,
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
