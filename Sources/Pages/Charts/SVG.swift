// A writer of SVG for charts: text is escaped, numbers are ours, nothing else gets in.

/// Markup of one chart in the making.
struct SVG {
    private(set) var text: String

    /// An image as wide as its place and of the given height in pixels, named for those who cannot see it.
    init(height: Int, label: String) {
        text = "<svg class=\"chart\" width=\"100%\" height=\"\(height)\" role=\"img\" aria-label=\""
        write(label)
        text += "\">"
    }

    /// The finished image.
    mutating func finished() -> String {
        text += "</svg>"
        return text
    }

    /// A rectangle; widths and places across are percentages, the rest is pixels.
    mutating func bar(
        x: Double,
        y: Double,
        width: Double,
        height: Double,
        style: String,
        color: String? = nil
    ) {
        let radius = min(4, height / 2)
        text += "<rect x=\"\(number(x))%\" y=\"\(number(y))\" width=\"\(number(max(width, 0)))%\" "
        text += "height=\"\(number(max(height, 0)))\" rx=\"\(number(radius))\" class=\"\(style)\""
        if let color {
            text += " data-color=\""
            write(color)
            text += "\""
        }
        text += "/>"
    }

    /// A line across or down.
    mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, style: String) {
        text += "<line x1=\"\(number(x1))%\" y1=\"\(number(y1))\" x2=\"\(number(x2))%\" y2=\"\(number(y2))\" "
        text += "class=\"\(style)\"/>"
    }

    /// A dot.
    mutating func point(x: Double, y: Double) {
        text += "<circle cx=\"\(number(x))%\" cy=\"\(number(y))\" r=\"4\" class=\"pt\"/>"
    }

    /// A filled shape over the whole width, from points in per cent across and pixels down.
    mutating func area(_ points: [(x: Double, y: Double)], height: Double) {
        text += "<svg width=\"100%\" height=\"\(number(height))\" viewBox=\"0 0 100 \(number(height))\" "
        text += "preserveAspectRatio=\"none\"><polygon class=\"area\" points=\""
        text += points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        text += "\"/></svg>"
    }

    /// A text whose anchor is `start`, `middle` or `end`.
    mutating func label(_ label: String, x: Double, y: Double, anchor: String = "start", style: String = "") {
        text += "<text x=\"\(number(x))%\" y=\"\(number(y))\" text-anchor=\"\(anchor)\""
        if !style.isEmpty { text += " class=\"\(style)\"" }
        text += ">"
        write(label)
        text += "</text>"
    }

    /// Escapes what HTML and XML read as markup.
    private mutating func write(_ value: String) {
        for character in value.unicodeScalars {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(character)
            }
        }
    }

    /// Two decimals at most, without Foundation.
    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let hundredths = Int((min(max(value, -1e6), 1e6) * 100).rounded())
        let fraction = abs(hundredths) % 100
        let whole = "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100)"
        return fraction == 0 ? whole : whole + "." + (fraction < 10 ? "0" : "") + "\(fraction)"
    }
}

extension String {
    /// The text cut to so many characters, with an ellipsis where something is missing.
    func shortened(to length: Int) -> String {
        count <= length ? self : prefix(max(1, length - 1)) + "…"
    }
}
