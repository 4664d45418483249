// A chart of categories with three bars each: a month, the month before, and an average.

import Links
import Texts

/// One category.
struct ComparisonDatum {
    let name: Text
    let color: String
    let amount: String
    /// The amounts of the month, of the month before, and of the average.
    let minors: [Int128]
    let href: Link
}

/// Three bars for each category from a zero baseline at the left, each fainter than the one before.
/// - Parameter legend: the names of the three bars.
func comparisonBars(_ data: [ComparisonDatum], legend: [Text], label: String, _ texts: TextCatalogue)
    -> String
{
    let (head, rowHeight) = (24.0 * Double(legend.count), 62.0)
    let styles = ["slab", "was", "usual"]
    var svg = SVG(height: Int(head + rowHeight * Double(data.count)), label: label)
    for (index, (name, style)) in zip(legend, styles).enumerated() {
        let top = Double(index) * 24
        svg.bar(x: 0, y: top + 6, width: 6, height: 8, style: style, color: "crust")
        svg.label(texts.string(name), x: 8, y: top + 15)
    }
    let largest = Double(data.flatMap(\.minors).max() ?? 1)
    for (index, datum) in data.enumerated() {
        let top = head + Double(index) * rowHeight
        svg.open(datum.href)
        svg.ground(x: 0, y: top, width: 100, height: rowHeight)
        svg.label(texts.string(datum.name).shortened(to: 28), x: 0, y: top + 15)
        svg.label(datum.amount, x: 100, y: top + 15, anchor: "end", style: "v")
        for (place, (minor, style)) in zip(datum.minors, styles).enumerated() {
            let share = largest > 0 ? Double(max(minor, 0)) / largest * 100 : 0
            let y = top + 22 + Double(place) * 10
            svg.bar(x: 0, y: y, width: max(share, 0.4), height: 8, style: style, color: datum.color)
        }
        svg.close(datum.href)
    }
    return svg.finished()
}
