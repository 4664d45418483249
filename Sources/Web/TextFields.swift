// Text of a form: normalised, and its length checked.

import HTTPServer
import Pages
import Texts

/// The greatest length of each text field, in characters.
enum TextLimit {
    static let name = 80
    static let payee = 200
    static let note = 2_000
    static let tag = 40
    static let tags = 20
}

extension String {
    /// One line: line breaks and tabs become spaces, and the white space around the text is removed.
    var asLine: String {
        let spaced = String(map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return spaced.trimmed
    }

    /// Several lines, ended as on Unix.
    var asParagraphs: String { String(map { $0.isNewline ? "\n" : $0 }).trimmed }

    /// Whether it is at most so many characters, none of them built of a great many pieces, and at most 8 KB of bytes: a
    /// note of 2,000 characters of any script.
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
    init(_ form: FormFields, _ fields: [String]) {
        self.init(
            values: Dictionary(fields.compactMap { name in form.first(name).map { (name, $0) } }) { $1 }
        )
        order = fields
    }

    /// Sets an error of a field, unless it has one already.
    mutating func refuse(_ field: String, _ error: Text) {
        if errors[field] == nil { errors[field] = error }
    }
}
