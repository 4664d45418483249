// A writer of SVG for charts. It escapes all text, and formats all numbers itself.

import Links

/// The markup of one chart while it is written.
struct SVG {
    private(set) var text: String

    /// A chart of the full width and the given height in pixels. Its label is for screen readers, which read its words
    /// and links too: an image would have neither.
    init(height: Int, label: String) {
        text = "<svg class=\"chart\" width=\"100%\" height=\"\(height)\" role=\"group\" aria-label=\""
        write(label)
        text += "\">"
    }

    /// The finished image.
    mutating func finished() -> String {
        text += "</svg>"
        return text
    }

    /// Begins a link around what follows, unless there is none. Reports are served directly below the base path, so
    /// that an address without its slash is right below every one.
    /// - Parameter label: the words of a link without text, which browsers also show beside the pointer.
    mutating func open(_ href: Link?, label: String? = nil) {
        guard let href else { return }
        text += "<a href=\""
        write(String(href.text.dropFirst()))
        guard let label else {
            text += "\">"
            return
        }
        text += "\" aria-label=\""
        write(label)
        text += "\"><title>"
        write(label)
        text += "</title>"
    }

    /// Ends the link that `open` began.
    mutating func close(_ href: Link?) {
        if href != nil { text += "</a>" }
    }

    /// Adds a rectangle. Horizontal positions and widths are percentages; all others are pixels.
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

    /// Adds the ground of a link, which is not seen and takes the clicks beside its bars and words.
    mutating func ground(x: Double, y: Double, width: Double, height: Double) {
        bar(x: x, y: y, width: width, height: height, style: "ground")
    }

    /// Adds a horizontal or vertical line.
    mutating func line(x1: Double, y1: Double, x2: Double, y2: Double, style: String) {
        text += "<line x1=\"\(number(x1))%\" y1=\"\(number(y1))\" x2=\"\(number(x2))%\" y2=\"\(number(y2))\" "
        text += "class=\"\(style)\"/>"
    }

    /// Adds a dot.
    /// - Parameter isFaint: whether it is only seen while its link is pointed at or has the focus.
    mutating func point(x: Double, y: Double, isFaint: Bool = false) {
        text +=
            "<circle cx=\"\(number(x))%\" cy=\"\(number(y))\" r=\"4\" class=\"pt\(isFaint ? " faint" : "")\"/>"
    }

    /// Adds a filled shape over the whole width. The points are percentages across and pixels down.
    mutating func area(_ points: [(x: Double, y: Double)], height: Double) {
        text += "<svg width=\"100%\" height=\"\(number(height))\" viewBox=\"0 0 100 \(number(height))\" "
        text += "preserveAspectRatio=\"none\"><polygon class=\"area\" points=\""
        text += points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        text += "\"/></svg>"
    }

    /// Adds a text. The anchor is `start`, `middle` or `end`.
    mutating func label(_ label: String, x: Double, y: Double, anchor: String = "start", style: String = "") {
        text += "<text x=\"\(number(x))%\" y=\"\(number(y))\" text-anchor=\"\(anchor)\""
        if !style.isEmpty { text += " class=\"\(style)\"" }
        text += ">"
        write(label)
        text += "</text>"
    }

    /// Escapes the characters that HTML and XML read as markup.
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

    /// A number with at most two decimals, without Foundation.
    private func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let hundredths = Int((min(max(value, -1e6), 1e6) * 100).rounded())
        let fraction = abs(hundredths) % 100
        let whole = "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100)"
        return fraction == 0 ? whole : whole + "." + (fraction < 10 ? "0" : "") + "\(fraction)"
    }
}

extension String {
    /// The text with at most the given number of characters; an ellipsis ends a shortened one.
    func shortened(to length: Int) -> String {
        count <= length ? self : prefix(max(1, length - 1)) + "…"
    }
}
