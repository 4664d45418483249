// Files that are cut off or changed at random places: an error, or rates that are valid.
import Ledger
import RateFeeds
import TestKit
import Testing

@Suite struct DamagedFiles {
    @Test(arguments: Files.xml + Files.zip)
    func aFileThatIsCutOffIsRefused(name: String) throws {
        let (bytes, reader) = (try Files.bytes(name), try Files.reader())
        // A line end behind the document may be missing.
        for count in Array(stride(from: 0, to: bytes.count - 1, by: 97)) + [bytes.count - 2] {
            let error = fault(Array(bytes.prefix(count)), reader)
            #expect(error != nil, "\(count) bytes")
            if name.hasSuffix(".xml"), count > 0 { #expect(error?.problem == .truncated, "\(count) bytes") }
        }
    }

    /// A cut behind a line cannot be seen: the days before it are complete.
    @Test(arguments: Files.csv)
    func aTableThatIsCutOffHasOnlyWholeDays(name: String) throws {
        let (bytes, reader) = (try Files.bytes(name), try Files.reader())
        let whole = try reader.read(bytes).days
        for count in 0..<bytes.count where count % 97 == 0 || bytes[count] == 10 {
            guard let file = try? reader.read(Array(bytes.prefix(count))) else { continue }
            #expect(file.days == Array(whole.prefix(file.days.count)), "\(count) bytes")
        }
    }

    @Test func bytesThatAreChangedAtRandomAreRefusedOrValid() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix(seed: seed)
        let reader = try Files.reader()
        let samples = try (Files.xml + Files.csv + Files.zip).map { try Files.bytes($0) }
        var refused = 0
        for round in 0..<700 {
            var bytes = samples[round % samples.count]
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                case 2: bytes.remove(at: index)
                default: bytes.insert(UInt8.random(in: .min ... .max, using: &generator), at: index)
                }
            }
            guard let file = try? reader.read(bytes) else {
                refused += 1
                continue
            }
            #expect(!file.days.isEmpty && file.days.allSatisfy { !$0.rates.isEmpty }, "seed \(seed)")
            #expect(file.days.allSatisfy { $0.day.description <= "2026-10-30" }, "seed \(seed)")
        }
        #expect(refused > 100, "seed \(seed)")
    }

    @Test func noiseIsRefused() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SplitMix(seed: seed)
        let reader = try Files.reader()
        let beginnings = ["", "<", "<?xml version='1.0'?>", "Date,", "PK\u{3}\u{4}", "PK\u{5}\u{6}"]
        for round in 0..<2_000 {
            let noise = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            let bytes = Array(beginnings[round % beginnings.count].utf8) + noise
            #expect(fault(bytes, reader) != nil, "seed \(seed)")
        }
    }
}
