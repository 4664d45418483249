// The data folder: one server at a time, and the places of books.
import Foundation
import Glibc
import Ledger
import Storage
import TestKit
import Testing

@testable import DeviceStore

@Suite struct DataFolderTests {
    private let folder = Scratch()

    @Test func aSecondServerOnAFolderIsRefusedUntilTheFirstIsGone() throws {
        let path = folder("data/breadly")
        var first: DataFolder? = try DataFolder.lock(path + "/")
        #expect(first?.path == path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(throws: DataFolderError.inUse(path)) { try DataFolder.lock(path) }
        first = nil
        #expect(throws: Never.self) { try DataFolder.lock(path) }
    }

    @Test func whatIsNoFolderIsSaidSo() throws {
        let file = folder("file")
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: DataFolderError.notAFolder(file)) { try DataFolder.lock(file) }
        #expect(throws: DataFolderError.notAFolder(file + "/below")) { try DataFolder.lock(file + "/below") }
        #expect(throws: DataFolderError.self) { try DataFolder.lock("") }
        #expect(throws: DataFolderError.self) { try DataFolder.lock("/proc/nowhere") }
    }

    @Test func booksLieInFoldersByTheEndOfTheirIds() throws {
        let data = try DataFolder.lock(folder("data"))
        let id = EntityID.number(33)
        #expect(data.bookPath(of: id) == folder("data/devices/11/") + "\(id).sqlite")
        for _ in 1...2 { try data.prepareBookFolder(of: id) }
        #expect(!data.hasBook(of: id) && !data.hasBooks)
        try Data([1]).write(to: URL(fileURLWithPath: data.bookPath(of: id)))
        #expect(data.hasBook(of: id) && data.hasBooks)
        #expect(try DataFolder.books(in: data.path) == ["devices/11/\(id).sqlite"])
    }

    @Test func copiesOfUpgradesGoWithTheirBookOrAfterTheirTime() throws {
        let data = try DataFolder.lock(folder("data"))
        let (device, other) = (EntityID.number(1), EntityID.number(2))
        for device in [device, other] {
            try data.prepareBookFolder(of: device)
            for path in [
                data.bookPath(of: device), SchemaCopies.path(of: data.bookPath(of: device), schema: 1),
            ] {
                try Data([1]).write(to: URL(fileURLWithPath: path))
            }
        }
        try data.removeBook(of: device)
        #expect(!data.hasBook(of: device))
        #expect(DatabaseFile.size(of: SchemaCopies.path(of: data.bookPath(of: device), schema: 1)) < 0)
        #expect(try data.removeSchemaCopies(madeBefore: 1_000) == 0)
        #expect(try data.removeSchemaCopies(madeBefore: .max) == 1)
        #expect(DatabaseFile.size(of: SchemaCopies.path(of: data.bookPath(of: other), schema: 1)) < 0)
        #expect(data.hasBook(of: other))
    }
}
