// The sentences of the catalogue in templates: `{{text KEY}}`.

import Texts

enum TemplateText {
    /// Elements that a sentence of the catalogue may contain, without attributes.
    private static let elements = ["b", "bdi", "code", "em", "kbd", "strong"]

    /// The HTML of a sentence's literal part: everything is escaped but the tags of a few elements.
    ///
    /// Apostrophes stay as they are: attributes of the templates are in double quotes.
    static func markup(_ text: String) -> [UInt8] {
        var markup: [UInt8] = []
        var rest = text[...]
        while let character = rest.first {
            if character == "<", let tag = tag(at: rest) {
                markup += tag.utf8
                rest = rest.dropFirst(tag.count)
                continue
            }
            switch character {
            case "&": markup += "&amp;".utf8
            case "<": markup += "&lt;".utf8
            case ">": markup += "&gt;".utf8
            case "\"": markup += "&quot;".utf8
            default: markup += String(character).utf8
            }
            rest = rest.dropFirst()
        }
        return markup
    }

    private static func tag(at text: Substring) -> String? {
        for element in elements {
            for tag in ["<\(element)>", "</\(element)>"] where text.hasPrefix(tag) { return tag }
        }
        return nil
    }
}

extension TextCatalogue {
    /// The sentence that a tag such as `{{text sync.sync}}` prints; nil for any other tag.
    func pattern(_ name: Name, _ place: SourceLocation) throws(TemplateError) -> MessagePattern? {
        let words = name.text.split(separator: " ")
        guard words.count == 2, words[0] == "text" else { return nil }
        let key = String(words[1])
        guard let pattern = pattern(key) else { throw TemplateError(reason: .unknownText(key), place: place) }
        return pattern
    }
}

extension TemplateError {
    /// Templates have no numbers, so that only code can print a text with plural forms.
    init(countOf name: String, _ place: SourceLocation) {
        self.init(
            reason: .wrongUse("'\(name)' chooses a plural form: a text with a count is printed by code."),
            place: place
        )
    }
}
