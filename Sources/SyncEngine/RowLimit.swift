// The size of the pages that are asked for.

package import CloudProtocol

/// The maximum number of rows in the answers to a replica's requests. A line that breaks within an answer halves it,
/// because a smaller answer may come through; a success doubles it, up to the usual number. Quick answers have more
/// rows: each answer costs the way to the cloud and back. Slow answers have no more, because the rows of one answer are
/// shown together.
package struct RowLimit: Hashable, Sendable {
    /// The time of a quick answer, in milliseconds.
    private static let quick: Int64 = 500
    /// The time of a slow answer, in milliseconds.
    private static let slow: Int64 = 2_000

    /// The present number; at least one.
    package private(set) var rows: Int
    private let usual: Int
    private let most: Int

    /// - Parameters:
    ///   - usual: the number for a line that does not break.
    ///   - most: the number for quick answers; nil for the usual one.
    package init(_ usual: Int, upTo most: Int? = nil) {
        (rows, self.usual, self.most) = (usual, usual, most ?? usual)
    }

    /// Notes the failure of a request for rows.
    package mutating func note(_ error: CloudError) {
        switch error {
        case .timedOut, .cutOff: rows = max(1, rows / 2)
        default: break
        }
    }

    /// Notes that an answer has arrived.
    /// - Parameter milliseconds: the time since its request.
    mutating func noteAnswer(after milliseconds: Int64) {
        switch milliseconds {
        case ..<Self.quick: rows = min(most, rows * 2)
        case Self.slow...: rows = min(usual, rows * 2)
        default: rows = max(rows, min(usual, rows * 2))
        }
    }
}
