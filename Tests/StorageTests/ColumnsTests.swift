// Columns that are read directly from the statements of SQLite.
import GRDB
import Ledger
import Storage
import TestKit
import Testing

@Suite struct ColumnsTests {
    @Test func anIDIsReadAsItWasWritten() throws {
        var random = SplitMix(seed: 17)
        var ids = [EntityID(high: 0, low: 0), EntityID(high: .max, low: .max)]
        ids += (0..<64).flatMap { [EntityID(high: 1 << $0, low: 0), EntityID(high: 0, low: 1 << $0)] }
        ids += (0..<200).map { _ in EntityID(high: random.next(), low: random.next()) }
        let queue = try DatabaseQueue()
        for id in ids {
            let read = try queue.read { db in try db.first("SELECT ?", [id.column]) { try $0.id(0) } }
            #expect(read == id)
        }
    }

    @Test(arguments: [
        "", "0", "0000000000000000000000000u", "0000000000000u000000000000", "000000000000000000000000000",
    ])
    func otherTextIsNoID(_ text: String) throws {
        let queue = try DatabaseQueue()
        try queue.read { db in
            let id = try db.first("SELECT ?", [text]) { $0.optionalID(0) }
            #expect(id == .some(nil))
            #expect(throws: StorageError.self) { try db.first("SELECT ?", [text]) { try $0.id(0) } }
        }
    }

    @Test(arguments: ["", "a", "Bäckerei Ströck", "a text that is too long for a small string of Swift"])
    func aTextIsComparedByItsBytes(_ text: String) throws {
        let queue = try DatabaseQueue()
        try queue.read { db in
            for other in [text, text + "x", String(text.dropLast()), "東京"] {
                let isSame = try db.first("SELECT ?", [other]) { $0.isText(0, text) }
                #expect(isSame == (Array(text.utf8) == Array(other.utf8)), "\(other)")
            }
        }
    }
}
