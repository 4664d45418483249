// The register of devices and the data folder.
import Foundation
import GRDB
import Glibc
import Ledger
import Storage
import Testing

@testable import Book

@Suite struct RegisterTests {
    private let folder = Scratch()
    private let register: DeviceRegister

    init() throws { register = try DeviceRegister.open(at: folder("sessions.sqlite")) }

    private func hash(_ byte: UInt8) -> CookieHash {
        CookieHash(repeating: byte)
    }

    private func device(_ number: Int, _ byte: UInt8) -> DeviceRecord {
        DeviceRecord(
            id: .number(number),
            cookieHash: hash(byte),
            createdAt: noon,
            seenAt: noon,
            rotatedAt: noon,
            locale: "en",
            onboarding: "welcome",
            state: "uninitialized"
        )
    }

    @Test func itKnowsWhichDevicesHaveABook() throws {
        try register.create(device(1, 1))
        #expect(try !register.hasBook(.number(1)) && !register.hasBook(.number(2)))
        for isMade in [true, true, false] {
            try register.note(hasBook: isMade, .number(1))
            #expect(try register.hasBook(.number(1)) == isMade)
        }
    }

    /// A book that was lost before the register knew of it must not be made anew either.
    @Test func devicesThatHadComeToRestAreKnownToHaveOne() throws {
        let path = folder("old.sqlite")
        let old = try DeviceRegister.open(at: path, migrations: Array(Migration.register.prefix(3)))
        let states = [
            "local_only user=a attached", "synced user=a", "onboarding", "signing_out user=a why=chosen",
        ]
        for (index, state) in states.enumerated() {
            try old.store.changing { db in
                try db.execute(
                    sql: """
                        INSERT INTO devices (
                          id, cookie_hash, created_at, seen_at, rotated_at, locale, onboarding, state
                        ) VALUES (?, ?, 0, 0, 0, '', '', ?)
                        """,
                    arguments: [
                        EntityID.number(index + 1).description, Data(repeating: UInt8(index), count: 32),
                        state,
                    ]
                )
            }
        }
        old.close()
        let register = try DeviceRegister.open(at: path)
        #expect(try (1...4).map { try register.hasBook(.number($0)) } == [true, true, false, false])
    }

    @Test func aDeviceIsFoundByItsCookieOnly() throws {
        try register.create(device(1, 1))
        #expect(try register.find(cookieHash: hash(1), now: noon) == device(1, 1))
        #expect(try register.find(cookieHash: hash(2), now: noon) == nil)
        #expect(try register.device(.number(1)) == device(1, 1))
        #expect(throws: BookError.idTaken(.number(1))) { try register.create(device(1, 2)) }
        #expect(throws: BookError.idTaken(.number(2))) { try register.create(device(2, 1)) }
        register.close()
        let again = try DeviceRegister.open(at: folder("sessions.sqlite"))
        #expect(try again.all() == [device(1, 1)])
    }

