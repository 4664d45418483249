// Sentences that a template composes of several texts: a translator can reorder the parts of one text only.

import Texts

enum SplitSentences {
    /// Texts in templates that begin in the middle of a sentence, with the reason.
    static let allowedFragments: [String: String] = [
        "user-account.or-with-a-password": "a line of its own between two forms",
        "budgets.from-from": "a remark of its own below a name",
        "categories.in": "a remark of its own below a name",
    ]

    /// Texts that a template prints next to other words, with the reason.
    static let allowedNeighbours: [String: String] = [
        "user-account.sign-out-my-other": "a label; its hint is another sentence",
        "budgets.carry-over-what-is": "a label; its hint is another sentence",
        "receipts.add-a-receipt": "the label of a button before a number",
        "receipts.receipts-and-documents": "the label of a link before a number",
        "transactions.edit-here": "the label of a button before the hidden name of its row",
        "forms.up": "the label of a button before the hidden name of its row",
        "forms.down": "the label of a button before the hidden name of its row",
        "categories.edit": "the label of a link before the hidden name of its row",
    ]

    /// Whether a text begins with a small letter or a punctuation mark. A placeholder may print anything.
    static func isFragment(_ pattern: MessagePattern) -> Bool {
        guard case .literal(let text)? = pattern.parts.first else { return false }
        let words = text.replacing(/<[^>]*>/, with: "").drop(while: \.isWhitespace)
        return words.first.map { $0.isLowercase || ",.;:·()".contains($0) } ?? false
    }

    /// The keys of the texts that a template prints next to a value or another text in the same line of prose.
    static func neighbours(inTemplate source: String) -> [String] {
        let before =
            #/\{\{text ([^}]+)\}\}\s*(?:<(?:a|b|bdi|code|em|span|strong)(?:\s[^>]*)?>\s*)?\{\{[a-z\{]/#
        let after = #/\{\{[a-z_.]+\}\}\s*(?:<\/(?:a|b|bdi|code|em|span|strong)>\s*)?\{\{#?text ([^}]+)\}\}/#
        return (source.matches(of: before) + source.matches(of: after)).map { String($0.output.1) }
    }

    /// The punctuation marks that a template prints itself next to a value or an element.
    static func punctuation(inTemplate source: String) -> [String] {
        source.matches(of: #/(?:\}\}|>)\s*[,:;]\s*(?:\{\{|<)/#).map { String($0.output) }
    }
}
