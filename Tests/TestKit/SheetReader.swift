// Reads the text files of spreadsheets.

/// The cells of a text file by lines, read as RFC 4180 says: without the mark, and the quotation marks taken away.
public func sheetRows(_ text: String, separator: Unicode.Scalar = ",") -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var cell = String.UnicodeScalarView()
    var isQuoted = false
    func endCell() {
        row.append(String(cell))
        cell = String.UnicodeScalarView()
    }
    let scalars = Array(text.unicodeScalars)
    var place = scalars.first == "\u{FEFF}" ? 1 : 0
    while place < scalars.count {
        let scalar = scalars[place]
        let next = place + 1 < scalars.count ? scalars[place + 1] : nil
        place += 1
        switch scalar {
        case "\"" where isQuoted && next == "\"":
            cell.append(scalar)
            place += 1
        case "\"" where isQuoted: isQuoted = false
        case _ where isQuoted: cell.append(scalar)
        case "\"" where cell.isEmpty: isQuoted = true
        case separator: endCell()
        case "\r" where next == "\n":
            place += 1
            endCell()
            rows.append(row)
            row = []
        default: cell.append(scalar)
        }
    }
    if !row.isEmpty || !cell.isEmpty {
        endCell()
        rows.append(row)
    }
    return rows
}
