// A chart of a line over months, filled down to zero, with labels at both ends.

import Ledger
import Links
import Texts

/// One point of the line.
struct WorthDatum {
    let name: String
    let minor: Int128
    let amount: String
    let href: Link
}

/// The line. The vertical range always includes zero. Each point is a link, which takes the clicks above and below it.
func worthChart(_ data: [WorthDatum], label: String, _ texts: TextCatalogue) -> String {
    let height = 220.0
    let top = 30.0
    let bottom = height - 28
    var svg = SVG(height: Int(height), label: label)
    let values = data.map { Double($0.minor) }
    let highest = max(values.max() ?? 0, 0)
    let lowest = min(values.min() ?? 0, 0)
    let span = max(highest - lowest, 1)
    func y(_ value: Double) -> Double { bottom - (value - lowest) / span * (bottom - top) }
    func x(_ index: Int) -> Double {
        data.count < 2 ? 50 : 2 + Double(index) / Double(data.count - 1) * 96
    }
    let points = values.enumerated().map { (x: x($0.offset), y: y($0.element)) }
    if let first = points.first, let last = points.last {
        svg.area([(first.x, y(0))] + points + [(last.x, y(0))], height: height)
    }
    svg.line(x1: 0, y1: y(0), x2: 100, y2: y(0), style: "axis")
    for (start, end) in zip(points, points.dropFirst()) {
        svg.line(x1: start.x, y1: start.y, x2: end.x, y2: end.y, style: "line")
    }
    // The labels are counted from the end, which always has one; six fit beside each other on a phone.
    let every = max(1, (data.count + 5) / 6)
    for (index, datum) in data.enumerated() where (data.count - 1 - index) % every == 0 {
        let anchor = index == 0 ? "start" : index == data.count - 1 ? "end" : "middle"
        svg.label(
            datum.name,
            x: index == 0 ? 0 : index == data.count - 1 ? 100 : x(index),
            y: height - 6,
            anchor: anchor
        )
    }
    if let first = data.first, let point = points.first, data.count > 1 {
        svg.label(first.amount, x: 0, y: point.y - 12)
    }
    if let last = data.last, let point = points.last {
        svg.label(last.amount, x: 100, y: point.y - 12, anchor: "end", style: "v")
    }
    let slot = 96 / Double(max(data.count - 1, 1))
    for (index, (datum, point)) in zip(data, points).enumerated() {
        let words = Text(
            "reports.point-of-a-month",
            ["month": .string(datum.name), "amount": .string(datum.amount)]
        )
        let (left, right) = (max(point.x - slot / 2, 0), min(point.x + slot / 2, 100))
        svg.open(datum.href, label: texts.string(words))
        svg.ground(x: left, y: 0, width: right - left, height: bottom)
        svg.point(x: point.x, y: point.y, isFaint: index < data.count - 1)
        svg.close(datum.href)
    }
    return svg.finished()
}
