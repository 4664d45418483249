// Keys between others: lists get the order that was asked for, with as few new keys as possible.
import TestKit
import Testing

@testable import Ledger

@Suite struct FractionalIndices {
    private typealias Element = FractionalIndex.Element

    /// A list that is sorted by its keys, and by rank where there are none.
    private struct List {
        var rows: [(name: Int, key: String?)]

        init(count: Int) { rows = (0..<count).map { ($0, nil) } }

        mutating func order(_ names: [Int]) -> Int {
            let places = Dictionary(
                uniqueKeysWithValues: rows.enumerated().map { ($0.element.name, $0.offset) }
            )
            let changes = FractionalIndex.changes(
                to: names.map { Element(key: rows[places[$0] ?? 0].key, rank: $0) }
            )
            for (index, key) in changes { rows[places[names[index]] ?? 0].key = key }
            rows.sort { one, other in
                switch (one.key, other.key) {
                case (let key?, let next?):
                    key == next
                        ? one.name < other.name : key.utf8.lexicographicallyPrecedes(next.utf8)
                case (nil, nil): one.name < other.name
                case (let key, _): key != nil
                }
            }
            return changes.count
        }

        var names: [Int] { rows.map(\.name) }
        var longest: Int { rows.map { $0.key?.utf8.count ?? 0 }.max() ?? 0 }
    }

    @Test func oneMoveWritesOneKey() {
        var list = List(count: 6)
        // The elements behind the moved one need no keys.
        #expect(list.order([4, 0, 1, 2, 3, 5]) == 1)
        #expect(list.names == [4, 0, 1, 2, 3, 5])
        #expect(list.order([5, 4, 3, 2, 1, 0]) == 4)
        #expect(list.rows.last?.key == nil, "the last one follows without a key")
        #expect(list.order([5, 3, 2, 4, 1, 0]) == 1)
        #expect(list.order([5, 3, 2, 4, 1, 0]) == 0)
        #expect(list.names == [5, 3, 2, 4, 1, 0])
    }

    @Test func anyOrderIsReached() {
        var random = SplitMix(seed: 3)
        for _ in 0..<40 {
            var list = List(count: Int.random(in: 1...12, using: &random))
            for _ in 0..<12 {
                let wanted = list.names.shuffled(using: &random)
                _ = list.order(wanted)
                #expect(list.names == wanted)
            }
        }
    }

    @Test func keysStayShortEnough() {
        var list = List(count: 5)
        for _ in 0..<1_000 {
            // The last one goes to the second place again and again.
            var names = list.names
            names.insert(names.removeLast(), at: 1)
            _ = list.order(names)
            #expect(list.names == names)
        }
        #expect(list.longest <= FractionalIndex.longest)
    }

    @Test func keysThatAreNoneAreReplaced() {
        for odd in ["", "a b", "V0", "é", String(repeating: "z", count: 65)] {
            let changes = FractionalIndex.changes(
                to: [Element(key: "V", rank: 0), Element(key: odd, rank: 1), Element(key: "W", rank: 2)]
            )
            #expect(
                changes.keys.sorted() == [1] && (changes[1] ?? "") > "V" && (changes[1] ?? "z") < "W",
                "\(odd)"
            )
        }
        let same = FractionalIndex.changes(to: [Element(key: "V", rank: 0), Element(key: "V", rank: 1)])
        #expect(same.count == 1)
    }
}
