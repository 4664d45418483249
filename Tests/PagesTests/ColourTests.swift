// The colours of the style sheet, held against WCAG AA in both themes.

import Foundation
import Testing

@Suite struct ColourTests {
    static let inks = [
        "rye", "rye-soft", "crust", "basil", "tomato", "butter", "plum", "sky", "moss", "clay", "slate",
        "rose",
    ]

    @Test(arguments: ["light", "dark"]) func everyInkIsReadableOnEveryGround(theme: String) throws {
        let tokens = try tokens(theme)
        for ink in Self.inks {
            for ground in ["flour", "linen"] {
                #expect(try contrast(tokens, ink, ground) >= 4.5, "\(ink) on \(ground), \(theme)")
            }
        }
        for (ink, ground) in [
            ("on-crust", "crust"), ("on-crust", "crust-deep"), ("rye", "bran"), ("rye-soft", "bran"),
            ("crust", "bran"),
            ("rye", "butter-ground"), ("butter", "butter-ground"), ("rye", "tomato-ground"),
            ("tomato", "tomato-ground"), ("tomato", "butter-ground"), ("flour", "rye"),
        ] {
            #expect(try contrast(tokens, ink, ground) >= 4.5, "\(ink) on \(ground), \(theme)")
        }
        for ground in ["flour", "linen"] {
            #expect(try contrast(tokens, "edge", ground) >= 3, "the edge of a field on \(ground), \(theme)")
        }
    }

    @Test func categoryIconsAreReadableOnTheirTint() throws {
        for theme in ["light", "dark"] {
            let tokens = try tokens(theme)
            let linen = try #require(tokens["linen"])
            for ink in Self.inks.dropFirst(2) {
                let color = try #require(tokens[ink])
                let tint = zip(color, linen).map { 0.12 * $0 + 0.88 * $1 }
                #expect(ratio(color, tint) >= 3, "\(ink) on its tint, \(theme)")
            }
        }
    }

    @Test func theSystemsDarkIsTheChosenDark() throws {
        let css = try Repository.text("public/app.css")
        #expect(
            try block(after: ":root[data-theme=dark] {", css)
                == block(after: ":root:not([data-theme=light]) {", css)
        )
    }

    private func tokens(_ theme: String) throws -> [String: [Double]] {
        let css = try Repository.text("public/app.css")
        return try block(after: theme == "light" ? ":root {" : ":root[data-theme=dark] {", css)
    }

    /// The colour tokens of the block that begins with the given text.
    private func block(after opening: String, _ css: String) throws -> [String: [Double]] {
        let start = try #require(css.firstRange(of: opening))
        let end = try #require(css[start.upperBound...].firstIndex(of: "}"))
        var found: [String: [Double]] = [:]
        for match in css[start.upperBound..<end].matches(of: #/--([a-z-]+):\s*#([0-9a-f]{6})/#) {
            let number = try #require(Int(match.2, radix: 16))
            found[String(match.1)] = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
        }
        return found
    }

    private func contrast(_ tokens: [String: [Double]], _ ink: String, _ ground: String) throws -> Double {
        ratio(
            try #require(tokens[ink], "no token \(ink)"),
            try #require(tokens[ground], "no token \(ground)")
        )
    }

    private func ratio(_ first: [Double], _ second: [Double]) -> Double {
        let (one, other) = (luminance(first), luminance(second))
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    private func luminance(_ color: [Double]) -> Double {
        zip(color, [0.2126, 0.7152, 0.0722])
            .map { ($0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)) * $1 }
            .reduce(0, +)
    }
}
