// Gzip: what is compressed is read again, and what is damaged, cut off or too long is refused in bounded memory.
import Compression
import Foundation
import TestKit
import Testing

@Suite struct GzipTests {
    /// Empty, short, all alike, and bytes that do not get smaller.
    static let samples: [[UInt8]] = {
        var random = SplitMix(seed: 8)
        let noise = (0..<300_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        return [[], [7], Array("{\"op\":1}".utf8), [UInt8](repeating: 65, count: 1_000_000), noise]
    }()

    private func compressInPieces(_ bytes: [UInt8], of size: Int) throws -> [UInt8] {
        var compressed: [UInt8] = []
        let writer = GzipWriter(level: 1) { compressed += $0 }
        for start in stride(from: 0, to: bytes.count, by: size) {
            try writer.write(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        try writer.end()
        return compressed
    }

    private func inflateInPieces(_ compressed: [UInt8], of size: Int, upTo most: Int = 4_096) throws
        -> [UInt8]
    {
        var rest = compressed[...]
        let reader = GzipReader {
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
        var inflated: [UInt8] = []
        while true {
            let piece = try reader.read(upTo: most)
            #expect(piece.count <= most)
            if piece.isEmpty { return inflated }
            inflated += piece
        }
    }

    @Test(arguments: samples.indices)
    func bytesComeThroughAsTheyWere(index: Int) throws {
        let bytes = Self.samples[index]
        let whole = Gzip.compress(bytes)
        #expect(whole.starts(with: Gzip.magic))
        #expect(try Gzip.inflate(whole, upTo: bytes.count) == bytes)
        for size in [1_000, 1 << 17] {
            let pieces = try compressInPieces(bytes, of: size)
            #expect(try Gzip.inflate(pieces, upTo: bytes.count) == bytes)
            #expect(try inflateInPieces(whole, of: size) == bytes)
            #expect(try inflateInPieces(pieces, of: 7_777) == bytes)
        }
    }

    @Test func levelsWeighSizeAgainstSpeed() {
        let text = Array((0..<20_000).map { "row \($0 % 977), " }.joined().utf8)
        #expect(Gzip.compress(text, level: 9).count < Gzip.compress(text, level: 1).count)
    }

    @Test func moreThanIsAllowedIsNotMade() throws {
        let bomb = Gzip.compress([UInt8](repeating: 0, count: 10_000_000), level: 9)
        #expect(bomb.count < 20_000)
        #expect(throws: Gzip.Failure.tooLong) { try Gzip.inflate(bomb, upTo: 9_999_999) }
        #expect(throws: Gzip.Failure.tooLong) { try Gzip.inflate(bomb, upTo: 0) }
        #expect(try Gzip.inflate(bomb, upTo: 10_000_000).count == 10_000_000)
    }

    @Test func whatIsCutOffOrChangedIsRefused() throws {
        let bytes = Array("a change of the user's".utf8)
        let whole = Gzip.compress(bytes)
        for count in 0..<whole.count {
            let part = Array(whole.prefix(count))
            #expect(throws: Gzip.Failure.malformed, "\(count) bytes") { try Gzip.inflate(part, upTo: 1_000) }
            #expect(throws: Gzip.Failure.malformed, "\(count) bytes") { try inflateInPieces(part, of: 5) }
        }
        // The checksum and the length are its last eight bytes.
        for index in whole.count - 8..<whole.count {
            var other = whole
            other[index] ^= 1
            #expect(throws: Gzip.Failure.malformed) { try Gzip.inflate(other, upTo: 1_000) }
            #expect(throws: Gzip.Failure.malformed) { try inflateInPieces(other, of: 5) }
        }
        #expect(throws: Gzip.Failure.malformed) { try Gzip.inflate(bytes, upTo: 1_000) }
        #expect(throws: Gzip.Failure.malformed) { try inflateInPieces(whole + [0], of: 1_000) }
        #expect(throws: Gzip.Failure.malformed) { try inflateInPieces(whole + whole, of: 3) }
    }

    @Test func anErrorOfTheOtherSideComesThrough() throws {
        struct Full: Error {}
        let writer = GzipWriter { _ in throw Full() }
        #expect(throws: Full.self) {
            try writer.write([1, 2, 3])
            try writer.end()
        }
        #expect(throws: Full.self) { try GzipReader { throw Full() }.read(upTo: 10) }
    }
}
