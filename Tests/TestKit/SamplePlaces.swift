// The parts of pictures that hold the place where a photo was taken.

extension SampleFiles {
    /// The coordinates that stand in `exif`.
    public static let latitude: [UInt8] = [
        52, 0, 0, 0, 1, 0, 0, 0, 31, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0,
    ]
    /// The town that stands in `xmp` and `captions`.
    public static let town = "Berlin"

    /// The directory of a camera's settings.
    public enum ExifSettings: Sendable {
        case none
        /// At the end of the block, with nothing behind it.
        case last
        /// Before the coordinates, which a program could read as a pointer to another directory.
        case beforeValues
        /// With a pointer to another directory.
        case with(next: Int)
    }

    /// An Exif block with a maker, a location, and a second directory.
    /// - Parameters:
    ///   - isInSettings: whether the settings have the pointer to the location.
    ///   - notes: the notes of the camera, in its settings.
    ///   - next: the pointer behind the first directory; nil for that to the second one.
    ///   - secondNext: the pointer behind the second directory.
    public static func tiff(
        isLittle: Bool = true,
        hasLocation: Bool = true,
        orientation: Int? = nil,
        settings: ExifSettings = .none,
        isInSettings: Bool = false,
        notes: [UInt8] = [],
        next: Int? = nil,
        secondNext: Int = 0
    ) -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            isLittle ? little(value, count) : big(value, count)
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            let head = number(tag, 2) + number(type, 2) + number(count, 4)
            return head + value + [UInt8](repeating: 0, count: 4 - value.count)
        }
        func directory(_ entries: [[UInt8]], _ end: [UInt8]) -> [UInt8] {
            number(entries.count, 2) + entries.flatMap { $0 } + end
        }
        let (hasSettings, isLast, settingsEnd): (Bool, Bool, [UInt8]) =
            switch settings {
            case .none: (false, false, [])
            case .last: (true, true, [])
            case .beforeValues: (true, false, [])
            case .with(let next): (true, false, number(next, 4))
            }
        /// The parts of the block for their places, on which their lengths do not depend: the first and the second
        /// directory, the location, the settings, the values, and the settings at the end.
        func parts(_ places: [Int]) -> [[UInt8]] {
            let (values, middle, last) = (places[4], places[3], places[5])
            let pointer = hasLocation ? [entry(0x8825, 4, 1, number(places[2], 4))] : []
            var own = [entry(0x829A, 5, 1, number(values + 16, 4))]
            if isInSettings { own += pointer }
            if !notes.isEmpty { own.append(entry(0x927C, 7, notes.count, number(values + 32, 4))) }
            var first = [entry(0x010F, 2, 8, number(values + 24, 4))]
            if let orientation { first.append(entry(0x0112, 3, 1, number(orientation, 2))) }
            if hasSettings { first.append(entry(0x8769, 4, 1, number(isLast ? last : middle, 4))) }
            if !isInSettings { first += pointer }
            first.append(entry(0x9003, 2, 4, []))
            let header = Array((isLittle ? "II" : "MM").utf8) + number(42, 2) + number(8, 4)
            let coordinates = [entry(1, 2, 2, [0x4E]), entry(2, 5, 3, number(values, 4))]
            return [
                header + directory(first, number(next ?? places[1], 4)),
                directory([entry(0x0112, 3, 1, number(1, 2))], number(secondNext, 4)),
                directory(coordinates, number(0, 4)),
                hasSettings && !isLast ? directory(own, settingsEnd) : [],
                (hasLocation ? latitude : [UInt8](repeating: 7, count: latitude.count))
                    + Array("Camera\0\0".utf8) + notes,
                isLast ? directory(own, []) : [],
            ]
        }
        var places = [0]
        for part in parts([0, 0, 0, 0, 0, 0]) { places.append(places[places.count - 1] + part.count) }
        return parts(places).flatMap { $0 }
    }

    /// A segment of a JPEG file with an Exif block.
    /// - Parameter name: the six bytes before the block.
    public static func exif(_ block: [UInt8], name: String = "Exif\0\0") -> [UInt8] {
        segment(0xE1, Array(name.utf8) + block)
    }

    /// A segment with an Exif block that has a maker, a location, and a second directory.
    public static func exif(isLittle: Bool = true, hasLocation: Bool = true) -> [UInt8] {
        exif(tiff(isLittle: isLittle, hasLocation: hasLocation))
    }

    /// A packet of XMP with the coordinates, or with the town alone.
    public static func xmp(hasCoordinates: Bool = true) -> [UInt8] {
        let place = hasCoordinates ? "exif:GPSLatitude='52,31N'" : "photoshop:City='\(town)'"
        return Array("<x:xmpmeta><rdf:Description \(place)/></x:xmpmeta>".utf8)
    }

    /// A segment of a JPEG file with a packet of XMP.
    public static func segment(xmp packet: [UInt8]) -> [UInt8] {
        segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
    }

    /// The content of a segment of Photoshop: its name, and blocks.
    public static func photoshop(_ blocks: [(id: Int, content: [UInt8])]) -> [UInt8] {
        var bytes = Array("Photoshop 3.0\0".utf8)
        for (id, content) in blocks {
            bytes += Array("8BIM".utf8) + big(id, 2) + [0, 0] + big(content.count, 4) + content
            if !content.count.isMultiple(of: 2) { bytes.append(0) }
        }
        return bytes
    }

    /// The captions of the press (IPTC-IIM): a title, and the data sets that are named.
    public static func captions(_ sets: [(Int, String)]) -> [UInt8] {
        ([(5, "A title")] + sets).flatMap { set, text in
            [0x1C, 2, UInt8(set)] + big(text.utf8.count, 2) + Array(text.utf8)
        }
    }
}
