// Places in a list that the user has ordered, as texts between those of their neighbours.

/// Keys that sort the elements of a list. Between any two keys there is another one, so that a move writes the key of the
/// moved element only.
///
/// A key has 1 to 64 characters of `0-9A-Za-z`, which are compared byte by byte, and does not end with `0`: it is the
/// fraction 0.KEY in base 62. Elements without a key follow those with one, in an order of their own.
public enum FractionalIndex {
    /// The greatest length of a key.
    static let longest = 64
    private static let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
    private static let base = digits.count

    /// An element in its new place.
    public struct Element: Sendable {
        /// The present key; nil for none.
        public var key: String?
        /// The place among the elements without a key, by their own order.
        public var rank: Int

        /// Does not check the key.
        public init(key: String?, rank: Int) {
            self.key = key
            self.rank = rank
        }
    }

    /// The keys to write so that a list is in an order: as few as possible. The longest run of keys that are in order
    /// already stays, and the last elements stay without keys if they are in order without them.
    /// - Parameter elements: in the new order.
    /// - Returns: the new keys by the indices of the elements.
    public static func changes(to elements: [Element]) -> [Int: String] {
        var count = elements.count
        while count > 0, elements[count - 1].key == nil,
            count == elements.count || elements[count - 1].rank < elements[count].rank
        {
            count -= 1
        }
        let keys = elements.prefix(count).map { element in
            element.key.flatMap { Key($0) }
        }
        var changes: [Int: String] = [:]
        var (start, low) = (0, Key?.none)
        for end in longestIncreasing(keys) + [count] {
            let high = end < count ? keys[end] : nil
            for (index, key) in zip(start..<end, spread(end - start, low, high)) { changes[index] = key.text }
            (start, low) = (end + 1, high)
        }
        guard changes.values.contains(where: { $0.utf8.count > longest }) else { return changes }
        return Dictionary(
            uniqueKeysWithValues: spread(count, nil, nil).enumerated().map { ($0.offset, $0.element.text) }
        )
    }

    /// The digits of a key, most significant first; the last one is not 0.
    private struct Key {
        var digits: [Int]

        init(digits: [Int]) { self.digits = digits }

        init?(_ text: String) {
            digits = text.utf8.compactMap { FractionalIndex.digits.firstIndex(of: $0) }
            guard digits.count == text.utf8.count, (1...longest).contains(digits.count), digits.last != 0
            else { return nil }
        }

        var text: String {
            String(decoding: digits.map { FractionalIndex.digits[$0] }, as: UTF8.self)
        }

        func precedes(_ other: Key) -> Bool { digits.lexicographicallyPrecedes(other.digits) }
    }

    /// Keys between two others, in order and evenly spread.
    private static func spread(_ count: Int, _ low: Key?, _ high: Key?) -> [Key] {
        guard count > 0 else { return [] }
        let middle = Key(digits: between(low?.digits ?? [], high?.digits))
        let before = (count - 1) / 2
        return spread(before, low, middle) + [middle] + spread(count - 1 - before, middle, high)
    }

    /// The shortest digits between two others, near the middle.
    /// - Parameter high: nil for 1.0.
    private static func between(_ low: [Int], _ high: [Int]?) -> [Int] {
        var (prefix, low, high) = ([Int](), low[...], high?[...])
        while true {
            let first = low.first ?? 0
            if let next = high?.first, next == first {
                prefix.append(first)
                (low, high) = (low.dropFirst(), high?.dropFirst())
                continue
            }
            let next = high?.first ?? base
            if next - first > 1 { return prefix + [(first + next + 1) / 2] }
            // The digits are neighbours.
            if let high, high.count > 1 { return prefix + [next] }
            prefix.append(first)
            (low, high) = (low.dropFirst(), nil)
        }
    }

    /// The indices of a longest run of elements, not necessarily neighbours, whose keys increase.
    private static func longestIncreasing(_ keys: [Key?]) -> [Int] {
        // The index of the least last key of a run of each length, and the index before each.
        var (ends, former) = ([Int](), [Int?](repeating: nil, count: keys.count))
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            let length = ends.firstIndex { end in keys[end].map { !$0.precedes(key) } ?? false } ?? ends.count
            former[index] = length > 0 ? ends[length - 1] : nil
            if length < ends.count { ends[length] = index } else { ends.append(index) }
        }
        var (run, next) = ([Int](), ends.last)
        while let index = next {
            run.append(index)
            next = former[index]
        }
        return run.reversed()
    }
}
