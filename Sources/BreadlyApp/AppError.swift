// Errors of the program, each a line that says what to do.

public import CloudProtocol
import DeviceStore
import Devices
public import HTTPServer

/// An error that ends a command.
public enum AppError: Error, Sendable, CustomStringConvertible {
    /// The program's own files are not where it expects them.
    case noResources(String)
    /// One of the program's own files is damaged.
    case badFile(String)
    /// A template does not fit its page.
    case badTemplate(String)
    /// The data folder cannot be used.
    case folder(String)
    /// The server cannot listen.
    case server(ServerError)
    /// The cloud's file cannot be used, or refused an operation.
    case cloud(CloudError, path: String)
    /// The operator's request does not fit the data.
    case refused(String)
    /// A backup cannot be written or read.
    case backup(String)

    init(_ error: DevicesError, path: String) {
        switch error {
        case .folder(let error): self = .folder(error.sentence)
        case .store(let error): self = .folder("\(path)/sessions.sqlite cannot be used: \(error).")
        case .secret(let text): self = .folder("the server's secret cannot be used: \(text).")
        case .noDeviceStore(let store):
            self = .folder(
                "\(store) is missing, which says whose the books in \(path)/devices are: put it back from a backup, "
                    + "or move that folder away."
            )
        case .book, .tooManyGuests, .tooManyFromAddress, .noRoomForGuests, .busy, .signInRefused:
            self = .folder("\(error)")
        }
    }

    /// A line for the operator.
    public var description: String {
        switch self {
        case .noResources(let program):
            "the files that come with Breadly are not found near \(program): install it again with make install."
        case .badFile(let text): "\(text): install Breadly again."
        case .badTemplate(let text): "a template does not fit its page: \(text)"
        case .folder(let text): text
        case .server(let error): error.description
        case .cloud(let error, let path): "the accounts in \(path)/cloud.sqlite cannot be used: \(error)."
        case .refused(let text): text
        case .backup(let text): text
        }
    }
}

extension DataFolderError {
    /// A line for the operator.
    var sentence: String {
        switch self {
        case .inUse(let path):
            "another server works on \(path): stop it, or choose another folder with --data."
        case .readOnly(let path):
            "\(path) cannot be written: check its owner and whether the disk is read-only."
        case .diskFull(let path): "there is no room on the disk of \(path)."
        case .notAFolder(let path): "\(path) is not a folder: choose another with --data."
        case .unusable(let text): "the data folder cannot be used: \(text)."
        }
    }
}
