// The items of a HEIC file (ISO/IEC 23008-12): pictures, and the parts that describe them.

/// The items of a HEIC file, and where their bytes are.
struct HEICFile {
    struct Item: Hashable {
        var id: Int
        /// Four letters: `hvc1` for a picture, `Exif`, or `mime` for a content with a type of its own.
        var type: String
        /// Whether it is a packet of XMP that is not compressed.
        var isXMP = false
        /// Whether it is encrypted.
        var isProtected: Bool

        /// Whether it is a part that may hold the place.
        var isDescription: Bool { ["Exif", "mime", "uri "].contains(type) }
    }

    /// The place of the bytes of an item.
    private enum Place {
        case parts([Range<Int>])
        /// In another file, in another item, or somewhere that is not understood.
        case elsewhere
    }

    /// All boxes that are not in another one.
    let boxes: BoxFile
    /// The boxes within `meta`, which lists the items.
    let lists: BoxFile
    private(set) var items: [Item] = []
    private var places: [Int: Place] = [:]

    /// The greatest size of a list of items or of their places. A large picture has some hundred items.
    private static let mostBytes = 1 << 20
    /// The greatest number of items, and of their parts.
    private static let most = 20_000

    /// - Returns: nil if its items cannot be found.
    init?(_ content: some ByteSource) {
        boxes = BoxFile(in: 0..<content.size, of: content)
        guard let meta = boxes["meta"], boxes.boxes.count(where: { $0.name == "meta" }) == 1 else {
            return nil
        }
        lists = BoxFile.afterVersion(meta, of: content)
        guard lists.end == meta.upperBound else { return nil }
        if let range = lists["iinf"] {
            guard let items = Self.items(range, content) else { return nil }
            self.items = items
        }
        if let range = lists["iloc"] {
            guard let bytes = Self.bytes(range, content),
                let places = Self.places(bytes, idat: lists["idat"] ?? 0..<0)
            else { return nil }
            self.places = places
        }
    }

    /// The parts of an item, each within a box for bytes of items, and none within another item; empty if it has no place,
    /// and nil if it is stored in another way.
    func ownParts(of item: Item) -> [Range<Int>]? {
        guard let place = places[item.id] else { return [] }
        guard case .parts(let found) = place, !item.isProtected, found.count <= 20 else { return nil }
        let room = boxes.boxes.filter { $0.name == "mdat" }.map(\.content) + [lists["idat"] ?? 0..<0]
        let isOwn = found.enumerated().allSatisfy { index, part in
            room.contains { $0.lowerBound <= part.lowerBound && part.upperBound <= $0.upperBound }
                && !found[..<index].contains { $0.overlaps(part) }
        }
        let isShared = places.contains { id, place in
            guard id != item.id, case .parts(let others) = place else { return false }
            return others.contains { other in found.contains { $0.overlaps(other) } }
        }
        return isOwn && !isShared ? found : nil
    }

    /// Whether items may have bytes in a range.
    func mayUse(_ range: Range<Int>) -> Bool {
        places.values.contains { place in
            guard case .parts(let parts) = place else { return true }
            return parts.contains { $0.overlaps(range) }
        }
    }

    // MARK: - The lists

    private static func bytes(_ range: Range<Int>, _ content: some ByteSource) -> [UInt8]? {
        range.count <= mostBytes ? content.bytes(at: range.lowerBound, count: range.count) : nil
    }

    private static func items(_ range: Range<Int>, _ content: some ByteSource) -> [Item]? {
        guard let bytes = bytes(range, content), let version = bytes.first else { return nil }
        // The number of items has two bytes or four.
        let start = version == 0 ? 6 : 8
        guard bytes.count >= start else { return nil }
        let entries = BoxFile(in: start..<bytes.count, of: bytes, most: most)
        guard entries.end == bytes.count else { return nil }
        var items: [Item] = []
        for entry in entries.boxes where entry.name == "infe" {
            guard let item = item(Array(bytes[entry.content])) else { return nil }
            items.append(item)
        }
        return items
    }

    private static func item(_ bytes: [UInt8]) -> Item? {
        guard let version = bytes.first, version == 2 || version == 3 else { return nil }
        let width = version == 2 ? 2 : 4
        guard let id = bytes.number(at: 4, bytes: width), let key = bytes.number(at: 4 + width, bytes: 2),
            bytes.count >= 10 + width
        else { return nil }
        let type = String(decoding: bytes[6 + width..<10 + width], as: UTF8.self)
        // Texts that end with a zero: its name, the type of its content, and how that is compressed.
        let texts = bytes[(10 + width)...].split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let isXMP = type == "mime" && texts.dropFirst().first == "application/rdf+xml"
        let isPlain = texts.dropFirst(2).first?.isEmpty ?? true
        return Item(id: id, type: type, isXMP: isXMP && isPlain, isProtected: key != 0)
    }

    /// The places of the items.
    /// - Parameter idat: the content of the box with the bytes of small items.
    private static func places(_ bytes: [UInt8], idat: Range<Int>) -> [Int: Place]? {
        var reader = Reader(bytes: bytes)
        guard let version = reader.next(1), version <= 2, reader.next(3) != nil, let sizes = reader.next(2),
            let count = reader.next(version < 2 ? 2 : 4), count <= most
        else { return nil }
        var places: [Int: Place] = [:]
        var left = most
        for _ in 0..<count {
            guard let id = reader.next(version < 2 ? 2 : 4), let method = reader.next(version == 0 ? 0 : 2),
                let file = reader.next(2), let base = reader.next(sizes >> 4 & 15),
                let extents = reader.next(2), extents <= left
            else { return nil }
            left -= extents
            var parts: [Range<Int>] = []
            for _ in 0..<extents {
                guard reader.next(version == 0 ? 0 : sizes & 15) != nil,
                    let offset = reader.next(sizes >> 12), let length = reader.next(sizes >> 8 & 15)
                else { return nil }
                if let part = part(method & 15, base, offset, length, idat: idat) { parts.append(part) }
            }
            // An item that is listed twice has two places.
            let isKnown = file == 0 && parts.count == extents && places[id] == nil
            places[id] = isKnown ? .parts(parts) : .elsewhere
        }
        return places
    }

    /// A part of an item: in the file itself, or in the box for small items. A length of zero means all of it.
    private static func part(_ method: Int, _ base: Int, _ offset: Int, _ length: Int, idat: Range<Int>)
        -> Range<Int>?
    {
        let far = 1 << 40
        guard method <= 1, length > 0, base < far, offset < far, length < far else { return nil }
        let start = (method == 1 ? idat.lowerBound : 0) + base + offset
        guard method == 0 || start + length <= idat.upperBound else { return nil }
        return start..<start + length
    }

    /// Reads numbers one after another.
    private struct Reader {
        let bytes: [UInt8]
        private var offset = 0

        init(bytes: [UInt8]) { self.bytes = bytes }

        /// A number of at most eight bytes; nil beyond the end, or if it is too large for any file.
        mutating func next(_ count: Int) -> Int? {
            guard count <= 8, offset + count <= bytes.count else { return nil }
            let value = bytes[offset..<offset + count].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            offset += count
            return Int(exactly: value)
        }
    }
}
