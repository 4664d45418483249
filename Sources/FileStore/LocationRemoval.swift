// Removes the place where a photo was taken from a JPEG file, without decoding it and without moving a byte.
//
// The file keeps its length up to the end of the picture: entries are replaced by zeros, and segments that cannot be
// understood become comments without content. An offset within the file, such as the offset of the camera's own notes,
// stays right. Bytes after the picture, such as the film of a moving photo, may hold the place as well and are cut off.

extension IncomingFile {
    /// Removes the location from a JPEG file. Other files stay as they are.
    /// - Returns: whether anything was removed.
    @discardableResult
    public func removeLocation() throws(FileStoreError) -> Bool {
        guard let file = JPEGFile(self) else { return false }
        let edits = LocationEdits(of: file, in: self)
        for change in edits.changes {
            switch change {
            case .bytes(let bytes, let offset): try overwrite(at: offset, bytes)
            case .zeros(let range):
                try overwrite(at: range.lowerBound, [UInt8](repeating: 0, count: range.count))
            }
        }
        if let length = edits.length { try truncate(to: length) }
        return !edits.changes.isEmpty || edits.length != nil
    }
}

/// The changes of a JPEG file that remove the location. They take little memory, also if all of a file must go.
struct LocationEdits {
    enum Change: Hashable {
        case bytes([UInt8], at: Int)
        /// A part of a segment, which has 64 KB at most.
        case zeros(Range<Int>)
    }

    private(set) var changes: [Change] = []
    /// The new length of the file; nil to leave it.
    private(set) var length: Int?

    private static let exif = Array("Exif\0\0".utf8)
    private static let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    private static let moreXMP = Array("http://ns.adobe.com/xmp/extension/\0".utf8)
    private static let pictures = Array("MPF\0".utf8)

    init(of file: JPEGFile, in content: some ByteSource) {
        if let end = file.end(in: content), end < content.size { length = end }
        var hasExif = false
        for segment in file.segments where segment.marker == 0xE1 || segment.marker == 0xE2 {
            // A segment has 64 KB at most.
            let bytes = content.bytes(at: segment.content.lowerBound, count: segment.content.count)
            if segment.marker == 0xE2 {
                // The list of pictures that follow this one, which are cut off.
                if length != nil, bytes.starts(with: Self.pictures) { blank(segment) }
            } else if bytes.starts(with: Self.exif) {
                // A photo has one; programs read the first.
                guard !hasExif else {
                    blank(segment)
                    continue
                }
                hasExif = true
                var exif = ExifLocation(Array(bytes.dropFirst(Self.exif.count)))
                switch exif.remove() {
                case .none: break
                case .removed:
                    changes.append(.bytes(exif.bytes, at: segment.content.lowerBound + Self.exif.count))
                case .unreadable: blank(segment)
                }
            } else if bytes.starts(with: Self.moreXMP) {
                // A packet in several segments, any of which may begin within a name.
                blank(segment)
            } else if bytes.starts(with: Self.xmp), Self.namesPlace(bytes) {
                blank(segment)
            }
        }
    }

    /// Whether a packet of XMP may name a place: `exif:GPSLatitude`, or in two bytes a character.
    private static func namesPlace(_ packet: [UInt8]) -> Bool {
        let letters = packet.filter { $0 != 0 }
        return letters.contains(subsequence: "GPS") || letters.contains(subsequence: "Location")
    }

    /// Turns a segment into a comment of zeros.
    private mutating func blank(_ segment: JPEGFile.Segment) {
        changes += [.bytes([0xFE], at: segment.start + 1), .zeros(segment.content)]
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return false }
        return indices.dropLast(wanted.count - 1).contains { place in
            self[place] == first && self[place..<place + wanted.count].elementsEqual(wanted)
        }
    }
}

/// The directories of an Exif segment (TIFF 6.0, section 2), without the six bytes before them.
struct ExifLocation {
    enum Outcome { case none, removed, unreadable }

