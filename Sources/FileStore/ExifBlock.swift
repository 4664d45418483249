// The directories of an Exif block (TIFF 6.0, section 2), which pictures of all types have, with the place in it.

/// An Exif block, without the bytes that stand before its byte order in a file.
struct ExifBlock {
    private let bytes: [UInt8]
    private let isLittle: Bool
    /// The place of the first directory.
    private var first: Int { number(4, 4) ?? 0 }

    private static let orientation = 0x0112
    private static let location = 0x8825
    /// A directory of the camera's settings, to which an entry of the first directory points.
    private static let settings = 0x8769
    /// Values in formats of their own: packets of XMP and IPTC, blocks of Photoshop, and the notes of a camera. Some
    /// cameras write the city into their notes.
    private static let opaque: Set<Int> = [0x02BC, 0x83BB, 0x8649, 0x927C]
    /// The sizes of the types of values, by their numbers.
    private static let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
    /// The header: byte order, number and place of the first directory.
    private static let header = 0..<8

    /// - Returns: nil without the header of a block.
    init?(_ bytes: [UInt8]) {
        switch bytes.prefix(2) {
        case [0x49, 0x49]: isLittle = true
        case [0x4D, 0x4D]: isLittle = false
        default: return nil
        }
        self.bytes = bytes
        guard number(2, 2) == 42, !Self.header.contains(first) else { return nil }
    }

    /// The same block, of the same length, with zeros instead of the place, and with no pointer to it.
    /// - Returns: nil if the block cannot be understood, so that the place may be anywhere in it.
    func withoutLocation() -> [UInt8]? {
        guard let survey = survey() else { return nil }
        var result = bytes
        for directory in survey.directories { removeLocation(from: directory, in: &result) }
        for range in survey.zeros { for place in range { result[place] = 0 } }
        return result
    }

    /// A block of the same length with nothing but the orientation; nil if there is none that turns the picture.
    func withOrientationOnly() -> [UInt8]? {
        let entry = Self.header.upperBound + 2
        guard bytes.count >= entry + 16, let orientation = readableOrientation else { return nil }
        var result = Array(bytes.prefix(4)) + encoded(Self.header.upperBound, 4) + encoded(1, 2)
        result += encoded(Self.orientation, 2) + encoded(3, 2) + encoded(1, 4) + encoded(orientation, 2)
        return result + [UInt8](repeating: 0, count: bytes.count - result.count)
    }

    /// The orientation of the first directory, as far as the block goes; nil if the picture is upright.
    private var readableOrientation: Int? {
        guard let count = number(first, 2) else { return nil }
        for index in 0..<count {
            let entry = first + 2 + index * 12
            guard let tag = number(entry, 2), let type = number(entry + 2, 2) else { return nil }
            guard tag == Self.orientation else { continue }
            let value = type == 3 ? number(entry + 8, 2) : type == 4 ? number(entry + 8, 4) : nil
            return value.flatMap { (2...8).contains($0) ? $0 : nil }
        }
        return nil
    }

    // MARK: - The directories

    private enum Kind { case picture, settings }

    private struct Directory {
        var start: Int
        var count: Int
        /// The index of the entry that points to the place.
        var location: Int?
        /// The directory of the next picture; 0 if there is none.
        var next = 0

        var entries: Range<Int> { start + 2..<start + 2 + count * 12 }
        /// With the pointer to the next one, if it has one.
        var range: Range<Int> { start..<entries.upperBound + (next == 0 ? 0 : 4) }
    }

    private struct Survey {
        var directories: [Directory] = []
        /// The parts that hold the place, or may hold it.
        var zeros: [Range<Int>] = []
        /// The number of bytes that `zeros` may still have. Values do not overlap; if they did, the same bytes could be
        /// replaced a thousand times.
        var left: Int

        mutating func zero(_ range: Range<Int>) -> Bool {
            guard range.count <= left else { return false }
            left -= range.count
            zeros.append(range)
            return true
        }

