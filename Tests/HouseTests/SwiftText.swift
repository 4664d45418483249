// The code of a Swift file without its comments and the text of its strings, so that rules about code apply
// to code only; and its comments.

/// The content of a string literal, or its part beside an interpolation.
struct Literal {
    /// The line of its beginning, from 1.
    var line: Int
    var text: String
    /// The text before it, with its opening quote.
    var before: String
}

/// A comment in lines, without its slashes.
struct Comment {
    /// Its first line, from 1.
    var line: Int
    var text: String
}

/// Blanks comments and the contents of string literals; keeps lines and columns, and the code in interpolations.
struct SwiftText {
    private let source: [UInt8]
    private var output: [UInt8]
    private var position = 0
    /// Where the line comments are, with their slashes.
    private var comments: [Range<Int>] = []
    /// Where the contents of string literals are, without quotes; an interpolation divides its literal.
    private var strings: [Range<Int>] = []

    private init(_ text: String) {
        source = Array(text.utf8)
        output = source
    }

    /// The text with everything but code replaced by spaces.
    static func codeOnly(_ text: String) -> String {
        var scanner = SwiftText(text)
        scanner.scanCode(inInterpolation: false)
        return String(decoding: scanner.output, as: UTF8.self)
    }

    /// The contents of the string literals. An interpolation divides its literal in two.
    static func strings(_ text: String) -> [Literal] {
        var scanner = SwiftText(text)
        scanner.scanCode(inInterpolation: false)
        var (line, end) = (1, 0)
        return scanner.strings.sorted { $0.lowerBound < $1.lowerBound }.map { range in
            line += scanner.source[end..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            end = range.lowerBound
            let before = scanner.source[..<range.lowerBound].suffix(40)
            return Literal(
                line: line,
                text: String(decoding: scanner.source[range], as: UTF8.self),
                before: String(decoding: before, as: UTF8.self)
            )
        }
    }

    /// The comments in lines, each block of consecutive lines as one.
    static func comments(_ text: String) -> [Comment] {
        var scanner = SwiftText(text)
        scanner.scanCode(inInterpolation: false)
        var found: [Comment] = []
        var (line, end, lastLine) = (1, 0, 0)
        for range in scanner.comments {
            line += scanner.source[end..<range.lowerBound].count { $0 == UInt8(ascii: "\n") }
            end = range.upperBound
            let words = String(
                decoding: scanner.source[range].drop { $0 == UInt8(ascii: "/") },
                as: UTF8.self
            )
            if line == lastLine + 1, !found.isEmpty {
                found[found.count - 1].text += words
            } else {
                found.append(Comment(line: line, text: words))
            }
            lastLine = line
        }
        return found
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        let index = position + offset
        return index < source.count ? source[index] : nil
    }

    private func looking(at text: StaticString, from offset: Int = 0) -> Bool {
        text.withUTF8Buffer { wanted in
            position + offset + wanted.count <= source.count
                && wanted.indices.allSatisfy { source[position + offset + $0] == wanted[$0] }
        }
    }

    private mutating func blank(_ count: Int = 1) {
        let end = min(position + count, source.count)
        for index in position..<end where source[index] != UInt8(ascii: "\n") {
            output[index] = UInt8(ascii: " ")
        }
        position = end
    }

    /// Up to the end of the text, or to the parenthesis that closes the interpolation.
    private mutating func scanCode(inInterpolation: Bool) {
        var depth = 0
        while let byte = peek() {
            if looking(at: "//") {
                let start = position
                defer { comments.append(start..<position) }
                while let next = peek(), next != UInt8(ascii: "\n") { blank() }
            } else if looking(at: "/*") {
                scanBlockComment()
            } else if byte == UInt8(ascii: "\"") {
                scanString(hashes: 0)
            } else if byte == UInt8(ascii: "#"), let hashes = hashesBeforeQuote() {
                position += hashes
                scanString(hashes: hashes)
            } else {
                if byte == UInt8(ascii: "(") { depth += 1 }
                if byte == UInt8(ascii: ")") {
                    if inInterpolation, depth == 0 { return }
                    depth -= 1
                }
                position += 1
            }
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if looking(at: "/*") {
                depth += 1
                blank(2)
            } else if looking(at: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && position < source.count
    }

    private func hashesBeforeQuote() -> Int? {
        var count = 0
        while peek(count) == UInt8(ascii: "#") { count += 1 }
        return peek(count) == UInt8(ascii: "\"") ? count : nil
    }

    /// From the opening quote to behind the closing one; a one-line string ends with its line in any case.
    private mutating func scanString(hashes: Int) {
        let isLong = looking(at: "\"\"\"")
        let quotes = isLong ? 3 : 1
        position += quotes
        var start = position
        // The length of the closing quotes.
        var ends = 0
        defer { strings.append(start..<max(start, min(position, source.count) - ends)) }
        while let byte = peek() {
            if byte == UInt8(ascii: "\n"), !isLong { return }
            if byte == UInt8(ascii: "\\"), followed(by: UInt8(ascii: "#"), times: hashes, from: 1) {
                if peek(1 + hashes) == UInt8(ascii: "(") {
                    strings.append(start..<position)
                    blank(2 + hashes)
                    scanCode(inInterpolation: true)
                    blank()
                    start = position
                } else {
                    blank(2 + hashes)
                }
            } else if followed(by: UInt8(ascii: "\""), times: quotes, from: 0),
                followed(by: UInt8(ascii: "#"), times: hashes, from: quotes)
            {
                position += quotes + hashes
                ends = quotes + hashes
                return
            } else {
                blank()
            }
        }
    }

    private func followed(by byte: UInt8, times: Int, from offset: Int) -> Bool {
        (0..<times).allSatisfy { peek(offset + $0) == byte }
    }
}
