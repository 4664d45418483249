// Normalises texts of forms and checks their lengths.

import Encoding
import HTTPServer
import Texts

/// The greatest length of each text field, in characters.
enum TextLimit {
    static let name = 80
    static let payee = 200
    static let note = 2_000
    static let partNote = 200
    static let tag = 40
    static let tags = 20
}

extension String {
    /// The text in one line: spaces instead of line breaks and tabs, and no white space around it.
    var asLine: String {
        let spaced = String(map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return spaced.trimmed
    }

    /// The text in several lines with line feeds only, and no white space around it.
    var asParagraphs: String { String(map { $0.isNewline ? "\n" : $0 }).trimmed }

    /// The tags of a text with commas, each once and without `#`.
    var asTags: [String] {
        var seen: Set<String> = []
        return split(separator: ",").map { String($0).asLine.drop { $0 == "#" } }.map { String($0).asLine }
            .filter { !$0.isEmpty && seen.insert($0.nameKey).inserted }
    }

    /// Whether the text has at most the given number of characters, none of them of very many scalars, and at
    /// most 8 KB: a note of 2,000 characters of any script.
    func fits(_ limit: Int) -> Bool {
        utf8.count <= limit
            || (utf8.count <= 8_192 && count <= limit && unicodeScalars.count <= limit * 5)
    }

    private var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

extension FormState {
    /// The entered values of some fields, without fields that were not sent.
    /// - Parameter lists: the fields that may be repeated.
    init(_ form: FormFields, _ fields: [String], lists: [String] = []) {
        self.init(
            values: Dictionary(fields.compactMap { name in form.first(name).map { (name, $0) } }) { $1 },
            lists: Dictionary(
                lists.filter(form.contains).map { ($0, form.all($0)) },
                uniquingKeysWith: { $1 }
            )
        )
        order = fields
        // One of the days that a form offers takes the place of the field for any day, which the page hides then.
        if fields.contains("date"), let day = form.first("day"), !day.isEmpty { values["date"] = day }
    }

    /// The line of a field, which gets an error if it is longer than a limit.
    mutating func readLine(_ field: String, _ limit: Int) -> String {
        let text = self[field].asLine
        if !text.fits(limit) { refuse(field, Text("forms.keep-it-to-limit", ["limit": .count(limit)])) }
        return text
    }

    /// Sets an error of a field, unless it has one already.
    mutating func refuse(_ field: String, _ error: Text) {
        if errors[field] == nil { errors[field] = error }
    }
}
