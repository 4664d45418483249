// HEIC files, made box by box.

extension SampleFiles {
    /// A box of a HEIC file.
    public static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(name.utf8) + content
    }

    /// An item of a HEIC file beside the picture.
    public struct HEICItem: Sendable {
        /// The way in which an item is stored, with a fault if it is said so.
        public enum Place: Hashable, Sendable {
            case file, small
            /// In two parts.
            case parts
            /// In the file, this many bytes after its right place.
            case moved(Int)
            /// In the place of the item before it, in that of another item, or in another file.
            case shared, derived, elsewhere
        }

        /// Four letters, and for `mime` the type of the content behind a zero.
        public var type: String
        /// Its bytes.
        public var content: [UInt8]
        /// Where its bytes are.
        public var place: Place
        /// Whether it says that its bytes are encrypted.
        public var isEncrypted: Bool

        /// An item that is stored in the file.
        public init(
            _ type: String,
            _ content: [UInt8],
            _ place: Place = .file,
            isEncrypted: Bool = false
        ) {
            (self.type, self.content, self.place, self.isEncrypted) = (type, content, place, isEncrypted)
        }

        /// An item with a packet of XMP.
        public static func xmp(_ packet: [UInt8], _ place: Place = .file) -> HEICItem {
            HEICItem("mime\0application/rdf+xml", packet, place)
        }

        /// An item with an Exif block.
        public static func exif(_ block: [UInt8], _ place: Place = .file, isEncrypted: Bool = false)
            -> HEICItem
        {
            HEICItem("Exif", big(6, 4) + Array("Exif\0\0".utf8) + block, place, isEncrypted: isEncrypted)
        }
    }

    /// The bytes of the picture in a HEIC file.
    public static let heicPicture: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBE]

    /// A HEIC file with a small picture before the large one.
    /// - Parameters:
    ///   - others: the compatible brands, four characters each.
    ///   - items: the items beside the picture. Their lists are left out if there is none.
    ///   - boxes: whole boxes before the bytes of the items.
    ///   - versions: those of the list of items, of its entries, and of the list of their places.
    public static func heic(
        width: Int = 4_032,
        height: Int = 3_024,
        brand: String = "heic",
        others: String = "mif1heic",
        items: [HEICItem] = [],
        lists: [[UInt8]] = [],
        boxes: [[UInt8]] = [],
        versions: (Int, Int, Int) = (0, 2, 1),
        after: [UInt8] = []
    ) -> [UInt8] {
        func size(_ width: Int, _ height: Int) -> [UInt8] {
            box("ispe", big(0, 4) + big(width, 4) + big(height, 4))
        }
        let list = box("ipco", box("hvcC", [1, 2, 3]) + size(512, 512) + size(width, height))
        let type = box("ftyp", Array(brand.utf8) + big(0, 4) + Array(others.utf8))
        let small = items.filter { $0.place == .small }.flatMap(\.content)
        /// The lists have the same length wherever the items are.
        func meta(_ start: Int, _ idat: Int) -> [UInt8] {
            guard !items.isEmpty else {
                return box("meta", big(0, 4) + box("hdlr", [0]) + box("iprp", list) + lists.flatMap { $0 })
            }
            let entries = itemEntries(items, versions.1)
            let count = big(items.count + 1, versions.0 == 0 ? 2 : 4)
            let names = box("iinf", big(versions.0, 1) + big(0, 3) + count + entries)
            let places = box("iloc", itemPlaces(items, from: start, idat, versions.2))
            let data = small.isEmpty ? [] : box("idat", small)
            return box(
                "meta",
                big(0, 4) + box("hdlr", [0]) + names + box("iprp", list) + places + lists.flatMap { $0 }
                    + data
            )
        }
        let before = type.count + boxes.reduce(0) { $0 + $1.count }
        let end = before + meta(0, 0).count
        let whole = meta(end + 8, versions.2 == 0 ? end - small.count : 0)
        let bytes = heicPicture + items.filter { $0.place != .small }.flatMap(\.content)
        return type + boxes.flatMap { $0 } + whole + box("mdat", bytes) + after
    }

    private static func itemEntries(_ items: [HEICItem], _ version: Int) -> [UInt8] {
        ([HEICItem("hvc1", [])] + items).enumerated().flatMap { index, item in
            let id = big(index + 1, version == 3 ? 4 : 2)
            let texts = item.type.utf8.dropFirst(4)
            let key = big(item.isEncrypted ? 1 : 0, 2)
            return box(
                "infe",
                big(version, 1) + big(0, 3) + id + key + Array(item.type.utf8.prefix(4)) + [0]
                    + texts.dropFirst()
                    + (texts.isEmpty ? [] : [0])
            )
        }
    }

    /// - Parameters:
    ///   - start: the place of the picture, which the items follow.
    ///   - idat: the place of the small items, from which version 1 on counts them.
    private static func itemPlaces(_ items: [HEICItem], from start: Int, _ idat: Int, _ version: Int)
        -> [UInt8]
    {
        func entry(_ id: Int, _ method: Int, _ file: Int, _ extents: [Range<Int>]) -> [UInt8] {
            let ways = version == 0 ? [] : big(method, 2)
            let parts = extents.flatMap { big($0.lowerBound, 4) + big($0.count, 4) }
            return big(id, version == 2 ? 4 : 2) + ways + big(file, 2) + big(extents.count, 2) + parts
        }
        var (next, nextSmall) = (start + heicPicture.count, idat)
        var previous = start..<next
        var bytes = entry(1, 0, 0, [previous])
        for (index, item) in items.enumerated() {
            let small = nextSmall..<nextSmall + item.content.count
            let own = next..<next + item.content.count
            let half = own.lowerBound + own.count / 2
            if item.place == .small { nextSmall = small.upperBound } else { next = own.upperBound }
            let (method, file, extents): (Int, Int, [Range<Int>]) =
                switch item.place {
                case .file: (0, 0, [own])
                case .small: (version == 0 ? 0 : 1, 0, [small])
                case .parts: (0, 0, [own.lowerBound..<half, half..<own.upperBound])
                case .moved(let by): (0, 0, [own.lowerBound + by..<own.upperBound + by])
                case .shared: (0, 0, [previous.lowerBound..<own.upperBound])
                case .derived: (2, 0, [own])
                case .elsewhere: (0, 1, [own])
                }
            previous = own
            bytes += entry(index + 2, method, file, extents)
        }
        return big(version, 1) + big(0, 3) + [0x44, 0] + big(items.count + 1, version == 2 ? 4 : 2) + bytes
    }
}
