// The server's own files: the device store, the secret and the cloud.

import Cloud
import CloudProtocol
import DeviceStore
import Foundation
import Storage

extension Doctor {
    /// - Returns: whether the device store can be read.
    mutating func examineDeviceStore() -> Bool {
        let name = "sessions.sqlite"
        let path = "\(folder)/\(name)"
        let hasBooks = (try? DataFolder.books(in: folder).isEmpty) == false
        examineKey(hasBooks: hasBooks)
        guard FileManager.default.fileExists(atPath: path) else {
            if hasBooks {
                add(
                    .fault,
                    name,
                    "it is missing, and says whose the books are",
                    "\(Self.bringBack), or put it back by hand"
                )
            }
            return false
        }
        do throws(DeviceStoreError) {
            for finding in try DeviceStore.checkIntegrity(at: path, isInUse: isInUse, now: now) {
                add(.fault, name, finding, Self.bringBack)
            }
            return true
        } catch {
            add(.fault, name, "\(error)", Self.advice(error))
            return false
        }
    }

    private mutating func examineKey(hasBooks: Bool) {
        let name = "secret.key"
        let path = "\(folder)/\(name)"
        let isNeeded = hasBooks || FileManager.default.fileExists(atPath: "\(folder)/sessions.sqlite")
        let todo = "put it back from a backup: without it every signed-in device has to sign in again"
        guard FileManager.default.fileExists(atPath: path) else {
            if isNeeded { add(.fault, name, "it is missing", todo) }
            return
        }
        guard let key = FileManager.default.contents(atPath: path) else {
            return add(.fault, name, "it cannot be read", "check its owner and its rights")
        }
        if key.count != 32, isNeeded { add(.fault, name, "it has \(key.count) bytes instead of 32", todo) }
    }

    mutating func examineCloud() {
        let name = "cloud.sqlite"
        let path = "\(folder)/\(name)"
        guard FileManager.default.fileExists(atPath: path) else {
            if FileManager.default.fileExists(atPath: path + ".mark") {
                add(.fault, name, "it is missing, and was here", "\(Self.bringBack), or put it back by hand")
            }
            return
        }
        do throws(CloudError) {
            for finding in try Directory.checkIntegrity(at: path, isInUse: isInUse, now: now) {
                add(.fault, name, finding, Self.bringBack)
            }
            try examineCloudFiles(besides: path)
            let age = Self.mostRateDays
            if let day = try Directory.staleRates(at: path, olderThan: age, isInUse: isInUse, now: now) {
                let what = "the exchange rates are of \(day), and requests for newer ones find none"
                add(.warning, name, what, "read the log, or bring newer ones with breadly rates import")
            }
        } catch {
            // The error about another version contains the advice.
            let isOfOther = Directory.isOfOtherVersion(header: DataFile(path).header)
            let what = if case .failed(let what) = error { what } else { "\(error)" }
            add(.fault, name, what, isOfOther ? nil : Self.bringBack)
        }
    }

    /// The age of rates in days that no public holidays explain.
    private static let mostRateDays = 7

    private static func advice(_ error: DeviceStoreError) -> String? {
        switch error {
        // The error's own text contains the advice.
        case .storage(.newerSchema), .storage(.migrationRefused): nil
        case .storage(.readOnly): "check its owner and its rights"
        case .storage(.busy): "try again"
        default: bringBack
        }
    }
}
