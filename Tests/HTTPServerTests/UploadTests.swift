// Files that are written as they arrive: what is refused, and what memory they take.
import Foundation
import Synchronization
import TestKit
import Testing

@testable import HTTPServer

/// A file that counts instead of writing, and fails beyond a number of bytes.
private final class CountingTarget: UploadTarget {
    let state = Mutex((bytes: [UInt8](), count: 0))
    let room: Int
    let keeps: Bool

    init(room: Int = .max, keeps: Bool = true) { (self.room, self.keeps) = (room, keeps) }

    func append(_ bytes: ArraySlice<UInt8>) throws(UploadFault) {
        let count = state.withLock { state in
            state.count += bytes.count
            if keeps { state.bytes += bytes }
            return state.count
        }
        guard count <= room else { throw .diskFull }
    }

    var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }
}

@Suite struct UploadsToTheDisk {
    fileprivate static func part(_ name: String, _ file: String? = nil, _ content: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\(file.map { "; filename=\"\($0)\"" } ?? "")\r\n\r\n\(content)\r\n"
    }

    private func parsed(
        _ parts: [String],
        fileBytes: Int = 100,
        fileCount: Int = 3,
        room: Int = .max,
        pieces: Int = 11
    )
        throws -> MultipartParser
    {
        let rules = UploadRules(fileBytes: fileBytes, fileCount: fileCount) { CountingTarget(room: room) }
        var parser = try #require(
            MultipartParser(
                contentType: "multipart/form-data; boundary=b",
                fieldBytes: 100,
                partCount: 10,
                uploads: rules
            )
        )
        let bytes = Array((parts.joined() + "--b--\r\n").utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            try parser.feed(bytes[start..<min(start + pieces, bytes.count)])
        }
        try parser.finish()
        return parser
    }

    private func text(_ file: UploadedFile) -> String? { (file.target as? CountingTarget)?.text }

    @Test func aFileIsPassedOnAsItArrives() throws {
        let content = "\r\n--x\r--b \r\n-\r\n"
        for pieces in 1...60 {
            let form = try parsed(
                [
                    Self.part("csrf", nil, "t"), Self.part("file", "a.jpg", content),
                    Self.part("file", "b.pdf", "%PDF"),
                ],
                pieces: pieces
            )
            #expect(form.fields.first("csrf") == "t")
            #expect(
                form.files.map(\.name) == ["a.jpg", "b.pdf"]
                    && form.files.map(\.size) == [content.utf8.count, 4]
            )
            #expect(
                form.files.compactMap(text) == [content, "%PDF"] && form.files.allSatisfy { $0.fault == nil }
            )
        }
    }

    @Test func eachFileIsRefusedByItself() throws {
        let long = String(repeating: "x", count: 101)
        let form = try parsed([
            Self.part("file", "exact", String(long.dropLast())), Self.part("file", "long", long),
            Self.part("file", "empty", ""), Self.part("file", "fourth", "4"), Self.part("note", nil, "kept"),
        ])
        #expect(form.files.map(\.fault) == [nil, .tooLarge, nil, .tooMany])
        #expect(form.files[1].target == nil && form.files[2].target == nil && form.files[2].size == 0)
        #expect(form.fields.first("note") == "kept")
        // A field without a chosen file.
        #expect(try parsed([Self.part("file", "", "")]).files.isEmpty)
        #expect(
            try parsed([Self.part("file", "a", "12345")], room: 4, pieces: 100).files.first?.fault
                == .diskFull
        )
    }

    @Test func takesLongerTimeForLongerFilesAndLittleMemory() throws {
        var settings = Configuration()
        settings.port = 0
        settings.bytesOfBodies = 1 << 20
        settings.uploads = { request in
            guard request.path == "/files" else { return nil }
            return UploadRules(fileBytes: 30 << 20, fileCount: 2) { CountingTarget(keeps: false) }
        }
        let server = try Server(settings) { request in
            .text(
                .ok,
                request.files.map { "\($0.name) \($0.size) \($0.fault == nil)" }.joined(separator: ";")
            )
        }
        func post(_ size: Int, _ path: String = "/files") throws -> Reply {
            let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n"
            let body = Array(head.utf8) + [UInt8](repeating: 0x0D, count: size) + Array("\r\n--b--\r\n".utf8)
            let type = ("Content-Type", "multipart/form-data; boundary=b")
            return try Visitor(port: Int(server.port)).send("POST", path, headers: [type], body: body)
        }
        // Far more than all bodies may take in memory.
        #expect(try post(30 << 20).text == "f \(30 << 20) true")
        // Too long for its limit, and still answered by the handler.
        #expect(try post(31 << 20).text.hasSuffix(" false"))
        #expect(try post(100 << 10, "/other").status == 413)
    }

    /// Fields and the heads of parts are in memory, also of a form whose route takes files.
    @Test func countsWhatIsNoFileTowardTheMemoryOfAllBodies() throws {
        var settings = Configuration()
        settings.port = 0
        settings.bytesOfBodies = 40_000
        settings.uploads = { _ in
            UploadRules(fileBytes: 1 << 20, fileCount: 2) { CountingTarget(keeps: false) }
        }
        let server = try Server(settings) { request in .text(.ok, "\(request.form.names.count)") }
        func post(_ parts: [String]) throws -> Reply {
            let type = ("Content-Type", "multipart/form-data; boundary=b")
            let body = Array((parts.joined() + "--b--\r\n").utf8)
            return try Visitor(port: Int(server.port)).send("POST", "/files", headers: [type], body: body)
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(
            try post([Self.part("note", nil, text(15_000)), Self.part("file", "f", text(500_000))]).text
                == "1"
        )
        #expect(try post([Self.part("note", nil, text(50_000))]).status == 503)
        #expect(try post((0..<100).map { Self.part("\($0)" + text(400), nil, "") }).status == 503)
        #expect(try post((0..<100).map { Self.part("file", "\($0)" + text(400), "") }).status == 503)
        #expect(try post([Self.part(text(8_200), nil, "")]).status == 400)
        // Nothing stays reserved.
        #expect(try post([Self.part("note", nil, text(15_000))]).text == "1")
    }

    /// A client that sends no more does not hold its connection and its file for ever.
    @Test func anUploadThatComesToAStandstillEndsWithItsFile() throws {
        final class Files: Sendable {
            private let last = Mutex(Last())

            private struct Last { weak var target: CountingTarget? }

            func open() -> CountingTarget {
                let target = CountingTarget()
                last.withLock { $0.target = target }
                return target
            }

            var bytes: Int? { last.withLock { $0.target?.state.withLock { $0.count } } }
        }
        let files = Files()
        var settings = Configuration()
        settings.port = 0
        settings.idleSeconds = 1
        settings.uploads = { _ in UploadRules(fileBytes: 1 << 20, fileCount: 2) { files.open() } }
        let server = try Server(settings) { _ in .text(.ok, "answered") }
        let wire = try Wire(port: Int(server.port))
        wire.send(
            """
            POST /files HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=b\r\n\
            Content-Length: 100000\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n
            """ + String(repeating: "x", count: 5_000)
        )
        #expect(becomesTrue { files.bytes ?? 0 > 1_000 }, "a part arrives")
        #expect(
            !wire.receive(until: "answered").contains("answered"),
            "the connection is closed without an answer"
        )
        #expect(becomesTrue { files.bytes == nil }, "the file is gone")
    }
}

