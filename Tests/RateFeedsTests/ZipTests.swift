// Zip files that hold something else, that are damaged, or that are made to exhaust memory.
import Ledger
import RateFeeds
import Testing

@Suite struct ZipFiles {
    private static let table = Array("Date,USD,\n2026-10-30,1.1172,\n".utf8)

    private func problem(_ bytes: [UInt8]) throws -> RateFileError.Problem? {
        fault(bytes, try Files.reader())?.problem
    }

    /// The sample with one change.
    private func sample(_ change: (inout ZipSample) -> Void) -> [UInt8] {
        var sample = ZipSample(Self.table)
        change(&sample)
        return sample.zip
    }

    @Test func storedAndDeflatedFilesAreRead() throws {
        let expected = try Files.reader().read(Self.table)
        let description = [UInt8](repeating: 7, count: 12)
        let all = [
            sample { _ in }, sample { $0.method = 0 }, sample { $0.name = "" },
            sample { $0.name = "../../etc/passwd" },
            sample { $0.name = String(repeating: "a/", count: 9_999) },
            sample { $0.flags = 1 << 11 }, sample { ($0.flags, $0.behind) = (1 << 3, description) },
            sample { ($0.flags, $0.behind) = (1 << 3, description + [0, 0, 0, 0]) },
            ZipSample.zip([ZipSample(Self.table)], comment: "PK\u{5}\u{6}"),
        ]
        for (index, bytes) in all.enumerated() {
            #expect(try Files.reader().read(bytes) == expected, "\(index)")
        }
        let document = ZipSample(Array(Files.day("<Cube currency='USD' rate='1.1172'/>").utf8)).zip
        #expect(try Files.reader().read(document) == expected)
    }

    @Test func exactlyOneFileIsAccepted() throws {
        let one = ZipSample(Self.table)
        #expect(try problem(ZipSample.zip([])) == .fileCount(0))
        #expect(try problem(ZipSample.zip([one, one])) == .fileCount(2))
        #expect(try problem(ZipSample.zip([ZipSample](repeating: one, count: 1_000))) == .fileCount(1_000))
        #expect(try problem(ZipSample(one.zip).zip) == .unknownKind)
        #expect(try problem(ZipSample([]).zip) == .unknownKind)
        #expect(try problem(ZipSample(Array("text".utf8)).zip) == .unknownKind)
    }

    @Test func wrongFieldsAreRefused() throws {
        #expect(try problem(sample { $0.checksum = 1 }) == .damagedZip)
        #expect(try problem(sample { ($0.method, $0.checksum) = (0, 1) }) == .damagedZip)
        for difference in [-1, 1, 10] {
            let size = UInt32(Self.table.count + difference)
            #expect(try problem(sample { $0.size = size }) == .damagedZip, "\(difference)")
            #expect(try problem(sample { ($0.method, $0.size) = (0, size) }) == .damagedZip)
        }
        #expect(try problem(sample { $0.packedSize = 5 }) == .damagedZip)
        #expect(try problem(sample { $0.packedSize = 5_000 }) == .damagedZip)
        #expect(try problem(sample { $0.behind = [0] }) == .damagedZip)
        #expect(try problem(sample { ($0.flags, $0.behind) = (1 << 3, [0]) }) == .damagedZip)
        #expect(try problem(sample { _ in } + [0]) == .truncated)
        #expect(try problem(Array("PK\u{3}\u{4}".utf8) + sample { _ in }) == .damagedZip)
    }

    @Test func whatTheseFilesDoNotUseIsRefused() throws {
        for bit in [0, 5, 6, 13] {
            #expect(try problem(sample { $0.flags = 1 << UInt16(bit) }) == .unsupportedZip, "\(bit)")
        }
        for method in [1, 9, 12, 14, 93, 99] as [UInt16] {
            #expect(try problem(sample { $0.method = method }) == .unsupportedZip, "\(method)")
        }
        #expect(try problem(sample { $0.size = .max }) == .unsupportedZip)
        #expect(try problem(sample { $0.packedSize = .max }) == .unsupportedZip)
    }

    @Test func bombsAreRefusedBeforeTheyAreUnpacked() throws {
        let zeros = ZipSample([UInt8](repeating: 0, count: 20_000_000))
        #expect(zeros.zip.count < 30_000)
        #expect(try problem(zeros.zip) == .tooLarge)
        // A size that is a lie within the limits: unpacking stops there.
        var liar = zeros
        liar.size = 100_000
        #expect(try problem(liar.zip) == .damagedZip)
        #expect(try problem(sample { $0.size = 1 << 31 }) == .tooLarge)

        var limits = RateFileReader.Limits()
        limits.bytes = 200
        let spaces = [UInt8](repeating: 32, count: 172)
        let long = ZipSample(Self.table + spaces).zip
        #expect(long.count <= 200)
        #expect(fault(long, try Files.reader(limits: limits))?.problem == .tooLarge)
    }
}
