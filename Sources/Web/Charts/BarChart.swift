// A chart of horizontal bars, the largest first, each labelled with its name and amount.

import Ledger
import Links
import Texts

/// One bar.
struct BarDatum {
    let name: Text
    let color: String
    let minor: Int128
    let amount: String
    var href: Link?
}

/// Bars from a zero baseline at the left.
func barChart(_ data: [BarDatum], label: String, _ texts: TextCatalogue) -> String {
    let rowHeight = 44.0
    var svg = SVG(height: Int(rowHeight) * data.count, label: label)
    let largest = Double(data.map(\.minor).max() ?? 1)
    for (index, datum) in data.enumerated() {
        let top = Double(index) * rowHeight
        svg.open(datum.href)
        defer { svg.close(datum.href) }
        if datum.href != nil { svg.ground(x: 0, y: top, width: 100, height: rowHeight) }
        svg.label(texts.string(datum.name).shortened(to: 28), x: 0, y: top + 15)
        svg.label(datum.amount, x: 100, y: top + 15, anchor: "end", style: "v")
        let share = largest > 0 ? Double(datum.minor) / largest * 100 : 0
        svg.bar(x: 0, y: top + 22, width: max(share, 0.4), height: 12, style: "slab", color: datum.color)
    }
    return svg.finished()
}
