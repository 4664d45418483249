// Edits of schedules, and what they record.
import Ledger
import TestKit

@testable import Book

extension World {
    /// Adds a schedule, changes or deletes one, records what is due, records or skips the next day of one, or
    /// enters the payment of one by hand.
    func editSchedule(_ device: SimulatedDevice, _ accounts: [Account], _ minor: Int64) throws {
        let book = device.book
        let day = CivilDate(dayNumber: 20_000 + Int32.random(in: 0..<60, using: &random))
        guard var schedule = pick(try book.schedules()), !chance(1, in: 5) else {
            guard let account = pick(accounts) else { return }
            var transaction = Transaction(
                id: newID(),
                kind: .expense,
                date: day,
                amount: Money(minor: minor, currency: account.currency),
                account: account.id,
                accountMinor: minor,
                payee: tag(device, "bill")
            )
            if let other = pick(accounts), other.id != account.id {
                transaction.kind = .transfer
                (transaction.toAccount, transaction.toMinor) = (other.id, minor)
            }
            let isAutomatic = chance(2, in: 3)
            try book.add(Schedule(transaction: transaction, every: 2, unit: .week, isAutomatic: isAutomatic))
            return
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: _ = try book.recordDue(on: day)
        case 8, 9:
            // The payment by hand, which `recordDue` finds, on several devices perhaps for several schedules.
            var payment = schedule.transaction
            payment.id = newID()
            payment.date = (schedule.next?.day ?? day).adding(days: Int.random(in: -2...2, using: &random))
            try book.record(payment)
        case 3: _ = try book.recordNext(of: schedule.id)
        case 4: _ = try book.skipNext(of: schedule.id)
        case 5: try book.deleteSchedule(schedule.id)
        case 6:
            schedule.transaction.kind = .expense
            (schedule.transaction.toAccount, schedule.transaction.toMinor) = (nil, nil)
            schedule.every = Int.random(in: 1...3, using: &random)
            schedule.unit = pick([.week, .month, .monthEnd]) ?? .week
            try book.change(schedule)
        default:
            let isSame = schedule.transaction.accountMinor == schedule.transaction.amount.minor
            schedule.transaction.amount.minor = minor
            if isSame { schedule.transaction.accountMinor = minor }
            schedule.transaction.date = day
            try book.change(schedule)
        }
    }

    /// 21: what a schedule has recorded is the payment of that occurrence and of no other one.
    func checkOccurrences(_ device: SimulatedDevice) throws {
        let (keys, series) = try device.book.reading { db in
            let sql =
                "SELECT id, occurrence FROM transactions WHERE deleted_at IS NULL AND occurrence IS NOT NULL"
            let keys = try db.all(sql) { (id: try $0.id(0), text: $0.text(1)) }
            return (keys, Set(try db.all("SELECT ifnull(series, id) FROM schedules") { try $0.id(0) }))
        }
        for (id, text) in keys {
            // A hostile client can send any text.
            guard let key = OccurrenceKey(text: text) else { continue }
            for one in series {
                guard let day = id.day(in: one), key != OccurrenceKey(series: one, planned: day) else {
                    continue
                }
                throw Violation(
                    description: "21: \(id), recorded for \(one) \(day), is the payment of \(key) instead"
                )
            }
        }
    }
}
