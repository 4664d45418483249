// The place of a photo is removed, and nothing else of it.
import Foundation
import TestKit
import Testing

@testable import FileStore

@Suite struct TheLocationOfAPhoto {
    private let folder = Scratch()

    private func cleaned(_ bytes: [UInt8]) throws -> (
        bytes: [UInt8], removal: LocationRemoval, file: IncomingFile
    ) {
        let file = try IncomingFile(in: folder.path)
        try file.write(bytes[...])
        let removal = try file.removeLocation()
        let result = file.bytes(at: 0, count: file.size)
        #expect(file.hash() == ContentHash(of: result))
        return (result, removal, file)
    }

    private func has(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }
    private func has(_ bytes: [UInt8], _ part: String) -> Bool { has(bytes, Array(part.utf8)) }

    /// Whether nothing of the places of the samples is left.
    private func isClean(_ bytes: [UInt8]) -> Bool {
        !has(bytes, SampleFiles.latitude)
            && !["GPSLatitude", "52,31N", SampleFiles.town].contains { has(bytes, $0) }
    }

    private static let film = SampleFiles.box("ftyp", Array("mp42+52.5200+013.4050/Berlin".utf8))
    private static let packets = [SampleFiles.xmp(), SampleFiles.xmp(hasCoordinates: false)]
    private static let note = Array("Camera".utf8)

    /// The Exif blocks of a camera, which keep all but the place.
    private static let blocks = [true, false].flatMap { isLittle in
        [
            SampleFiles.tiff(isLittle: isLittle, orientation: 6),
            SampleFiles.tiff(isLittle: isLittle, orientation: 6, settings: .last),
        ]
    }

