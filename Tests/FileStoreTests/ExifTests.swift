// An Exif block that is not understood keeps its orientation and loses its place.
import Foundation
import TestKit
import Testing

@testable import FileStore

/// Reads the entries of a directory, as far as the block goes.
private struct Entries {
    private(set) var values: [Int: Int] = [:]
    private(set) var next: Int?
    /// The orientation, if it turns the picture.
    private(set) var orientation: Int?

    init(_ block: [UInt8], at start: Int? = nil) {
        let isLittle = block.starts(with: Array("II".utf8))
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset + count <= block.count else { return nil }
            let bytes = block[offset..<offset + count]
            return (isLittle ? bytes.reversed() : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard isLittle || block.starts(with: Array("MM".utf8)), number(2, 2) == 42,
            let start = start ?? number(4, 4), start >= 8, let count = number(start, 2)
        else { return }
        for index in 0..<count {
            let entry = start + 2 + index * 12
            guard let tag = number(entry, 2), let type = number(entry + 2, 2) else { return }
            guard values[tag] == nil else { continue }
            let value = type == 3 ? number(entry + 8, 2) : number(entry + 8, 4)
            values[tag] = value
            if tag == 0x0112, type == 3 || type == 4, let value, (2...8).contains(value) {
                orientation = value
            }
        }
        next = number(start + 2 + count * 12, 4)
    }

    subscript(tag: Int) -> Int? { values[tag] }
}

@Suite struct TheOrientationOfAPhoto {
    private let folder = Scratch()

    private func has(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }

    /// The Exif block of a JPEG file after the removal. The rest of the file stays.
    private func cleaned(_ block: [UInt8], name: String = "Exif\0\0") throws -> [UInt8] {
        let photo = SampleFiles.jpeg(segments: [SampleFiles.exif(block, name: name)])
        let file = try IncomingFile(in: folder.path)
        try file.write(photo[...])
        _ = try file.removeLocation()
        let bytes = file.bytes(at: 0, count: file.size)
        let block = 12..<12 + block.count
        #expect(bytes.count == photo.count && bytes[block.upperBound...] == photo[block.upperBound...])
        #expect(try FileInspection(bytes).width == 64)
        #expect(try file.removeLocation() == .none)
        return Array(bytes[block])
    }

    /// All that cameras and programs write, and readers understand: nothing but the place goes.
    @Test(arguments: [true, false])
    func staysWithAllOtherValues(isLittle: Bool) throws {
        func tiff(
            _ settings: SampleFiles.ExifSettings = .none,
            isInSettings: Bool = false,
            next: Int? = nil,
            secondNext: Int = 0
        ) -> [UInt8] {
            SampleFiles.tiff(
                isLittle: isLittle,
                orientation: 6,
                settings: settings,
                isInSettings: isInSettings,
                next: next,
                secondNext: secondNext
            )
        }
        let size = tiff().count
        let blocks = [
            tiff(), tiff(.last), tiff(.beforeValues), tiff(.with(next: 0)), tiff(.with(next: 0xFFFF_FFFF)),
            tiff(.last, isInSettings: true), tiff(.beforeValues, isInSettings: true),
            tiff(.with(next: 0xFFFF_FFFF), isInSettings: true), tiff(next: 0), tiff(next: 0xFFFF_FFFF),
            tiff(next: size), tiff(next: size - 1), tiff(secondNext: 0xFFFF_FFFF), tiff(secondNext: 8),
            tiff(.last, secondNext: 8),
        ]
        for block in blocks {
            let (before, result) = (Entries(block), try cleaned(block))
            let after = Entries(result)
            #expect(!has(result, SampleFiles.latitude))
            #expect(after.orientation == 6 && has(result, Array("Camera".utf8)))
            #expect(after.values == before.values.filter { $0.key != 0x8825 })
            // Pointers of −1, or to the last byte, lead nowhere.
            let next = before.next.flatMap { $0 <= size - 2 ? $0 : nil }
            #expect(next == nil || after.next == next)
            guard let settings = before[0x8769] else { continue }
            let (own, left) = (Entries(block, at: settings).values, Entries(result, at: settings).values)
            #expect(!own.isEmpty && left == own.filter { $0.key != 0x8825 })
        }
    }

