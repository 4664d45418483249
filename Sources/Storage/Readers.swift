// Additional connections to a file, so that concurrent reads need not wait for each other.
import GRDB
import Synchronization

/// Read connections, opened on demand and kept until the file is closed.
final class Readers: Sendable {
    private struct State {
        var idle: [DatabaseQueue] = []
        var all: [DatabaseQueue] = []
        /// The number of connections that are being opened.
        var opening = 0
        var isClosed = false
    }

    /// The limit beside the main connection: a server has two or three workers that can read one book.
    private static let most = 3
    private let path: String
    private let state = Mutex(State())

    init(of path: String) { self.path = path }

    /// An unused connection; nil if the limit is reached or no connection can be opened.
    func borrow() -> DatabaseQueue? {
        let (idle, mayOpen) = state.withLock { state -> (DatabaseQueue?, Bool) in
            guard !state.isClosed else { return (nil, false) }
            if let idle = state.idle.popLast() { return (idle, false) }
            guard state.all.count + state.opening < Self.most else { return (nil, false) }
            state.opening += 1
            return (nil, true)
        }
        guard mayOpen else { return idle }
        let opened = try? DatabaseFile.openForReading(at: path)
        let isAdded = state.withLock { state in
            state.opening -= 1
            guard !state.isClosed, let opened else { return false }
            state.all.append(opened)
            return true
        }
        if isAdded { return opened }
        // The file was closed in the meantime.
        try? opened?.close()
        return nil
    }

    func giveBack(_ reader: DatabaseQueue) {
        state.withLock { if !$0.isClosed { $0.idle.append(reader) } }
    }

    /// Closes the connections that are not in use. Each has memory for the whole schema.
    func closeIdle() {
        let idle = state.withLock { state in
            let idle = state.idle
            state.all.removeAll { reader in idle.contains { $0 === reader } }
            state.idle = []
            return idle
        }
        for reader in idle { try? reader.close() }
    }

    /// Closes all connections after the reads under way.
    func close() {
        let all = state.withLock { state in
            state.isClosed = true
            state.idle = []
            defer { state.all = [] }
            return state.all
        }
        for reader in all { try? reader.close() }
    }
}