    @Test func aReplacedCookieWorksUntilItsSuccessorWasUsedAndAMinuteMore() throws {
        try register.create(device(1, 1))
        try register.rotate(.number(1), to: hash(2), now: noon + 100)
        let late = try register.find(cookieHash: hash(1), now: noon + 99_999)
        #expect(late?.byPreviousCookie == true && late?.awaitsNewCookie == true)
        try register.confirm(.number(1), now: noon + 100)
        try register.confirm(.number(1), now: noon + 200)
        for (age, found) in [(0, true), (60, true), (61, false)] as [(Int64, Bool)] {
            let record = try register.find(cookieHash: hash(1), now: noon + 100 + age)
            #expect((record != nil) == found && record?.byPreviousCookie ?? true)
            #expect(try register.find(cookieHash: hash(2), now: noon + 100 + age)?.byPreviousCookie == false)
        }
        #expect(throws: BookError.idTaken(.number(2))) { try register.create(device(2, 1)) }
        // The form that came with the first one, a moment later.
        let again = try register.rotate(.number(1), from: hash(1), to: hash(9), now: noon + 105)
        #expect(!again, "its sibling has replaced it already")
        try register.rotate(.number(1), to: hash(3), now: noon + 110)
        #expect(try register.find(cookieHash: hash(1), now: noon + 110) == nil)
        #expect(try register.find(cookieHash: hash(3), now: noon + 110)?.rotatedAt == noon + 110)
        #expect(throws: BookError.idTaken(.number(1))) {
            try register.rotate(.number(1), to: hash(3), now: noon + 120)
        }
        #expect(throws: BookError.unknownDevice(.number(9))) {
            try register.rotate(.number(9), to: hash(9), now: noon)
        }
    }

    @Test func aNewCookieThatWasLostIsIssuedAnew() throws {
        try register.create(device(1, 1))
        try register.rotate(.number(1), to: hash(2), now: noon)
        #expect(
            try register.replaceUnused(
                .number(1),
                from: hash(2),
                after: hash(1),
                by: hash(3),
                now: noon + 500
            )
        )
        #expect(
            try !register.replaceUnused(
                .number(1),
                from: hash(2),
                after: hash(1),
                by: hash(8),
                now: noon + 500
            )
        )
        #expect(try register.find(cookieHash: hash(1), now: noon + 500)?.byPreviousCookie == true)
        #expect(try register.find(cookieHash: hash(2), now: noon + 500) == nil)
        #expect(try register.find(cookieHash: hash(3), now: noon + 500)?.awaitsNewCookie == true)
        try register.confirm(.number(1), now: noon + 501)
        #expect(
            try !register.replaceUnused(.number(1), after: hash(1), by: hash(4), now: noon + 502),
            "it was used"
        )
    }

    @Test func beingSeenIsWrittenOnceAnHour() throws {
        let record = device(1, 1)
        try register.create(record)
        #expect(try !register.touch(record, now: noon + 3_599))
        #expect(try register.touch(record, now: noon + 3_600))
        #expect(try !register.touch(record, now: noon + 3_700))
        #expect(try register.device(.number(1))?.seenAt == noon + 3_600)
    }

    @Test func theLastHundredTransitionsAreKeptForEachDevice() throws {
        try register.create(device(1, 1))
        try register.create(device(2, 2))
        for number in 0..<130 {
            let line = TransitionRecord(at: noon + Int64(number), event: "E\(number)", from: "a", to: "b")
            try register.persist(state: "state \(number)", transition: line, of: .number(1))
        }
        try register.persist(
            state: "synced",
            transition: TransitionRecord(at: noon, event: "E", from: "a", to: "b"),
            of: .number(2)
        )
        #expect(try register.transitions(of: .number(1)).map(\.event) == (30..<130).map { "E\($0)" })
        #expect(try register.transitions(of: .number(2)).count == 1)
        #expect(try register.device(.number(1))?.state == "state 129")
        #expect(throws: BookError.unknownDevice(.number(9))) {
            let line = TransitionRecord(at: noon, event: "E", from: "a", to: "b")
            try register.persist(state: "x", transition: line, of: .number(9))
        }
    }

    @Test func aNoticeWaitsUntilItIsDismissedAndIsGivenToOne() throws {
        try register.create(device(1, 1))
        try register.post(Notice(key: "expired", at: noon + 1, text: "1"), to: .number(1))
        try register.post(Notice(key: "premium", at: noon, text: "2"), to: .number(1))
        try register.post(Notice(key: "expired", at: noon + 2, text: "3"), to: .number(1))
        #expect(try register.notices(of: .number(1)).map(\.text) == ["2", "3"])
        #expect(try register.dismiss("premium", of: .number(1)))
        #expect(try !register.dismiss("premium", of: .number(1)))
        #expect(try register.notices(of: .number(1)).map(\.key) == ["expired"])
        #expect(throws: BookError.unknownDevice(.number(9))) {
            try register.post(Notice(key: "k", at: noon, text: ""), to: .number(9))
        }
    }

    @Test func aForgottenDeviceLeavesNothing() throws {
        try register.create(device(1, 1))
        try register.create(device(2, 2))
        try register.setOnboarding("currency", of: .number(1))
        #expect(try register.device(.number(1))?.onboarding == "currency")
        try register.post(Notice(key: "k", at: noon, text: ""), to: .number(1))
        for _ in 1...2 { try register.forget(.number(1)) }
        #expect(try register.count() == 1)
        #expect(try register.find(cookieHash: hash(1), now: noon) == nil)
        #expect(try register.notices(of: .number(1)).isEmpty)
        try register.backup(to: folder("copy.sqlite"))
        #expect(try DeviceRegister.open(at: folder("copy.sqlite")).count() == 1)
    }

    @Test func aBookIsNotARegister() throws {
        #expect(throws: BookError.self) { try Book.open(at: folder("sessions.sqlite"), clock: { noon }) }
    }

    // MARK: The data folder

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
        let file = folder("sessions.sqlite")
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
        try Book.open(at: data.bookPath(of: id), clock: { noon }).close()
    }
}
