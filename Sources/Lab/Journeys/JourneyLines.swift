// The lines of a file of the lab, one after another.

import Texts

/// The lines of a file that are still to be read, without empty ones and comments, which begin with `#`.
struct JourneyLines {
    private var reversed: [JourneyLine]

    /// - Throws: `JourneyError` for bytes that are not UTF-8.
    init(_ file: String, _ bytes: [UInt8], _ texts: TextCatalogue) throws(JourneyError) {
        guard let source = String(validating: bytes, as: UTF8.self) else {
            throw JourneyError(file: file, line: 1, reason: "the file is not UTF-8")
        }
        reversed = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .compactMap { index, line in JourneyLine(line, at: (file, index + 1), texts) }
            .reversed()
    }

    /// The next line; nil at the end.
    var first: JourneyLine? { reversed.last }

    /// Removes the next line.
    mutating func removeFirst() { reversed.removeLast() }

    /// Removes the next line if it is about this.
    mutating func next(_ keyword: String) -> JourneyLine? {
        first?.keyword == keyword ? reversed.popLast() : nil
    }

    /// Removes the line with which the file begins.
    mutating func begin(_ keyword: String) throws(JourneyError) -> JourneyLine {
        guard let line = next(keyword) else {
            throw first?.error("the first line is '\(keyword)'")
                ?? JourneyError(file: "", line: 0, reason: "no lines")
        }
        return line
    }

    /// Removes the next line, which must be about this.
    mutating func wanted(_ keyword: String, after line: JourneyLine) throws(JourneyError) -> JourneyLine {
        guard let found = next(keyword) else { throw (first ?? line).error("'\(keyword)' is missing") }
        return found
    }
}