@Suite struct SharesOfTheUploadSpace {
    private func rules(_ sender: String?, fileBytes: Int = 10) -> UploadRules {
        UploadRules(fileBytes: fileBytes, fileCount: 9, sender: sender) { CountingTarget() }
    }

    @Test func leaveRoomForOtherDevices() {
        let space = UploadSpace(bytes: 800)
        let (one, again) = (space.share(for: rules("a"), of: "n"), space.share(for: rules("a"), of: "m"))
        // A share that is released gives its bytes back.
        withExtendedLifetime((one, again)) {
            #expect(one.reserve(60) && !again.reserve(41) && again.reserve(40) && !one.reserve(1))
            #expect(space.share(for: rules("b"), of: "n").reserve(100))
            // Bytes that were given back can be reserved again.
            one.giveBack(60)
            #expect(again.reserve(60) && !one.reserve(1) && space.bytesTaken == 100)
            // A file that is larger than a share fits nevertheless.
            #expect(space.share(for: rules("c", fileBytes: 300), of: "n").reserve(300))
        }
    }

    @Test func ofADeviceThatSendsManyFormsAreUsedUp() {
        let space = UploadSpace(bytes: 800)
        var forms = (0..<UploadSpace.formsAtOnce).map { _ in space.share(for: rules("a"), of: "n") }
        #expect(forms.allSatisfy { $0.reserve(1) } && !space.share(for: rules("a"), of: "n").reserve(1))
        #expect(space.share(for: rules("b"), of: "n").reserve(1))
        forms.removeLast()
        #expect(space.share(for: rules("a"), of: "n").reserve(1), "one of them has ended")
        forms = []
        #expect(space.bytesTaken == 0)
    }

