// Text for a terminal or a log: user input is escaped, so that it stays in one line and contains no control
// sequence.

import Encoding

/// The text with every character escaped that a terminal would interpret or a reader of lines would take for
/// a line break: control characters, separators of lines and paragraphs, and marks of writing direction.
public func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.controlsTerminals) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if scalar.controlsTerminals {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}
