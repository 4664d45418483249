// The lines of the printed table, and the units of its figures.

import Foundation

/// A line of the table.
private struct Line {
    let what: String
    let figure: String
    let target: String
    let isMet: Bool?

    var text: String { "| \(what) | \(figure) | \(target) | \(isMet.map { $0 ? "yes" : "**no**" } ?? "") |" }
}

extension Bench {
    static func add(_ what: String, _ figure: String, _ target: String, _ isMet: Bool?) {
        print(Line(what: what, figure: figure, target: target, isMet: isMet).text)
        fflush(nil)
    }

    static func micro(_ value: Double) -> String {
        value < 100 ? "\((value * 10).rounded() / 10) µs" : "\(Int(value.rounded())) µs"
    }

    static func times(_ ratio: Double) -> String {
        let digits: Double = ratio < 1 ? 100 : 10
        return "\((ratio * digits).rounded() / digits) ×"
    }

    static func hundredths(_ value: Double, _ unit: String) -> String {
        "\((value * 100).rounded() / 100) \(unit)"
    }

    static func tenths(_ value: Double, _ unit: String) -> String {
        "\((value * 10).rounded() / 10) \(unit)"
    }
}
