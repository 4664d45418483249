// The lines of the log: text for people and fail2ban, or JSON for programs that collect logs.

import Encoding
import Foundation
import Ledger
import Logging
import SyncCore

/// The format of log lines.
public enum LogFormat: String, CaseIterable, Sendable {
    /// `2026-11-21T12:00:00+0000 info breadly: [breadly] a message`, in local time, as swift-log's own
    /// handler writes it; metadata follows as `name=value`.
    case text
    /// One object for each line: `time` (RFC 3339, UTC), `level`, `message`, and the metadata.
    case json
}

struct LogLines: Sendable {
    let format: LogFormat
    /// Milliseconds since 1970 (UTC).
    let milliseconds: @Sendable () -> Int64
    /// The offset of local time from UTC at a time, in seconds.
    let zoneOffset: @Sendable (_ seconds: Int64) -> Int

    /// The order of metadata; other names follow alphabetically.
    private static let order = ["method", "route", "status", "bytes", "milliseconds", "address"]

    /// A line with its line break. The message is escaped, so that it cannot begin another line.
    func line(_ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata) -> String {
        let now = milliseconds()
        let fields = metadata.isEmpty ? [] : Self.sorted(metadata)
        switch format {
        case .text:
            let head = "\(localTime(now / 1_000)) \(level) breadly: [breadly] \(printable(message))"
            return fields.reduce(into: head) { $0 += " \($1.key)=\(Self.word("\($1.value)"))" } + "\n"
        case .json:
            var writer = JSONWriter()
            writer.object { object in
                object.member("time", Self.universalTime(now))
                object.member("level", "\(level)")
                object.member("message", printable(message))
                for (name, value) in fields {
                    if let number = Self.number(value) {
                        object.member(name, json: number)
                    } else {
                        object.member(name, printable("\(value)"))
                    }
                }
            }
            return String(decoding: writer.bytes, as: UTF8.self) + "\n"
        }
    }

    private static func sorted(_ metadata: Logger.Metadata) -> [(key: String, value: Logger.MetadataValue)] {
        let known = order.compactMap { name in metadata[name].map { (key: name, value: $0) } }
        return known + metadata.filter { !order.contains($0.key) }.sorted { $0.key < $1.key }
    }

    /// A value of one word unchanged, any other one in quotes.
    private static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x3D }
        return isPlain ? text : "\"" + printable(text).replacing("\"", with: "'") + "\""
    }

    /// A number in JSON; nil for any other value.
    private static func number(_ value: Logger.MetadataValue) -> String? {
        guard case .stringConvertible(let value) = value else { return nil }
        return value is Int || value is Double ? "\(value)" : nil
    }

    private static func universalTime(_ milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return "\(dayAndTime(seconds)).\(digits(rest, 3))Z"
    }

    private func localTime(_ seconds: Int64) -> String {
        let offset = Int64(zoneOffset(seconds))
        let minutes = abs(offset) / 60
        let zone = "\(offset < 0 ? "-" : "+")\(Self.digits(minutes / 60, 2))\(Self.digits(minutes % 60, 2))"
        return Self.dayAndTime(seconds + offset) + zone
    }

    private static func dayAndTime(_ seconds: Int64) -> String {
        let day = CivilDate(dayNumber: Int32(clamping: seconds / 86_400))
        let rest = seconds % 86_400
        return "\(day)T\(digits(rest / 3_600, 2)):\(digits(rest / 60 % 60, 2)):\(digits(rest % 60, 2))"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
