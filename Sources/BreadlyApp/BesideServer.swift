// How a command opens a file that a server may have open.

import DeviceStore
import Foundation

/// Opens a file of a data folder for a command.
///
/// A file of an earlier schema is brought to this version's only while no server works on the folder: one of the version
/// before could not go on with it.
/// - Parameter path: the file, which must be there: a command makes none.
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
