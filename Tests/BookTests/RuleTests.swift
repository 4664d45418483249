// Rules as rows of the book, on rows of banks, and on the transactions that exist.
import Ledger
import TestKit
import Testing

@testable import Book

extension Rule {
    /// A rule for payees and words of banks that contain a text.
    static func sample(
        _ number: Int,
        _ text: String,
        _ effects: RuleEffects,
        _ test: RuleTest = .contains
    ) -> Rule {
        Rule(
            id: .number(number),
            name: "Rule \(number)",
            conditions: [RuleCondition(.text, test, .text(text))],
            effects: effects
        )
    }
}

@Suite struct RuleTests {
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)
    private let book: Book
    private let key = BankAccountKey.sample("a")

    init() throws {
        let clock = clock
        book = try Book.open(at: folder("book.sqlite"), clock: { clock.now })
        for number in 1...2 { try book.add(Account.sample(number)) }
        for number in 11...12 { try book.add(Ledger.Category.sample(number)) }
        try book.joinSample("a", to: 1)
    }

    private func rows(_ reported: [BankTransaction]) throws -> BankRows {
        try book.bankRows(of: BankReports([key: reported]))
    }

    private func order() throws -> [EntityID] { try book.rules().map(\.id) }

    // MARK: - Rows of the book

    @Test func aRuleIsAddedChangedOrderedDeletedAndRestored() throws {
        let rules = (1...3).map { Rule.sample($0, "shop \($0)", RuleEffects(payee: "Shop")) }
        for rule in rules { #expect(try book.add(rule) == .new) }
        #expect(try book.add(rules[0]) == .already)
        #expect(try book.rules() == rules)
        #expect(try book.order(rules: [.number(3), .number(1), .number(2)]) == 1)
        #expect(try order() == [3, 1, 2].map { .number($0) })
        // A second request with the rule as it was first is still the same request.
        #expect(try book.add(rules[2]) == .already)
        var changed = try #require(try book.rule(.number(1)))
        changed.isEnabled = false
        #expect(try book.change(rule: changed).change != nil)
        #expect(try book.rule(.number(1)) == changed)
        try book.deleteRule(.number(1))
        #expect(try order() == [3, 2].map { .number($0) })
        #expect(throws: BookError.unknownRule(.number(1))) { try book.change(rule: changed) }
        #expect(throws: BookError.unknownRule(.number(9))) { try book.deleteRule(.number(9)) }
        try book.restoreRule(.number(1))
        #expect(try order() == [3, 1, 2].map { .number($0) })
    }

    @Test func aRuleNamesWhatIsThere() throws {
        func adding(_ effects: RuleEffects) -> BookError? {
            #expect(throws: BookError.self) { try book.add(.sample(1, "x", effects)) }
        }
        #expect(adding(RuleEffects(category: .number(99))) == .unknownCategory(.number(99)))
        #expect(adding(RuleEffects(transfer: .number(99))) == .unknownAccount(.number(99)))
        #expect(adding(RuleEffects(schedule: .number(99))) == .unknownSchedule(.number(99)))
        #expect(adding(RuleEffects()) == .invalid(.other))
        #expect(throws: BookError.invalid(.other)) {
            try book.add(.sample(1, "a(", RuleEffects(payee: "P"), .matches))
        }
        // A category that is deleted later stays named, and sets nothing.
        try book.add(Rule.sample(1, "bakery", RuleEffects(category: .number(12))))
        try book.deleteCategory(.number(12))
        var rule = try #require(try book.rule(.number(1)))
        rule.name = "Other"
        try book.change(rule: rule)
        let row = try #require(try rows([.sample("t", "2025-11-20", -320)]).all.first)
        #expect(row.transaction.category == nil && row.transaction.rule == nil)
    }

    // MARK: - Rows of banks

    @Test func rulesSetTheValuesOfRowsAndOfTheirRecords() throws {
        let effects = RuleEffects(payee: "Baker", category: .number(11), tags: ["bread"])
        try book.add(Rule.sample(1, "BÄKERY 47", effects))
        let reported = [try BankTransaction.sample("t", "2025-11-20", -320)]
        let row = try #require(try rows(reported).all.first)
        #expect(row.state == .open)
        #expect(row.transaction.payee == "Baker" && row.transaction.category == .number(11))
        #expect(row.transaction.tags == ["bread"] && row.transaction.rule == .number(1))
        #expect(try book.record([row], again: false).count == 1)
        let stored = try #require(try book.transaction(row.transaction.id))
        #expect(stored.payee == "Baker" && stored.category == .number(11) && stored.rule == .number(1))
        #expect(try book.rule(.number(1)) != nil)
        let report = try book.ruleReport(on: day("2025-11-21"))
        #expect(report.uses == [.number(1): RuleUse(count: 1, lastDay: day("2025-11-20"))])
    }

    @Test func aRuleComesBeforeTheLastCategoryOfThePayee() throws {
        try book.record(.sample(50, category: 12, payee: "Bakery"))
        let reported = [try BankTransaction.sample("t", "2025-11-20", -320)]
        let guessed = try #require(try rows(reported).all.first)
        try book.add(Rule.sample(1, "bakery", RuleEffects(category: .number(11))))
        let ruled = try #require(try rows(reported).all.first)
        #expect(guessed.transaction.category == nil && ruled.transaction.category == .number(11))
        _ = try book.record([ruled], again: false)
        #expect(try book.transaction(ruled.transaction.id)?.category == .number(11))
    }

    @Test func whatAPersonWroteOnARowStays() throws {
        let effects = RuleEffects(payee: "Baker", category: .number(11), note: "n")
        try book.add(Rule.sample(1, "bakery", effects))
        var note = try book.bankNote(of: BankTransactionKey(key, id: "t"))
        (note.payee, note.category) = ("Mine", .number(12))
        try book.write(note)
        let row = try #require(try rows([.sample("t", "2025-11-20", -320)]).all.first)
        #expect(row.transaction.payee == "Mine" && row.transaction.category == .number(12))
        #expect(row.transaction.note == "n" && row.ruled?.setBy == [.note: .number(1)])
    }

    @Test func aHiddenRowIsShownAgainByAnEmptyNote() throws {
        try book.add(Rule.sample(1, "bakery", RuleEffects(hides: true)))
        let reported = [try BankTransaction.sample("t", "2025-11-20", -320)]
        #expect(try rows(reported).all.map(\.state) == [.hidden])
        _ = try book.recordBank(of: .number(1), from: day("2025-11-01"))
        #expect(try book.recordAutomatically(rows(reported)).count == 0)
        let note = try book.bankNote(of: BankTransactionKey(key, id: "t"))
        #expect(try book.write(note).change == nil)
        #expect(try book.write(note, isKeptEmpty: true).change != nil)
        #expect(try rows(reported).all.map(\.state) == [.open])
    }

    @Test func aRowIsRecordedAsASplitOrATransferAndListedAsItIs() throws {
        let parts = [
            RuleSplitPart(category: .number(11), share: .percent(2_500)),
            RuleSplitPart(category: .number(12), share: .percent(7_500)),
        ]
        try book.add(Rule.sample(1, "bakery", RuleEffects(split: parts)))
        try book.add(Rule.sample(2, "saving", RuleEffects(transfer: .number(2))))
        let reported = [
            try BankTransaction.sample("s", "2025-11-20", -400),
            try BankTransaction.sample("t", "2025-11-19", -900, "SAVING PLAN"),
        ]
        let rows = try rows(reported)
        #expect(rows.all.map(\.transaction.kind) == [.expense, .expense])
        #expect(rows.all.map(\.transaction.split) == [nil, nil])
        #expect(rows.all.map(\.transaction.rule) == [.number(1), .number(2)])
        #expect(try book.record(rows.all, again: false).count == 2)
        let split = try #require(try book.transaction(rows.all[0].transaction.id))
        #expect(split.split?.parts.map(\.minor) == [100, 300] && split.category == nil)
        let transfer = try #require(try book.transaction(rows.all[1].transaction.id))
        #expect(transfer.kind == .transfer && transfer.toAccount == .number(2) && transfer.category == nil)
        #expect(try book.account(.number(2))?.balanceMinor == 900)
    }

    @Test func aRowPaysTheNextOccurrenceOfASchedule() throws {
        let planned = Transaction.sample(70, .expense, "2025-11-25", 5_000, payee: "Landlord")
        try book.add(Schedule(transaction: planned, isAutomatic: false))
        try book.add(Rule.sample(1, "rent", RuleEffects(schedule: .number(70))))
        let reported = [
            try BankTransaction.sample("t", "2025-11-20", -5_100, "RENT 11"),
            try BankTransaction.sample("u", "2025-09-20", -5_100, "RENT 09"),
        ]
        #expect(try book.record(rows(reported).all, again: false).count == 2)
        let recorded = try rows(reported).all.compactMap { try book.transaction($0.transaction.id) }
        #expect(recorded.compactMap(\.occurrence).count == 1)
        #expect(recorded.first { $0.occurrence != nil }?.date == day("2025-11-20"))
        #expect(try book.schedule(.number(70))?.next?.planned == day("2025-12-25"))
    }

    // MARK: - Changes by people

    @Test func aValueThatIsChangedByHandNamesNoRule() throws {
        try book.add(Rule.sample(1, "bakery", RuleEffects(category: .number(11))))
        let row = try #require(try rows([.sample("t", "2025-11-20", -320)]).all.first)
        _ = try book.record([row], again: false)
        var stored = try #require(try book.transaction(row.transaction.id))
        stored.note = "warm"
        try book.change(stored)
        #expect(try book.transaction(stored.id)?.rule == .number(1))
        stored.category = .number(12)
        let edit = try book.change(stored)
        #expect(try book.transaction(stored.id)?.rule == nil)
        _ = try book.undo(try #require(edit.change), overriding: false)
        #expect(try book.transaction(stored.id)?.rule == .number(1))
        // Many at once are changed by hand too.
        _ = try book.change(.rows([stored.id]), by: .category(.sample(12)))
        #expect(try book.transaction(stored.id)?.rule == nil)
    }

    // MARK: - The transactions that exist

    @Test func aRuleIsTriedAndAppliedAsOneChange() throws {
        try book.record(.sample(50, .expense, "2025-11-10", payee: "Lidl 1"))
        try book.record(.sample(51, .expense, "2025-11-11", category: 11, payee: "LIDL 2"))
        try book.record(.sample(52, .expense, "2025-11-12", category: 12, payee: "lidl"))
        try book.record(.sample(53, .expense, "2025-11-13", payee: "Aldi"))
        try book.record(.sample(54, .transfer, "2025-11-14", to: 2, payee: "Lidl"))
        var split = Transaction.sample(55, .expense, "2025-11-15", payee: "Lidl")
        split.split = .parts([
            SplitPart(category: .number(12), minor: 500), SplitPart(category: nil, minor: 750),
        ])
        try book.record(split)
        let rule = Rule.sample(1, "lidl", RuleEffects(category: .number(11)))
        let bank = try rows([.sample("t", "2025-11-20", -320, "LIDL SAGT DANKE")])
        let preview = try book.preview(rule, beside: bank, most: 1)
        #expect(preview.count == 2 && preview.matchCount == 5 && preview.bankCount == 1)
        #expect(preview.rows.map(\.before.id) == [.number(52)])
        #expect(preview.rows.map(\.after.category) == [.number(11)])
        #expect(preview.rows.map(\.after.rule) == [.number(1)])
        try book.add(rule)
        let few = try book.apply(rule, to: [.number(50), .number(99)])
        #expect(few.changedCount == 1 && few.leftOut == [.deleted: 1])
        let all = try book.apply(rule)
        #expect(all.changedCount == 1 && all.unchangedCount == 4)
        #expect(try book.transaction(.number(50))?.category == .number(11))
        #expect(try book.transaction(.number(52))?.rule == .number(1))
        #expect(try book.transaction(.number(55)) == split)
        #expect(try book.preview(rule, beside: bank).count == 0)
        #expect(try book.apply(rule).change == nil)
        _ = try book.undo(try #require(all.change), overriding: false)
        let before = try #require(try book.transaction(.number(52)))
        #expect(before.category == .number(12) && before.rule == nil)
    }

    @Test func aPatternThatExplodesMatchesNothingAndIsSaid() throws {
        let payee = String(repeating: "a", count: 150) + "!"
        try book.record(.sample(50, .expense, "2025-11-10", payee: payee))
        let rule = Rule.sample(1, "(a+)+$", RuleEffects(category: .number(11)), .matches)
        let preview = try book.preview(rule)
        #expect(preview.count == 0 && preview.isTooCostly)
        try book.add(rule)
        #expect(try book.ruleReport(on: day("2025-11-21")).tooCostly == [.number(1)])
    }

    @Test func twoRulesThatDisagreeAreFound() throws {
        try book.record(.sample(50, .expense, "2025-11-10", payee: "Shell Shop"))
        try book.record(.sample(51, .expense, "2024-01-10", payee: "Shell Shop"))
        try book.add(Rule.sample(1, "shell", RuleEffects(category: .number(11))))
        try book.add(Rule.sample(2, "shop", RuleEffects(category: .number(12))))
        try book.add(Rule.sample(3, "shell", RuleEffects(category: .number(11), tags: ["car"])))
        try book.add(Rule.sample(4, "aldi", RuleEffects(category: .number(12))))
        let report = try book.ruleReport(on: day("2025-11-21"))
        #expect(
            report.conflicts == [
                RuleConflict(first: .number(1), second: .number(2), effect: .category, count: 1),
                RuleConflict(first: .number(2), second: .number(3), effect: .category, count: 1),
            ]
        )
        #expect(report.uses.isEmpty)
    }

    // MARK: - Names of payees

    @Test func anotherNameHoldsFromNowOnToo() throws {
        try book.record(.sample(50, payee: "LIDL 1"))
        var next = 900
        func id() -> EntityID {
            next += 1
            return .number(next)
        }
        let names = ["LIDL 1", "LIDL 2"]
        let done = try book.rename(names, to: "Lidl", always: id)
        #expect(done.transactionCount == 1)
        #expect(try book.rules().map(\.effects.payee) == ["Lidl"])
        let row = try rows([.sample("t", "2025-11-20", -320, "Lidl 2 Berlin")]).all.first
        #expect(row?.transaction.payee != "Lidl")
        var reported = try BankTransaction.sample("t", "2025-11-20", -320, "CARD")
        reported.counterparty = "lidl  2"
        #expect(try rows([reported]).all.first?.transaction.payee == "Lidl")
        // The same rule is not added twice; with very many names there are several.
        _ = try book.rename(names, to: "Lidl", always: id)
        #expect(try book.rules().count == 1)
        _ = try book.rename((0..<45).map { "P\($0)" }, to: "Q", always: id)
        #expect(try book.rules().map(\.conditions.count) == [2, 20, 20, 5])
        _ = try book.undo(try #require(done.change), overriding: false)
        #expect(try book.rules().count == 3)
    }
}

@Suite struct RuleOfferTests {
    private let folder = Scratch()
    private let clock = FixedClock(at: noon)
    private let book: Book

    init() throws {
        let clock = clock
        book = try Book.open(at: folder("book.sqlite"), clock: { clock.now })
        try book.add(Account.sample(1))
        for number in 11...12 { try book.add(Ledger.Category.sample(number)) }
        for (number, payee) in ["LIDL", "Lidl", "lidl", "Lidl", "Aldi", "Aldi"].enumerated() {
            try book.record(.sample(50 + number, .expense, "2025-11-1\(number)", category: 12, payee: payee))
        }
    }

    @discardableResult
    private func correct(_ number: Int, to category: Int = 11) throws -> Int64? {
        var transaction = try #require(try book.transaction(.number(number)))
        transaction.category = .number(category)
        return try book.change(transaction).change
    }

    @Test func theSecondEqualCorrectionMakesAnOffer() throws {
        #expect(try book.ruleOffers() == [])
        try correct(50)
        try correct(54)
        #expect(try book.ruleOffers() == [])
        try correct(51)
        let offer = RuleOffer(payee: "Lidl", category: .number(11), count: 2)
        #expect(try book.ruleOffers() == [offer])
        // It is there until it is answered, also after a restart.
        book.close()
        let again = try Book.open(at: folder("book.sqlite"), clock: { noon })
        #expect(try again.ruleOffers() == [offer])
        let rule = offer.rule(id: .number(900), name: "Always")
        try again.add(rule)
        #expect(try again.ruleOffers() == [])
        #expect(try again.apply(rule).changedCount == 2)
    }

    @Test func aRefusedOfferIsNeverMadeAgain() throws {
        try correct(50)
        try correct(51)
        try book.dismissRuleOffer(payee: "LIDL", category: .number(11))
        #expect(try book.ruleOffers() == [])
        try correct(52)
        #expect(try book.ruleOffers() == [])
    }

    @Test func onlyWhatAPersonHasChosenAgainAndAgainIsOffered() throws {
        // The same row twice, an undone correction, many rows at once, and rows that a rule has changed.
        try correct(50)
        try correct(50, to: 12)
        try correct(50)
        #expect(try book.ruleOffers() == [])
        let change = try #require(try correct(51))
        _ = try book.undo(change, overriding: false)
        #expect(try book.ruleOffers() == [])
        _ = try book.change(.rows([.number(54), .number(55)]), by: .category(.sample(11)))
        #expect(try book.ruleOffers() == [])
        let rule = Rule.sample(1, "lidl", RuleEffects(category: .number(11)))
        try book.add(rule)
        _ = try book.apply(rule)
        try book.deleteRule(.number(1))
        #expect(try book.ruleOffers() == [])
    }

    @Test func oldCorrectionsAreForgotten() throws {
        try correct(50)
        clock.advance(by: 91 * 86_400)
        try correct(51)
        #expect(try book.ruleOffers() == [])
        try correct(52)
        #expect(try book.ruleOffers().map(\.count) == [1])
        try book.deleteTransaction(.number(52))
        #expect(try book.ruleOffers() == [])
    }
}