    @Test(arguments: blocks)
    func isRemovedFromTheExifBlocksOfAllTypes(block: [UInt8]) throws {
        let named = Array("Exif\0\0".utf8) + block
        let photos = [
            SampleFiles.jpeg(segments: [SampleFiles.exif(block)]),
            SampleFiles.png(chunks: [SampleFiles.chunk("eXIf", block)]),
            SampleFiles.png(chunks: [SampleFiles.chunk("eXIf", named)]),
            SampleFiles.webP(exif: block), SampleFiles.webP(exif: named),
            SampleFiles.heic(items: [.exif(block)]), SampleFiles.heic(items: [.exif(block, .small)]),
            SampleFiles.heic(items: [SampleFiles.HEICItem("Exif", SampleFiles.big(0, 4) + block)]),
        ]
        let expected = try #require(ExifBlock(block)?.withoutLocation())
        #expect(has(expected, Self.note) && isClean(expected))
        for photo in photos {
            let (bytes, removal, file) = try cleaned(photo)
            #expect(removal == .removed && bytes.count == photo.count && isClean(bytes))
            // The block is the same as in a JPEG file, and nothing else but its checksum has changed.
            let place = try #require(Data(photo).range(of: Data(block)))
            #expect(bytes[..<place.lowerBound] == photo[..<place.lowerBound])
            #expect(bytes[place] == expected[...])
            let isPNG = PNGFile.isBegun(by: photo)
            #expect(
                bytes[(place.upperBound + (isPNG ? 4 : 0))...]
                    == photo[(place.upperBound + (isPNG ? 4 : 0))...]
            )
            #expect(isPNG == false || hasRightChecksums(bytes))
            #expect(try FileInspection(bytes) == FileInspection(photo))
            #expect(try file.removeLocation() == .none)
        }
    }

    /// Blocks that are not understood, in each type.
    @Test func keepsTheOrientationOfAnExifBlockThatIsNotUnderstood() throws {
        let block = SampleFiles.tiff(orientation: 6, next: 10)
        let long = SampleFiles.tiff(orientation: 6) + [UInt8](repeating: 52, count: LocationEdits.mostBytes)
        let orientation = SampleFiles.little(0x0112, 2) + [3, 0, 1, 0, 0, 0, 6, 0]
        for block in [block, long] {
            for photo in [
                SampleFiles.png(chunks: [SampleFiles.chunk("eXIf", block)]), SampleFiles.webP(exif: block),
                SampleFiles.heic(items: [.exif(block)]),
            ] {
                let (bytes, removal, file) = try cleaned(photo)
                #expect(removal == .removed && bytes.count == photo.count && isClean(bytes))
                #expect(has(bytes, orientation) && !has(bytes, [UInt8](repeating: 52, count: 4)))
                #expect(try FileInspection(bytes) == FileInspection(photo))
                #expect(!PNGFile.isBegun(by: photo) || hasRightChecksums(bytes))
                #expect(try file.removeLocation() == .none)
            }
        }
        // Nothing is left without one.
        let upright = SampleFiles.tiff(next: 10)
        #expect(
            try !has(cleaned(SampleFiles.png(chunks: [SampleFiles.chunk("eXIf", upright)])).bytes, "eXIf")
        )
        let webP = try cleaned(SampleFiles.webP(exif: upright)).bytes
        #expect(!has(webP, "EXIF") && webP[20] == 0)
        #expect(try isClean(cleaned(SampleFiles.heic(items: [.exif(upright)])).bytes))
    }

    @Test(arguments: [PlacesOf.jpeg, PlacesOf.png, PlacesOf.webP, PlacesOf.heic])
    func isRemovedFromAllPartsInPlace(photos: [[UInt8]]) throws {
        for (index, photo) in photos.enumerated() {
            let (bytes, removal, file) = try cleaned(photo)
            #expect(removal == .removed && bytes.count == photo.count && isClean(bytes), "\(index)")
            #expect(try FileInspection(bytes) == FileInspection(photo), "\(index)")
            #expect(!PNGFile.isBegun(by: photo) || hasRightChecksums(bytes), "\(index)")
            // The other Exif block, the picture, and what a person wrote stay.
            #expect(
                has(bytes, "Camera") || !has(photo, "Camera") || has(photo, SampleFiles.latitude),
                "\(index)"
            )
            #expect(has(bytes, SampleFiles.heicPicture) || !has(photo, SampleFiles.heicPicture), "\(index)")
            #expect(try file.removeLocation() == .none, "\(index)")
        }
    }

    /// The flags of a WebP file name the parts that it has.
    @Test func leavesTheFlagsOfAWebPFileTrue() throws {
        let (plain, block) = (SampleFiles.tiff(hasLocation: false), SampleFiles.tiff())
        let other = Array("<x:xmpmeta/>".utf8)
        for (photo, flags) in [
            (SampleFiles.webP(exif: block, xmp: Self.packets[0]), UInt8(8)),
            (SampleFiles.webP(xmp: Self.packets[1]), 0),
            (SampleFiles.webP(exif: plain, xmp: other), 12), (SampleFiles.webP(exif: block, xmp: other), 12),
        ] {
            #expect(try cleaned(photo).bytes[20] == flags)
        }
    }

    @Test func isRemovedFromBytesBehindThePicture() throws {
        let list = SampleFiles.segment(0xE2, Array("MPF\0".utf8) + [1, 2, 3])
        let block = SampleFiles.tiff(hasLocation: false)
        for after in [Self.film, Array("MotionPhoto_Data Berlin".utf8), [0x62]] {
            for (picture, photo) in [
                (SampleFiles.jpeg(), SampleFiles.jpeg(after: after)),
                (SampleFiles.png(), SampleFiles.png(after: after)),
                (SampleFiles.webP(exif: block), SampleFiles.webP(exif: block, after: after)),
                (
                    SampleFiles.heic(items: [.exif(block)]),
                    SampleFiles.heic(items: [.exif(block)], after: after)
                ),
                (SampleFiles.heic(), SampleFiles.heic(after: after)),
            ] {
                let (bytes, removal, file) = try cleaned(photo)
                #expect(removal == .removed && bytes == picture)
                #expect(try file.removeLocation() == .none)
            }
            let bytes = try cleaned(SampleFiles.jpeg(segments: [list], after: after)).bytes
            #expect(!has(bytes, "MPF") && bytes.suffix(2) == [0xFF, 0xD9] && isClean(bytes))
        }
    }

    @Test func leavesPhotosWithoutOneAsTheyAre() throws {
        let icc = SampleFiles.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1, 0, 0])
        let list = SampleFiles.segment(0xE2, Array("MPF\0".utf8) + [1, 2, 3])
        let packet = Array("<x:xmpmeta><tiff:Orientation>6</tiff:Orientation></x:xmpmeta>".utf8)
        let captions = SampleFiles.segment(
            0xED,
            SampleFiles.photoshop([
                (0x03ED, [0, 72]), (0x0404, SampleFiles.captions([(120, "Words")]) + [0]), (0x040C, [1]),
            ])
        )
        let comment = SampleFiles.segment(0xFE, Array("Dinner in Berlin".utf8))
        let block = SampleFiles.tiff(hasLocation: false, orientation: 6, settings: .last)
        let others = [
            SampleFiles.segment(0xE0, Array("JFIF\0".utf8)), SampleFiles.segment(0xEE, Array("Adobe".utf8)),
        ]
        let texts = [
            ("tEXt", "Comment\0Dinner in Berlin"), ("iTXt", "Title\0\0\0\0\0Berlin"), ("zTXt", "Author\0\0x"),
            ("tEXt", "Raw profile type icc\0x"), ("gAMA", "1234"), ("iCCP", "icc\0\0x"), ("tIME", "1234567"),
            ("fdAT", "12345"),
        ].map { SampleFiles.chunk($0, Array($1.utf8)) }
        let text = SampleFiles.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)
        let sequence = SampleFiles.box("moov", SampleFiles.box("mvhd", [1, 2, 3]))
        for photo in [
            SampleFiles.jpeg(),
            SampleFiles.jpeg(segments: [SampleFiles.exif(block), icc, SampleFiles.segment(xmp: packet)]),
            SampleFiles.jpeg(segments: others + [list, captions, comment]),
            SampleFiles.png(), SampleFiles.png(chunks: texts + [SampleFiles.chunk("eXIf", block), text]),
            SampleFiles.webP(exif: block, xmp: packet),
            SampleFiles.webP("VP8 ", [0x30, 0, 0, 0x9D, 0x01, 0x2A, 0x2C, 1, 0xC8, 0]),
            SampleFiles.heic(), SampleFiles.heic(items: [.exif(block), .xmp(packet, .small)]),
            SampleFiles.heic(boxes: [sequence, SampleFiles.box("free", [1])]),
            SampleFiles.pdf, [], [0xFF], Array("GPSLatitude".utf8),
        ] {
            let (bytes, removal, _) = try cleaned(photo)
            #expect(bytes == photo && removal == .none)
        }
    }

    /// Parts that are stored in another way than cameras store them are left, and it is said.
    @Test func isSaidToBeLeftWhereItIsNotUnderstood() throws {
        let block = SampleFiles.tiff(orientation: 6)
        func heic(_ items: SampleFiles.HEICItem...) -> [UInt8] { SampleFiles.heic(items: items) }
        let meta = SampleFiles.box("meta", SampleFiles.big(0, 4) + SampleFiles.box("hdlr", [0]))
        let places = SampleFiles.box(
            "moov",
            SampleFiles.box(
                "trak",
                SampleFiles.box("mdia", SampleFiles.box("hdlr", SampleFiles.big(0, 8) + Array("meta".utf8)))
            )
        )
        let size = SampleFiles.heic(items: [.exif(block)]).count
        for (index, photo) in [
            // In another item, or in the picture; before and behind the bytes of the items; in another file.
            heic(.exif(block, .derived)), heic(.exif(block, .shared)), heic(.exif(block, .moved(-2))),
            heic(.exif(block), .xmp(SampleFiles.xmp(), .shared)), heic(.exif(block, .moved(-200))),
            heic(.exif(block, .moved(1))), heic(.exif(block, .moved(size))), heic(.exif(block, .elsewhere)),
            heic(.exif(block, isEncrypted: true)),
            // Lists of other versions, two lists, and a track of places.
            SampleFiles.heic(items: [.exif(block)], versions: (0, 1, 1)),
            SampleFiles.heic(items: [.exif(block)], versions: (0, 2, 3)),
            SampleFiles.heic(items: [.exif(block)], after: meta), SampleFiles.heic(boxes: [places]),
            Array(SampleFiles.heic(items: [.exif(block)]).dropLast(3)),
            // Files that were cut off.
            Array(SampleFiles.png().dropLast(3)), Array(SampleFiles.webP(xmp: Self.packets[0]).dropLast(3)),
            SampleFiles.png(chunks: [Array(SampleFiles.chunk("eXIf", block).dropLast(block.count))]),
        ].enumerated() {
            let (bytes, removal, file) = try cleaned(photo)
            #expect(removal == .kept, "\(index)")
            #expect(try FileInspection(bytes) == FileInspection(photo), "\(index)")
            #expect(has(bytes, SampleFiles.heicPicture) || !has(photo, SampleFiles.heicPicture), "\(index)")
            #expect(
                try file.removeLocation() == .kept && file.bytes(at: 0, count: file.size) == bytes,
                "\(index)"
            )
        }
        // The rest of such a file is without it.
        let photo = SampleFiles.heic(
            items: [.xmp(SampleFiles.xmp()), .exif(block, .derived)],
            after: Self.film
        )
        let (bytes, removal, _) = try cleaned(photo)
        #expect(removal == .kept && !has(bytes, "GPSLatitude") && has(bytes, SampleFiles.latitude))
        #expect(has(bytes, Self.film))
    }

    /// The changes of a file of nothing but places are not a second file in memory.
    @Test func isRemovedFromManySegmentsWithLittleMemory() throws {
        let packet = Array("http://ns.adobe.com/xap/1.0/\0GPSLatitude".utf8)
        let xmp = SampleFiles.segment(0xE1, packet + [UInt8](repeating: 0x20, count: 60_000))
        let exif = SampleFiles.exif()
        let segments = [exif] + [[UInt8]](repeating: xmp, count: 40) + [[UInt8]](repeating: exif, count: 400)
        let photo = SampleFiles.jpeg(segments: segments)
        let edits = LocationEdits(of: photo)
        let held = edits.changes.reduce(0) { sum, change in
            if case .bytes(let bytes, _) = change { sum + bytes.count } else { sum }
        }
        #expect(edits.changes.count > 440 && held < 2 << 10)
        let (bytes, removal, _) = try cleaned(photo)
        #expect(removal == .removed && bytes.count == photo.count && isClean(bytes))
        #expect(try FileInspection(bytes).width == 64 && has(bytes, "Camera"))
    }

    /// A file of very many parts takes no longer than one of some thousand.
    @Test func isLookedForInSomeThousandPartsAlone() {
        func many(_ part: [UInt8]) -> [UInt8] { [[UInt8]](repeating: part, count: 15_000).flatMap { $0 } }
        let webP = Array("RIFF".utf8) + SampleFiles.little(4 + 8 * 15_000, 4) + Array("WEBP".utf8)
        for bytes in [
            SampleFiles.png().prefix(33) + many(SampleFiles.chunk("abCd", [])),
            webP + many(Array("ABCD".utf8) + [0, 0, 0, 0]),
            SampleFiles.heic(after: many(SampleFiles.box("abcd", []))),
            SampleFiles.heic(boxes: [SampleFiles.box("moov", many(SampleFiles.box("udta", [])))]),
            SampleFiles.heic(boxes: [
                SampleFiles.box(
                    "moov",
                    (0..<200).reduce([]) { inner, _ in
                        SampleFiles.box("trak", inner)
                    }
                )
            ]),
        ] {
            let content = CountedReads(bytes)
            let edits = LocationEdits(of: content)
            #expect(content.reads < 50_000 && edits.changes.count < 25_000)
            #expect(edits.mayRemain || edits.length != nil)
        }
    }

    /// Directories that say the same bytes a thousand times are no camera's: their segment goes, without as much work.
    @Test func isRemovedFromDirectoriesThatRepeatThemselves() throws {
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            SampleFiles.little(tag, 2) + SampleFiles.little(type, 2) + SampleFiles.little(count, 4)
                + SampleFiles.little(value, 4)
        }
        func photo(_ entries: [[UInt8]], _ rest: [UInt8]) -> [UInt8] {
            let head = Array("II".utf8) + SampleFiles.little(42, 2) + SampleFiles.little(8, 4)
            let directory =
                SampleFiles.little(entries.count, 2) + entries.flatMap { $0 } + SampleFiles.little(0, 4)
            return SampleFiles.jpeg(segments: [SampleFiles.exif(head + directory + rest)])
        }
        // Two pointers to places.
        let empty = SampleFiles.little(0, 2) + SampleFiles.little(0, 4)
        let twice = photo([entry(0x8825, 4, 1, 38), entry(0x8825, 4, 1, 38)], empty)
        // One place whose values lie in the same 20,000 bytes.
        let values = (0..<4).map { entry($0, 1, 20_000, 80) }
        let directory = SampleFiles.little(4, 2) + values.flatMap { $0 } + SampleFiles.little(0, 4)
        let overlapping = photo([entry(0x8825, 4, 1, 26)], directory + [UInt8](repeating: 7, count: 20_000))
        for bytes in [twice, overlapping] {
            let (cleaned, removal, _) = try cleaned(bytes)
            #expect(removal == .removed && !has(cleaned, "Exif"))
            let found = try FileInspection(cleaned)
            #expect(cleaned.count == bytes.count && found.width == 64)
        }
    }

    /// With changed bytes there is no trap, and the result is final: a second removal changes nothing.
    @Test(arguments: 0..<40)
    func isRemovedFromAnyContentWithoutATrap(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let block = SampleFiles.tiff(isLittle: seed.isMultiple(of: 2), orientation: 6, settings: .last)
        let packet = SampleFiles.xmp()
        let captions = SampleFiles.photoshop([(0x0404, SampleFiles.captions([(90, SampleFiles.town)]))])
        let photos = [
            SampleFiles.jpeg(
                segments: [SampleFiles.exif(block), SampleFiles.segment(0xED, captions)],
                after: [1, 2, 3]
            ),
            SampleFiles.png(
                chunks: [
                    SampleFiles.chunk("eXIf", block),
                    SampleFiles.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet),
                ],
                after: [1, 2, 3]
            ),
            SampleFiles.webP(exif: block, xmp: packet, after: [1, 2, 3]),
            SampleFiles.heic(
                items: [.exif(block), .xmp(packet, .small), .exif(block, .parts)],
                boxes: [SampleFiles.box("moov", SampleFiles.box("trak", SampleFiles.box("udta", [1])))],
                versions: (1, 3, 2),
                after: Self.film
            ),
        ]
        for photo in photos {
            for _ in 0..<60 {
                var bytes = photo
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let byte = [0, 1, 0xFF, UInt8.random(in: 0...255, using: &random)].randomElement(
                        using: &random
                    )
                    bytes[Int.random(in: 2..<bytes.count, using: &random)] = byte ?? 0
                }
                if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0...30, using: &random)) }
                let (result, removal, file) = try cleaned(bytes)
                #expect(result.count <= bytes.count && (removal != .none || result == bytes))
                let again = try file.removeLocation()
                #expect(
                    file.bytes(at: 0, count: file.size) == result
                        && again == (removal == .kept ? .kept : .none)
                )
            }
        }
    }

    /// Whether the checksums of a PNG file are those of its chunks.
    private func hasRightChecksums(_ bytes: [UInt8]) -> Bool {
        guard let chunks = PNGFile(bytes)?.chunks, !chunks.isEmpty else { return false }
        return chunks.allSatisfy { chunk in
            let part = Array(bytes[chunk.start..<chunk.content.upperBound])
            return bytes.number(at: chunk.content.upperBound, bytes: 4) == Int(SampleFiles.checksum(part))
        }
    }
}
