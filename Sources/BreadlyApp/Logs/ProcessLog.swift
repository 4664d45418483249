// The log of a process: writes lines to standard error, without blocking on its reader.

import Devices
import Dispatch
import Foundation
public import HTTPServer
import Logging
public import SyncCore
import Synchronization

/// The settings of a process's log.
public struct LogSettings: Hashable, Sendable {
    /// The lowest level that is written.
    public var level = LogLevel.info
    /// The format of lines.
    public var format = LogFormat.text
    /// Whether each answered request is logged, independent of the level.
    public var access = false

    /// The settings above.
    public init() {}
}

/// The log of a process. Safe to use from any thread.
///
/// A queue writes the lines from memory, so that a reader that is slow, gone or full blocks no request. Lines
/// beyond `mostBytes` are dropped, and their number is logged once there is room.
public final class ProcessLog: Sendable {
    private struct State {
        var pending: [UInt8] = []
        var isWriting = false
        var dropped = 0
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "breadly.log")
    private let lines: LogLines
    private let output: @Sendable ([UInt8]) -> Void
    private let settings: LogSettings
    /// The number of bytes that may wait for the reader.
    static let mostBytes = 1 << 20

    /// The log of this process, on standard error.
    public convenience init(_ settings: LogSettings) {
        let zone = TimeZones.current
        let lines = LogLines(
            format: settings.format,
            milliseconds: { Int64(Date().timeIntervalSince1970 * 1_000) },
            zoneOffset: { TimeZones.offset(zone, at: $0) ?? 0 }
        )
        self.init(settings, lines) { try? FileHandle.standardError.write(contentsOf: Data($0)) }
    }

    /// - Parameter output: writes bytes, and may block.
    init(_ settings: LogSettings, _ lines: LogLines, output: @escaping @Sendable ([UInt8]) -> Void) {
        self.settings = settings
        self.lines = lines
        self.output = output
    }

    /// The log for everything except requests.
    public var log: Log {
        let logger = logger(from: settings.level)
        return Log(from: settings.level) { level, line in
            logger.log(level: Logger.Level(level), "\(line)")
        }
    }

    /// Logs an answered request; nil if the access log is off.
    public var access: (@Sendable (ServedRequest) -> Void)? {
        guard settings.access else { return nil }
        let logger = logger(from: .info)
        return { request in
            logger.info(
                "request",
                metadata: [
                    "method": .string(request.method), "route": .string(request.route),
                    "status": .stringConvertible(request.status), "bytes": .stringConvertible(request.bytes),
                    "milliseconds": .stringConvertible((request.seconds * 100_000).rounded() / 100),
                    "address": .string(request.address),
                ]
            )
        }
    }

    private func logger(from level: LogLevel) -> Logger {
        var logger = Logger(label: "breadly") { _ in LineHandler(log: self) }
        logger.logLevel = Logger.Level(level)
        return logger
    }

    /// Waits until all lines so far are written, up to a limit.
    public func flush(withinSeconds seconds: Int = 2) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + .seconds(seconds))
    }

    fileprivate func write(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) {
        let line = lines.line(level, message, metadata)
        let isFirst = state.withLock { state in
            guard state.pending.count + line.utf8.count <= Self.mostBytes else {
                state.dropped += 1
                return false
            }
            state.pending += line.utf8
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { self.writeAll() } }
    }

    /// Writes until no line waits.
    private func writeAll() {
        while true {
            let (bytes, dropped) = state.withLock { state in
                let waiting = (state.pending, state.dropped)
                state = State()
                state.isWriting = !waiting.0.isEmpty
                return waiting
            }
            guard !bytes.isEmpty else { return }
            output(bytes)
            if dropped > 0 {
                output(
                    Array(
                        lines.line(.warning, "\(dropped) lines of the log are lost: its reader is slow", [:])
                            .utf8
                    )
                )
            }
        }
    }
}

/// Passes the lines of swift-log to the log of the process.
private struct LineHandler: LogHandler {
    let log: ProcessLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        log.write(event.level, "\(event.message)", all)
    }
}

extension Logger.Level {
    fileprivate init(_ level: LogLevel) {
        self =
            switch level {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .error: .error
            }
    }
}
