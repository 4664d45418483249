// The reasons why files are not added, as a person reads them.

import Book
import HTTPServer
import Ledger
import Texts

extension ReceiptProblem {
    var status: Status {
        switch self {
        case .empty, .unknownType, .unreadable, .tooMany, .tooManyPixels: .unprocessable
        case .tooLarge: .contentTooLarge
        case .diskFull: .insufficientStorage
        case .busy: .unavailable
        case .failed: .internalError
        }
    }

    /// The names of files in a sentence, which would be hard to read with very many of them.
    static func names(_ files: [String]) -> Text.Argument {
        let most = 10
        // One more takes as much room as the word about it.
        let shown = files.count <= most + 1 ? files[...] : files.prefix(most)
        let names = Text.Argument.string(shown.map(\.shortened.isolated).joined(separator: ", "))
        let more = files.count - shown.count
        return more == 0 ? names : .text(Text("receipts.and-more", ["files": names, "more": .count(more)]))
    }

    /// The reason for files that the transaction has no room for.
    static func tooMany(_ names: [String]) -> Text {
        return Text(
            "receipts.too-many",
            ["files": Self.names(names), "limit": .count(Receipt.mostOfTransaction)]
        )
    }

    /// The reason for files that were not read, because the form has more than a form can have. They may be equal to others.
    static func tooManyOfForm(_ names: [String]) -> Text {
        Text("receipts.too-many-of-form", ["files": Self.names(names), "limit": .count(mostOfForm)])
    }

    /// The caution about files that were added nevertheless.
    static func mayHavePlace(_ names: [String]) -> Text? {
        guard !names.isEmpty else { return nil }
        return Text("receipts.place-may-be-left", ["files": Self.names(names), "count": .count(names.count)])
    }

    /// The greatest number of files of a form. Each may have a small picture of it.
    static let mostOfForm = Receipt.mostOfTransaction * 2

    func text(about name: String, _ formats: Formats) -> Text {
        let file = Text.Argument.string(name.shortened.isolated)
        return switch self {
        case .empty: Text("receipts.is-empty", ["file": file])
        case .unknownType: Text("receipts.is-of-no-known-type", ["file": file])
        case .unreadable: Text("receipts.is-damaged", ["file": file])
        case .tooMany: Self.tooManyOfForm([name])
        case .tooLarge(let limit):
            Text("receipts.is-too-large", ["file": file, "limit": .text(formats.fileSize(Int64(limit)))])
        case .tooManyPixels(let width, let height):
            Text(
                "receipts.has-too-many-pixels",
                ["file": file, "width": .string("\(width)"), "height": .string("\(height)")]
            )
        case .diskFull: Text("receipts.no-room-for", ["file": file])
        case .busy: Text("receipts.too-many-at-once", ["file": file])
        case .failed: Text("receipts.could-not-be-stored", ["file": file])
        }
    }
}

extension String {
    /// The name of a file in a sentence: one line, and short.
    var shortened: String {
        let line = asLine
        return line.count <= 80 ? line : line.prefix(60) + "…" + line.suffix(15)
    }
}
