// Connections to banks in the device store: their versions, and every way in which they are removed.
import CloudProtocol
import Ledger
import Lifecycle
import Storage
import TestKit
import Testing

@testable import DeviceStore

@Suite struct BankConnectionTests {
    private let scratch = Scratch()
    private let store: DeviceStore
    private let device = EntityID.number(1)

    init() throws {
        store = try DeviceStore.open(at: scratch("sessions.sqlite"))
        try store.create(
            DeviceRecord(
                id: device,
                cookieHash: CookieHash(repeating: 1),
                createdAt: noon,
                seenAt: noon,
                rotatedAt: noon,
                locale: "",
                onboarding: "done",
                state: .localOnly(nil, isAttached: false)
            )
        )
    }

    private func session(isLocked: Bool = false, token: UInt8 = 1) -> SessionRecord {
        SessionRecord(
            user: UserAccount(id: .number(9), email: nil, name: nil, createdAt: noon, hasPassword: true),
            sealedToken: [token],
            isRevoked: false,
            isLocked: isLocked,
            isAttached: false,
            wantsSync: true,
            sealedEntitlement: nil,
            holdings: Holdings()
        )
    }

    /// A connected one with a balance.
    @discardableResult
    private func connect(_ number: Int, refreshedAt: Int64 = noon) throws -> BankConnectionRecord {
        var record = BankConnectionRecord(
            id: .number(number),
            provider: "p",
            state: .refreshing(after: nil),
            plan: "{}"
        )
        try store.add(record, to: device)
        (record.state, record.sealedAccess, record.refreshedAt) = (.connected, [7, 8], refreshedAt)
        let caches = [
            BankCacheRecord(kind: .accounts, account: "", at: noon, content: [1]),
            BankCacheRecord(kind: .balance, account: "a", at: noon, content: [2]),
            BankCacheRecord(kind: .transactions, account: "a", at: noon, content: [3]),
        ]
        return try #require(try store.keep(record, of: device, replacing: caches))
    }

    @Test func aConnectionIsStoredWithItsCaches() throws {
        let record = try connect(100)
        #expect(try store.bankConnections(of: device) == [record])
        #expect(try store.bankConnection(record.id, of: .number(2)) == nil)
        #expect(try store.bankCaches(of: record.id).map(\.content) == [[1], [2], [3]])
    }

    @Test func aChangeOfAnEarlierVersionIsNotStored() throws {
        let record = try connect(100)
        var renewed = record
        renewed.sealedAccess = [9]
        #expect(try store.keep(renewed, of: device)?.version == record.version + 1)
        var late = record
        late.state = .needsReconnect
        #expect(try store.keep(late, of: device, replacing: []) == nil)
        #expect(try store.bankConnection(record.id, of: device)?.sealedAccess == [9])
        #expect(try store.bankCaches(of: record.id).count == 3)
    }

    @Test func aConsentIsUsedOnceAndChangesNoVersion() throws {
        let record = try connect(100)
        #expect(try store.keep(consent: [4], until: noon + 10, of: record.id, device))
        #expect(try !store.keep(consent: [4], until: noon + 10, of: .number(999), device))
        #expect(try store.bankConnection(record.id, of: device)?.version == record.version)
        #expect(try !store.consume(consent: [5], of: record.id, device))
        #expect(try store.consume(consent: [4], of: record.id, device))
        #expect(try !store.consume(consent: [4], of: record.id, device))
    }

    @Test func outdatedDataIsRemoved() throws {
        let old = try connect(100, refreshedAt: noon - 100)
        let fresh = try connect(101, refreshedAt: noon)
        var unfinished = BankConnectionRecord(id: .number(102), provider: "p", state: .connecting, plan: "{}")
        (unfinished.sealedConsent, unfinished.consentUntil) = ([1], noon - 1)
        try store.add(unfinished, to: device)
        try store.removeOutdatedBankData(now: noon, refreshedBefore: noon - 100)
        #expect(try store.bankConnections(of: device).map(\.id) == [old.id, fresh.id])
        #expect(try store.bankCaches(of: old.id).isEmpty)
        #expect(try store.bankCaches(of: fresh.id).count == 3)
    }

    @Test func anEndedConnectionIsKeptForATimeWithoutItsData() throws {
        let record = try connect(100)
        #expect(try store.keep(consent: [4], until: noon + 10, of: record.id, device))
        #expect(try !store.end(bank: .number(999), of: device, at: noon, keptUntil: noon + 5))
        #expect(try store.end(bank: record.id, of: device, at: noon, keptUntil: noon + 5))
        let ended = try #require(try store.bankConnection(record.id, of: device))
        #expect(ended.state == .disconnected && ended.sealedAccess == nil && ended.sealedConsent == nil)
        #expect(ended.version > record.version && ended.refreshedAt == nil)
        #expect(try store.bankCaches(of: record.id).isEmpty)
        try store.removeOutdatedBankData(now: noon + 4, refreshedBefore: 0)
        #expect(try store.bankConnections(of: device).count == 1)
        try store.removeOutdatedBankData(now: noon + 5, refreshedBefore: 0)
        #expect(try store.bankConnections(of: device).isEmpty)
    }

