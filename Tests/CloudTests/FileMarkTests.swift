// The mark beside the cloud's file: what it says about a file that is found at a start.
import CloudProtocol
import Foundation
import Ledger
import Storage
import TestKit
import Testing

@testable import Cloud

/// A folder with the file of a cloud.
private final class FolderOfACloud {
    let path = NSTemporaryDirectory() + "/breadly-mark-\(UUID().uuidString)"
    private let clock = FixedClock(at: 1_795_262_400)

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The start of a server and its end.
    func serve(marks: Bool = true, _ work: (Directory) throws -> Void = { _ in }) throws -> Bool {
        let directory = try CloudUnderTest.open(path, clock)
        defer { directory.close() }
        let isOlder = try directory.checkMark()
        if marks { try directory.mark() }
        try work(directory)
        if marks { try directory.mark() }
        return isOlder
    }

    func copy(_ name: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: "\(path)/\(other)")
        try FileManager.default.copyItem(atPath: "\(path)/\(name)", toPath: "\(path)/\(other)")
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
}

@Suite struct AMarkBesideTheFile {
    private let file = "cloud.sqlite"
    private let mark = "cloud.sqlite.mark"

    @Test func saysThatItIsTheOneThatWasLeft() throws {
        let folder = try FolderOfACloud()
        for _ in 0..<3 { #expect(try folder.serve() == false) }
    }

    @Test func saysThatItIsAnOlderOne() throws {
        let folder = try FolderOfACloud()
        _ = try folder.serve()
        try folder.copy(file, to: "older")
        _ = try folder.serve()
        try folder.copy("older", to: file)
        #expect(try folder.serve())
        #expect(try folder.serve() == false, "said once")
        #expect(try folder.serve() == false)
    }

    @Test func saysThatItWentOnElsewhere() throws {
        let (folder, elsewhere) = (try FolderOfACloud(), try FolderOfACloud())
        _ = try folder.serve()
        try FileManager.default.copyItem(
            atPath: "\(folder.path)/\(file)",
            toPath: "\(elsewhere.path)/\(file)"
        )
        #expect(try elsewhere.serve(), "it comes from elsewhere")
        for _ in 0..<4 { #expect(try elsewhere.serve() == false) }
        _ = try folder.serve()
        try folder.remove(file)
        try FileManager.default.copyItem(
            atPath: "\(elsewhere.path)/\(file)",
            toPath: "\(folder.path)/\(file)"
        )
        #expect(try folder.serve(), "it has more marks, and not the last one of here")
    }

    @Test func thatIsOlderThanTheFileSaysNothing() throws {
        let folder = try FolderOfACloud()
        _ = try folder.serve()
        try folder.copy(mark, to: "older")
        // As where a process is killed between the two.
        _ = try folder.serve()
        try folder.copy("older", to: mark)
        #expect(try folder.serve() == false)
    }

    @Test func thatIsGoneOrUnreadableIsTakenForAnOlderFile() throws {
        let folder = try FolderOfACloud()
        _ = try folder.serve()
        try folder.remove(mark)
        #expect(try folder.serve())
        try Data("?".utf8).write(to: URL(fileURLWithPath: "\(folder.path)/\(mark)"))
        #expect(try folder.serve())
        #expect(try folder.serve() == false)
    }

    @Test func ofAFileThatNeverHadOneIsNotMissed() throws {
        let folder = try FolderOfACloud()
        #expect(try folder.serve(marks: false) == false)
        #expect(try folder.serve(marks: false) == false)
        _ = try folder.serve()
        try folder.remove(file)
        #expect(try folder.serve(), "a mark without the file that it belongs to")
    }

    @Test func thatCannotBeWrittenIsForgottenInTheFile() throws {
        let folder = try FolderOfACloud()
        _ = try folder.serve()
        try folder.remove(mark)
        // A folder with the name of the mark prevents writing it.
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/\(mark)/x",
            withIntermediateDirectories: true
        )
        let directory = try CloudUnderTest.open(folder.path, FixedClock(at: 1_795_262_400))
        #expect(throws: CloudError.self) { try directory.mark() }
        #expect(try directory.checkMark() == false)
        directory.close()
    }
}
