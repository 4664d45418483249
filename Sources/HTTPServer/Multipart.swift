// Forms with files (multipart/form-data, RFC 7578), parsed piece by piece as they arrive.

import Encoding
import Glibc

/// A file that was uploaded with a form.
public final class UploadedFile: Sendable {
    /// The name of the form field.
    public let field: String
    /// The file name that the browser sent, without folders; for display only.
    public let name: String
    /// The media type that the browser sent.
    public let type: String
    /// The size in bytes: of the content that was accepted or, if the request takes no files, of the content that was sent.
    public let size: Int
    /// The file that has the content; nil if the request takes no files, or if it was refused before its first byte.
    public let target: (any UploadTarget)?
    /// The reason why the content was refused; nil if it is complete, or if the request takes no files.
    public let fault: UploadFault?

    /// - Parameter writer: nil for a request that takes no files.
    init(field: String, name: String, type: String, size: Int, writer: UploadWriter?) {
        self.field = field
        self.name = name
        self.type = type
        self.size = writer?.size ?? size
        (target, fault) = (writer?.target, writer?.fault)
    }
}

/// Parses a body as it arrives. The content of files is written to the disk at once, where the request takes files.
struct MultipartParser {
    /// The reason why parsing stopped.
    enum Fault: Error { case malformed, tooLarge }

    private enum State { case preamble, head, content, end }

    /// The greatest number of bytes of the head of a part.
    private static let headBytes = 8_192

    private(set) var fields = FormFields()
    private(set) var files: [UploadedFile] = []
    private let delimiter: [UInt8]
    private let fieldBytes: Int
    private let partCount: Int
    private let uploads: UploadRules?
    private let share: UploadShare?
    private var filesSeen = 0
    /// The number of bytes of fields and of the heads of all parts. They stay in memory until the request is answered.
    private(set) var bytesInMemory = 0
    private var state = State.preamble
    private var buffer: [UInt8] = Array("\r\n".utf8)
    private var part = Part()
    private var partsSeen = 0
    private var fieldBytesSeen = 0

    private struct Part {
        var field = ""
        var file: String?
        var type = "application/octet-stream"
        var content: [UInt8] = []
        /// The number of bytes of a file that is not kept.
        var size = 0
        /// The file on the disk, if the request takes files.
        var writer: UploadWriter?
    }

    /// - Parameters:
    ///   - type: the whole `Content-Type`; the initialiser returns nil if it has no usable boundary (RFC
    ///     2046, section 5.1.1).
    ///   - fieldBytes: the greatest number of bytes of all fields together.
    ///   - uploads: the rules of files that are written to the disk; nil to keep none.
    ///   - share: the space on the disk for them; nil for no limit.
    init?(
        contentType type: String,
        fieldBytes: Int,
        partCount: Int,
        uploads: UploadRules? = nil,
        share: UploadShare? = nil
    ) {
        guard let boundary = parameter("boundary", of: type), (1...70).contains(boundary.utf8.count),
            boundary.utf8.allSatisfy({ $0 >= 32 && $0 < 127 })
        else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.fieldBytes = fieldBytes
        self.partCount = partCount
        (self.uploads, self.share) = (uploads, share)
    }

    /// Consumes a part of the body.
    mutating func feed(_ bytes: some Collection<UInt8>) throws(Fault) {
        buffer += bytes
        while try step() {}
    }

    /// Declares the end of the body.
    mutating func finish() throws(Fault) {
        guard state == .end else { throw .malformed }
    }

    /// - Returns: whether the buffered bytes may allow a further step.
    private mutating func step() throws(Fault) -> Bool {
        switch state {
        case .end:
            buffer = []
            return false
        case .preamble, .content:
            guard let range = place(of: delimiter) else {
                // The delimiter may have arrived in part: as many bytes stay in the buffer.
                let safe = max(0, buffer.count - delimiter.count)
                if state == .content { try consume(buffer[..<safe]) }
                buffer.removeFirst(safe)
                return false
            }
            // The next two bytes tell whether another part follows.
            guard buffer.count >= range.upperBound + 2 else { return false }
            if state == .content {
                try consume(buffer[..<range.lowerBound])
                try endPart()
            }
            let next = Array(buffer[range.upperBound..<range.upperBound + 2])
            buffer.removeFirst(range.upperBound + 2)
            if next == Array("--".utf8) {
                state = .end
            } else if next == Array("\r\n".utf8) {
                state = .head
            } else {
                throw .malformed
            }
            return true
        case .head:
            guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else {
                guard buffer.count <= Self.headBytes else { throw .malformed }
                return false
            }
            guard end.lowerBound <= Self.headBytes else { throw .malformed }
            bytesInMemory += end.lowerBound
            try beginPart(Array(buffer[..<end.lowerBound]))
            buffer.removeFirst(end.upperBound)
            state = .content
            return true
        }
    }

