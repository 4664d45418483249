// Opening a file that a server may have open, for a command.

import DeviceStore
import Foundation

/// Opens a file of a data folder for a command.
///
/// A file with an earlier schema is upgraded only while no server works on the folder: a server of the
/// earlier version could not use it any more.
/// - Parameter path: the file, which must exist: a command creates none.
/// - Throws: `AppError`.
func openBesideServer<File>(
    _ path: String,
    in folder: String,
    needsUpgrade: () throws(AppError) -> Bool,
    open: () throws(AppError) -> File
) throws(AppError) -> File {
    guard FileManager.default.fileExists(atPath: path) else {
        throw .folder("\(path): there is no such file: name the data folder with --data.")
    }
    try RestoreSwap.refuse(folder)
    guard try needsUpgrade() else { return try open() }
    let lock: DataFolder
    do { lock = try DataFolder.lock(folder) } catch {
        if case .inUse = error {
            throw .refused(
                "the server that works on \(folder) is of an earlier version than this command: restart it first."
            )
        }
        throw .folder(error.sentence)
    }
    defer { lock.release() }
    return try open()
}
