// Lines for the operator.

/// How much a line of the log matters: the higher, the more.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    /// Every step of a device and of its sync.
    case debug
    /// Routine: start and stop, what was carried out.
    case info
    /// A failure that mends itself or is tried again, and a stranger that was refused.
    case warning
    /// A failure that the operator has to look at: a damaged book, a disk that cannot be written, a fault.
    case error

    private var rank: Int {
        switch self {
        case .debug: 0
        case .info: 1
        case .warning: 2
        case .error: 3
        }
    }

    /// As `Comparable`.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rank < right.rank }
}

/// The log: lines for the operator. They hold no personal data and no secrets, and name errors in words.
///
///     log("forgotten: 3 idle guests")
///     log.error("a book is damaged: \(path)")
///
/// Safe to call from any thread, and not while a lock is held.
public struct Log: Sendable {
    private let least: LogLevel
    private let sink: @Sendable (LogLevel, String) -> Void

    /// A log.
    /// - Parameters:
    ///   - least: the lowest level that is written; lines below it are not even made.
    ///   - sink: writes a line, or keeps it for a test.
    public init(from least: LogLevel = .debug, _ sink: @escaping @Sendable (LogLevel, String) -> Void) {
        self.least = least
        self.sink = sink
    }

    /// Nobody reads it.
    public static let off = Log(from: .error) { _, _ in }

    /// Writes a line at a level.
    public func write(_ line: @autoclosure () -> String, at level: LogLevel) {
        if level >= least { sink(level, line()) }
    }

    /// Writes a line of routine.
    public func callAsFunction(_ line: @autoclosure () -> String) { write(line(), at: .info) }

    /// Writes a line about a failure that the operator has to look at.
    public func error(_ line: @autoclosure () -> String) { write(line(), at: .error) }

    /// Writes a line about a failure that mends itself, or about a stranger.
    public func warning(_ line: @autoclosure () -> String) { write(line(), at: .warning) }

    /// Writes a line about a single step.
    public func debug(_ line: @autoclosure () -> String) { write(line(), at: .debug) }
}
