// Pictures with the place in one of the parts that may hold it, other than in an Exif block that is understood.
import TestKit

/// Pictures of each type with a place in them.
enum PlacesOf {
    private static let packets = [SampleFiles.xmp(), SampleFiles.xmp(hasCoordinates: false)]
    private static let profile = Array("\nexif\n 24\n".utf8) + SampleFiles.latitude
    private static let town = Array(SampleFiles.town.utf8)
    private static let block = SampleFiles.tiff()
    /// A block without a place, which stays as it is.
    private static let plain = SampleFiles.tiff(hasLocation: false)

    static let jpeg: [[UInt8]] = {
        var files: [[[UInt8]]] = []
        for packet in packets {
            files.append([SampleFiles.segment(xmp: packet)])
            files.append([SampleFiles.segment(xmp: packet.flatMap { [0, $0] })])
        }
        let extended = Array("http://ns.adobe.com/xmp/extension/\0...52,31N".utf8)
        files.append([SampleFiles.segment(0xE1, extended)])
        for set in [26, 27, 90, 92, 95, 100, 101] {
            let captions = SampleFiles.captions([(set, SampleFiles.town)])
            files.append([SampleFiles.segment(0xED, SampleFiles.photoshop([(0x0404, captions)]))])
        }
        for copy in [0x0422, 0x0423, 0x0424] {
            files.append([SampleFiles.segment(0xED, SampleFiles.photoshop([(copy, SampleFiles.latitude)]))])
        }
        // Captions in two segments, and such as are not understood.
        let title = SampleFiles.photoshop([(0x0404, SampleFiles.captions([]))])
        files.append([SampleFiles.segment(0xED, title), SampleFiles.segment(0xED, town)])
        files.append([SampleFiles.segment(0xED, Array("Photoshop 3.0\08BIM".utf8) + town)])
        let long = SampleFiles.photoshop([(0x0404, [0x1C, 2, 90, 0x80, 4] + town)])
        files.append([SampleFiles.segment(0xED, long)])
        // A signed history, and the data of programs and drones.
        files.append([SampleFiles.segment(0xEB, Array("JP\0jumb GPSLatitude".utf8))])
        for marker: UInt8 in [0xE1, 0xE2, 0xE4, 0xEF] { files.append([SampleFiles.segment(marker, town)]) }
        files.append([SampleFiles.exif(plain), SampleFiles.exif(block)])
        return files.map { SampleFiles.jpeg(segments: $0) }
    }()

    static let png: [[UInt8]] = {
        var files: [[[UInt8]]] = []
        for packet in packets {
            let compressed = Array("XML:com.adobe.xmp\0\u{1}\0\0\0".utf8) + packet
            files.append([SampleFiles.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)])
            files.append([SampleFiles.chunk("iTXt", compressed)])
        }
        for (name, content) in [
            ("zTXt", Array("Raw profile type exif\0\0".utf8) + profile),
            ("tEXt", Array("Raw profile type APP1\0".utf8) + profile),
            ("tEXt", Array("exif:GPSLatitude\052/1, 31/1".utf8)), ("tEXt", town),
            ("zTXt", Array("XML:com.adobe.xmp\0\0".utf8) + town), ("caBX", Array("GPSLatitude".utf8)),
            ("zxIf", block), ("prVt", town),
        ] { files.append([SampleFiles.chunk(name, content)]) }
        files.append([SampleFiles.chunk("eXIf", plain), SampleFiles.chunk("eXIf", block)])
        return files.map { SampleFiles.png(chunks: $0) }
    }()

    static let webP: [[UInt8]] = {
        var files: [[UInt8]] = []
        for packet in packets {
            files.append(SampleFiles.webP(xmp: packet))
            files.append(SampleFiles.webP(exif: plain, xmp: packet))
        }
        let form = [0x0C, 0, 0, 0] + SampleFiles.little(299, 3) + SampleFiles.little(199, 3)
        for part in [("C2PA", Array("GPSLatitude".utf8)), ("ABCD", town + [0x21]), ("EXIF", profile)] {
            files.append(SampleFiles.webP(chunks: [("VP8X", form), part, ("VP8L", [0x2F, 0, 0, 0, 0])]))
        }
        let twice = [
            ("VP8X", form), ("EXIF", plain), ("EXIF", block), ("XMP ", [0x20]), ("XMP ", packets[0]),
        ]
        return files + [SampleFiles.webP(chunks: twice)]
    }()

    static let heic: [[UInt8]] = {
        typealias Item = SampleFiles.HEICItem
        var files: [[Item]] = []
        for packet in packets {
            files.append([.xmp(packet)])
            files.append([.xmp(packet, .small)])
            files.append([.xmp(packet, .parts), .exif(plain)])
        }
        files.append([Item("uri ", profile)])
        files.append([Item("mime\0text/plain", profile)])
        files.append([Item("mime\0application/rdf+xml\0deflate", profile)])
        // Exif blocks in two parts, and with a number of bytes before them that is not understood.
        files.append([.exif(block, .parts)])
        for number in [7, 40, 9_999] { files.append([Item("Exif", SampleFiles.big(number, 4) + block)]) }
        var photos = files.map { SampleFiles.heic(items: $0) }
        for versions in [(0, 2, 0), (1, 3, 2), (0, 3, 1), (1, 2, 0)] {
            let items: [Item] = [.exif(block), .exif(block, .small), .xmp(packets[0])]
            photos.append(SampleFiles.heic(items: items, versions: versions))
        }
        let described = SampleFiles.box("udta", town)
        let handler = SampleFiles.box("hdlr", SampleFiles.big(0, 8) + Array("pict".utf8))
        let track = SampleFiles.box("trak", SampleFiles.box("mdia", handler) + described)
        let boxes = ["uuid", "mpvd", "jumb"].map { SampleFiles.box($0, town) }
        let sequences = [described, track, SampleFiles.box("meta", town)].map { SampleFiles.box("moov", $0) }
        for box in boxes + sequences {
            photos.append(SampleFiles.heic(items: [.exif(plain)], boxes: [box]))
        }
        for name in ["xml ", "uuid"] { photos.append(SampleFiles.heic(lists: [SampleFiles.box(name, town)])) }
        return photos
    }()
}
