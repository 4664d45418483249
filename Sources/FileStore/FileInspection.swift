// Finds out what a file is from its content: its type, and the dimensions that a picture declares. Nothing is decoded.

public import Ledger

/// The type of a file and the dimensions of a picture, as its content declares them.
public struct FileInspection: Hashable, Sendable {
    /// The type of the content.
    public let type: ReceiptType
    /// The width of a picture in pixels; nil for other files.
    public let width: Int?
    /// The height of a picture in pixels; nil for other files.
    public let height: Int?

    /// The reason why a content is refused.
    public enum Refusal: Error, Hashable, Sendable {
        case empty
        /// The content is of no supported type.
        case unknownType
        /// The content begins as a picture of this type and has no readable dimensions.
        case unreadable(ReceiptType)
        /// A picture that would need too much memory to show.
        case tooManyPixels(width: Int, height: Int)
    }

    /// The greatest number of pixels of a picture. The cameras of phones have up to 108 million.
    static let mostPixels = 120_000_000

    /// Inspects a content. The name and the declared type of the file are of no interest.
    public init(_ content: some ByteSource) throws(Refusal) {
        guard content.size > 0 else { throw .empty }
        guard let type = Self.type(of: content) else { throw .unknownType }
        self.type = type
        guard type.isPicture else {
            (width, height) = (nil, nil)
            return
        }
        guard let (width, height) = Self.dimensions(of: content, type), width > 0, height > 0 else {
            throw .unreadable(type)
        }
        guard Self.pixels(width, height) <= Self.mostPixels else {
            throw .tooManyPixels(width: width, height: height)
        }
        (self.width, self.height) = (width, height)
    }

    /// Whether a content is a JPEG file with dimensions and an end. What lies between is not decoded.
    public static func isWholeJPEG(_ content: some ByteSource) -> Bool {
        guard let found = try? FileInspection(content), found.type == .jpeg else { return false }
        return content.bytes(at: content.size - 2, count: 2) == [0xFF, 0xD9]
    }

    /// The number of pixels. Each side is a number of 32 bits, whose product would not fit.
    private static func pixels(_ width: Int, _ height: Int) -> Int {
        min(width, 1 << 30) * min(height, 1 << 30)
    }

    static func type(of content: some ByteSource) -> ReceiptType? {
        let head = content.bytes(at: 0, count: 16)
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if content.has("RIFF", at: 0), content.has("WEBP", at: 8) { return .webp }
        if content.has("%PDF-", at: 0) { return .pdf }
        if content.has("ftyp", at: 4) { return isHEIC(content) ? .heic : nil }
        return nil
    }

    private static func dimensions(of content: some ByteSource, _ type: ReceiptType) -> (Int, Int)? {
        switch type {
        case .jpeg: JPEGFile(content)?.dimensions(in: content)
        case .png: pngDimensions(content)
        case .webp: webPDimensions(content)
        case .heic: heicDimensions(content)
        case .pdf: nil
        }
    }

    /// PNG (RFC 2083): the first chunk is IHDR.
    private static func pngDimensions(_ content: some ByteSource) -> (Int, Int)? {
        guard content.has("IHDR", at: 12), let width = content.number(at: 16, bytes: 4),
            let height = content.number(at: 20, bytes: 4)
        else { return nil }
        return (width, height)
    }

    /// WebP (RFC 9649): the first chunk tells which of the three forms it is.
    private static func webPDimensions(_ content: some ByteSource) -> (Int, Int)? {
        func little(_ offset: Int, _ count: Int) -> Int? { content.littleNumber(at: offset, bytes: count) }
        if content.has("VP8X", at: 12) {
            guard let width = little(24, 3), let height = little(27, 3) else { return nil }
            return (width + 1, height + 1)
        }
        if content.has("VP8L", at: 12) {
            guard content.bytes(at: 20, count: 1) == [0x2F], let bits = little(21, 4) else { return nil }
            return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        }
        guard content.has("VP8 ", at: 12), content.bytes(at: 23, count: 3) == [0x9D, 0x01, 0x2A],
            let width = little(26, 2), let height = little(28, 2)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }

    // MARK: - HEIC (ISO/IEC 23008-12), a file of nested boxes

    /// The brands of pictures and films that are coded as HEVC (annex B). `mif1` and `msf1` say nothing about the coding.
    private static let heicBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs",
    ]
    private static let structureBrands: Set<String> = ["mif1", "mif2", "msf1"]

    /// Whether the first brand is one of HEVC, or says nothing about the coding and a later one is. AVIF has the same
    /// structure, and browsers that show one do not all show the other.
    private static func isHEIC(_ content: some ByteSource) -> Bool {
        guard let end = content.number(at: 0, bytes: 4), end >= 16, end <= 4_096 else { return false }
        let bytes = content.bytes(at: 8, count: end - 8)
        let brands = stride(from: 0, to: bytes.count - 3, by: 4).map {
            String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
        }
        guard let first = brands.first else { return false }
        if heicBrands.contains(first) { return true }
        // The second number is a version and no brand.
        return structureBrands.contains(first) && brands.dropFirst(2).contains { heicBrands.contains($0) }
    }

    /// The largest of the pictures that the file declares: it may hold a small one, and tiles of a large one.
    private static func heicDimensions(_ content: some ByteSource) -> (Int, Int)? {
        let all = 0..<content.size
        // `meta` has a version and flags before its boxes.
        guard let meta = box("meta", in: all, of: content), meta.count > 4,
            let properties = box("iprp", in: meta.dropFirst(4), of: content),
            let list = box("ipco", in: properties, of: content)
        else { return nil }
        var largest: (Int, Int)?
        forEachBox(in: list, of: content) { name, body in
            guard name == "ispe", let width = content.number(at: body.lowerBound + 4, bytes: 4),
                let height = content.number(at: body.lowerBound + 8, bytes: 4)
            else { return true }
            if pixels(width, height) > largest.map({ pixels($0.0, $0.1) }) ?? 0 { largest = (width, height) }
            return true
        }
        return largest
    }

    private static func box(_ name: String, in range: Range<Int>, of content: some ByteSource) -> Range<Int>?
    {
        var found: Range<Int>?
        forEachBox(in: range, of: content) { candidate, body in
            if candidate == name { found = body }
            return found == nil
        }
        return found
    }

    /// Passes on the boxes of a range, a thousand at most, until `body` returns false.
    private static func forEachBox(
        in range: Range<Int>,
        of content: some ByteSource,
        _ body: (_ name: String, _ content: Range<Int>) -> Bool
    ) {
        var offset = range.lowerBound
        for _ in 0..<1_000 {
            guard offset + 8 <= range.upperBound, var size = content.number(at: offset, bytes: 4) else {
                return
            }
            var header = 8
            if size == 1 {
                guard content.number(at: offset + 8, bytes: 4) == 0,
                    let low = content.number(at: offset + 12, bytes: 4)
                else { return }
                (size, header) = (low, 16)
            }
            let end = size == 0 ? range.upperBound : offset + size
            guard end >= offset + header, end <= range.upperBound else { return }
            let name = String(decoding: content.bytes(at: offset + 4, count: 4), as: UTF8.self)
            guard body(name, offset + header..<end) else { return }
            offset = end
        }
    }
}
