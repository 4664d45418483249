// Documents that are no file of rates, that are damaged, or that are made to exhaust memory.
import Ledger
import RateFeeds
import Testing

@Suite struct BadDocuments {
    private static let usd = "<Cube currency='USD' rate='1.1'/>"

    @Test(
        arguments: [
            ("<Cube currency='USD' rate='0'/>", .invalidRate(.usd, "0"), 5),
            ("<Cube currency='USD' rate='-1'/>", .invalidRate(.usd, "-1"), 5),
            ("<Cube currency='USD' rate='1e3'/>", .invalidRate(.usd, "1e3"), 5),
            ("<Cube currency='USD' rate='1,1'/>", .invalidRate(.usd, "1,1"), 5),
            ("<Cube currency='USD' rate=''/>", .invalidRate(.usd, ""), 5),
            ("<Cube currency='USD' rate='N/A'/>", .invalidRate(.usd, "N/A"), 5),
            ("\n\n<Cube currency='USD' rate='x'/>", .invalidRate(.usd, "x"), 7),
            ("<Cube currency='usd' rate='1'/>", .invalidCurrency("usd"), 5),
            ("<Cube currency='US' rate='1'/>", .invalidCurrency("US"), 5),
            ("<Cube currency='' rate='1'/>", .invalidCurrency(""), 5),
            ("<Cube currency='EUR' rate='1'/>", .invalidCurrency("EUR"), 5),
            ("\(usd)\n\(usd)", .repeatedCurrency(.usd), 6),
            ("<Cube currency='USD'/>", .unexpected("Cube"), 5),
            ("<Cube rate='1'/>", .unexpected("Cube"), 5),
            ("<Cube currency='USD' rate='1' unit='100'/>", .unexpected("unit"), 5),
            ("<Rate currency='USD' rate='1'/>", .unexpected("Rate"), 5),
            ("<x:Cube xmlns:x='urn:x' currency='USD' rate='1'/>", .unexpected("Cube"), 5),
            ("<Cube currency='USD' rate='1'>\(usd)</Cube>", .unexpected("Cube"), 5),
            ("\(usd)\ntext", .unexpected("text"), 6),
            ("<Cube currency='USD' rate='1'><![CDATA[text]]></Cube>", .unexpected("text"), 5),
            ("<!-- no rate -->", .noRates, 6),
            ("<Cube currency='USD' rate='&rate;'/>", .malformed, 5),
            ("<Cube currency='USD' currency='USD' rate='1'/>", .malformed, 5),
            ("<Cube currency=USD rate='1'/>", .malformed, 5),
            ("<Cube currency='USD' rate='1\u{1}'/>", .malformed, 5),
        ] as [(String, RateFileError.Problem, Int)]
    )
    func aDayWithAFaultIsRefused(rates: String, problem: RateFileError.Problem, line: Int) throws {
        let error = try #require(fault(Array(Files.day(rates).utf8), try Files.reader()))
        #expect(error.problem == problem && error.line == line, "\(error)")
    }

    @Test(
        arguments: [
            ("<Cube time='2026-02-30'>\(usd)</Cube>", .invalidDay("2026-02-30"), 4),
            ("<Cube time='2026-1-02'>\(usd)</Cube>", .invalidDay("2026-1-02"), 4),
            ("<Cube time='30 October 2026'>\(usd)</Cube>", .invalidDay("30 October 2026"), 4),
            ("<Cube time='1998-12-31'>\(usd)</Cube>", .invalidDay("1998-12-31"), 4),
            ("<Cube time=''>\(usd)</Cube>", .invalidDay(""), 4),
            ("<Cube>\(usd)</Cube>", .unexpected("Cube"), 4),
            (usd, .unexpected("currency"), 4),
            ("<Day time='2026-10-30'>\(usd)</Day>", .unexpected("Day"), 4),
            ("<Cube time='2026-10-30'>\(usd)</Cube><Cube", .malformed, 5),
            ("</Cube><Cube><Cube time='2026-10-30'>\(usd)</Cube>", .unexpected("Cube"), 4),
            ("</Cube></g:Envelope><g:Envelope xmlns:g='urn:x'>", .malformed, 4),
            ("<x:Cube time='2026-10-30'/>", .malformed, 4),
        ] as [(String, RateFileError.Problem, Int)]
    )
    func aDocumentWithAFaultIsRefused(days: String, problem: RateFileError.Problem, line: Int) throws {
        let error = try #require(fault(Array(Files.document(days).utf8), try Files.reader()))
        #expect(error.problem == problem && error.line == line, "\(error)")
    }

    @Test func aDayThatOccursTwiceIsRefused() throws {
        let day = "<Cube time='2026-10-30'>\(Self.usd)</Cube>"
        let date = try #require(CivilDate(iso: "2026-10-30"))
        let error = fault(Array(Files.document("\(day)\n\(day)").utf8), try Files.reader())
        #expect(error?.problem == .repeatedDay(date) && error?.line == 5)
    }

    @Test(
        arguments: [
            ("", .unknownKind), (" \n", .unknownKind), ("<", .truncated),
            ("<html></html>", .unexpected("html")), ("Not found", .unknownKind),
            ("{\"rates\": {}}", .unknownKind), ("%PDF-1.7", .unknownKind),
            ("<Envelope/>", .unexpected("Envelope")), ("<a", .truncated), ("<a>", .unexpected("a")),
            ("<g:Envelope xmlns:g='http://www.gesmes.org/xml/2002-08-01'/>", .noRates),
            ("<g:Envelope xmlns:g='http://www.gesmes.org/xml/2002-08-01'>", .truncated),
            (Files.document(""), .noRates), (Files.document("") + "<a/>", .malformed),
            (Files.day(usd).replacing("Cube>\n</", with: "Cube>\n<!-- "), .truncated),
        ] as [(String, RateFileError.Problem)]
    )
    func anotherDocumentIsRefused(text: String, problem: RateFileError.Problem) throws {
        let error = try #require(fault(Array(text.utf8), try Files.reader()))
        #expect(error.problem == problem, "\(error)")
    }

