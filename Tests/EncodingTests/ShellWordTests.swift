// Words of suggested commands: a shell reads back what they stand for, and a terminal obeys none of it.
import Encoding
import Foundation
import Testing

@Suite struct WordsForAShell {
    private static let words = [
        "anna@x.test", "/var/lib/breadly", "", "two words", "it's", "'", "a'b'c", "$HOME", "`id`", "a\\b",
        "x\"y", "*",
        "-rf", "--data", "line\nbreak", "tab\there", "\u{1b}[31mred", "gpj.\u{202e}exe",
        "it's \u{202e} \\ both", "ü", "🍞",
        "#no", "~", "a;b", "a&b", "(", "!x", "\u{7f}",
    ]

    @Test(arguments: words) func aShellReadsTheWordBack(word: String) throws {
        let bash = Process()
        bash.executableURL = URL(fileURLWithPath: "/bin/bash")
        bash.arguments = ["-c", "printf '%s' \(ShellWord.quote(word))"]
        bash.environment = ["LC_ALL": "C.UTF-8"]
        let output = Pipe()
        bash.standardOutput = output
        try bash.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        bash.waitUntilExit()
        #expect(String(decoding: bytes, as: UTF8.self) == word)
    }

    @Test(arguments: words) func aTerminalObeysNothing(word: String) {
        #expect(!ShellWord.quote(word).unicodeScalars.contains { $0.controlsTerminals })
    }

    @Test func plainWordsStayAsTheyAre() {
        #expect(ShellWord.quote("anna@x.test") == "anna@x.test" && ShellWord.quote("") == "''")
        #expect(ShellWord.quote(path: "/data") == "/data" && ShellWord.quote(path: "-data") == "./-data")
    }
}
