// Looking at a file from outside: whose it is, whether it is sound, and its bytes.
import Foundation
import GRDB
import Storage
import TestKit
import Testing

@Suite struct ExaminationTests {
    let folder = Scratch()

    private func integrity(
        _ name: String,
        id: Int32 = Store<TestFailure>.id,
        isInUse: Bool = false,
        more: (Database) throws -> [String] = { _ in [] }
    ) throws(StorageError) -> [String] {
        try Examination.integrity(
            of: folder(name),
            applicationID: id,
            migrations: [Store.first],
            isInUse: isInUse,
            now: .max,
            more: more
        )
    }

    @Test func aSoundFileHasNoFindingButTheCallers() throws {
        let store = try Store.scratch(folder)
        try store.add(1)
        #expect(try integrity("rows.sqlite", isInUse: true) == [])
        #expect(
            try integrity("rows.sqlite", isInUse: true) { db in
                ["\(try db.number("SELECT count(*) FROM rows")) rows"]
            } == ["1 rows"]
        )
        store.close()
        #expect(try integrity("rows.sqlite") == [])
    }

    @Test func aFileThatIsNotOursIsDamage() throws {
        try Store.scratch(folder).close()
        #expect(throws: StorageError.damaged("another program's file")) {
            try integrity("rows.sqlite", id: 7)
        }
        try Data(
            "no database, and as long as its header would be: \(String(repeating: "-", count: 100))".utf8
        )
        .write(to: URL(fileURLWithPath: folder("text.sqlite")))
        let error = #expect(throws: StorageError.self) { try integrity("text.sqlite") }
        if case .damaged = error {} else { Issue.record("\(String(describing: error))") }
        #expect(throws: StorageError.self) { try integrity("none.sqlite") }
    }

    @Test func aFileOfANewerVersionSaysSo() throws {
        try Store.scratch(folder, "rows.sqlite", [Store.first, Store.second]).close()
        #expect(throws: StorageError.newerSchema(NewerSchema(found: 2, known: 1, needed: "0.2.0"))) {
            try integrity("rows.sqlite")
        }
    }

    @Test func aFileThatHoldsNothingYetIsBlank() throws {
        try DatabaseFile.open(at: folder("new.sqlite")).close()
        #expect(try integrity("new.sqlite") == [Examination.blank])
        let blank = try Data(contentsOf: URL(fileURLWithPath: folder("new.sqlite")))
        #expect(Examination.isBlank(header: blank) && Examination.isBlank(header: [UInt8]()))
        try Store.scratch(folder).close()
        let made = try Data(contentsOf: URL(fileURLWithPath: folder("rows.sqlite")))
        #expect(!Examination.isBlank(header: made))
    }

    @Test func theBytesOfAClosedFileAreReadAndOfAnOpenOneAreNot() throws {
        let store = try Store.scratch(folder)
        try store.add(1)
        func image(_ most: Int = 1 << 20, now: Int64 = .max) throws -> [UInt8]? {
            try Examination.image(of: folder("rows.sqlite"), mostBytes: most, isChecked: true, now: now)
        }
        #expect(try image() == nil, "it has a log")
        store.close()
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: folder("rows.sqlite"))))
        #expect(try image() == bytes)
        #expect(try image(bytes.count - 1) == nil, "it is too large")
        #expect(try image(now: 0) == nil, "it was written to a moment ago")
        try Data(bytes.dropLast(100)).write(to: URL(fileURLWithPath: folder("rows.sqlite")))
        #expect(throws: StorageError.self) { try image() }
    }

    @Test func aCopyIsWholeAndReplacesNothing() throws {
        let store = try Store.scratch(folder)
        try store.add(1)
        try DatabaseFile.copy(at: folder("rows.sqlite"), to: folder("copy.sqlite"))
        #expect(try Store.scratch(folder, "copy.sqlite").count() == 1)
        #expect(throws: StorageError.failed("\(folder("copy.sqlite")) exists already")) {
            try DatabaseFile.copy(at: folder("rows.sqlite"), to: folder("copy.sqlite"))
        }
        #expect(throws: StorageError.self) {
            try DatabaseFile.copy(at: folder("none.sqlite"), to: folder("other.sqlite"))
        }
    }
}
