// All guided journeys, in the order of the list, the tour through a few of them, and the documents that they cover.

package import Texts

/// The guided journeys of the lab and what they cover, as the files of `Resources/journeys` and `Resources/coverage` say.
package struct Journeys: Sendable {
    /// The journeys that belong together, under a heading.
    struct Group: Sendable {
        /// For its place on the page.
        let id: String
        let label: Text
        let journeys: [Journey]
    }

    let groups: [Group]
    let all: [Journey]
    /// Each journey by its id.
    let byID: [String: Journey]
    /// The journeys for a first look, each of less than a minute.
    let tour: [Journey]
    /// The documents that the product comes from, in the order of the page.
    let documents: [CoverageDocument]

    /// - Parameters:
    ///   - files: UTF-8 by name, for example `1-product.txt`: a group of journeys each, in the order of the names.
    ///   - coverage: likewise, a document each.
    ///   - texts: has every sentence that a journey names.
    /// - Throws: `JourneyError` for the first line that cannot be read, and for an id that occurs twice.
    package init(files: [String: [UInt8]], coverage: [String: [UInt8]] = [:], texts: TextCatalogue)
        throws(JourneyError)
    {
        var (groups, tour, byID): ([Group], [Journey], [String: Journey]) = ([], [], [:])
        for (file, bytes) in files.sorted(by: { $0.key < $1.key }) {
            var reader = try JourneyReader(file, bytes, texts)
            let group = try reader.group()
            for journey in group.journeys {
                guard byID.updateValue(journey, forKey: journey.id) == nil else {
                    throw JourneyError(file: file, line: 0, reason: "'\(journey.id)' occurs twice")
                }
            }
            groups.append(group)
            tour += reader.tour
        }
        self.groups = groups
        self.byID = byID
        self.tour = tour
        all = groups.flatMap(\.journeys)
        var documents: [CoverageDocument] = []
        for (file, bytes) in coverage.sorted(by: { $0.key < $1.key }) {
            var reader = try CoverageReader(file, bytes, texts, byID)
            documents.append(try reader.document())
        }
        self.documents = documents
    }
}