    @Test(arguments: [
        "<!DOCTYPE Envelope>", "<!DOCTYPE Envelope SYSTEM \"file:///etc/passwd\">",
        "<!DOCTYPE Envelope [<!ENTITY a \"1\">]>",
        """
        <!DOCTYPE Envelope [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">\
        <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;">\
        <!ENTITY e "&d;&d;&d;&d;&d;&d;&d;&d;&d;&d;"><!ENTITY f "&e;&e;&e;&e;&e;&e;&e;&e;&e;&e;">]>
        """,
        "<!DOCTYPE Envelope [<!ENTITY % a SYSTEM \"http://127.0.0.1:1/\">%a;]>",
    ])
    func aDocumentTypeIsRefusedBeforeItsEntities(declaration: String) throws {
        let text = Files.day(Self.usd).replacing("?>\n", with: "?>\n\(declaration)")
        let error = fault(Array(text.utf8), try Files.reader())
        #expect(error?.problem == .documentType && error?.line == 2)
    }

    @Test func otherEncodingsThanThoseOfTheBankAreRefused() throws {
        let reader = try Files.reader()
        let text = Files.day(Self.usd)
        for name in ["windows-1252", "UTF-16", "UTF-16LE", "UTF-7", "EBCDIC-CP-US", "ISO-8859-15", "x"] {
            let other = text.replacing("UTF-8", with: name)
            #expect(fault(Array(other.utf8), reader)?.problem == .unreadableEncoding, "\(name)")
        }
        for name in ["utf-8", "US-ASCII", "iso-8859-1"] {
            let other = text.replacing("UTF-8", with: name)
            #expect(fault(Array(other.utf8), reader) == nil, "\(name)")
        }
        // All of the text is ASCII.
        let high: [UInt8] = text.replacing("UTF-8", with: "UTF-16").utf8.flatMap { [0, $0] }
        let low: [UInt8] = text.utf8.flatMap { [$0, 0] }
        let marks: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0, 0, 0xFE, 0xFF]]
        for bytes in [marks[0] + high, high, marks[1] + low, low, marks[2]] {
            #expect(fault(bytes, reader)?.problem == .unreadableEncoding)
        }
    }

    @Test func bytesOutsideOfTheEncodingAreRefused() throws {
        let reader = try Files.reader()
        let text = Files.day(Self.usd)
        func bytes(_ name: String) -> [UInt8] {
            text.replacing("UTF-8", with: name).replacing("Reference", with: "R~f~rence").utf8.map {
                $0 == UInt8(ascii: "~") ? 0xE9 : $0
            }
        }
        #expect(fault(bytes("ISO-8859-1"), reader) == nil)
        #expect(fault(bytes("UTF-8"), reader)?.problem == .malformed)
        #expect(fault(bytes("US-ASCII"), reader)?.problem == .malformed)
    }

    @Test func sizesAreLimited() throws {
        let text = Array(Files.day(Self.usd).utf8)
        var limits = RateFileReader.Limits()
        let spaces = [UInt8](repeating: 32, count: limits.bytes + 1)
        #expect(fault(spaces, try Files.reader())?.problem == .tooLarge)
        limits.bytes = text.count
        #expect(fault(text, try Files.reader(limits: limits)) == nil)
        limits.bytes -= 1
        #expect(fault(text, try Files.reader(limits: limits))?.problem == .tooLarge)

        limits = RateFileReader.Limits()
        limits.elements = 5
        #expect(fault(text, try Files.reader(limits: limits)) == nil)
        limits.elements = 4
        let error = fault(text, try Files.reader(limits: limits))
        #expect(error?.problem == .tooLarge && error?.line == 5)
    }

    @Test func theDepthIsLimited() throws {
        func nested(_ count: Int) -> [UInt8] {
            let begin = String(repeating: "<g:a>", count: count)
            let end = String(repeating: "</g:a>", count: count)
            let text = Files.day(Self.usd).replacing("<g:subject>", with: "\(begin)\(end)<g:subject>")
            return Array(text.utf8)
        }
        #expect(fault(nested(7), try Files.reader()) == nil)
        #expect(fault(nested(8), try Files.reader())?.problem == .tooLarge)
        #expect(fault(nested(100_000), try Files.reader())?.problem == .tooLarge)
    }

    @Test func aLongTokenIsReadOnce() throws {
        let long = String(repeating: "x", count: 10_000_000)
        let texts = ["<\(long)", "<a \(long)=''/>", "<!-- \(long)", Files.day("<Cube currency='\(long)'/>")]
        for text in texts { #expect(fault(Array(text.utf8), try Files.reader()) != nil) }
    }

    @Test func anErrorSaysWhereAndWhatToDo() throws {
        let error = try #require(
            fault(Array(Files.day("<Cube currency='USD' rate='\u{85}0'/>").utf8), try Files.reader())
        )
        #expect(error.description.hasPrefix("line 5: "))
        #expect(error.description.hasSuffix(": download it again from the European Central Bank"))
        #expect(!error.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
        let long = String(repeating: "9", count: 100_000)
        let other = try #require(
            fault(Array(Files.day("<Cube currency='USD' rate='\(long)'/>").utf8), try Files.reader())
        )
        #expect(other.description.utf8.count < 200)
    }
}
