// The type and the dimensions of a file are those of its content.
import Ledger
import TestKit
import Testing

@testable import FileStore

@Suite struct TheInspectionOfAFile {
    @Test func findsTypeAndDimensionsInTheContent() throws {
        let vp8 =
            [0x30, 0, 0, 0x9D, 0x01, 0x2A] + SampleFiles.little(300, 2) + SampleFiles.little(0x4000 | 200, 2)
        let vp8l = [0x2F] + SampleFiles.little(299 | 199 << 14, 4)
        let vp8x = [0, 0, 0, 0] + SampleFiles.little(299, 3) + SampleFiles.little(199, 3)
        let cases: [([UInt8], ReceiptType, Int?, Int?)] = [
            (SampleFiles.jpeg(), .jpeg, 64, 48),
            (
                SampleFiles.jpeg(segments: [SampleFiles.exif(), SampleFiles.segment(0xC4, [0])]), .jpeg, 64,
                48
            ),
            (SampleFiles.png(), .png, 10, 20),
            (SampleFiles.webP("VP8 ", vp8), .webp, 300, 200),
            (SampleFiles.webP("VP8L", vp8l), .webp, 300, 200),
            (SampleFiles.webP("VP8X", vp8x), .webp, 300, 200),
            (SampleFiles.heic(), .heic, 4_032, 3_024),
            (SampleFiles.pdf, .pdf, nil, nil),
        ]
        for (bytes, type, width, height) in cases {
            let found = try FileInspection(bytes)
            #expect(found.type == type && found.width == width && found.height == height)
        }
    }

    /// Readers look for the header of a PDF file in the first kilobyte.
    @Test(arguments: [
        ([], true), ([0xEF, 0xBB, 0xBF], true), (Array("\n\n".utf8), true), (Array("\r\n".utf8), true),
        (Array(" ".utf8), true), ([UInt8](repeating: 0x20, count: 900), true),
        ([UInt8](repeating: 0, count: 1_019), true), ([UInt8](repeating: 0x20, count: 1_020), false),
        (Array("%PDF".utf8), true),
    ])
    func findsTheHeaderOfAPDFFileAsReadersDo(before: [UInt8], isPDF: Bool) {
        let found = Result { () throws(FileInspection.Refusal) in
            try FileInspection(before + SampleFiles.pdf).type
        }
        #expect(found == (isPDF ? .success(.pdf) : .failure(.unknownType)))
    }

    /// Decoders pass over bytes between the segments of a JPEG file, and over markers that have none.
    @Test(arguments: [
        [0x00], [0x12, 0x34], [0xFF, 0x00], [0xFF], [0xFF, 0xFF], [0xFF, 0x01], [0xFF, 0xD0, 0xFF, 0xD7],
        [0x00, 0xFF, 0x01, 0xFF],
    ])
    func findsTheSegmentsOfAJPEGFileAsDecodersDo(stray: [UInt8]) throws {
        let header = SampleFiles.segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        for segments in [[header, stray], [header, stray, header, stray]] {
            let found = try FileInspection(SampleFiles.jpeg(segments: segments))
            #expect(found.type == .jpeg && found.width == 64 && found.height == 48)
        }
    }

