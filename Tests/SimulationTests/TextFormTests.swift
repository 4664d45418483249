// Devices and a cloud that earlier versions have left with texts in mixed forms are upgraded in any order: all ends equal and
// in the one form, and no page shows a change, a conflict or a loss.
import Encoding
import Foundation
import Ledger
import Storage
import SyncCore
import TestKit
import Testing

@testable import Book
@testable import Cloud

/// A world of mixed forms under one seed.
private final class MixedForms {
    let all: DevicesOfAnAccount
    var random: SplitMix
    var place: Cloud.TextPlace?
    /// Whether each device, and at the end the cloud, is of this version.
    var isUpgraded: [Bool]
    var cloud: Int { all.books.count }
    /// The last sequence whose row has got a form of the cloud of before.
    private var aged: Int64 = 0
    /// The device that talks to the cloud.
    private var talking = 0
    private var number: UInt64 = 0
    private var serial = 0
    private(set) var names: [EntityID: String] = [:]

    init(seed: UInt64) throws {
        random = SplitMix(seed: seed)
        all = try DevicesOfAnAccount(2)
        isUpgraded = [false, false, false]
        // Versions before this one know no hash of texts in the one form.
        all.interception = { [unowned self] _, answer in
            guard !isUpgraded[cloud] || !isUpgraded[talking] else { return nil }
            switch answer {
            case .changes(var page):
                page.hash = nil
                return .changes(page)
            case .pushed(var answer):
                answer.changes?.hash = nil
                return .pushed(answer)
            default: return nil
            }
        }
    }

    func sync(_ device: Int, answers: Int? = nil) throws {
        talking = device
        try all.sync(device, answers: answers)
    }

    func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &random) < one }

    /// A text in a random mixture of forms.
    func mixed(_ text: String) -> String {
        text.split(separator: " ").map { word in
            chance(1, in: 2)
                ? String(word).decomposedStringWithCanonicalMapping
                : String(word).precomposedStringWithCanonicalMapping
        }.joined(separator: " ")
    }

    func newText() -> String {
        serial += 1
        let words = ["Café", "한국어", "Ångström", "plain", "が", "Łódź", "ệ"]
        let chosen = (0..<3).map { _ in words.randomElement(using: &random) ?? "" }
        return (chosen + ["\(serial)"]).joined(separator: " ")
    }

    /// A device adds an account or renames one that it has. A device of before stores and sends any form.
    func edit(_ device: Int) throws {
        let book = all.books[device]
        let text = newText()
        let known = try book.choices().accounts
        if let account = known.randomElement(using: &random), chance(1, in: 2) {
            // Each device renames its own, so that there is no true conflict.
            guard account.id.low % 2 == UInt64(device) else { return }
            names[account.id] = text
            try rename(account.id, to: text, device)
        } else {
            number += 2
            let id = EntityID(high: 1, low: number + UInt64(device))
            names[id] = text
            try book.add(Account(id: id, name: text, type: .cash, currency: .eur, openingMinor: 0))
            guard !isUpgraded[device] else { return }
            let name = mixed(text)
            _ = try book.applyRemoteRows { db in
                try db.change("UPDATE accounts SET name = ? WHERE id = ?", [name, id.column])
            }
        }
    }

    private func rename(_ id: EntityID, to text: String, _ device: Int) throws {
        let name = isUpgraded[device] ? mixed(text).inNormalForm : mixed(text)
        try all.books[device].changeAsUser { db in
            _ = try db.change("UPDATE accounts SET name = ? WHERE id = ?", [name, id.column])
        }
    }

    /// Devices and a cloud of before have stored the texts in forms of their own.
    func age() throws {
        for (device, book) in all.books.enumerated() where !isUpgraded[device] {
            try book.applyRemoteRows { db in
                for (id, name) in try db.all(
                    "SELECT id, name FROM accounts",
                    [],
                    { ($0.text(0), $0.text(1)) }
                ) {
                    try db.change("UPDATE accounts SET name = ? WHERE id = ?", [mixed(name), id])
                }
                try db.change("UPDATE sync SET known = 'of an earlier version'")
            }
        }
        guard !isUpgraded[cloud] else { return }
        aged = try all.directory.changing { db in
            // A row that was sent keeps its form.
            let sql = "SELECT id, fields FROM entities WHERE seq > ?"
            for (id, fields) in try db.all(sql, [aged], { ($0.text(0), $0.text(1)) }) {
                let update = "UPDATE entities SET fields = ?, hash = NULL WHERE id = ?"
                try db.change(update, [mixed(fields), id])
            }
            try db.change("UPDATE sync_accounts SET text_form = 0, rows_hash = NULL")
            return try db.first("SELECT max(seq) FROM entities") { $0.int64(0) } ?? 0
        }
    }

    /// A step of a device or of the cloud towards the one form. The first one is its upgrade.
    func step(_ part: Int) throws {
        if part == cloud {
            isUpgraded[part] = true
            // Its process may have ended since the last step.
            if chance(1, in: 3) { place = nil }
            place = try SyncService(all.directory).normaliseTexts(after: place)?.next
        } else {
            if !isUpgraded[part] {
                isUpgraded[part] = true
                try all.books[part].adoptForeignRows()
            }
            try all.books[part].normaliseTexts()
        }
    }

    /// - Returns: whether something is left to do.
    func awaits(_ part: Int) throws -> Bool {
        guard isUpgraded[part] else { return true }
        guard part == cloud else { return try all.books[part].awaitsTextForm() }
        return try all.directory.reading { db in
            try db.number("SELECT EXISTS (SELECT 1 FROM sync_accounts WHERE text_form = 0)") == 1
        }
    }
}

