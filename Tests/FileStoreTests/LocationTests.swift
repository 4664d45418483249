// The place of a photo is removed, and nothing else of it.
import Foundation
import TestKit
import Testing

@testable import FileStore

@Suite struct TheLocationOfAPhoto {
    private let folder = Scratch()

    private func cleaned(_ bytes: [UInt8]) throws -> (bytes: [UInt8], isChanged: Bool, file: IncomingFile) {
        let file = try IncomingFile(in: folder.path)
        try file.write(bytes[...])
        let isChanged = try file.removeLocation()
        return (file.bytes(at: 0, count: file.size), isChanged, file)
    }

    private func has(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }

    @Test(arguments: [true, false])
    func isRemovedInPlace(isLittle: Bool) throws {
        var exif = SampleFiles.exif(isLittle: isLittle)
        if !isLittle {
            // The coordinates of the sample are little-endian; only their place is of interest.
            #expect(has(exif, SampleFiles.latitude))
        }
        let photo = SampleFiles.jpeg(segments: [exif])
        let (bytes, isChanged, file) = try cleaned(photo)
        #expect(isChanged && bytes.count == photo.count)
        #expect(!has(bytes, SampleFiles.latitude) && has(bytes, Array("Camera".utf8)))
        // The entry is gone, and those behind it have moved up.
        exif = Array(bytes.dropFirst(2).prefix(exif.count))
        let count = exif[18..<20]
        #expect(Array(count) == (isLittle ? [2, 0] : [0, 2]))
        #expect(!has(exif, isLittle ? [0x25, 0x88] : [0x88, 0x25]))
        #expect(file.hash() == ContentHash(of: bytes))
        #expect(try FileInspection(bytes).width == 64)
        #expect(try !cleaned(bytes).isChanged)
    }

    @Test func leavesPhotosWithoutOneAsTheyAre() throws {
        let icc = SampleFiles.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 0, 0])
        let xmp = SampleFiles.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>".utf8))
        for photo in [
            SampleFiles.jpeg(), SampleFiles.jpeg(segments: [SampleFiles.exif(hasLocation: false), icc, xmp]),
            SampleFiles.png(), SampleFiles.pdf, [], [0xFF],
        ] {
            let (bytes, isChanged, file) = try cleaned(photo)
            #expect(bytes == photo && !isChanged && file.hash() == ContentHash(of: photo))
        }
    }

    @Test func isRemovedFromPacketsAndWhatFollowsThePicture() throws {
        let xmp = SampleFiles.segment(
            0xE1,
            Array("http://ns.adobe.com/xap/1.0/\0<rdf exif:GPSLatitude='52,31N'/>".utf8)
        )
        let list = SampleFiles.segment(0xE2, Array("MPF\0".utf8) + [1, 2, 3])
        let film = Array("ftypmp42 +52.5200+013.4050/".utf8)
        let (bytes, isChanged, _) = try cleaned(SampleFiles.jpeg(segments: [xmp, list], after: film))
        #expect(isChanged && bytes.suffix(2) == [0xFF, 0xD9])
        for part in ["GPSLatitude", "52,31N", "13.4050", "MPF"] { #expect(!has(bytes, Array(part.utf8))) }
        #expect(try FileInspection(bytes).height == 48)
    }

    /// A segment that cannot be understood may hold a place.
    @Test func leavesNothingOfASegmentThatIsDamaged() throws {
        var exif = SampleFiles.exif()
        // The location is said to be beyond the end.
        let place = try #require(Data(exif).range(of: Data([0x25, 0x88]))).lowerBound
        exif.replaceSubrange(place + 8..<place + 12, with: [0xFF, 0xFF, 0, 0])
        let (bytes, isChanged, _) = try cleaned(SampleFiles.jpeg(segments: [exif]))
        #expect(isChanged && !has(bytes, SampleFiles.latitude) && !has(bytes, Array("Exif".utf8)))
        #expect(try FileInspection(bytes).width == 64)
    }

    /// The changes of a file of nothing but places are not a second file in memory.
    @Test func isRemovedFromManySegmentsWithLittleMemory() throws {
        let packet = Array("http://ns.adobe.com/xap/1.0/\0GPSLatitude".utf8)
        let xmp = SampleFiles.segment(0xE1, packet + [UInt8](repeating: 0x20, count: 60_000))
        let exif = SampleFiles.exif()
        let segments = [exif] + [[UInt8]](repeating: xmp, count: 40) + [[UInt8]](repeating: exif, count: 400)
        let photo = SampleFiles.jpeg(segments: segments)
        let edits = LocationEdits(of: try #require(JPEGFile(photo)), in: photo)
        let held = edits.changes.reduce(0) { sum, change in
            if case .bytes(let bytes, _) = change { sum + bytes.count } else { sum }
        }
        #expect(edits.changes.count > 440 && held < 2 << 10)
        let (bytes, isChanged, file) = try cleaned(photo)
        #expect(isChanged && bytes.count == photo.count && file.hash() == ContentHash(of: bytes))
        #expect(!has(bytes, SampleFiles.latitude) && !has(bytes, Array("GPSLatitude".utf8)))
        #expect(try FileInspection(bytes).width == 64 && has(bytes, Array("Camera".utf8)))
    }

    /// Directories that say the same bytes a thousand times are no camera's: their segment goes, without as much work.
    @Test func isRemovedFromDirectoriesThatRepeatThemselves() throws {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            SampleFiles.little(tag, 2) + SampleFiles.little(type, 2) + SampleFiles.little(count, 4)
                + SampleFiles.little(value, 4)
        }
        func photo(_ entries: [[UInt8]], _ rest: [UInt8]) -> [UInt8] {
            let head = Array("Exif\0\0II".utf8) + SampleFiles.little(42, 2) + SampleFiles.little(8, 4)
            let directory =
                SampleFiles.little(entries.count, 2) + entries.flatMap { $0 } + SampleFiles.little(0, 4)
            return SampleFiles.jpeg(segments: [SampleFiles.segment(0xE1, head + directory + rest)])
        }
        // Two pointers to places.
        let empty = SampleFiles.little(0, 2) + SampleFiles.little(0, 4)
        let twice = photo([entry(0x8825, 4, 1, 38), entry(0x8825, 4, 1, 38)], empty)
        // One place whose values lie in the same 20,000 bytes.
        let values = (0..<4).map { entry($0, 1, 20_000, 80) }
        let directory = SampleFiles.little(4, 2) + values.flatMap { $0 } + SampleFiles.little(0, 4)
        let overlapping = photo([entry(0x8825, 4, 1, 26)], directory + [UInt8](repeating: 7, count: 20_000))
        for bytes in [twice, overlapping] {
            let (cleaned, isChanged, _) = try cleaned(bytes)
            #expect(isChanged && !has(cleaned, Array("Exif".utf8)))
            let found = try FileInspection(cleaned)
            #expect(cleaned.count == bytes.count && found.width == 64)
        }
    }

    @Test(arguments: 0..<40)
    func isRemovedFromAnyContentWithoutATrap(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let photo = SampleFiles.jpeg(
            segments: [SampleFiles.exif(isLittle: seed.isMultiple(of: 2))],
            after: [1, 2, 3]
        )
        for _ in 0..<200 {
            var bytes = photo
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let byte: UInt8 = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : 0xFF
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = byte
            }
            let result = try cleaned(bytes)
            #expect(result.bytes.count <= bytes.count && result.file.hash() == ContentHash(of: result.bytes))
        }
    }
}
