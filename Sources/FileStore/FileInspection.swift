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
        if content.bytes(at: 0, count: 3) == [0xFF, 0xD8, 0xFF] { return .jpeg }
        if PNGFile.isBegun(by: content) { return .png }
        if WebPFile.isBegun(by: content) { return .webp }
        if content.has("ftyp", at: 4) { return isHEIC(content) ? .heic : nil }
        return isPDF(content) ? .pdf : nil
    }

    /// Whether the first kilobyte has the header of a PDF file, which is where readers look for it: a mark of Unicode, line
    /// breaks, or the lines of a mail may stand before it.
    private static func isPDF(_ content: some ByteSource) -> Bool {
        let (head, header) = (content.bytes(at: 0, count: 1_024), Array("%PDF-".utf8))
        return head.indices.contains { head[$0...].starts(with: header) }
    }

    private static func dimensions(of content: some ByteSource, _ type: ReceiptType) -> (Int, Int)? {
        switch type {
        case .jpeg: JPEGFile(content)?.dimensions(in: content)
        case .png: PNGFile.dimensions(in: content)
        case .webp: WebPFile.dimensions(in: content)
        case .heic: heicDimensions(content)
        case .pdf: nil
        }
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
        guard let meta = BoxFile(in: 0..<content.size, of: content)["meta"],
            let properties = BoxFile.afterVersion(meta, of: content)["iprp"],
            let list = BoxFile(in: properties, of: content)["ipco"]
        else { return nil }
        let sizes = BoxFile(in: list, of: content).boxes.compactMap { box -> (Int, Int)? in
            guard box.name == "ispe", let width = content.number(at: box.content.lowerBound + 4, bytes: 4),
                let height = content.number(at: box.content.lowerBound + 8, bytes: 4)
            else { return nil }
            return (width, height)
        }
        return sizes.max { pixels($0.0, $0.1) < pixels($1.0, $1.1) }
    }
}