    /// The place of a delimiter in the buffer. Few bytes are the first of a delimiter, and `memchr` finds them as fast as
    /// memory is read.
    private func place(of delimiter: [UInt8]) -> Range<Int>? {
        buffer.withUnsafeBytes { bytes in
            var offset = 0
            // Every address is within the buffer, because no place after its last possible delimiter is looked at.
            while let base = bytes.baseAddress, bytes.count - offset >= delimiter.count,
                let found = memchr(base + offset, 13, bytes.count - offset - delimiter.count + 1)
            {
                offset = UnsafeRawPointer(found) - base
                if memcmp(found, delimiter, delimiter.count) == 0 { return offset..<offset + delimiter.count }
                offset += 1
            }
            return nil
        }
    }

    private mutating func beginPart(_ head: [UInt8]) throws(Fault) {
        partsSeen += 1
        guard partsSeen <= partCount else { throw .tooLarge }
        guard let text = String(validating: head, as: UTF8.self) else { throw .malformed }
        part = Part()
        var isNamed = false
        for line in text.split(separator: "\r\n") {
            let sides = line.split(separator: ":", maxSplits: 1)
            guard sides.count == 2 else { throw .malformed }
            switch sides[0].lowercased() {
            case "content-disposition":
                guard let name = parameter("name", of: String(sides[1])) else { throw .malformed }
                part.field = name
                part.file = parameter("filename", of: String(sides[1])).map {
                    withoutFolders($0).inNormalForm
                }
                isNamed = true
            case "content-type": part.type = sides[1].filter { $0 != " " }
            default: break
            }
        }
        guard isNamed else { throw .malformed }
        if let uploads, part.file != nil {
            part.writer = UploadWriter(uploads, share, number: filesSeen)
        }
    }

    private mutating func consume(_ bytes: ArraySlice<UInt8>) throws(Fault) {
        if let writer = part.writer {
            writer.write(bytes)
            return
        }
        guard part.file == nil else { return part.size += bytes.count }
        fieldBytesSeen += bytes.count
        guard fieldBytesSeen <= fieldBytes else { throw .tooLarge }
        bytesInMemory += bytes.count
        part.content += bytes
    }

    private mutating func endPart() throws(Fault) {
        if let name = part.file {
            // A file field that was left empty is sent without a name and without content.
            guard !name.isEmpty || part.size > 0 || part.writer?.isEmpty == false else { return }
            if part.writer != nil { filesSeen += 1 }
            files.append(
                UploadedFile(
                    field: part.field,
                    name: name,
                    type: part.type,
                    size: part.size,
                    writer: part.writer
                )
            )
            part.writer = nil
        } else {
            guard let text = String(validating: part.content, as: UTF8.self), !text.utf8.contains(0) else {
                throw .malformed
            }
            fields.append(part.field, text.inNormalForm)
        }
    }
}

/// A parameter of a header's value, quoted or not; nil if it is missing.
private func parameter(_ name: String, of header: String) -> String? {
    var rest = Substring(header)
    while let semicolon = rest.firstIndex(of: ";") {
        rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
        guard rest.prefix(name.count + 1).lowercased() == name + "=" else { continue }
        rest = rest.dropFirst(name.count + 1)
        guard rest.first == "\"" else { return String(rest.prefix { $0 != ";" && $0 != " " }) }
        // Browsers encode a quote as %22 (WHATWG HTML, multipart form data).
        return String(rest.dropFirst().prefix { $0 != "\"" }).replacing("%22", with: "\"")
    }
    return nil
}

private func withoutFolders(_ name: String) -> String {
    String(name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? "")
}
