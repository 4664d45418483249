// Zip files with more files than their older fields can count.
import Foundation
import HTTPServer
import Ledger
import Testing

@testable import Web

@Suite struct ZipFiles {
    private func number(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func written(_ count: Int) throws -> [UInt8] {
        let out = try ExportWriter()
        var zip = ZipWriter(out)
        let day = try #require(CivilDate(iso: "2026-11-21"))
        for place in 0..<count {
            let name = String(place)
            try zip.add(name, on: day) { out.append("123456789" as String) }
        }
        try zip.end()
        let body = try out.end().body()
        guard case .file(let descriptor, let size, _) = body else { return [] }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.seek(toOffset: 0)
        let bytes = [UInt8](try #require(try handle.readToEnd()))
        #expect(bytes.count == Int(size))
        return bytes
    }

    @Test func measuresAreInTheHeader() throws {
        let bytes = try written(1)
        #expect(number(bytes[0..<4]) == 0x0403_4b50)
        #expect(number(bytes[14..<18]) == 0xcbf4_3926, "the CRC-32 of 123456789")
        #expect(number(bytes[18..<22]) == 9 && number(bytes[22..<26]) == 9)
        #expect(number(bytes[12..<14]) == 46 << 9 | 11 << 5 | 21)
        let end = bytes.suffix(22)
        #expect(number(end.prefix(4)) == 0x0605_4b50 && number(end.dropFirst(10).prefix(2)) == 1)
    }

    @Test func manyFilesAreCountedInTheLargerField() throws {
        let bytes = try written(65_536)
        let end = bytes.suffix(22)
        #expect(number(end.dropFirst(10).prefix(2)) == 65_535)
        let locator = bytes.suffix(42).prefix(20)
        #expect(number(locator.prefix(4)) == 0x0706_4b50)
        let place = Int(number(locator.dropFirst(8).prefix(8)))
        #expect(number(bytes[place..<place + 4]) == 0x0606_4b50)
        #expect(number(bytes[place + 32..<place + 40]) == 65_536)
        let list = Int(number(bytes[place + 48..<place + 56]))
        #expect(number(bytes[list..<list + 4]) == 0x0201_4b50)
    }
}
