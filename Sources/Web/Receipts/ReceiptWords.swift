// The reasons why files are not added, as a person reads them.

import Book
import HTTPServer
import Ledger
import Pages
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

    static func names(_ files: [String]) -> String {
        files.map(\.shortened.isolated).joined(separator: ", ")
    }

    /// The reason for files that the transaction has no room for.
    static func tooMany(_ names: [String]) -> Text {
        return Text(
            "receipts.too-many",
            ["files": .string(Self.names(names)), "limit": .count(Receipt.mostOfTransaction)]
        )
    }

    func text(about name: String, _ formats: Formats) -> Text {
        let file = Text.Argument.string(name.shortened.isolated)
        return switch self {
        case .empty: Text("receipts.is-empty", ["file": file])
        case .unknownType: Text("receipts.is-of-no-known-type", ["file": file])
        case .unreadable: Text("receipts.is-damaged", ["file": file])
        case .tooMany: Self.tooMany([name])
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
