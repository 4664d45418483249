// Histograms of durations.

/// Durations in seconds, counted by upper bounds.
struct Histogram {
    private let bounds: [Double]
    private var counts: [Int]
    private(set) var count = 0
    private var sum = 0.0

    /// - Parameter bounds: the upper bounds of the buckets, ascending.
    init(_ bounds: [Double]) {
        self.bounds = bounds
        counts = [Int](repeating: 0, count: bounds.count)
    }

    mutating func note(_ seconds: Double) {
        count += 1
        sum += seconds
        for (index, bound) in bounds.enumerated() where seconds <= bound { counts[index] += 1 }
    }

    /// Writes the series in Prometheus' text format.
    func write(_ name: String, labels: String, into text: inout MetricsText) {
        let lead = labels.isEmpty ? "" : labels + ","
        text.begin(name, kind: "histogram")
        for (bound, count) in zip(bounds, counts) {
            text.line("\(name)_bucket", labels: "\(lead)le=\"\(bound)\"", "\(count)")
        }
        text.line("\(name)_bucket", labels: "\(lead)le=\"+Inf\"", "\(count)")
        text.line("\(name)_sum", labels: labels, "\(sum)")
        text.line("\(name)_count", labels: labels, "\(count)")
    }
}
