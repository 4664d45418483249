// The XML of the European Central Bank, eurofxref-daily.xml and the histories:
//
//     <gesmes:Envelope>                               namespace of GESMES
//       <gesmes:subject/> <gesmes:Sender/>            read over
//       <Cube>                                        namespace of eurofxref, as all elements below
//         <Cube time="2026-10-30">                    one in the daily file, one for each day in a history
//           <Cube currency="USD" rate="1.1172"/>      1 EUR = 1.1172 USD
//
// Anything else is refused: an unknown attribute, for instance, could change the meaning of a rate.

import Ledger

/// Passes the rates of a document to the collected days.
final class EuropeanCentralBankXML: XMLContentHandler {
    private enum Level { case document, envelope, header, cubes, day, rate }

    private static let message = "http://www.gesmes.org/xml/2002-08-01"
    private static let vocabulary = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref"
    private static let envelope = XMLElement.name("Envelope", in: message)
    private static let cube = XMLElement.name("Cube", in: vocabulary)
    private static let messagePrefix = XMLElement.name("", in: message)

    private let days: RateDays
    /// The open elements, the outermost first.
    private var path: [Level] = []
    private var hasCubes = false

    init(days: RateDays) { self.days = days }

    func start(_ element: XMLElement) throws(RateFileError) {
        path.append(try level(of: element))
    }

    /// Reads an element, and tells its place in the document.
    private func level(of element: XMLElement) throws(RateFileError) -> Level {
        let isCube = element.name == Self.cube
        switch path.last ?? .document {
        case .document where element.name == Self.envelope: return .envelope
        case .envelope where element.name.hasPrefix(Self.messagePrefix),
            .header where element.name.hasPrefix(Self.messagePrefix):
            return .header
        case .envelope where isCube && !hasCubes && element.attributes.isEmpty:
            hasCubes = true
            return .cubes
        case .cubes where isCube:
            let values = try attributes(["time"], of: element)
            try days.beginDay(CivilDate(iso: values[0]), values[0], line: element.line)
            return .day
        case .day where isCube:
            let values = try attributes(["currency", "rate"], of: element)
            try days.add(values[1], of: values[0], line: element.line)
            return .rate
        case .document, .envelope, .header, .cubes, .day, .rate:
            throw RateFileError(.unexpected(element.localName), line: element.line)
        }
    }

    func end(line: Int) throws(RateFileError) {
        if path.popLast() == .day { try days.endDay(line: line) }
    }

    func text(line: Int) throws(RateFileError) {
        guard path.last == .header else { throw RateFileError(.unexpected("text"), line: line) }
    }

    /// The values of exactly these attributes, in the order of the names.
    private func attributes(
        _ names: [String],
        of element: XMLElement
    ) throws(RateFileError) -> [String] {
        // A repeated attribute is an error of Expat.
        if let extra = element.attributes.keys.sorted().first(where: { !names.contains($0) }) {
            throw RateFileError(.unexpected(extra), line: element.line)
        }
        let values = names.compactMap { element.attributes[$0] }
        guard values.count == names.count else {
            throw RateFileError(.unexpected(element.localName), line: element.line)
        }
        return values
    }
}
