// XML documents from elsewhere, parsed by the system's Expat without a tree in memory.
//
// Safety: all pointers of this module are in this file. `XMLReader` creates the parser, is its only user and
// frees it in `deinit`; it is not Sendable. Expat calls the handlers only from within `XML_Parse`, on the
// same thread, so the reader outlives every call of a handler (`withExtendedLifetime`), and the buffer of the
// document is valid meanwhile. The pointers that a handler gets are valid during its call; their contents are
// copied into strings at once. Names, values and the array of attributes end with a null; text has a length.
//
// A document type declaration stops the parser before its first entity, so there are no entities but the five
// of XML itself and references to characters. No handler loads another document.

import CExpat

/// The begin tag of an element.
struct XMLElement {
    /// The namespace and the local name with a separator between them, as `name(_:in:)` makes it; the local
    /// name alone without a namespace.
    let name: String
    /// The values of the attributes by name. Declarations of namespaces are no attributes.
    let attributes: [String: String]
    /// The line of the document, from 1.
    let line: Int

    /// A character that no XML document can contain.
    fileprivate static let separator: CChar = 1

    static func name(_ local: String, in namespace: String) -> String { "\(namespace)\u{1}\(local)" }

    /// The name without its namespace, for messages.
    var localName: String { name.split(separator: "\u{1}").last.map(String.init) ?? name }
}

/// The receiver of the parts of a document, in their order. An error ends the parsing.
protocol XMLContentHandler: AnyObject {
    /// An element begins.
    func start(_ element: XMLElement) throws(RateFileError)
    /// The innermost open element ends.
    func end(line: Int) throws(RateFileError)
    /// The innermost open element contains text other than white space.
    func text(line: Int) throws(RateFileError)
}

/// Parses one document.
final class XMLReader {
    private static let encodings: Set<String> = ["UTF-8", "US-ASCII", "ISO-8859-1"]

    private let parser: XML_Parser
    private let handler: any XMLContentHandler
    private let mostElements: Int
    private let mostDepth: Int
    private var elements = 0
    private var depth = 0
    private var failure: RateFileError?

    /// - Parameters:
    ///   - elements: the greatest number of elements.
    ///   - depth: the greatest depth of elements.
    /// - Returns: nil if memory is short.
    init?(_ handler: any XMLContentHandler, elements: Int, depth: Int) {
        guard let parser = XML_ParserCreateNS(nil, XMLElement.separator) else { return nil }
        self.parser = parser
        self.handler = handler
        mostElements = elements
        mostDepth = depth
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let reader = XMLReader.reader(context), let name else { return }
                reader.begin(String(cString: name), XMLReader.dictionary(attributes))
            },
            { context, _ in
                guard let reader = XMLReader.reader(context) else { return }
                reader.end()
            }
        )
        XML_SetCharacterDataHandler(parser) { context, text, count in
            guard let reader = XMLReader.reader(context), let text else { return }
            let bytes = UnsafeBufferPointer(start: text, count: Int(count))
            if bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) {
                reader.text()
            }
        }
        XML_SetXmlDeclHandler(parser) { context, _, encoding, _ in
            guard let reader = XMLReader.reader(context), let encoding else { return }
            reader.check(encoding: String(cString: encoding))
        }
        XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
            guard let reader = XMLReader.reader(context) else { return }
            reader.stop(.documentType)
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Parses a document, once.
    /// - Throws: the error of the handler, or the fault of the document.
    func read(_ document: [UInt8]) throws(RateFileError) {
        guard let count = Int32(exactly: document.count) else { throw RateFileError(.tooLarge) }
        // In one call: Expat would scan a long token again for each piece of it.
        let isWellFormed = withExtendedLifetime(self) {
            document.withUnsafeBytes { breadly_xml_parse(parser, $0.baseAddress, count) } == 1
        }
        if let failure { throw failure }
        guard !isWellFormed else { return }
        if breadly_xml_is_truncated(parser) == 1 { throw RateFileError(.truncated, line: line) }
        if breadly_xml_is_misencoded(parser) == 1 { throw RateFileError(.unreadableEncoding, line: line) }
        if breadly_xml_is_out_of_memory(parser) == 1 { throw RateFileError(.tooLarge, line: line) }
        throw RateFileError(.malformed, line: line)
    }

    private var line: Int { Int(breadly_xml_line(parser)) }

    private func begin(_ name: String, _ attributes: [String: String]) {
        // Expat may report the end of an empty element after the parser was stopped at its beginning.
        guard failure == nil else { return }
        elements += 1
        depth += 1
        guard elements <= mostElements, depth <= mostDepth else { return stop(.tooLarge) }
        let element = XMLElement(name: name, attributes: attributes, line: line)
        forward { () throws(RateFileError) in try handler.start(element) }
    }

    private func end() {
        guard failure == nil else { return }
        depth -= 1
        forward { () throws(RateFileError) in try handler.end(line: line) }
    }

    private func text() {
        guard failure == nil else { return }
        forward { () throws(RateFileError) in try handler.text(line: line) }
    }

    private func check(encoding: String) {
        guard failure == nil, !Self.encodings.contains(encoding.uppercased()) else { return }
        stop(.unreadableEncoding)
    }

    /// An error cannot cross the frames of Expat: it is kept, and `read` throws it.
    private func forward(_ call: () throws(RateFileError) -> Void) {
        do {
            try call()
        } catch {
            failure = error
            XML_StopParser(parser, 0)
        }
    }

    private func stop(_ problem: RateFileError.Problem) {
        if failure == nil { failure = RateFileError(problem, line: line) }
        XML_StopParser(parser, 0)
    }

    /// The reader that set itself as the context of the handlers.
    private static func reader(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
        context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Names and values in turn, up to a null.
    private static func dictionary(
        _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> [String: String] {
        guard var next = attributes else { return [:] }
        var values: [String: String] = [:]
        while let name = next[0], let value = next[1] {
            values[String(cString: name)] = String(cString: value)
            next += 2
        }
        return values
    }
}