    /// The second directory is the small copy of the picture.
    @Test func staysInTheSecondDirectory() throws {
        let block = SampleFiles.tiff(orientation: 6)
        let second = try #require(Entries(block).next)
        #expect(Entries(try cleaned(block), at: second)[0x0112] == 1)
    }

    /// Blocks that are not understood keep nothing else.
    @Test(arguments: [true, false])
    func staysOfABlockThatIsNotUnderstood(isLittle: Bool) throws {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            isLittle ? SampleFiles.little(value, count) : SampleFiles.big(value, count)
        }
        let block = SampleFiles.tiff(isLittle: isLittle, orientation: 6)
        let pointer = try #require(Data(block).range(of: Data(number(0x8825, 2) + number(4, 2)))).lowerBound
        func changed(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
            block[..<offset] + bytes + block[(offset + bytes.count)...]
        }
        let second = try #require(Entries(block).next)
        let gps = try #require(Entries(block)[0x8825])
        let blocks = [
            // The place is outside, or in the directories.
            changed(pointer + 8, number(0xFFFF, 4)), changed(pointer + 8, number(8, 4)),
            changed(pointer + 8, number(second, 4)), changed(pointer + 8, number(0, 4) + number(0x8825, 2)),
            changed(gps, number(1_001, 2)), changed(gps + 2 + 12 + 8, number(0xFFFF, 4)),
            // Two places, a directory that is too long, one within another, and one at the end.
            changed(pointer + 12, number(0x8825, 2)), changed(second, number(1_001, 2)),
            SampleFiles.tiff(isLittle: isLittle, orientation: 6, next: 10),
            SampleFiles.tiff(isLittle: isLittle, orientation: 6, next: block.count - 2),
            Array(block.prefix(40)),
        ]
        for (index, block) in blocks.enumerated() {
            let result = try cleaned(block)
            #expect(Entries(result).orientation == 6 && !has(result, SampleFiles.latitude), "\(index)")
        }
    }

    /// Without an orientation there is nothing to keep of such a block: it becomes a comment.
    @Test(arguments: [nil, 0, 1, 9])
    func isNotMadeUp(orientation: Int?) throws {
        let block = SampleFiles.tiff(orientation: orientation, next: 10)
        #expect(try cleaned(block) == [UInt8](repeating: 0, count: block.count))
    }

    /// Browsers compare five bytes of the name and skip the sixth.
    @Test(arguments: ["Exif\0\0", "Exif\0\u{1}", "Exif\0 "])
    func isFoundAsBrowsersFindIt(name: String) throws {
        let result = try cleaned(SampleFiles.tiff(orientation: 6), name: name)
        #expect(Entries(result).orientation == 6 && !has(result, SampleFiles.latitude))
        #expect(has(result, Array("Camera".utf8)))
    }

    /// Some cameras write the town into their notes, in formats of their own.
    @Test(arguments: [true, false])
    func staysWithoutTheNotesOfTheCamera(isLittle: Bool) throws {
        let notes = Array("Panasonic\0 Berlin, Alexanderplatz".utf8)
        for settings in [SampleFiles.ExifSettings.last, .beforeValues, .with(next: 0)] {
            let block = SampleFiles.tiff(
                isLittle: isLittle,
                hasLocation: false,
                orientation: 8,
                settings: settings,
                notes: notes
            )
            let result = try cleaned(block)
            #expect(!has(result, Array("Berlin".utf8)) && Entries(result).values == Entries(block).values)
        }
    }

    /// With changed bytes, an orientation that can be read before can be read afterwards, and no place can.
    @Test(arguments: 0..<40)
    func staysInAnyContent(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<100 {
            var block = SampleFiles.tiff(
                isLittle: Bool.random(using: &random),
                orientation: Int.random(in: 2...8, using: &random),
                settings: [.none, .last, .beforeValues, .with(next: 0)].randomElement(using: &random)
                    ?? .none,
                isInSettings: Bool.random(using: &random),
                notes: [1, 2, 3, 4, 5, 6]
            )
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let small = UInt8.random(in: 0...40, using: &random)
                let byte =
                    [small, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
                block[Int.random(in: block.indices, using: &random)] = byte
            }
            let (before, after) = (Entries(block), Entries(try cleaned(block)))
            #expect(after.orientation == before.orientation, "\(block)")
            #expect(after[0x8825] == nil, "\(block)")
        }
    }
}
