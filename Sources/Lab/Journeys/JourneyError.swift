// The reason why a file of journeys or of the coverage cannot be read.

/// A line of such a file that cannot be read.
package struct JourneyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file.
    package let file: String
    /// From 1; 0 for the file as a whole.
    let line: Int
    let reason: String

    /// A line for the log.
    package var description: String { "\(file):\(line): \(reason)" }
}
