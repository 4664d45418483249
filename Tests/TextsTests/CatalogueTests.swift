// A catalogue: its files, its plural forms, and the faults that it names.

import Testing
import Texts

private func catalogue(_ text: String, language: String = "en") throws -> TextCatalogue {
    try TextCatalogue(language: language, files: ["a.txt": Array(text.utf8)])
}

@Suite struct Sentences {
    @Test func valuesTakeTheirPlaces() throws {
        let texts = try catalogue("moved = {count} of {name}’s accounts, as {what} says\nby = the \\{bank\\}")
        let text = Text("moved", ["count": 3, "name": "Ann", "what": .text(Text("by"))])
        #expect(texts.string(text) == "3 of Ann’s accounts, as the {bank} says")
        #expect(texts.string(Text("moved", ["name": "{count}"])) == " of {count}’s accounts, as  says")
    }

    @Test func anUnknownKeyIsPrintedAndTheUsersWordsAreTheirs() throws {
        let texts = try catalogue("a = b")
        #expect(texts.string(Text("no.such")) == "no.such")
        #expect(texts.string(.verbatim("a {b} # c")) == "a {b} # c")
    }

    @Test func aDeclaredNameIsThatOfTheCatalogueIfItHasOne() throws {
        let texts = try catalogue("field.goal.due = Fälligkeit")
        #expect(texts.string(.declared("field.goal.due", otherwise: "due date")) == "Fälligkeit")
        #expect(texts.string(.declared("field.goal.on", otherwise: "on")) == "on")
        let named = try catalogue("title.goal.named_by = Ziel: {name}")
        let text = Text.declared("title.goal.named_by", ["name": "Rad"], otherwise: "Goal Rad")
        #expect(named.string(text) == "Ziel: Rad" && texts.string(text) == "Goal Rad")
    }

    @Test func linesMayEndAsInWindows() throws {
        let texts = try catalogue("# c\r\na = b\r\n  c\r\nfield.transaction.toAccount = d\r\n")
        #expect(texts.string(Text("a")) == "b c" && texts.keys == ["a", "field.transaction.toAccount"])
    }

    @Test func linesAreCommentsSentencesAndTheirContinuations() throws {
        let texts = try catalogue("# none = of it\n\none.two = First = part\n   second part  \n\t third\nb=c")
        #expect(texts.keys == ["one.two", "b"])
        #expect(texts.string(Text("one.two")) == "First = part second part third")
    }

    @Test func placeholdersAreKnown() throws {
        let texts = try catalogue("a = {x} {n, plural, =0 {none} other {# of {y}}}")
        #expect(texts.pattern("a")?.placeholders == ["x", "n", "y"])
        #expect(texts.pattern("b") == nil)
    }
}

@Suite struct Plurals {
    private let changes = "n = {n, plural, =0 {nothing} one {# change} other {# changes}} to {name}"

    @Test(arguments: [
        (0, "nothing"), (1, "1 change"), (2, "2 changes"), (-1, "-1 change"), (1_001, "1001 changes"),
    ])
    func aNumberChoosesItsForm(number: Int, words: String) throws {
        let text = Text("n", ["n": .count(number), "name": "it"])
        #expect(try catalogue(changes).string(text) == words + " to it")
    }

    @Test(arguments: [
        ("fr-CA", [0: "one", 1: "one", 2: "other"]),
        ("pl", [1: "one", 2: "few", 5: "many", 12: "many", 22: "few", 21: "many"]),
        ("uk", [1: "one", 3: "few", 5: "many", 11: "many", 13: "many", 21: "one", 24: "few", 111: "many"]),
        ("cs", [1: "one", 4: "few", 5: "other", 22: "other"]),
        ("ja", [1: "other", 2: "other"]), ("pt-BR", [0: "one"]), ("pt-PT", [0: "other", 1: "one"]),
    ])
    func aLanguageHasItsOwnForms(language: String, forms: [Int: String]) throws {
        let source = "n = {n, plural, one {one} few {few} many {many} other {other}}"
        let texts = try catalogue(source, language: language)
        for (number, form) in forms {
            #expect(texts.string(Text("n", ["n": .count(number)])) == form, "\(number)")
        }
    }

    @Test func aCountThatIsMissingIsOther() throws {
        #expect(try catalogue(changes).string(Text("n", ["name": "it"])) == " changes to it")
    }

    @Test func aFormThatIsMissingIsOther() throws {
        let texts = try catalogue("n = {n, plural, other {all}}")
        #expect(texts.string(Text("n", ["n": 1])) == "all")
    }
}

@Suite struct Faults {
    @Test(arguments: [
        ("a = b\na = c", "a.txt:2: 'a' occurs twice"), ("a", "a.txt:1: a line is 'key = sentence'"),
        ("\n  b", "a.txt:2: this line continues nothing"), ("a b = c", "a.txt:1: a line is 'key = sentence'"),
        ("a =\nb = c", "a.txt:1: 'a' has no sentence"), ("a = {", "a.txt:1: 'a': a placeholder has no name"),
        ("a = {b", "a.txt:1: 'a': '{b' is neither {name} nor {name, plural, …}"),
        ("a = }", "a.txt:1: 'a': a '}' has no '{'"), ("a = b\\", "a.txt:1: 'a': it ends with a backslash"),
        ("a = {n, plural, one {x}}", "a.txt:1: 'a': the plural of 'n' has no form 'other'"),
        ("a = {n, plural, some {x} other {y}}", "a.txt:1: 'a': 'some' is no plural category"),
        ("a = {n, plural, one {x} one {y} other {z}}", "a.txt:1: 'a': the plural of 'n' has 'one' twice"),
        ("a = {n, plural, other x}", "a.txt:1: 'a': 'other' has no form"),
        ("a = {n, plural, other {x}", "a.txt:1: 'a': '' is no plural category"),
        (
            "a = {n, plural, other {{m, plural, other {x}}}}",
            "a.txt:1: 'a': '{m' is neither {name} nor {name, plural, …}"
        ),
        ("a = {n, plural, other {x", "a.txt:1: 'a': a '{' has no '}'"),
    ])
    func areNamedWithTheirLine(text: String, message: String) {
        #expect {
            try catalogue(text)
        } throws: { error in
            "\(error)" == message
        }
    }

    @Test func ofALanguageOrItsBytesAreNamed() {
        #expect { try catalogue("a = b", language: "xx") } throws: { error in
            "\(error)" == "xx:0: there is no plural rule for 'xx'"
        }
        #expect {
            try TextCatalogue(language: "en", files: ["a.txt": [0xFF]])
        } throws: { error in
            "\(error)" == "a.txt:1: the file is not UTF-8"
        }
    }
}
