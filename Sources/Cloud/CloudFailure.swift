// Errors of the cloud's file, with the `CloudError` that a device receives for each.

import CloudProtocol
import FileStore
import Storage

/// An error of the cloud's file.
struct CloudFailure: StorageFailure {
    let asCloudError: CloudError

    init(_ error: CloudError) { asCloudError = error }

    init(_ error: any Error) {
        switch error {
        case let failure as CloudFailure: self = failure
        case let error as CloudError: asCloudError = error
        case FileStoreError.busy: asCloudError = .busy(retryAfterSeconds: 1)
        case let error as FileStoreError: asCloudError = .failed("\(error)")
        default: asCloudError = .failed("\(StorageError(error))")
        }
    }
}