    @Test(arguments: [false, true])
    func twoConnectionsAreJoinedInOneStep(takesCaches: Bool) throws {
        let (first, second) = (try connect(100), try connect(101))
        let caches = [BankCacheRecord(kind: .accounts, account: "", at: noon, content: [9])]
        let fresh = try #require(try store.keep(second, of: device, replacing: caches))
        var joined = first
        joined.sealedAccess = [5]
        // The second one was changed since.
        #expect(
            try store.join(
                joined,
                with: second,
                of: device,
                takesCaches: takesCaches,
                revoking: nil,
                at: noon
            ) == nil
        )
        #expect(try store.bankConnections(of: device).count == 2)
        let stored = try store.join(
            joined,
            with: fresh,
            of: device,
            takesCaches: takesCaches,
            revoking: nil,
            at: noon
        )
        #expect(try store.bankConnections(of: device) == [try #require(stored)])
        #expect(stored?.sealedAccess == [5] && stored?.version == first.version + 1)
        #expect(try store.bankCaches(of: first.id).map(\.content) == (takesCaches ? [[9]] : [[1], [2], [3]]))
        #expect(try store.bankCaches(of: second.id).isEmpty)
    }

    @Test func aNoticeIsPostedWithTheStateOrNotAtAll() throws {
        let record = try connect(100)
        let notice = Notice(key: BankNotice.consentEnded.rawValue, at: noon, text: .verbatim("x"))
        #expect(try store.keep(record, of: device, posting: notice) != nil)
        #expect(try store.notices(of: device) == [notice])
        try store.post(Notice(key: "another", at: noon, text: .verbatim("y")), to: device)
        try store.note(hasBook: false, device, now: noon)
        #expect(try store.notices(of: device).map(\.key) == ["another"])
        #expect(try store.keep(record, of: device, posting: notice) == nil)
        #expect(try store.notices(of: device).map(\.key) == ["another"])
    }

    @Test func consentsThatEndAreFound() throws {
        var record = try connect(100)
        record.accessEndsAt = noon + 10
        #expect(try store.keep(record, of: device) != nil)
        #expect(try store.bankConsentsEnding(before: noon + 9).isEmpty)
        #expect(try store.bankConsentsEnding(before: noon + 10).map(\.connection) == [record.id])
    }

    @Test func devicesWithOldDataAreFoundTheOldestFirst() throws {
        func due(_ readBefore: Int64, seenAfter: Int64 = 0) throws -> [EntityID] {
            try store.devicesWithBanks(readBefore: readBefore, seenAfter: seenAfter, now: noon)
        }
        try connect(100, refreshedAt: noon - 100)
        try connect(101, refreshedAt: noon - 200)
        var unfinished = BankConnectionRecord(id: .number(102), provider: "p", state: .connecting, plan: "{}")
        (unfinished.sealedConsent, unfinished.consentUntil) = ([1], noon + 9)
        try store.add(unfinished, to: device)
        #expect(try due(noon - 200) == [device] && due(noon - 201).isEmpty)
        #expect(try due(noon, seenAfter: noon - 1) == [device] && due(noon, seenAfter: noon).isEmpty)
        // The clock was set back since.
        try connect(103, refreshedAt: noon + 1)
        #expect(try due(0) == [device])
    }

    @Test(arguments: ["lock", "sign out", "start over", "clear the book", "forget", "disconnect"])
    func everyWayOutRemovesTokensAndCaches(way: String) throws {
        try store.keep(session(), of: device, now: noon)
        let record = try connect(100)
        // A newer token of the same user changes nothing.
        try store.keep(session(token: 2), of: device, now: noon)
        #expect(try store.bankConnections(of: device).count == 1)
        switch way {
        case "lock": try store.keep(session(isLocked: true, token: 2), of: device, now: noon)
        case "sign out":
            let line = TransitionRecord(at: noon, event: "E", from: "a", to: "b")
            try store.persist(state: .uninitialized, transition: line, of: device, session: .end)
        case "start over":
            try store.welcome(
                guest: .number(3),
                to: device,
                onboarding: "welcome",
                telling: nil,
                isEnded: true,
                now: noon
            )
        case "clear the book": try store.note(hasBook: false, device, now: noon)
        case "forget": try store.forget(device)
        default: try store.removeBankConnection(record.id, of: device)
        }
        #expect(try store.bankConnections(of: device).isEmpty)
        #expect(try store.bankCaches(of: record.id).isEmpty)
        // A device is forgotten only after its book was cleared.
        let isRevoked = !["forget", "disconnect"].contains(way)
        let left = try store.bankRevocations()
        #expect(left.map(\.connection) == (isRevoked ? [record.id] : []))
        #expect(left.allSatisfy { $0.sealedAccess == record.sealedAccess && $0.at == noon })
    }
}
