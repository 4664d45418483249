// Removes the place where a photo was taken from a picture, without decoding it and without moving a byte.
//
// The file keeps its length up to the end of the picture: what may hold the place is replaced by zeros, and its parts get
// the names of parts without a meaning. An offset within the file stays right. Bytes after the picture, such as the film of
// a moving photo, may hold the place as well and are cut off. Parts that only some program knows may hold it, too.

import Ledger

/// The fate of the location of a file.
public enum LocationRemoval: Hashable, Sendable {
    /// The file has no part that may hold a place.
    case none
    case removed
    /// The place may still be in the file, because its structure, or the way in which a part is stored, is not understood.
    /// All other parts are without it.
    case kept
}

extension IncomingFile {
    /// Removes the location from a picture. Other files stay as they are.
    public func removeLocation() throws(FileStoreError) -> LocationRemoval {
        let edits = LocationEdits(of: self)
        for change in edits.changes {
            switch change {
            case .bytes(let bytes, let offset): try overwrite(at: offset, bytes)
            case .fill(let range, let byte): try fill(range, with: byte)
            }
        }
        if let length = edits.length { try truncate(to: length) }
        if edits.mayRemain { return .kept }
        return edits.changes.isEmpty && edits.length == nil ? .none : .removed
    }

    private func fill(_ range: Range<Int>, with byte: UInt8) throws(FileStoreError) {
        for piece in range.pieces {
            try overwrite(at: piece.lowerBound, [UInt8](repeating: byte, count: piece.count))
        }
    }
}

/// The changes of a file that remove the location. They take little memory, also if all of a file must go.
struct LocationEdits {
    enum Change: Hashable {
        case bytes([UInt8], at: Int)
        case fill(Range<Int>, with: UInt8)
    }

    private(set) var changes: [Change] = []
    /// The new length of the file; nil to leave it.
    private(set) var length: Int?
    /// Whether there is something that is not understood, and that may hold a place.
    private(set) var mayRemain = false

    /// The greatest size of a part that is read. That of a camera has some kilobytes.
    static let mostBytes = 1 << 20

    init(of content: some ByteSource) {
        switch FileInspection.type(of: content) {
        case .jpeg: editJPEG(content)
        case .png: editPNG(content)
        case .webp: editWebP(content)
        case .heic: editHEIC(content)
        case .pdf, nil: break
        }
    }

    /// Replaces bytes that differ.
    mutating func replace(_ bytes: [UInt8], at offset: Int, in content: some ByteSource) {
        if content.bytes(at: offset, count: bytes.count) != bytes {
            changes.append(.bytes(bytes, at: offset))
        }
    }

    /// Replaces the bytes of a range by one, if any of them differs.
    mutating func fill(_ range: Range<Int>, with byte: UInt8 = 0, in content: some ByteSource) {
        let isFilled = range.pieces.allSatisfy { piece in
            content.bytes(at: piece.lowerBound, count: piece.count).allSatisfy { $0 == byte }
        }
        if !isFilled { changes.append(.fill(range, with: byte)) }
    }

    mutating func truncate(_ content: some ByteSource, to end: Int) { if end < content.size { length = end } }

    /// Says that the place may still be in the file.
    mutating func leave() { mayRemain = true }

    // MARK: - Parts that several types of pictures have

    /// Removes the location from an Exif block. A block that is not understood keeps the orientation alone.
    /// - Returns: the beginning of the block as it is then, behind which are zeros; nil if nothing of it can stay, which is
    ///   for the caller to remove.
    mutating func editExif(in range: Range<Int>, of content: some ByteSource) -> [UInt8]? {
        let bytes = content.bytes(at: range.lowerBound, count: min(range.count, Self.mostBytes))
        guard let block = ExifBlock(bytes) else { return nil }
        let whole = bytes.count == range.count ? block.withoutLocation() : nil
        guard let result = whole ?? block.withOrientationOnly() else { return nil }
        replace(result, at: range.lowerBound, in: content)
        fill(range.lowerBound + result.count..<range.upperBound, in: content)
        return result
    }

    /// The range of an Exif block without the words that some programs put before it where they do not belong.
    static func withoutExifName(_ range: Range<Int>, in content: some ByteSource) -> Range<Int> {
        range.count > 6 && content.has("Exif\0", at: range.lowerBound)
            ? range.lowerBound + 6..<range.upperBound : range
    }

    /// Words in the names of properties that hold a place: `exif:GPSLatitude`, `photoshop:City`. Others of XMP that
    /// contain them, such as `State` of a history, are no loss.
    private static let words = [
        "GPS", "Gps", "gps", "Latitude", "latitude", "Longitude", "longitude", "Location", "location",
        "Sublocation", "City", "State", "Country", "country", "Province", "Place", "coverage", "geo:",
    ].map { Array($0.utf8) }
    private static let wordsByFirst = Dictionary(grouping: words) { $0[0] }

    /// Whether a packet of XMP may name a place: in one byte for each character, or in two or four.
    static func namesPlace(_ packet: some Collection<UInt8>) -> Bool {
        let letters = packet.filter { $0 != 0 }
        return letters.indices.contains { place in
            wordsByFirst[letters[place]]?.contains { letters[place...].starts(with: $0) } == true
        }
    }

    /// Whether a packet in a range may name a place. One that is too long to be read may.
    static func namesPlace(in range: Range<Int>, of content: some ByteSource) -> Bool {
        range.count > mostBytes || namesPlace(content.bytes(at: range.lowerBound, count: range.count))
    }
}

extension Range<Int> {
    /// The range in pieces that memory has room for.
    fileprivate var pieces: some Sequence<Range<Int>> {
        let size = 1 << 16
        return stride(from: lowerBound, to: upperBound, by: size).lazy.map {
            $0..<Swift.min($0 + size, upperBound)
        }
    }
}
