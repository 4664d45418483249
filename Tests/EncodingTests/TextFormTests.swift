// The one form of stored texts, and the forms in which they are compared.
import Encoding
import TestKit
import Testing

/// Texts with the same text in normal form C.
private let composed = [
    ("Cafe\u{301}", "Caf\u{E9}"), ("A\u{30A}", "\u{C5}"), ("\u{212B}", "\u{C5}"), ("\u{2126}", "\u{3A9}"),
    ("\u{1112}\u{1161}\u{11AB}", "\u{D55C}"), ("\u{958}", "\u{915}\u{93C}"),
    ("\u{1E9B}\u{323}", "\u{1E9B}\u{323}"),
    ("が", "\u{304C}"), ("か\u{3099}", "\u{304C}"), ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("plain", "plain"),
    ("", ""),
]

@Test(arguments: composed) func aTextHasOneForm(typed: String, stored: String) {
    #expect(Array(typed.inNormalForm.utf8) == Array(stored.utf8))
    #expect(Array(stored.inNormalForm.utf8) == Array(stored.utf8), "once is enough")
    #expect(stored.isInNormalForm && typed.isInNormalForm == typed.utf8.elementsEqual(stored.utf8))
}

/// Spellings of one name.
private let sameNames = [
    [
        "Two Spaces", "Two  Spaces", " two spaces ", "Two\u{A0}Spaces", "Two\u{202F}Spaces",
        "Two\u{3000}Spaces", "Two\tSpaces",
    ],
    ["Café", "CAFÉ", "Cafe\u{301}", "café"], ["Straße", "STRASSE", "Strasse"], ["ｶﾌｪ", "カフェ"],
    ["ﬁsh", "FISH"],
    ["ΟΔΟΣ", "οδος", "οδοσ"], ["Ｃash", "Cash", "CASH"],
]
private let otherNames = [
    ("Café", "Cafe"), ("A B", "AB"), ("Łódź", "Lodz"), ("й", "и"), ("", "x"), ("1", "10"),
]

@Test(arguments: sameNames) func spellingsOfOneNameHaveOneKey(spellings: [String]) {
    let keys = Set(spellings.map { Array($0.nameKey.utf8) })
    #expect(keys.count == 1, "\(spellings.map(\.nameKey))")
    for spelling in spellings { #expect(spelling.nameKey.nameKey == spelling.nameKey, "once is enough") }
}

@Test(arguments: otherNames) func otherNamesHaveOtherKeys(one: String, other: String) {
    #expect(one.nameKey != other.nameKey)
}

/// Texts, and what a search has of them.
private let folded = [
    ("Hauptstraße", "hauptstrasse"), ("Łódź", "lodz"), ("København", "kobenhavn"),
    ("Æther œuvre", "aether oeuvre"),
    ("İstanbul ısı", "istanbul isi"), ("Ёлка", "елка"), ("Αθήνα", "αθηνα"), ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
    ("ﾃｽﾄ", "テスト"),
    ("ＡＢＣ１２", "abc12"), ("ﬁn", "fin"), ("مُحَمَّد", "محمد"), ("محـمد", "محمد"), ("zu\u{AD}sammen", "zusammen"),
    ("a\u{200D}b\u{200E}", "ab"), ("שָׁלוֹם", "שלום"), ("٣٥", "35"), ("Việt Đức", "viet duc"), ("CAFÉ", "cafe"),
    ("か\u{3099}", "が"), ("한", "한"), ("Ångström", "angstrom"), ("plain 12", "plain 12"), ("♥️", "♥"), ("", ""),
]
/// Texts that a search keeps apart.
private let apart = [("й", "и"), ("कि", "की"), ("が", "か"), ("ї", "і"), ("a", "b"), ("5", "6")]

@Test(arguments: folded) func aSearchFoldsLetters(text: String, form: String) {
    #expect(text.searchForm == form)
    #expect(text.searchForm.searchForm == form, "once is enough")
    for other in [text.inNormalForm, text.uppercased(), text.lowercased()] {
        #expect(other.searchForm == form)
    }
}

@Test(arguments: apart) func aSearchKeepsOtherLettersApart(one: String, other: String) {
    #expect(one.searchForm != other.searchForm)
}

@Test func anyTextIsFoldedInEachForm() {
    var random = SplitMix(seed: 11)
    let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x370...0x52F, 0x591...0x6FF, 0x900...0xDFF,
        0x1100...0x11FF,
        0x1E00...0x1FFF, 0x2000...0x206F, 0x3040...0x30FF, 0xAC00...0xAD00, 0xFB00...0xFBFF, 0xFF00...0xFFEF,
        0x1F300...0x1F6FF,
    ]
    for _ in 0..<2_000 {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { text.append(scalar) }
        }
        let given = String(text)
        #expect(
            given.inNormalForm == given
                && Array(given.inNormalForm.inNormalForm.utf8) == Array(given.inNormalForm.utf8)
        )
        #expect(given.nameKey == given.inNormalForm.nameKey, "\(Array(text))")
        #expect(given.searchForm == given.inNormalForm.searchForm, "\(Array(text))")
        #expect(given.searchForm.searchForm == given.searchForm, "\(Array(text))")
    }
}
