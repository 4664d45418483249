// The rules of merging, case by case.
import Ledger
import Testing

@testable import SyncCore

@Suite struct MergeRules {
    private let id = EntityID(high: 1, low: 2)

    private func operation(
        _ action: Operation.Action,
        _ fields: Fields = [:],
        base: Fields = [:],
        kind: String = "transaction"
    ) -> Operation {
        Operation(
            n: 1,
            opID: String(repeating: "0", count: 32),
            tx: 1,
            action: action,
            kind: kind,
            id: id,
            fields: fields,
            base: base
        )
    }

    private func apply(
        _ operation: Operation,
        to row: MergedRow?,
        isDead: Bool = false,
        seq: Int64 = 20,
        writer: Int64 = 2,
        holds: Bool = false
    ) -> Merge.Outcome {
        Merge.apply(operation, to: row, isDead: isDead, seq: seq, writer: writer, holds: holds)
    }

    /// Made by writer 1 at 10; the amount patched by writer 1 at 15.
    private let row = MergedRow(
        seq: 15,
        fields: ["amount": 100, "note": "a"],
        created: FieldVersion(seq: 10, writer: 1),
        versions: ["amount": FieldVersion(seq: 15, writer: 1)],
        author: 1
    )

    @Test func onlyACreationCreates() {
        #expect(apply(operation(.create, ["amount": 1]), to: nil).row?.fields == ["amount": 1])
        let patch = apply(operation(.patch, ["amount": 1]), to: nil)
        #expect(patch.row == nil && patch.status == .rejected && patch.code == .unknownRow)
    }

    /// Values, and whether a text of an earlier version may be the other one in another form.
    @Test(
        arguments: [
            ("Cafe\u{301}", "Caf\u{E9}", true), ("\u{212B}", "A\u{30A}", true), ("Cafe", "Caf\u{E9}", false),
            ("", nil, false), (nil, nil, true), (.other("\"e\u{301}\""), .other("\"\u{E9}\""), false),
            (5, 5, true),
            (5, "5", false),
        ] as [(FieldValue, FieldValue, Bool)]
    ) func textsAreTheSameInTheOneForm(one: FieldValue, other: FieldValue, isSame: Bool) {
        #expect(one.isSameInNormalForm(as: other) == isSame && other.isSameInNormalForm(as: one) == isSame)
    }

    @Test(arguments: [Operation.Action.create, .patch], [false, true])
    func aTextInAnotherFormIsNoConflict(action: Operation.Action, holds: Bool) throws {
        var row = row
        (row.fields["split"], row.fields["payee"]) = ("e\u{301}", "e\u{301}")
        let fields: Fields = ["split": "\u{E9}", "payee": "\u{E9}"]
        let outcome = apply(operation(action, fields, base: ["split": 0, "payee": 0]), to: row, holds: holds)
        #expect(outcome.overwritings.isEmpty && outcome.status == .applied && outcome.code == nil)
        #expect(outcome.row?.versions.values.allSatisfy { $0.unseen == 0 } == true)
        if action == .patch { #expect(outcome.row?.fields["split"] == "\u{E9}") }
    }

    @Test func whatIsDeletedStaysDeleted() {
        var dead = row
        dead.isDeleted = true
        for (row, isDead) in [(dead as MergedRow?, false), (nil, true)] {
            for action in [Operation.Action.create, .patch] {
                let outcome = apply(operation(action, ["amount": 1]), to: row, isDead: isDead)
                #expect(outcome.row == row && outcome.status == .superseded && outcome.code == .dead)
            }
            let again = apply(operation(.delete), to: row, isDead: isDead)
            #expect(again.row == row && again.status == .applied)
        }
        #expect(apply(operation(.delete), to: row).row?.isDeleted == true)
        #expect(
            apply(operation(.delete), to: nil).row?.isDeleted == true,
            "whoever creates it later must learn of it"
        )
    }

    @Test func patchesOfDifferentFieldsBothCount() {
        let first = apply(operation(.patch, ["note": "b"]), to: row).row
        let second = apply(operation(.patch, ["payee": "c"]), to: first, seq: 21, writer: 3).row
        #expect(second?.fields == ["amount": 100, "note": "b", "payee": "c"])
        #expect(second?.author == 0, "several have written it")
    }

