// Counters and durations for the operator's Prometheus, as text.

import Synchronization

/// The counters of the process. Safe to use from any thread.
///
/// Names and the format follow Prometheus' text exposition, version 0.0.4:
/// https://prometheus.io/docs/instrumenting/exposition_formats/.
final class Metrics: Sendable {
    /// A name with its labels.
    struct Series: Hashable, Comparable {
        let name: String
        /// In the text format: `call="push",result="ok"`.
        let labels: String

        static func < (left: Series, right: Series) -> Bool {
            (left.name, left.labels) < (right.name, right.labels)
        }
    }

    private struct State {
        var counters: [Series: Int64] = [:]
        var times: [Series: Histogram] = [:]
    }

    /// Bounds in seconds, from a read in memory to a request that users would call stuck.
    private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

    private let state = Mutex(State())

    /// Adds to a counter.
    func add(_ count: Int = 1, to name: String, _ labels: KeyValuePairs<String, String> = [:]) {
        let series = Series(name: name, labels: Self.written(labels))
        state.withLock { $0.counters[series, default: 0] += Int64(count) }
    }

    /// Records a duration.
    func note(seconds: Double, of name: String, _ labels: KeyValuePairs<String, String> = [:]) {
        let series = Series(name: name, labels: Self.written(labels))
        state.withLock { $0.times[series, default: Histogram(Self.bounds)].note(seconds) }
    }

    /// Labels in the text format, with escaped values.
    static func written(_ labels: KeyValuePairs<String, String>) -> String {
        labels.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                .replacing("\n", with: "\\n")
            return "\(name)=\"\(escaped)\""
        }.joined(separator: ",")
    }

    /// Writes all counters, a line each.
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

/// Text in Prometheus' format.
struct MetricsText {
    private(set) var text = ""
    private var begun: Set<String> = []
    private let helps: [String: String]

    /// - Parameter helps: the description of each name.
    init(helps: [String: String]) { self.helps = helps }

    /// Writes the description and the kind of a name, once.
    mutating func begin(_ name: String, kind: String) {
        guard begun.insert(name).inserted else { return }
        if let help = helps[name] { text += "# HELP \(name) \(help)\n" }
        text += "# TYPE \(name) \(kind)\n"
    }

    /// Writes a value.
    /// - Parameter kind: nil if the name was written with its kind before.
    mutating func line(_ name: String, labels: String = "", _ value: String, kind: String? = nil) {
        if let kind { begin(name, kind: kind) }
        text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
}
