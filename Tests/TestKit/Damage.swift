// A disk that returns other bytes than were written.
import Foundation

/// Changes one byte of a file in place, as a disk may do. Its size stays.
public func damage(_ path: String, at offset: UInt64 = 5) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: offset)
    let byte = try file.read(upToCount: 1)?.first ?? 0
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data([byte ^ 1]))
    try file.close()
}