    @Test func refusesWhatIsNothingOfThat() {
        func refusal(_ bytes: [UInt8]) -> FileInspection.Refusal? {
            do throws(FileInspection.Refusal) {
                _ = try FileInspection(bytes)
                return nil
            } catch { return error }
        }
        #expect(refusal([]) == .empty)
        for text in [
            "<svg xmlns='http://www.w3.org/2000/svg'/>", "<html>", "GIF89a", "PK\u{3}\u{4}", "%PDF", "MZ",
        ] {
            #expect(refusal(Array(text.utf8)) == .unknownType)
        }
        // A film is no picture.
        #expect(
            refusal(SampleFiles.box("ftyp", Array("isom".utf8) + [0, 0, 0, 0] + Array("mp42".utf8)))
                == .unknownType
        )
        #expect(refusal([0xFF, 0xD8, 0xFF]) == .unreadable(.jpeg))
        #expect(refusal(SampleFiles.jpeg(width: 0)) == .unreadable(.jpeg))
        #expect(refusal(Array(SampleFiles.png().prefix(20))) == .unreadable(.png))
        #expect(refusal(Array(SampleFiles.heic().prefix(40))) == .unreadable(.heic))
        #expect(refusal(SampleFiles.webP("ICCP", [0, 0, 0, 0])) == .unreadable(.webp))
    }

    /// AVIF has the same boxes as HEIC and names the same structure. Browsers that show the one do not all show the other.
    @Test(arguments: [
        ("heic", "mif1heic", true), ("heix", "mif1", true), ("hevc", "msf1hevc", true),
        ("mif1", "mif1heic", true),
        ("mif1", "miafheix", true), ("msf1", "iso8hevc", true), ("mif1", "mif1avifheic", true),
        ("avif", "avifmif1miaf", false), ("avis", "msf1heic", false), ("mif1", "mif1avifmiaf", false),
        ("mif1", "mif1", false), ("msf1", "avismsf1", false), ("avci", "mif1avci", false),
        ("isom", "mp42heic", false),
    ])
    func tellsHEICFromOtherPicturesInTheSameBoxes(first: String, others: String, isHEIC: Bool) {
        let bytes = SampleFiles.heic(brand: first, others: others)
        let found = Result { () throws(FileInspection.Refusal) in try FileInspection(bytes).type }
        #expect(found == (isHEIC ? .success(.heic) : .failure(.unknownType)))
    }

    /// Any number of bytes may stand before a marker. They are not read one by one.
    @Test(arguments: [[0xFF], [0xFF, 0x00], [0xFF, 0x01], [0xFF, 0xD3, 0x12]])
    func readsAFileOfNothingButFillInFewPieces(fill: [UInt8]) {
        let many = [[UInt8]](repeating: fill, count: (1 << 18) / fill.count).flatMap { $0 }
        for end in [[], Array(SampleFiles.jpeg().dropFirst(2))] {
            let content = CountedReads([0xFF, 0xD8, 0xFF] + many + end)
            let found = try? FileInspection(content)
            #expect(found?.width == (end.isEmpty ? nil : 64) && content.reads < 100)
        }
    }

    /// A picture of a few bytes that would take gigabytes to show.
    @Test func refusesABombByItsDeclaredDimensions() {
        for bytes in [
            SampleFiles.jpeg(width: 65_535, height: 65_535), SampleFiles.png(width: 100_000, height: 100_000),
            SampleFiles.png(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF),
            SampleFiles.heic(width: 20_000, height: 20_000),
        ] {
            #expect(throws: FileInspection.Refusal.self) { try FileInspection(bytes) }
        }
        #expect(throws: Never.self) { try FileInspection(SampleFiles.jpeg(width: 12_000, height: 9_000)) }
    }

    /// No content makes it trap or run for long.
    @Test(arguments: 0..<40)
    func readsAnyContent(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let samples = [
            SampleFiles.jpeg(segments: [SampleFiles.exif()]), SampleFiles.png(), SampleFiles.heic(),
            SampleFiles.webP("VP8X", [UInt8](repeating: 1, count: 20)), [0xEF, 0xBB, 0xBF] + SampleFiles.pdf,
        ]
        for _ in 0..<300 {
            guard var bytes = samples.randomElement(using: &random) else { return }
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !bytes.isEmpty:
                    bytes[Int.random(in: bytes.indices, using: &random)] = .random(
                        in: 0...255,
                        using: &random
                    )
                case 1: bytes.removeLast(Int.random(in: 0...min(8, bytes.count), using: &random))
                default:
                    let place = Int.random(in: 0...bytes.count, using: &random)
                    bytes.insert([0x00, 0xFF, 0x7F].randomElement(using: &random) ?? 0, at: place)
                }
            }
            let found = try? FileInspection(bytes)
            if let width = found?.width, let height = found?.height {
                #expect(width * height <= FileInspection.mostPixels)
            }
        }
    }
}

@Suite struct TheNameOfAReceipt {
    @Test(arguments: [
        ("receipt.jpg", "receipt.jpg"), ("IMG_1.JPEG", "IMG_1.JPEG"), ("../../etc/passwd", "passwd.jpg"),
        ("C:\\fakepath\\bill.jpg", "bill.jpg"), ("a\u{0}b\r\nc.jpg", "abc.jpg"), ("", "receipt.jpg"),
        (".htaccess", "htaccess.jpg"), ("invoice.exe", "invoice.exe.jpg"), ("..", "receipt.jpg"),
        ("evil\u{202E}gpj.exe", "evilgpj.exe.jpg"), ("  bill .jpg", "bill.jpg"),
        ("Bäckerei 🥐.jpg", "Bäckerei 🥐.jpg"),
    ])
    func isOneSafeLineWithAFittingEnding(sent: String, name: String) {
        #expect(Receipt.name(from: sent, .jpeg) == name)
    }

    @Test func isShort() {
        let long = Receipt.name(from: String(repeating: "x", count: 4_000) + ".pdf", .pdf)
        #expect(long.count == 200 && long.hasSuffix("x.pdf"))
        let marks = Receipt.name(from: "e" + String(repeating: "\u{301}", count: 4_000) + ".pdf", .pdf)
        #expect(marks.utf8.count <= 800 && marks.hasSuffix(".pdf"))
    }
}
