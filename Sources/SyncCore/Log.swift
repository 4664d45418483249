// The log: lines for the operator.

/// The importance of a line in the log; a higher level is more important.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Each step of a device and of its sync.
    case debug
    /// Routine: start, stop, and completed work.
    case info
    /// A failure that is retried or ends by itself, and a client that was refused.
    case warning
    /// A failure that needs the operator: a damaged book, a disk that cannot be written, a fault of the
    /// program.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// Orders levels by importance, `debug` first.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// The log: lines for the operator. Lines contain no personal data and no secrets, and describe errors in
/// words.
///
///     log("forgotten: 3 idle guests")
///     log.error("a book is damaged: \(path)")
///
/// It can be called from any thread, but not while a lock is held.
public struct Log: Sendable {
    private let least: LogLevel
    private let sink: @Sendable (LogLevel, String) -> Void

    /// A log that writes the lines from a level on.
    /// - Parameters:
    ///   - least: the lowest level that is written. Lines below it are not evaluated.
    ///   - sink: writes a line, or stores it for a test.
    public init(from least: LogLevel = .debug, _ sink: @escaping @Sendable (LogLevel, String) -> Void) {
        self.least = least
        self.sink = sink
    }

    /// A log that writes nothing.
    public static let off = Log(from: .error) { _, _ in }

    /// Writes a line at a level.
    public func write(_ line: @autoclosure () -> String, at level: LogLevel) {
        if level >= least { sink(level, line()) }
    }

    /// Writes a line of routine, at `info`.
    public func callAsFunction(_ line: @autoclosure () -> String) { write(line(), at: .info) }

    /// Writes a line at `error`: a failure that needs the operator.
    public func error(_ line: @autoclosure () -> String) { write(line(), at: .error) }

    /// Writes a line at `warning`: a failure that ends by itself, or a client that was refused.
    public func warning(_ line: @autoclosure () -> String) { write(line(), at: .warning) }

    /// Writes a line at `debug`: a single step.
    public func debug(_ line: @autoclosure () -> String) { write(line(), at: .debug) }
}
