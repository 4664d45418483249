// Files get their names only when they are complete, and equal files are stored once.
import Foundation
import TestKit
import Testing

@testable import FileStore

@Suite struct TheFolderOfFiles {
    private let folder = Scratch()

    private var files: FileFolder { FileFolder(besides: folder("book.sqlite")) }

    private func incoming(_ bytes: [UInt8]) throws -> IncomingFile {
        let file = try IncomingFile(in: folder.path)
        for start in stride(from: 0, to: bytes.count, by: 7) {
            try file.write(bytes[start..<min(start + 7, bytes.count)])
        }
        try file.synchronize()
        return file
    }

    @Test func namesFilesByTheirContent() throws {
        let bytes = Array("a receipt".utf8)
        let file = try incoming(bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try files.place(file)
        let hash = ContentHash(of: bytes)
        #expect(hash.description.count == 64 && ContentHash(hash.description) == hash)
        #expect(files.contents() == [hash] && files.size(of: hash) == 9)
        let stored = try #require(files.open(hash))
        #expect(
            stored.bytes(at: 2, count: 100) == Array("receipt".utf8) && stored.bytes(at: 9, count: 1).isEmpty
        )
        // Twice, and also from two devices at once.
        try files.place(try incoming(bytes))
        #expect(files.contents() == [hash])
        files.remove(hash)
        files.remove(hash)
        #expect(files.contents().isEmpty && stored.bytes(at: 0, count: 9) == bytes)
        try files.place(try incoming(bytes))
        try files.removeAll()
        try files.removeAll()
        #expect(!FileManager.default.fileExists(atPath: files.path))
    }

    @Test func replacesAFileThatIsNotWhole() throws {
        let bytes = Array("a receipt".utf8)
        try files.place(try incoming(bytes))
        let path = files.path(of: ContentHash(of: bytes))
        try Data("a rec".utf8).write(to: URL(fileURLWithPath: path))
        try files.place(try incoming(bytes))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
    }

    /// A disk that returns other bytes than were written does not change their number.
    @Test func replacesADamagedFileOfTheSameLength() throws {
        let bytes = Array("a receipt".utf8)
        let hash = ContentHash(of: bytes)
        try files.place(try incoming(bytes))
        try Data("A RECEIPT".utf8).write(to: URL(fileURLWithPath: files.path(of: hash)))
        let damaged = try #require(files.open(hash))
        try files.place(try incoming(bytes))
        #expect(files.open(hash)?.bytes(at: 0, count: 9) == bytes)
        #expect(damaged.bytes(at: 0, count: 9) == Array("A RECEIPT".utf8), "it was replaced, not rewritten")
        #expect(files.names() == [hash.description])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["book.files"])
    }

    /// A browser makes another one. The bytes of its pixels are not looked at: it is a picture nevertheless.
    @Test func removesASmallPictureThatABrowserCouldNotShow() throws {
        let hash = ContentHash(of: [1])
        let (small, other) = (
            SampleFiles.jpeg(width: 40, height: 30), SampleFiles.jpeg(width: 50, height: 30)
        )
        let path = files.thumbnailPath(of: hash)
        let zeros = [UInt8](repeating: 0, count: small.count)
        let broken = [
            [], zeros, Array(small.dropLast(3)), zeros.prefix(4) + Array(small.dropFirst(4)),
            SampleFiles.png(),
        ]
        for bytes in broken {
            try files.place(thumbnail: try incoming(small), of: hash)
            #expect(try files.thumbnail(of: hash)?.bytes(at: 0, count: 999) == small)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(try files.thumbnail(of: hash) == nil && !files.hasThumbnail(of: hash))
        }
        try files.place(thumbnail: try incoming(small), of: hash)
        try damage(path, at: UInt64(small.count - 4))
        #expect(try files.thumbnail(of: hash)?.size == small.count && files.hasThumbnail(of: hash))
        try files.place(thumbnail: try incoming(other), of: hash)
        #expect(try files.thumbnail(of: hash)?.bytes(at: 0, count: 999) == other, "it is replaced")
    }

    /// The file that is there stays until the other one can be put in its place in one step.
    @Test func leavesWhatIsThereIfItCannotBeReplaced() throws {
        let bytes = Array("a receipt".utf8)
        let path = files.path(of: ContentHash(of: bytes))
        try FileManager.default.createDirectory(atPath: path + "/within", withIntermediateDirectories: true)
        #expect(throws: FileStoreError.self) { try files.place(try incoming(bytes)) }
        #expect(FileManager.default.fileExists(atPath: path + "/within"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["book.files"])
    }

    /// The log says why, and not that the folder has files still.
    @Test func isNotRemovedIfItCannotBeListed() throws {
        try FileManager.default.createSymbolicLink(atPath: files.path, withDestinationPath: files.path)
        let reason = "\(files.path): \(String(cString: strerror(ELOOP)))"
        #expect(throws: FileStoreError.failed(reason)) { try files.removeAll() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["book.files"])
    }

    @Test func tellsAMissingFileFromOneThatCannotBeOpened() throws {
        let hash = ContentHash(of: Array("a receipt".utf8))
        #expect(try files.file(hash) == nil && files.thumbnail(of: hash) == nil && files.list().isEmpty)
        try files.place(try incoming(Array("other".utf8)))
        #expect(try files.file(hash) == nil)
        try FileManager.default.createSymbolicLink(
            atPath: files.path(of: hash),
            withDestinationPath: "elsewhere"
        )
        #expect(throws: FileStoreError.self) { try files.file(hash) }
        let file = FileFolder(files.path(of: ContentHash(of: Array("other".utf8))))
        #expect(throws: FileStoreError.self, "it is no folder") { try file.list() }
    }

    @Test func leavesNothingOfAFileThatIsNotPlaced() throws {
        do { _ = try incoming(Array("unfinished".utf8)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        for name in ["incoming-abc", "other"] { try Data().write(to: URL(fileURLWithPath: folder(name))) }
        FileFolder.removeUnfinished(in: folder.path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["other"])
    }

    @Test func saysWhyItCannotWrite() throws {
        #expect(throws: FileStoreError.self) { try IncomingFile(in: folder("missing")) }
        let full = FileStoreError.diskFull
        #expect(full.description == "the disk is full")
        for (code, error) in [
            (ENOSPC, FileStoreError.diskFull), (EFBIG, .diskFull), (EROFS, .readOnly), (EMFILE, .busy),
            (ENFILE, .busy),
        ] {
            errno = code
            #expect(FileStoreError(errnoAt: "a file") == error)
        }
        for text in [
            "", "abc", String(repeating: "A", count: 64), "../../" + String(repeating: "a", count: 58),
        ] {
            #expect(ContentHash(text) == nil)
        }
    }
}
