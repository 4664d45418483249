// Edits of accounts that are joined to banks, of notes on their transactions, and what is recorded of them.
import Ledger
import TestKit

@testable import Book

extension World {
    /// Joins or leaves an account at a bank, writes a note, or records transactions of the bank.
    func editBank(_ device: SimulatedDevice, _ accounts: [Account], _ minor: Int64) throws {
        let book = device.book
        let bank = BankAccount(
            id: "acc-\(Int.random(in: 0..<3, using: &random))",
            name: "Club",
            kind: .current,
            currency: .eur,
            institution: nil
        )
        let key = BankAccountKey(provider: "truelayer", account: bank.id)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let open = accounts.filter { !$0.isClosed && $0.currency == bank.currency }
            let choice: BankJoin.Choice =
                chance(1, in: 4) ? .skip : pick(open).map { .existing($0.id) } ?? .new
            let join = BankJoin(bank, of: "truelayer", choice)
            _ = try book.join([join], connection: newID(), refreshedAt: nil)
        case 1:
            guard let account = pick(accounts.filter(\.bank.isUsed)) else { return }
            _ = try book.leaveBank(account.id)
        case 2:
            guard let account = pick(accounts.filter(\.bank.isUsed)) else { return }
            let day = CivilDate(dayNumber: 20_000)
            _ = try book.recordBank(of: account.id, from: account.bank.recordsFrom == nil ? day : nil)
        case 3:
            let reported = (0..<4).map { number in
                BankTransaction(
                    id: "t\(number)",
                    date: CivilDate(dayNumber: 20_000 + Int32(number)),
                    money: Money(minor: -1_000 - Int64(number), currency: .eur),
                    description: "SHOP",
                    counterparty: nil,
                    isPending: number == 3
                )
            }
            let rows = try book.bankRows(of: BankReports([key: reported]))
            if chance(1, in: 2) {
                _ = try book.recordAutomatically(rows)
            } else {
                _ = try book.record(rows.all.filter { $0.state == .open }, again: chance(1, in: 2))
            }
        default:
            let id = "t\(Int.random(in: 0..<4, using: &random))"
            var note = try book.bankNote(of: BankTransactionKey(key, id: id))
            note.payee = tag(device, "shop")
            if chance(1, in: 3) { note.isHidden.toggle() }
            try book.write(note)
        }
    }
}
