// Files that a disk has changed: they are found by their content, remembered while they are sound, and displaced.
import Foundation
import TestKit
import Testing

@testable import FileStore

@Suite struct SoundAndDamagedFiles {
    private let folder = Scratch()
    private let bytes = Array("a receipt".utf8)
    private var hash: ContentHash { ContentHash(of: bytes) }
    private var files: FileFolder { FileFolder(besides: folder("book.sqlite")) }
    private let sound = SoundFiles(most: 2)

    private func stored(_ bytes: [UInt8]? = nil) throws -> StoredFile {
        let bytes = bytes ?? self.bytes
        let file = try IncomingFile(in: folder.path)
        try file.write(bytes[...])
        try files.place(file)
        return try #require(files.open(ContentHash(of: bytes)))
    }

    @Test func aFileThatIsSoundIsRememberedForADay() throws {
        let file = try stored()
        #expect(file.hash() == hash && !sound.isKnown(file, at: 100))
        #expect(sound.isSound(file, hash, at: 100))
        let again = try #require(files.open(hash))
        #expect(sound.isKnown(again, at: 100) && sound.isKnown(again, at: 100 + SoundFiles.validSeconds))
        #expect(!sound.isKnown(again, at: 101 + SoundFiles.validSeconds), "a disk may have damaged it since")
        #expect(!sound.isKnown(again, at: 99), "the clock was put back")
        sound.forget(again)
        #expect(!sound.isKnown(again, at: 100))
    }

    @Test func aChangedByteIsFoundAlsoInAFileThatWasSound() throws {
        #expect(sound.isSound(try stored(), hash, at: 100))
        try damage(files.path(of: hash))
        let damaged = try #require(files.open(hash))
        #expect(damaged.size == bytes.count)
        #expect(!sound.isKnown(damaged, at: 100) && !sound.isSound(damaged, hash, at: 100))
        #expect(sound.isSound(try stored(), hash, at: 100), "it was added again")
    }

    @Test func fewAreRemembered() throws {
        let all = try (0..<3).map { try stored([UInt8($0)]) }
        for (number, file) in all.enumerated() {
            #expect(sound.isSound(file, ContentHash(of: [UInt8(number)]), at: 100))
        }
        #expect(all.map { sound.isKnown($0, at: 100) } == [false, false, true])
    }

    @Test func aDamagedFileIsOutOfTheWayUntilASoundOneArrives() throws {
        let file = try stored()
        try damage(files.path(of: hash))
        let damaged = try #require(files.open(hash))
        // Another file has its name by now.
        files.displace(hash, file)
        #expect(files.displaced().isEmpty && files.size(of: hash) != nil)
        files.displace(hash, damaged)
        #expect(files.displaced() == [hash] && files.contents().isEmpty && files.open(hash) == nil)
        #expect(!FileFolder.isOfFile(try #require(files.names().first)), "no backup has it")
        try files.append(bytes[...], at: 0, of: hash)
        #expect(try files.verifyPart(of: hash))
        try files.completePart(of: hash)
        #expect(files.names() == [hash.description])
        try damage(files.path(of: hash))
        files.displace(hash, try #require(files.open(hash)))
        files.remove(hash)
        #expect(files.names().isEmpty)
    }
}
