// Further connections to a file, so that pages that are asked for at once need not wait for one another.
package import GRDB
import Synchronization

/// Connections for reading, opened when they are first needed and kept until the file is closed.
package final class Readers: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        var all: [DatabaseQueue] = []
        /// Connections that are being opened.
        var opening = 0
        var isClosed = false
    }

    /// Beside the first connection; a server has two workers, or three, that can be at one book.
    private static let most = 3
    private let path: String
    private let state = Mutex(State())

    package init(of path: String) { self.path = path }

    /// A connection that nobody uses; nil where there are enough already, or none can be opened.
    package func take() -> DatabaseQueue? {
        let (idle, mayOpen) = state.withLock { state -> (DatabaseQueue?, Bool) in
            guard !state.isClosed else { return (nil, false) }
            if let idle = state.idle.popLast() { return (idle, false) }
            guard state.all.count + state.opening < Self.most else { return (nil, false) }
            state.opening += 1
            return (nil, true)
        }
        guard mayOpen else { return idle }
        let opened = try? DatabaseFile.openForReading(at: path)
        let isKept = state.withLock { state in
            state.opening -= 1
            guard !state.isClosed, let opened else { return false }
            state.all.append(opened)
            return true
        }
        if isKept { return opened }
        // The file was closed meanwhile.
        try? opened?.close()
        return nil
    }

    package func giveBack(_ reader: DatabaseQueue) {
        state.withLock { if !$0.isClosed { $0.idle.append(reader) } }
    }

    /// Closes all, after the readings under way.
    package func close() {
        let all = state.withLock { state in
            state.isClosed = true
            state.idle = []
            defer { state.all = [] }
            return state.all
        }
        for reader in all { try? reader.close() }
    }
}
