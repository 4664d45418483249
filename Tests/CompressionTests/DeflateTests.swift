// Deflate without a header, and CRC-32: against the parts of gzip streams, which contain both.
import Compression
import Testing

@Suite struct DeflateTests {
    /// The deflated bytes and the CRC-32 of a gzip stream with a header of ten bytes and a trailer of eight.
    private func parts(of bytes: [UInt8]) -> (deflated: [UInt8], checksum: UInt32) {
        let stream = Gzip.compress(bytes)
        let checksum = stream.suffix(8).prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return (Array(stream.dropFirst(10).dropLast(8)), checksum)
    }

    @Test(arguments: GzipTests.samples.indices)
    func theContentOfAGzipStreamIsInflatedWithoutItsHeader(index: Int) throws {
        let bytes = GzipTests.samples[index]
        let (deflated, checksum) = parts(of: bytes)
        #expect(try Deflate.inflate(deflated, upTo: bytes.count) == bytes)
        #expect(Deflate.checksum(bytes) == checksum)
    }

    @Test func theChecksumIsThatOfTheStandard() {
        #expect(Deflate.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(Deflate.checksum([]) == 0)
    }

    @Test func whatIsTooLongCutOffOrFollowedByMoreIsRefused() throws {
        let bytes = [UInt8](repeating: 65, count: 1_000_000)
        let (deflated, _) = parts(of: bytes)
        #expect(throws: Gzip.Failure.tooLong) { try Deflate.inflate(deflated, upTo: 999_999) }
        #expect(throws: Gzip.Failure.malformed) { try Deflate.inflate(deflated + [0], upTo: 1_000_000) }
        for count in 0..<deflated.count {
            let part = Array(deflated.prefix(count))
            #expect(throws: Gzip.Failure.malformed, "\(count) bytes") {
                try Deflate.inflate(part, upTo: 1_000_000)
            }
        }
    }
}