        /// Whether what is replaced or moved is no part of another directory.
        var isPlain: Bool {
            let ranges = [ExifBlock.header] + directories.map(\.range)
            let inOrder = ranges.sorted { $0.lowerBound < $1.lowerBound }
            return zip(inOrder, inOrder.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
                && zeros.allSatisfy { zero in !ranges.contains { $0.overlaps(zero) } }
        }
    }

    /// The directories, and the parts that are to become zeros; nil if something cannot be understood.
    private func survey() -> Survey? {
        var survey = Survey(left: bytes.count)
        var waiting = [(first, Kind.picture)]
        while let (start, kind) = waiting.popLast() {
            // Directories that point to each other are read once.
            guard start != 0, !survey.directories.contains(where: { $0.start == start }) else { continue }
            // The picture, its small copy, and the settings of each. A longer chain is no camera's.
            guard survey.directories.count < 8, let found = directory(start, kind, &survey) else {
                return nil
            }
            survey.directories.append(found.directory)
            waiting += found.settings.map { ($0, .settings) } + [(found.directory.next, .picture)]
        }
        return survey.isPlain ? survey : nil
    }

    private func directory(_ start: Int, _ kind: Kind, _ survey: inout Survey) -> (
        directory: Directory, settings: [Int]
    )? {
        guard let count = number(start, 2), count <= 1_000, start + 2 + count * 12 <= bytes.count else {
            return nil
        }
        var found = Directory(start: start, count: count)
        var settings: [Int] = []
        for index in 0..<count {
            let entry = start + 2 + index * 12
            guard let tag = number(entry, 2), let value = number(entry + 8, 4) else { return nil }
            switch tag {
            case Self.location:
                guard found.location == nil, surveyLocation(value, &survey) else { return nil }
                found.location = index
            case Self.settings: settings.append(value)
            case _ where Self.opaque.contains(tag):
                // A value that begins outside is not in the block.
                guard let size = size(ofEntry: entry) else { return nil }
                guard size > 4, value < bytes.count else { continue }
                guard survey.zero(value..<min(value + size, bytes.count)) else { return nil }
            default: break
            }
        }
        // Settings have no directory behind them (Exif 2.32, section 4.5.3): those four bytes may be a value. Programs
        // also write −1, or end the block there.
        if kind == .picture, let next = number(start + 2 + count * 12, 4), next <= bytes.count - 2 {
            found.next = next
        }
        return (found, settings)
    }

    /// Adds the directory of the place and the values outside of it.
    private func surveyLocation(_ start: Int, _ survey: inout Survey) -> Bool {
        guard start != 0 else { return true }
        guard let count = number(start, 2), count <= 1_000, start + 2 + count * 12 <= bytes.count else {
            return false
        }
        for entry in stride(from: start + 2, to: start + 2 + count * 12, by: 12) {
            guard let size = size(ofEntry: entry), let offset = number(entry + 8, 4) else { return false }
            guard size > 4 else { continue }
            guard offset <= bytes.count, size <= bytes.count - offset, survey.zero(offset..<offset + size)
            else { return false }
        }
        return survey.zero(start..<start + 2 + count * 12)
    }

    /// The number of bytes of the values of an entry. Four or fewer are in the entry itself.
    private func size(ofEntry entry: Int) -> Int? {
        guard let type = number(entry + 2, 2), let values = number(entry + 4, 4) else { return nil }
        return (type < Self.sizes.count ? Self.sizes[type] : 1) * values
    }

    /// Removes the entry of the place: the later entries and the pointer to the next directory move up.
    private func removeLocation(from directory: Directory, in result: inout [UInt8]) {
        guard let location = directory.location else { return }
        let entry = directory.entries.lowerBound + location * 12
        let later = Array(bytes[entry + 12..<directory.range.upperBound])
        let zeros = [UInt8](repeating: 0, count: 12)
        result.replaceSubrange(entry..<directory.range.upperBound, with: later + zeros)
        result.replaceSubrange(directory.start..<directory.start + 2, with: encoded(directory.count - 1, 2))
    }

    private func number(_ offset: Int, _ count: Int) -> Int? {
        isLittle ? bytes.littleNumber(at: offset, bytes: count) : bytes.number(at: offset, bytes: count)
    }

    private func encoded(_ number: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        return isLittle ? little : little.reversed()
    }
}