@Suite struct TextsInMixedForms {
    private static let seeds = ProcessInfo.processInfo.environment["SEEDS"].flatMap { UInt64($0) } ?? 30

    @Test(arguments: 1...seeds) func endEqualInWhateverOrderDevicesAndCloudAreUpgraded(seed: UInt64) throws {
        print("seed \(seed)")
        let world = try MixedForms(seed: seed)
        let all = world.all
        for _ in 0..<12 {
            let device = Int.random(in: 0..<2, using: &world.random)
            try world.edit(device)
            if world.chance(1, in: 2) { try world.sync(device) }
        }
        for device in [0, 1, 0] { try world.sync(device) }
        try world.age()
        // Changes that are not sent when the devices are upgraded, and some whose answer is lost.
        for device in 0..<2 {
            for _ in 0..<3 { try world.edit(device) }
            if world.chance(1, in: 2) { try world.sync(device, answers: 1) }
        }
        let conflicts = try all.books.map { try $0.openConflictCount() }
        var steps = 0
        while try (0..<3).contains(where: { try world.awaits($0) }) {
            steps += 1
            try #require(steps < 2_000, "seed \(seed) comes to no end")
            let part = Int.random(in: 0..<3, using: &world.random)
            switch Int.random(in: 0..<8, using: &world.random) {
            case 0: if part < 2 { try world.edit(part) }
            case 1, 2: if part < 2 { try world.sync(part) }
            case 3: if part < 2 { try world.sync(part, answers: 1) }
            // Rows that a part of before has received meanwhile are in its forms.
            case 4: try world.age()
            default: try world.step(part)
            }
        }
        for device in [0, 1, 0, 1] { try world.sync(device) }

        let cloud = try all.directory.reading { db in
            try db.all("SELECT id, fields FROM entities WHERE kind = 'account'") {
                (try $0.id(0), try Fields(encoded: $0.text(1)).text("name") ?? "")
            }
        }
        for (id, name) in cloud {
            let expected = world.names[id]?.inNormalForm ?? ""
            #expect(name.utf8.elementsEqual(expected.utf8), "seed \(seed): \(id) in the cloud")
        }
        #expect(cloud.count == world.names.count)
        for (device, book) in all.books.enumerated() {
            let names = try book.choices().accounts.map { ($0.id, $0.name) }
            #expect(names.count == world.names.count, "seed \(seed)")
            for (id, name) in names {
                let expected = world.names[id]?.inNormalForm ?? ""
                #expect(name.utf8.elementsEqual(expected.utf8), "seed \(seed): \(id) on device \(device)")
            }
            #expect(all.found[device].isEmpty, "seed \(seed): \(all.found[device])")
            #expect(
                try book.openConflictCount() == conflicts[device] && book.losses().isEmpty,
                "seed \(seed)"
            )
            #expect(try book.replicaState().pending == 0, "seed \(seed)")
            #expect(try book.verifySums() == [], "seed \(seed)")
            let history = try book.history(limit: 1_000)
            #expect(history.count { $0.content == .normalisedTexts } <= 1, "seed \(seed)")
            for case .rows(let rows, _) in history.map(\.content) {
                for row in rows where row.action == .patch {
                    let isText = row.after.all.contains {
                        !$0.value.isSameInNormalForm(as: row.before[$0.name] ?? .null)
                    }
                    #expect(isText, "seed \(seed): a change of the form alone is no change of a device")
                }
            }
        }
        // The hashes are compared, and equal.
        let hash = try all.directory.reading { db in
            try db.first("SELECT rows_hash FROM sync_accounts") { $0.optionalInt64(0) } ?? nil
        }
        for book in all.books {
            try book.countDueRows()
            let own = try book.reading { db in try db.first("SELECT hash FROM agreement") { $0.int64(0) } }
            #expect(hash == own, "seed \(seed)")
        }
    }
}