    private(set) var bytes: [UInt8]
    private var isLittle = false
    private var hasRemoved = false

    private static let location = 0x8825
    /// A directory of the camera's settings, to which an entry of the first directory points.
    private static let settings = 0x8769
    /// The sizes of the types of values, by their numbers.
    private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Replaces all entries of the location by zeros, and removes the pointers to them.
    mutating func remove() -> Outcome {
        switch bytes.prefix(2) {
        case [0x49, 0x49]: isLittle = true
        case [0x4D, 0x4D]: isLittle = false
        default: return .unreadable
        }
        guard number(2, 2) == 42, let first = number(4, 4) else { return .unreadable }
        var waiting = [first]
        // The picture, its small copy, and the settings of each. A chain that is longer is no camera's.
        for _ in 0..<8 {
            guard let directory = waiting.popLast() else { return hasRemoved ? .removed : .none }
            guard directory != 0 else { continue }
            guard let (others, next) = clean(directory) else { return .unreadable }
            waiting += others + [next]
        }
        return waiting.allSatisfy { $0 == 0 } ? (hasRemoved ? .removed : .none) : .unreadable
    }

    /// Removes the location from one directory.
    /// - Returns: the directories to which it refers; nil if it cannot be read.
    private mutating func clean(_ directory: Int) -> (others: [Int], next: Int)? {
        guard let count = number(directory, 2), count <= 1_000, number(directory + 2 + count * 12, 4) != nil
        else { return nil }
        var others: [Int] = []
        var hasLocation = false
        var place = directory + 2
        for _ in 0..<count {
            guard let tag = number(place, 2), let value = number(place + 8, 4) else { return nil }
            if tag == Self.location {
                // Each would move all later entries.
                guard !hasLocation, blankDirectory(value) else { return nil }
                hasLocation = true
                removeEntry(place, of: directory)
                continue
            }
            if tag == Self.settings { others.append(value) }
            place += 12
        }
        guard let next = number(place, 4) else { return nil }
        return (others, next)
    }

    /// Removes an entry: the later entries and the pointer to the next directory move up.
    private mutating func removeEntry(_ place: Int, of directory: Int) {
        guard let count = number(directory, 2), count > 0 else { return }
        let end = directory + 2 + count * 12 + 4
        guard place + 12 <= end, end <= bytes.count else { return }
        bytes.replaceSubrange(place..<end, with: bytes[place + 12..<end] + [UInt8](repeating: 0, count: 12))
        let left = count - 1
        bytes[directory] = UInt8(isLittle ? left & 255 : left >> 8)
        bytes[directory + 1] = UInt8(isLittle ? left >> 8 : left & 255)
        hasRemoved = true
    }

    /// Replaces a directory and the values outside of it by zeros.
    private mutating func blankDirectory(_ directory: Int) -> Bool {
        guard let count = number(directory, 2), count <= 1_000, directory + 2 + count * 12 <= bytes.count
        else {
            return false
        }
        // The values of a directory do not overlap; if they did, the same bytes could be replaced a thousand times.
        var left = bytes.count
        for index in 0..<count {
            let entry = directory + 2 + index * 12
            guard let type = number(entry + 2, 2), let values = number(entry + 4, 4),
                let offset = number(entry + 8, 4)
            else { return false }
            let size = (type < Self.sizes.count ? Self.sizes[type] : 1) * values
            guard size > 4 else { continue }
            guard size <= left, offset <= bytes.count, size <= bytes.count - offset else { return false }
            left -= size
            blank(offset..<offset + size)
        }
        blank(directory..<min(directory + 2 + count * 12 + 4, bytes.count))
        return true
    }

    private mutating func blank(_ range: Range<Int>) { for place in range { bytes[place] = 0 } }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        isLittle ? bytes.littleNumber(at: offset, bytes: count) : bytes.number(at: offset, bytes: count)
    }
}