    @Test func ofClientsWithoutADeviceAreThoseOfTheirNetworks() {
        let space = UploadSpace(bytes: 800)
        let clients = (0..<5).map { space.share(for: rules(nil), of: "n\($0)") }
        // A share that is released gives its bytes back.
        withExtendedLifetime(clients) {
            #expect(clients[0].reserve(100) && !space.share(for: rules(nil), of: "n0").reserve(1))
            for one in clients[1..<4] { #expect(one.reserve(100)) }
            #expect(!clients[4].reserve(1), "half of the space")
            #expect(space.share(for: rules("n0"), of: "n0").reserve(100))
        }
    }

    /// The form of a crowded device arrives, and says which files were not stored.
    @Test func refuseFilesAndNoForms() throws {
        var settings = Configuration()
        settings.port = 0
        settings.bytesOfUploads = 8_000
        settings.uploads = { request in
            let sender = request.header("X-Device")
            return UploadRules(fileBytes: 900, fileCount: 9, sender: sender) { CountingTarget() }
        }
        let server = try Server(settings) { request in
            let files = request.files.map { "\($0.name) \($0.fault.map { "\($0)" } ?? "stored")" }
            return .text(.ok, "\(request.form.first("note") ?? "") \(files.joined(separator: ", "))")
        }
        func form(_ names: [String]) -> String {
            names.map { UploadsToTheDisk.part("file", $0, String(repeating: "x", count: 400)) }.joined()
                + UploadsToTheDisk.part("note", nil, "Lunch") + "--b--\r\n"
        }
        func post(_ device: String, _ names: [String]) throws -> String {
            let headers = [("Content-Type", "multipart/form-data; boundary=b"), ("X-Device", device)]
            let visitor = Visitor(port: Int(server.port))
            return try visitor.send("POST", "/", headers: headers, body: Array(form(names).utf8)).text
        }
        #expect(try post("a", ["1", "2", "3"]) == "Lunch 1 stored, 2 stored, 3 busy")
        let slow = try Wire(port: Int(server.port))
        slow.send(
            """
            POST / HTTP/1.1\r\nHost: a\r\nX-Device: a\r\nContent-Type: multipart/form-data; boundary=b\r\n\
            Content-Length: 50000\r\n\r\n
            """ + form(["1", "2"]).dropLast(6)
        )
        #expect(becomesTrue { server.bytesOfUploads == 800 })
        #expect(try post("a", ["4"]) == "Lunch 4 busy")
        #expect(try post("b", ["5"]) == "Lunch 5 stored")
        slow.finish()
        #expect(becomesTrue { server.bytesOfUploads == 0 })
        #expect(try post("a", ["4"]) == "Lunch 4 stored")
    }
}

@Suite struct RangesOfBytes {
    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-9", .part(0..<10)), ("bytes=5-", .part(5..<20)),
            ("bytes=-5", .part(15..<20)),
            ("bytes=-50", .part(0..<20)), ("bytes=10-99", .part(10..<20)), ("bytes=20-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=9-5", .whole), ("bytes=0-1,3-4", .whole),
            ("bytes=a-b", .whole),
            ("bytes=-", .whole), ("bytes=99999999999999999999-", .whole), ("items=0-1", .whole),
            ("bytes=1--2", .whole),
        ] as [(String?, ByteRange)]
    )
    func areThoseOfTheStandard(header: String?, range: ByteRange) {
        #expect(ByteRange(header, size: 20) == range)
    }

    @Test func ofAFileAreSentFromTheirOffset() throws {
        var settings = Configuration()
        settings.port = 0
        let folder = Scratch()
        try Data("0123456789".utf8).write(to: URL(fileURLWithPath: folder("f")))
        let server = try Server(settings) { [path = folder("f")] _ in
            Response(.partialContent, body: .file(descriptor: open(path, O_RDONLY), size: 3, offset: 4))
        }
        let reply = try Visitor(port: Int(server.port)).send("GET", "/", headers: [], body: [])
        #expect(reply.status == 206 && reply.text == "456" && reply.header("content-length") == "3")
    }
}
