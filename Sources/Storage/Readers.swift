// Further connections to a file, so that pages that are asked for at once need not wait for one another.
package import GRDB
import Synchronization

/// Connections for reading, opened when they are first needed and kept until the file is closed.
package final class Readers: Sendable {
    private struct Shelf {
        var idle: [DatabaseQueue] = []
        var all: [DatabaseQueue] = []
        var isClosed = false
    }

    /// Beside the first connection; a server has two workers, or three, that can be at one book.
    private static let most = 3
    private let path: String
    private let shelf = Mutex(Shelf())

    package init(of path: String) { self.path = path }

    /// A connection that nobody uses; nil where there are enough already, or none can be opened.
    package func take() -> DatabaseQueue? {
        shelf.withLock { shelf in
            guard !shelf.isClosed else { return nil }
            if let idle = shelf.idle.popLast() { return idle }
            guard shelf.all.count < Self.most, let opened = try? DatabaseFile.openForReading(at: path) else {
                return nil
            }
            shelf.all.append(opened)
            return opened
        }
    }

    package func giveBack(_ reader: DatabaseQueue) {
        shelf.withLock { if !$0.isClosed { $0.idle.append(reader) } }
    }

    /// Closes all, after the readings under way.
    package func close() {
        let all = shelf.withLock { shelf in
            shelf.isClosed = true
            shelf.idle = []
            defer { shelf.all = [] }
            return shelf.all
        }
        for reader in all { try? reader.close() }
    }
}
