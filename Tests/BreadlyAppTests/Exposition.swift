// Reads Prometheus' text exposition as strictly as `promtool check metrics` does, and a little more so.
import Foundation

/// A text that Prometheus reads: what is wrong with it, and its values.
struct Exposition {
    /// Sentences about what is wrong.
    private(set) var faults: [String] = []
    /// The values, by name and labels as they are written.
    private(set) var values: [String: Double] = [:]
    private var kinds: [String: String] = [:]
    private var helps: Set<String> = []
    private var last = ""
    private var ended: Set<String> = []
    private var buckets: [String: [(bound: String, count: Double)]] = [:]

    init(_ text: String) {
        if !text.hasSuffix("\n") { faults.append("the last line has no end") }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            read(String(line))
        }
        checkHistograms()
    }

    private mutating func read(_ line: String) {
        if let match = line.wholeMatch(of: /# (HELP|TYPE) (\S+) (.+)/) {
            let (_, what, name, rest) = match.output
            declare(String(what), String(name), String(rest), line)
            return
        }
        let sample = /([a-z_][a-z0-9_]*)(?:\{(.*)\})? (-?[0-9][0-9.e+-]*)/
        guard let match = line.wholeMatch(of: sample), let value = Double(match.output.3) else {
            return faults.append("no sample: \(line)")
        }
        let (name, labels) = (String(match.output.1), match.output.2.map(String.init) ?? "")
        let family =
            Self.suffixes.lazy.filter { name.hasSuffix($0) }.map { String(name.dropLast($0.count)) }
            .first { kinds[$0] == "histogram" } ?? name
        guard let kind = kinds[family] else { return faults.append("no TYPE before: \(line)") }
        if family != last { faults.append("\(family) comes in two pieces: \(line)") }
        if kind == "histogram", family == name { faults.append("a histogram's own value: \(line)") }
        checkLabels(labels, line)
        let series = labels.isEmpty ? name : "\(name){\(labels)}"
        if values.updateValue(value, forKey: series) != nil { faults.append("twice: \(series)") }
        if kind != "gauge", value < 0 { faults.append("below zero: \(line)") }
        if name.hasSuffix("_bucket"), kind == "histogram",
            let bound = labels.firstMatch(of: /(?:^|,)le="([^"]+)"$/)
        {
            let others = labels[..<bound.range.lowerBound]
            buckets["\(family){\(others)}", default: []].append((String(bound.output.1), value))
        }
    }

    private static let suffixes = ["_bucket", "_sum", "_count"]

    private mutating func declare(_ what: String, _ name: String, _ rest: String, _ line: String) {
        if name.wholeMatch(of: /[a-z][a-z0-9]*(?:_[a-z0-9]+)*/) == nil { faults.append("no name: \(line)") }
        if what == "HELP" {
            if !helps.insert(name).inserted { faults.append("HELP twice: \(name)") }
            if kinds[name] != nil { faults.append("HELP behind TYPE: \(name)") }
            return
        }
        if !helps.contains(name) { faults.append("no HELP before: \(line)") }
        if kinds.updateValue(rest, forKey: name) != nil { faults.append("TYPE twice: \(name)") }
        if !["counter", "gauge", "histogram"].contains(rest) { faults.append("no type: \(line)") }
        if (rest == "counter") != name.hasSuffix("_total") {
            faults.append("counters end in _total: \(line)")
        }
        let units = [
            "milliseconds", "microseconds", "minutes", "hours", "days", "kilobytes", "megabytes", "ms", "kb",
            "mb",
        ]
        if units.contains(where: { name.split(separator: "_").contains(Substring($0)) }) {
            faults.append("no base unit: \(name)")
        }
        for word in ["counter", "gauge", "histogram"] where name.contains(word) {
            faults.append("its type in its name: \(name)")
        }
        last = name
    }

    private mutating func checkLabels(_ labels: String, _ line: String) {
        guard !labels.isEmpty else { return }
        let label = /[a-z_][a-z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"/
        var rest = Substring(labels)
        var names: Set<Substring> = []
        while let match = rest.prefixMatch(of: label) {
            let name = match.output.prefix { $0 != "=" }
            if !names.insert(name).inserted { faults.append("a label twice: \(line)") }
            rest = rest[match.range.upperBound...]
            if rest.first == "," { rest = rest.dropFirst() } else { break }
        }
        if !rest.isEmpty { faults.append("no labels: \(line)") }
    }

    private mutating func checkHistograms() {
        for (series, all) in buckets {
            let counts = all.map(\.count)
            let bounds = all.map { $0.bound == "+Inf" ? Double.infinity : Double($0.bound) ?? .nan }
            if counts != counts.sorted() || bounds != bounds.sorted() {
                faults.append("buckets do not add up: \(series)")
            }
            if bounds.last != .infinity { faults.append("no +Inf: \(series)") }
            let parts = series.dropLast().split(
                separator: "{",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let (name, labels) = (parts[0], parts.count > 1 && !parts[1].isEmpty ? "{\(parts[1])}" : "")
            if values["\(name)_count\(labels)"] != counts.last { faults.append("no count: \(series)") }
            if values["\(name)_sum\(labels)"] == nil { faults.append("no sum: \(series)") }
        }
    }
}
