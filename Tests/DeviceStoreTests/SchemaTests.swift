// Files of every schema of the device store that was ever released, as they were on a disk: each is brought to the newest one
// with all that is in it, and a new file passes through the very same schemas.
import Foundation
import GRDB
import Ledger
import SchemaFiles
import Storage
import TestKit
import Testing

@testable import DeviceStore

@Suite struct SchemaTests {
    private let files = SchemaFiles("device-store", copiedTo: Scratch())

    @Test func everySchemaHasAFile() {
        #expect(
            files.missing(of: Migration.deviceStore) == [],
            "commit a file of the newest schema with rows in its new tables"
        )
        #expect(SchemaFiles.areConsecutive(Migration.deviceStore))
    }

    @Test(arguments: Migration.deviceStore.map(\.number))
    func aStoreOfEachSchemaKeepsAllThatIsInIt(schema: Int) throws {
        let path = try files.copy(schema)
        let before = try SchemaFiles.counts(path)
        let store = try DeviceStore.open(at: path)
        #expect((store.upgrade == nil) == (schema == Migration.deviceStore.last?.number))
        #expect(try store.count() == 3)
        let signedIn = try #require(EntityID(String(repeating: "0", count: 25) + "3"))
        let session = try #require(try store.session(of: signedIn))
        #expect(session.isLocked && session.isDeletionUnanswered && session.hasLeftDownload)
        #expect(try store.device(signedIn)?.isStateUnknown == false)
        let entries = try DeviceStore.entries(at: path, isInUse: true, now: .max)
        #expect(entries.map(\.hasBook) == [true, false, true])
        store.close()
        #expect(try DeviceStore.checkIntegrity(at: path) == [])
        let after = try SchemaFiles.counts(path)
        for (table, count) in before { #expect(after[table] == count, "\(table)") }
    }

    @Test(arguments: Migration.deviceStore.map(\.number))
    func aStoreOfEachSchemaIsWhatItsMigrationsMakeStill(schema: Int) throws {
        let differences = try files.differences(
            of: schema,
            from: Migration.deviceStore,
            applicationID: DeviceStore.applicationID,
            DeviceStoreError.self
        )
        #expect(differences == [])
    }
}
