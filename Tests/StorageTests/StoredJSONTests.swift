// The JSON of stored values: one text for each value, and nothing else.
import Storage
import Testing

@Suite struct StoredJSONTests {
    private struct Row: Codable, Hashable {
        var name: String
        var count: Int?
        var isNew: Bool
    }

    @Test func aValueHasOneText() throws {
        let row = Row(name: "a/b \"ü\"\n", count: 3, isNew: true)
        let text = try StoredJSON.encode(row)
        #expect(text == #"{"count":3,"isNew":true,"name":"a/b \"ü\"\n"}"#)
        #expect(StoredJSON.decode(Row.self, text) == row)
        let short = Row(name: "", count: nil, isNew: false)
        #expect(StoredJSON.decode(Row.self, #"{"isNew":false,"name":""}"#) == short)
    }

    @Test(arguments: [
        "", "{}", #"{"isNew":false}"#, #"{"isNew":false,"name":"","other":1}"#, #"{"name":"","isNew":false}"#,
        #"{"count":null,"isNew":false,"name":""}"#, #"{"isNew": false,"name":""}"#,
        #"{"isNew":false,"isNew":false,"name":""}"#, #"{"isNew":false,"name":"\u0061"}"#,
        #"{"isNew":0,"name":""}"#, #"{"isNew":false,"name":""}x"#, #"{"count":1.0,"isNew":false,"name":""}"#,
    ])
    func anyOtherTextIsRefused(text: String) { #expect(StoredJSON.decode(Row.self, text) == nil) }
}
