// A chart with a pair of bars for each month, such as income and spending.

import Links
import Texts

/// One month.
struct MonthDatum {
    let name: String
    let first: Int128
    let second: Int128
    let firstHref: Link
    let secondHref: Link
}

/// Pairs of bars from a zero baseline. The two words above them have the colours of the bars.
func monthChart(
    _ data: [MonthDatum],
    _ first: Text,
    _ second: Text,
    top topLabel: (Int128) -> String,
    label: String,
    _ texts: TextCatalogue
) -> String {
    let height = 240.0
    let base = height - 24
    let ceiling = 50.0
    var svg = SVG(height: Int(height), label: label)
    let highest = data.map { max($0.first, $0.second) }.max() ?? 0
    let scale = niceCeiling(highest)
    func y(_ minor: Int128) -> Double {
        scale > 0 ? base - Double(minor) / Double(scale) * (base - ceiling) : base
    }
    svg.label(texts.string(first), x: 0, y: 14, style: "v in")
    svg.label(texts.string(second), x: 100, y: 14, anchor: "end", style: "v out")
    for step in [scale, scale / 2] where scale > 0 {
        svg.line(x1: 0, y1: y(step), x2: 100, y2: y(step), style: "grid")
    }
    if scale > 0 { svg.label(topLabel(scale), x: 0, y: y(scale) - 5) }
    let slot = 100 / Double(max(data.count, 1))
    let width = min(slot * 0.34, 7)
    let every = max(1, (data.count + 11) / 12)
    for (index, datum) in data.enumerated() {
        let middle = (Double(index) + 0.5) * slot
        for (x, name, minor, href, style) in [
            (middle - width - 0.2, first, datum.first, datum.firstHref, "inc"),
            (middle + 0.2, second, datum.second, datum.secondHref, "exp"),
        ] {
            let top = y(max(minor, 0))
            let words = Text(
                "reports.bar-of-a-month",
                ["name": .text(name), "month": .string(datum.name), "amount": .string(topLabel(minor))]
            )
            svg.open(href, label: texts.string(words))
            svg.ground(x: x, y: ceiling, width: width, height: base - ceiling)
            svg.bar(x: x, y: top, width: width, height: base - top, style: style)
            svg.close(href)
        }
        if index % every == 0 { svg.label(datum.name, x: middle, y: height - 6, anchor: "middle") }
    }
    svg.line(x1: 0, y1: base, x2: 100, y2: base, style: "axis")
    return svg.finished()
}

/// The least round number that is not below the given one: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power
/// of ten.
func niceCeiling(_ value: Int128) -> Int128 {
    guard value > 0 else { return 0 }
    var power: Int128 = 1
    while power <= value / 10 { power *= 10 }
    for factor in [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100] as [Int128] {
        let ceiling = power * factor / 10
        if ceiling >= value { return ceiling }
    }
    return value
}