    @Test(
        arguments: [
            // (base, writer, value, whether two values met)
            (14, 2, 200, true), (15, 2, 200, false), (14, 1, 200, false), (14, 2, 100, false),
            (0, 2, 200, true),
        ] as [(Int64, Int64, Int64, Bool)]
    )
    func aGuardedValueIsNeverSilentlyOverwritten(base: Int64, writer: Int64, value: Int64, meets: Bool) {
        let patch = operation(.patch, ["amount": .integer(value)], base: ["amount": .integer(base)])
        let newest = apply(patch, to: row, writer: writer)
        #expect(newest.row?.fields["amount"] == .integer(value) && newest.status == .applied)
        #expect(newest.overwritings.count == (meets ? 1 : 0))
        if meets {
            let met = newest.overwritings[0]
            #expect(met.kept == .integer(value) && met.lost == 100 && met.keptBy == writer && met.lostBy == 1)
        }
        let asked = apply(patch, to: row, writer: writer, holds: true)
        #expect(asked.row?.fields["amount"] == (meets ? 100 : .integer(value)))
        #expect(asked.code == (meets ? .held : nil))
    }

    @Test(
        arguments: [
            // (base, writer, value, whether a value was written over unseen)
            (9, 2, "z", true), (10, 2, "z", false), (9, 1, "z", false), (9, 2, "a", false),
            (nil, 2, "z", false),
        ] as [(Int64?, Int64, String, Bool)]
    )
    func aNoteIsOverwrittenAndItsWriterIsTold(base: Int64?, writer: Int64, value: String, isUnseen: Bool) {
        let known: Fields = base.map { ["note": .integer($0)] } ?? [:]
        for holds in [false, true] {
            let patch = operation(.patch, ["note": .text(value)], base: known)
            let outcome = apply(patch, to: row, writer: writer, holds: holds)
            #expect(outcome.row?.fields["note"] == .text(value) && outcome.overwritings.isEmpty)
            #expect(outcome.code == nil)
            #expect(outcome.row?.versions["note"]?.unseen == (isUnseen ? 1 : 0))
        }
    }

    @Test func whoWasNotToldYetIsToldWithTheNextWrite() {
        let blind = operation(.patch, ["note": "b"], base: ["note": 9])
        let first = apply(blind, to: row).row
        let again = apply(operation(.patch, ["note": "c"], base: ["note": 20]), to: first, seq: 21).row
        #expect(again?.versions["note"]?.unseen == 1)
        let third = operation(.patch, ["note": "d"], base: ["note": 21])
        #expect(apply(third, to: again, seq: 22, writer: 3).row?.versions["note"]?.unseen == 1)
        #expect(apply(third, to: again, seq: 22, writer: 1).row?.versions["note"]?.unseen == 0)
        let create = apply(operation(.create, ["note": "z"]), to: row).row
        #expect(create?.versions["note"]?.unseen == 1, "of two that brought a row back")
    }

    @Test(
        arguments: [
            // (base, writer, whether the amount was deleted unseen)
            (14, 2, true), (15, 2, false), (14, 1, false), (nil, 2, false),
        ] as [(Int64?, Int64, Bool)]
    )
    func whoeverWroteWhatIsDeletedUnseenIsTold(base: Int64?, writer: Int64, isUnseen: Bool) {
        var row = row
        row.versions["note"] = FieldVersion(seq: 12, writer: 3, unseen: 4)
        let known: Fields = base.map { [Operation.allFields: .integer($0)] } ?? [:]
        let outcome = apply(operation(.delete, base: known), to: row, writer: writer)
        #expect(outcome.status == .applied && outcome.row?.isDeleted == true)
        #expect(outcome.row?.versions["amount"]?.unseen == (isUnseen ? 1 : 0))
        #expect(outcome.row?.versions["note"]?.unseen == 0, "whose note was lost earlier was told then")
    }

    @Test func aSecondCreationLeavesWhatWasChangedSince() {
        let outcome = apply(
            operation(.create, ["amount": 7, "note": "seed", "payee": "p"], kind: "category"),
            to: row
        )
        #expect(outcome.row?.fields == ["amount": 100, "note": "seed", "payee": "p"])
    }

    @Test(arguments: [
        ("", "0"), ("a b", "0"), ("x", "short"), ("x", String(repeating: "g", count: 32)),
        (String(repeating: "k", count: 65), "0"),
    ])
    func whatIsOutOfBoundsIsRejectedAndChangesNothing(kind: String, opID: String) {
        var bad = operation(.create, ["amount": 1])
        bad.kind = kind
        if opID != "0" { bad.opID = opID }
        let outcome = apply(bad, to: nil)
        #expect(outcome.row == nil && outcome.status == .rejected && outcome.code == .invalid)
        var long = operation(.patch, ["note": .text(String(repeating: "x", count: 70_000))])
        #expect(apply(long, to: row).row == row)
        long.fields = ["bad name": 1]
        #expect(apply(long, to: row).code == .invalid)
    }
}
