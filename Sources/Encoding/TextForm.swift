// The one form in which texts are stored, and the forms in which they are compared.

import Foundation

extension String {
    /// The text in Unicode's normal form C, in which every text is stored. What looks the same has the same bytes then,
    /// for the database and for hashes as well.
    public var inNormalForm: String {
        // Nothing below the first combining mark, U+0300, is changed.
        utf8.allSatisfy { $0 < 0xCC } ? self : precomposedStringWithCanonicalMapping
    }

    /// Whether the text has that form, byte for byte.
    public var isInNormalForm: Bool {
        utf8.allSatisfy { $0 < 0xCC } || utf8.elementsEqual(precomposedStringWithCanonicalMapping.utf8)
    }

    /// The common part of different ways to write one name: case, compatibility forms such as full width and ligatures,
    /// and white space around and between the words do not count; accents do. Two payees with the same key are one payee.
    ///
    /// Upper case folds more than lower case: "ß" and "ss" are the same there, and so are both forms of a small sigma.
    public var nameKey: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return joined(lowercased()) }
        return joined(precomposedStringWithCompatibilityMapping.uppercased().lowercased()).inNormalForm
    }

    private func joined(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
