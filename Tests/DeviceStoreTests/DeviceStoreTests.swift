// The device store: cookies, transitions, notices, sessions and orders.
import Foundation
import GRDB
import Ledger
import Lifecycle
import Storage
import TestKit
import Testing
import Texts

@testable import DeviceStore

@Suite struct DeviceStoreTests {
    private let folder = Scratch()
    private let store: DeviceStore

    init() throws { store = try DeviceStore.open(at: folder("sessions.sqlite")) }

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
            state: .uninitialized
        )
    }

    @Test func itKnowsWhichDevicesHaveABook() throws {
        try store.create(device(1, 1))
        #expect(try !store.hasBook(.number(1)) && !store.hasBook(.number(2)))
        for isMade in [true, true, false] {
            try store.note(hasBook: isMade, .number(1), now: noon)
            #expect(try store.hasBook(.number(1)) == isMade)
        }
    }

    @Test func aDeviceIsFoundByItsCookieOnly() throws {
        try store.create(device(1, 1))
        #expect(try store.find(cookieHash: hash(1), now: noon) == device(1, 1))
        #expect(try store.find(cookieHash: hash(2), now: noon) == nil)
        #expect(try store.device(.number(1)) == device(1, 1))
        #expect(throws: DeviceStoreError.idTaken(.number(1))) { try store.create(device(1, 2)) }
        #expect(throws: DeviceStoreError.idTaken(.number(2))) { try store.create(device(2, 1)) }
        store.close()
        let again = try DeviceStore.open(at: folder("sessions.sqlite"))
        #expect(try again.all() == [device(1, 1)])
    }

    @Test func aReplacedCookieWorksUntilItsSuccessorWasUsedAndAMinuteMore() throws {
        try store.create(device(1, 1))
        try store.rotate(.number(1), to: hash(2), now: noon + 100)
        let late = try store.find(cookieHash: hash(1), now: noon + 99_999)
        #expect(late?.byPreviousCookie == true && late?.awaitsNewCookie == true)
        try store.confirm(.number(1), now: noon + 100)
        try store.confirm(.number(1), now: noon + 200)
        for (age, found) in [(0, true), (60, true), (61, false)] as [(Int64, Bool)] {
            let record = try store.find(cookieHash: hash(1), now: noon + 100 + age)
            #expect((record != nil) == found && record?.byPreviousCookie ?? true)
            #expect(try store.find(cookieHash: hash(2), now: noon + 100 + age)?.byPreviousCookie == false)
        }
        #expect(throws: DeviceStoreError.idTaken(.number(2))) { try store.create(device(2, 1)) }
        // The form that came with the first one, a moment later.
        let again = try store.rotate(.number(1), from: hash(1), to: hash(9), now: noon + 105)
        #expect(!again, "its sibling has replaced it already")
        try store.rotate(.number(1), to: hash(3), now: noon + 110)
        #expect(try store.find(cookieHash: hash(1), now: noon + 110) == nil)
        #expect(try store.find(cookieHash: hash(3), now: noon + 110)?.rotatedAt == noon + 110)
        #expect(throws: DeviceStoreError.idTaken(.number(1))) {
            try store.rotate(.number(1), to: hash(3), now: noon + 120)
        }
        #expect(throws: DeviceStoreError.unknownDevice(.number(9))) {
            try store.rotate(.number(9), to: hash(9), now: noon)
        }
    }

    @Test func aNewCookieThatWasLostIsIssuedAnew() throws {
        try store.create(device(1, 1))
        try store.rotate(.number(1), to: hash(2), now: noon)
        #expect(
            try store.replaceUnused(
                .number(1),
                from: hash(2),
                after: hash(1),
                by: hash(3),
                now: noon + 500
            )
        )
        #expect(
            try !store.replaceUnused(
                .number(1),
                from: hash(2),
                after: hash(1),
                by: hash(8),
                now: noon + 500
            )
        )
        #expect(try store.find(cookieHash: hash(1), now: noon + 500)?.byPreviousCookie == true)
        #expect(try store.find(cookieHash: hash(2), now: noon + 500) == nil)
        #expect(try store.find(cookieHash: hash(3), now: noon + 500)?.awaitsNewCookie == true)
        try store.confirm(.number(1), now: noon + 501)
        #expect(
            try !store.replaceUnused(.number(1), after: hash(1), by: hash(4), now: noon + 502),
            "it was used"
        )
    }

    @Test func beingSeenIsWrittenOnceAnHour() throws {
        let record = device(1, 1)
        try store.create(record)
        #expect(try !store.touch(record, now: noon + 3_599))
        #expect(try store.touch(record, now: noon + 3_600))
        #expect(try !store.touch(record, now: noon + 3_700))
        #expect(try store.device(.number(1))?.seenAt == noon + 3_600)
    }

    @Test func theLastHundredTransitionsAreKeptForEachDevice() throws {
        func state(_ number: Int) -> State {
            .error(Failure(from: .initializing, what: "failure_\(number)", at: noon))
        }
        try store.create(device(1, 1))
        try store.create(device(2, 2))
        for number in 0..<130 {
            let line = TransitionRecord(at: noon + Int64(number), event: "E\(number)", from: "a", to: "b")
            try store.persist(state: state(number), transition: line, of: .number(1))
        }
        try store.persist(
            state: .initializing,
            transition: TransitionRecord(at: noon, event: "E", from: "a", to: "b"),
            of: .number(2)
        )
        #expect(try store.transitions(of: .number(1)).map(\.event) == (30..<130).map { "E\($0)" })
        #expect(try store.transitions(of: .number(2)).count == 1)
        #expect(try store.device(.number(1))?.state == state(129))
        #expect(throws: DeviceStoreError.unknownDevice(.number(9))) {
            let line = TransitionRecord(at: noon, event: "E", from: "a", to: "b")
            try store.persist(state: .initializing, transition: line, of: .number(9))
        }
    }

    /// A process that ends right after the transition would neither post nor withdraw them.
    @Test func theNoticesOfATransitionAreStoredWithIt() throws {
        for number in 1...2 {
            try store.create(device(number, UInt8(number)))
            for key in ["kept", "untrue"] {
                let former = Notice(key: key, at: noon, text: .verbatim(key))
                try store.post(former, to: .number(number))
            }
        }
        try store.persist(
            state: .initializing,
            transition: TransitionRecord(at: noon, event: "E", from: "a", to: "b"),
            of: .number(1),
            notices: [Notice(key: "no-cloud-backup", at: noon, text: Text("notices.no-cloud-backup"))],
            withdrawn: ["untrue", "never posted"]
        )
        #expect(try store.notices(of: .number(1)).map(\.key) == ["kept", "no-cloud-backup"])
        #expect(try store.notices(of: .number(2)).map(\.key) == ["kept", "untrue"])
    }

    @Test func aNoticeWaitsUntilItIsDismissedAndIsGivenToOne() throws {
        try store.create(device(1, 1))
        try store.post(Notice(key: "expired", at: noon + 1, text: .verbatim("1")), to: .number(1))
        try store.post(Notice(key: "premium", at: noon, text: Text("two", ["n": 2])), to: .number(1))
        try store.post(Notice(key: "expired", at: noon + 2, text: .verbatim("3")), to: .number(1))
        #expect(try store.notices(of: .number(1)).map(\.text) == [Text("two", ["n": 2]), .verbatim("3")])
        #expect(try store.dismiss("premium", of: .number(1)))
        #expect(try !store.dismiss("premium", of: .number(1)))
        #expect(try store.notices(of: .number(1)).map(\.key) == ["expired"])
        #expect(throws: DeviceStoreError.unknownDevice(.number(9))) {
            try store.post(Notice(key: "k", at: noon, text: .verbatim("")), to: .number(9))
        }
    }

    @Test func aNoticeOfANewerVersionSaysSo() throws {
        try store.create(device(1, 1))
        let text = Text("many", ["n": 3, "who": "Ann", "where": .text(Text("here"))])
        try store.post(Notice(key: "new", at: noon + 2, text: text), to: .number(1))
        try store.file.changing { db in
            let sql = "INSERT INTO notices (device, key, at, text) VALUES (?, ?, ?, ?)"
            try db.change(sql, [EntityID.number(1).column, "newer", noon, #"{"message":"no"}"#])
        }
        let read = try store.notices(of: .number(1)).map(\.text)
        #expect(read == [Text("notices.of-a-newer-version"), text])
        let stored = try Text("two", ["n": 3, "a": "b"]).encoded()
        let arguments = #"{"a":{"string":{"_0":"b"}},"n":{"count":{"_0":3}}}"#
        #expect(stored == #"{"message":{"_0":"two","_1":"# + arguments + "}}")
    }

    @Test func aForgottenDeviceLeavesNothing() throws {
        try store.create(device(1, 1))
        try store.create(device(2, 2))
        try store.setOnboarding("currency", of: .number(1))
        #expect(try store.device(.number(1))?.onboarding == "currency")
        try store.post(Notice(key: "k", at: noon, text: .verbatim("")), to: .number(1))
        for _ in 1...2 { try store.forget(.number(1)) }
        #expect(try store.count() == 1)
        #expect(try store.find(cookieHash: hash(1), now: noon) == nil)
        #expect(try store.notices(of: .number(1)).isEmpty)
        try store.backup(to: folder("copy.sqlite"))
        #expect(try DeviceStore.open(at: folder("copy.sqlite")).count() == 1)
    }

    @Test func anotherProgramsFileIsRefused() throws {
        let path = folder("other.sqlite")
        let other = try DatabaseFile.open(at: path)
        try other.inDatabase { db in try db.execute(sql: "PRAGMA application_id = 7; CREATE TABLE t (a)") }
        try other.close()
        let error = DeviceStoreError.storage(.damaged("another program's file"))
        #expect(throws: error) { try DeviceStore.open(at: path) }
        #expect(throws: error) { try DeviceStore.checkIntegrity(at: path) }
    }

    @Test func aFileThatIsNotMadeYetIsSaidToBeEmpty() throws {
        let path = folder("new.sqlite")
        try DatabaseFile.open(at: path).close()
        #expect(try DeviceStore.checkIntegrity(at: path) == [Examination.blank])
        try DeviceStore.open(at: path).close()
        #expect(try DeviceStore.checkIntegrity(at: path) == [])
    }

    @Test func aClosedStoreSaysSo() throws {
        store.close()
        #expect(throws: DeviceStoreError.storage(.closed)) { try store.count() }
        #expect(throws: DeviceStoreError.storage(.closed)) { try store.create(device(1, 1)) }
    }
}
