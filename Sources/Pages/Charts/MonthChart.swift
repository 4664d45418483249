// A chart with a pair of bars, income and spending, for each month.

import Ledger
import Texts

/// One month.
struct MonthDatum {
    let month: YearMonth
    let name: String
    let income: Int64
    let expense: Int64
}

/// Pairs of bars from a zero baseline. The two words above them have the colours of the bars.
func monthChart(
    _ data: [MonthDatum],
    top topLabel: (Int64) -> String,
    label: String,
    _ texts: TextCatalogue
) -> String {
    let height = 240.0
    let base = height - 24
    let ceiling = 50.0
    var svg = SVG(height: Int(height), label: label)
    let highest = data.map { max($0.income, $0.expense) }.max() ?? 0
    let scale = niceCeiling(highest)
    func y(_ minor: Int64) -> Double {
        scale > 0 ? base - Double(minor) / Double(scale) * (base - ceiling) : base
    }
    svg.label(texts.string(Text("overview.income")), x: 0, y: 14, style: "v in")
    svg.label(texts.string(Text("overview.spending")), x: 100, y: 14, anchor: "end", style: "v out")
    for step in [scale, scale / 2] where scale > 0 {
        svg.line(x1: 0, y1: y(step), x2: 100, y2: y(step), style: "grid")
    }
    if scale > 0 { svg.label(topLabel(scale), x: 0, y: y(scale) - 5) }
    let slot = 100 / Double(max(data.count, 1))
    let width = min(slot * 0.34, 7)
    let every = max(1, (data.count + 11) / 12)
    for (index, datum) in data.enumerated() {
        let middle = (Double(index) + 0.5) * slot
        let income = y(datum.income)
        let expense = y(datum.expense)
        svg.bar(x: middle - width - 0.2, y: income, width: width, height: base - income, style: "inc")
        svg.bar(x: middle + 0.2, y: expense, width: width, height: base - expense, style: "exp")
        if index % every == 0 { svg.label(datum.name, x: middle, y: height - 6, anchor: "middle") }
    }
    svg.line(x1: 0, y1: base, x2: 100, y2: base, style: "axis")
    return svg.finished()
}

/// The least round number that is not below the given one: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power
/// of ten.
func niceCeiling(_ value: Int64) -> Int64 {
    guard value > 0 else { return 0 }
    var power: Int64 = 1
    while power <= value / 10 { power *= 10 }
    for factor in [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100] as [Int64] {
        let (product, overflow) = power.multipliedReportingOverflow(by: factor)
        if overflow { return .max }
        if product / 10 >= value { return product / 10 }
    }
    return value
}
