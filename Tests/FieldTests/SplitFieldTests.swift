// A transaction that is split on one of two devices and changed on the other.
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book

@Suite struct ATransactionThatIsSplitOnOneDevice {
    private let folder = Folder()
    private let cloud = SmallCloud()

    private func part(_ category: UInt64?, _ minor: Int64) -> SplitPart {
        SplitPart(category: category.map { id($0) }, minor: minor)
    }

    /// Two devices in step, with a payment of 12.50 in category 11.
    private func devices() throws -> (phone: Book, laptop: Book) {
        let phone = try Book.open(at: folder("phone.sqlite"), clock: { noon })
        let laptop = try Book.open(at: folder("laptop.sqlite"), clock: { noon })
        try cloud.attach(phone, as: id(901))
        try cloud.attach(laptop, as: id(902))
        try phone.add(Account(id: id(1), name: "A", type: .bank, currency: .eur, openingMinor: 0))
        for number: UInt64 in 11...13 {
            try phone.add(
                Ledger.Category(
                    id: id(number),
                    name: "C\(number)",
                    kind: .expense,
                    icon: "",
                    color: "",
                    parent: nil
                )
            )
        }
        try phone.record(
            Transaction(
                id: id(31),
                kind: .expense,
                date: CivilDate(dayNumber: 20_400),
                amount: Money(minor: 1_250, currency: .eur),
                account: id(1),
                accountMinor: 1_250,
                category: id(11),
                payee: "Market"
            )
        )
        try exchange(phone, laptop)
        return (phone, laptop)
    }

    private func exchange(_ phone: Book, _ laptop: Book) throws {
        for (book, writer) in [(phone, Int64(1)), (laptop, 2), (phone, 1)] {
            try cloud.sync(book, writer: writer)
        }
        #expect(try cloud.agrees(with: phone, as: id(901)) && cloud.agrees(with: laptop, as: id(902)))
        for book in [phone, laptop] { #expect(try book.verifySums() == []) }
        #expect(try phone.transaction(id(31)) == laptop.transaction(id(31)))
    }

    private func change(_ book: Book, _ body: (inout Transaction) -> Void) throws {
        var row = try #require(try book.transaction(id(31)))
        body(&row)
        try book.change(row)
    }

    /// The parts have one operation with the category, and the same hash on every device.
    @Test func isSentAsOneChange() throws {
        let (phone, laptop) = try devices()
        let parts = [part(11, 1_000), part(12, 250)]
        try change(phone) { ($0.category, $0.split) = (nil, .parts(parts)) }
        let sent = try phone.nextBatch(operations: 9, bytes: 1 << 20).map(\.fields)
        #expect(sent == [["category": .null, "split": .text(Split.parts(parts).text)]])
        try exchange(phone, laptop)
        #expect(try laptop.transaction(id(31))?.split == .parts(parts))
        try change(laptop) { ($0.category, $0.split) = (id(13), nil) }
        try exchange(phone, laptop)
        #expect(try phone.transaction(id(31))?.split == nil && phone.transaction(id(31))?.category == id(13))
        #expect(cloud.overwritings.isEmpty)
    }

    @Test func conflictsWhenBothSplitIt() throws {
        let (phone, laptop) = try devices()
        let (one, other) = ([part(11, 1_000), part(12, 250)], [part(11, 50), part(13, 1_200)])
        try change(phone) { ($0.category, $0.split) = (nil, .parts(one)) }
        try change(laptop) { ($0.category, $0.split) = (nil, .parts(other)) }
        try exchange(phone, laptop)
        #expect(try phone.transaction(id(31))?.split == .parts(other))
        #expect(cloud.overwritings.map(\.field) == ["split"])
    }

    @Test func keepsAnAmountThatTheOtherChanged() throws {
        let (phone, laptop) = try devices()
        try change(phone) { ($0.category, $0.split) = (nil, .parts([part(11, 1_000), part(12, 250)])) }
        try change(laptop) { ($0.amount.minor, $0.accountMinor) = (1_500, 1_500) }
        try exchange(phone, laptop)
        #expect(try phone.transaction(id(31))?.splitBalance == .missing(250))
        try change(laptop) { $0.split = .parts([part(11, 1_000), part(12, 500)]) }
        try change(phone) { $0.note = "late" }
        try exchange(phone, laptop)
        #expect(try phone.transaction(id(31))?.splitBalance == .exact)
        #expect(cloud.overwritings.isEmpty)
    }

    @Test(
        arguments: [(1_000, .exceeding(250)), (1_600, .missing(350))] as [(Int64, SplitBalance)]
    )
    func hasAPartBelowZeroOnBothDevices(amount: Int64, balance: SplitBalance) throws {
        let (phone, laptop) = try devices()
        try change(phone) { ($0.category, $0.split) = (nil, .parts([part(11, 1_500), part(12, -250)])) }
        try change(laptop) { ($0.amount.minor, $0.accountMinor) = (amount, amount) }
        try exchange(phone, laptop)
        #expect(try phone.transaction(id(31))?.splitBalance == balance)
        try change(laptop) { $0.split = .parts([part(11, amount + 250), part(12, -250)]) }
        try exchange(phone, laptop)
        #expect(try phone.transaction(id(31))?.splitBalance == .exact)
    }

    @Test func hasPartsAndACategoryUntilItIsCorrected() throws {
        let (phone, laptop) = try devices()
        try change(phone) { ($0.category, $0.split) = (nil, .parts([part(11, 1_000), part(12, 250)])) }
        try change(laptop) { $0.category = id(13) }
        try exchange(phone, laptop)
        let row = try #require(try phone.transaction(id(31)))
        #expect(row.category == id(13) && row.shares.map(\.category) == [id(11), id(12)])
        let filtered = try phone.transactions(TransactionQuery.of(id(13))).page
        #expect(filtered.rows.isEmpty && filtered.totals.isEmpty)
        try change(laptop) { $0.category = nil }
        try exchange(phone, laptop)
    }
}

extension TransactionQuery {
    fileprivate static func of(_ category: EntityID) -> TransactionQuery {
        var query = TransactionQuery()
        query.category = .family(category)
        return query
    }
}
