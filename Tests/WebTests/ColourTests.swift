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

    @Test func everyColourIsSaidOnceForBothThemes() throws {
        let palette = try Repository.text("public/css/10-palette.css")
        let names = palette.matches(of: Self.token).map { String($0.name) }
        #expect(names.count > 20 && Set(names).count == names.count)
        for (path, text) in try Repository.styles() {
            #expect(!text.contains("prefers-color-scheme"), "\(path) asks for the theme itself")
        }
    }

    /// A colour of the palette with its name.
    private typealias Token = Regex<(Substring, name: Substring, light: Substring, dark: Substring)>

    private static var token: Token {
        /--(?<name>[a-z-]+):\s*light-dark\(#(?<light>[0-9a-f]{6}), #(?<dark>[0-9a-f]{6})\)/
    }

    /// The colours of the palette by name: red, green, blue from 0 to 1.
    private func tokens(_ theme: String) throws -> [String: [Double]] {
        var found: [String: [Double]] = [:]
        for match in try Repository.text("public/css/10-palette.css").matches(of: Self.token) {
            let number = try #require(Int(theme == "light" ? match.light : match.dark, radix: 16))
            found[String(match.name)] = [16, 8, 0].map { Double(number >> $0 & 255) / 255 }
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
