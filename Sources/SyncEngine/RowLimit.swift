// The size of the pages that are asked for.

package import CloudProtocol

/// The maximum number of rows in the answers to a replica's requests. A line that breaks within an answer halves it, because
/// a smaller answer may come through; a success doubles it.
package struct RowLimit: Hashable, Sendable {
    /// The present number; at least one.
    package private(set) var rows: Int
    private let most: Int

    /// - Parameter most: the number for a line that does not break.
    package init(_ most: Int) { (rows, self.most) = (most, most) }

    /// Notes the failure of a request for rows.
    package mutating func note(_ error: CloudError) {
        switch error {
        case .timedOut, .cutOff: rows = max(1, rows / 2)
        default: break
        }
    }

    /// Notes that an answer has arrived.
    mutating func noteAnswer() { rows = min(most, rows * 2) }
}
