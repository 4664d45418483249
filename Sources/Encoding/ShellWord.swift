// Words of commands that a page or a message suggests, as a POSIX shell or bash reads them.

/// Quotes words so that a command can be copied into a shell, whatever they contain.
public enum ShellWord {
    /// A word in single quotes unless it needs none. Characters that a terminal would interpret are escaped for bash.
    ///
    /// A word that begins with a hyphen stays an option: a command has to name it after `--`, a path after `./`.
    public static func quote(_ word: String) -> String {
        guard !word.unicodeScalars.contains(where: \.controlsTerminals) else { return escaped(word) }
        guard word.isEmpty || !word.utf8.allSatisfy(isPlain) else { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }

    /// A path that no command takes for an option.
    public static func quote(path: String) -> String { quote(path.hasPrefix("-") ? "./" + path : path) }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "@%+=:,./-_".utf8.contains(byte)
        }
    }

    private static func escaped(_ word: String) -> String {
        var text = "$'"
        for scalar in word.unicodeScalars {
            switch scalar {
            case "'", "\\": text += "\\\(scalar)"
            case _ where scalar.controlsTerminals:
                let hex = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "'"
    }
}

extension Unicode.Scalar {
    /// Whether a terminal would interpret it, or a reader of lines take it for a line break: control characters, separators
    /// of lines and paragraphs, and marks of writing direction.
    public var controlsTerminals: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069,
            0xFEFF:
            true
        default: false
        }
    }
}
