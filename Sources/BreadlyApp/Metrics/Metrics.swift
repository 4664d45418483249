// Counters and times for an operator's Prometheus, as text.

import Synchronization

/// What is counted while the process runs. Safe to use from any thread.
///
/// Names and the format are those of Prometheus' text exposition, version 0.0.4:
/// https://prometheus.io/docs/instrumenting/exposition_formats/.
final class Metrics: Sendable {
    /// A value under a name and its labels.
    struct Series: Hashable, Comparable {
        let name: String
        /// As they are written: `call="push",result="ok"`.
        let labels: String

        static func < (left: Series, right: Series) -> Bool {
            (left.name, left.labels) < (right.name, right.labels)
        }
    }

    private struct State {
        var counters: [Series: Int64] = [:]
        var times: [Series: Histogram] = [:]
    }

    /// Seconds: from a read in memory to what a person would call stuck.
    private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

    private let state = Mutex(State())

    /// Counts so many.
    func add(_ count: Int = 1, to name: String, _ labels: KeyValuePairs<String, String> = [:]) {
        let series = Series(name: name, labels: Self.written(labels))
        state.withLock { $0.counters[series, default: 0] += Int64(count) }
    }

    /// Notes how long something took.
    func note(seconds: Double, of name: String, _ labels: KeyValuePairs<String, String> = [:]) {
        let series = Series(name: name, labels: Self.written(labels))
        state.withLock { $0.times[series, default: Histogram(Self.bounds)].note(seconds) }
    }

    /// Labels as they are written, their values escaped.
    static func written(_ labels: KeyValuePairs<String, String>) -> String {
        labels.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }.joined(separator: ",")
    }

    /// All that was counted, a line each.
    func write(into text: inout MetricsText) {
        let (counters, times) = state.withLock { ($0.counters, $0.times) }
        for (series, value) in counters.sorted(by: { $0.key < $1.key }) {
            text.line(series.name, labels: series.labels, "\(value)", kind: "counter")
        }
        for (series, times) in times.sorted(by: { $0.key < $1.key }) {
            times.write(series.name, labels: series.labels, into: &text)
        }
    }
}

/// The text that Prometheus reads.
struct MetricsText {
    private(set) var text = ""
    private var begun: Set<String> = []
    private let helps: [String: String]

    /// - Parameter helps: what each name means.
    init(helps: [String: String]) { self.helps = helps }

    /// Says, once, what a name means and of what kind it is.
    mutating func begin(_ name: String, kind: String) {
        guard begun.insert(name).inserted else { return }
        if let help = helps[name] { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(kind)\n"
    }

    /// A value.
    /// - Parameter kind: nil where the name was begun under another one.
    mutating func line(_ name: String, labels: String = "", _ value: String, kind: String? = nil) {
        if let kind { begin(name, kind: kind) }
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
