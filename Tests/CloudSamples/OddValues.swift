// Values that most fields cannot have, for the tests of what a faulty client sends.
public import SyncCore

extension FieldValue {
    /// A value of each kind of trouble: missing, out of bounds, of another form, too long.
    public static let odd: [FieldValue] = [
        .null, 0, -1, .integer(.min), .integer(.max), "", "x", "usd", "EURO",
        "00000000000000000000000000", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "0000000000000000000000000/",
        .other("[]"), .other("{\"a\":[1,2.5]}"), .other("1.5"), .text(String(repeating: "é", count: 20_000)),
    ]
}
