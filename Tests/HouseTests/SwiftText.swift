// What a Swift file says once its comments and the words in its strings are gone, so that rules about code are held
// against code alone.

/// Blanks comments and the contents of string literals; keeps lines and columns, and the code in interpolations.
struct SwiftText {
    private let source: [UInt8]
    private var output: [UInt8]
    private var position = 0

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
        while let byte = peek() {
            if byte == UInt8(ascii: "\n"), !isLong { return }
            if byte == UInt8(ascii: "\\"), followed(by: UInt8(ascii: "#"), times: hashes, from: 1) {
                if peek(1 + hashes) == UInt8(ascii: "(") {
                    blank(2 + hashes)
                    scanCode(inInterpolation: true)
                    blank()
                } else {
                    blank(2 + hashes)
                }
            } else if followed(by: UInt8(ascii: "\""), times: quotes, from: 0),
                followed(by: UInt8(ascii: "#"), times: hashes, from: quotes)
            {
                position += quotes + hashes
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
