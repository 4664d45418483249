// Text for a terminal or a log: user input is escaped, so that it stays in one line and contains no control
// sequence.

/// The text with every character escaped that a terminal would interpret or a reader of lines would take for
/// a line break: control characters, separators of lines and paragraphs, and marks of writing direction.
public func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isObeyed) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if isObeyed(scalar) {
            result += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

private func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069,
        0xFEFF:
        true
    default: false
    }
}
