// What goes wrong within the cloud's file, on its way to what a device is told.

import Storage
import SyncCore

/// A failure of the cloud's file.
struct CloudFailure: StorageFailure {
    let asCloudError: CloudError

    init(_ error: CloudError) { asCloudError = error }

    init(_ error: any Error) {
        switch error {
        case let failure as CloudFailure: self = failure
        case let error as CloudError: asCloudError = error
        default: asCloudError = .failed("\(StorageError(error))")
        }
    }
}
