// The export of the whole book together with the files of its receipts.

import Book
import Devices
import FileStore
import HTTPServer
import Ledger
import Texts

/// `GET /export/breadly.zip`: `breadly.json`, and the files that are on this device in `attachments`, each under the id and
/// the name of its receipt. `missing.txt` names those that are on other devices only,
/// and damaged ones. The files of transactions that were not saved are there as well.
enum ArchiveExport {
    private static let pieceBytes = 1 << 16

    static func answer(_ context: RequestContext) throws -> Response {
        let (device, today) = (try context.knownDevice(), try context.formats().today)
        let folder = device.files
        return try Export.answer(context, "application/zip", "breadly.zip") { book, site, out in
            var zip = ZipWriter(out)
            try zip.add("breadly.json", on: today) { try BookExport.write(book, out) }
            var (missing, damaged): ([String], [String]) = ([], [])
            var query = ReceiptQuery()
            query.limit = 500
            repeat {
                let page = try book.receipts(query)
                for entry in page.entries {
                    let receipt = entry.shown.receipt
                    // A file that cannot be opened at present ends the export: it is not missing.
                    guard let hash = ContentHash(receipt.sha256), let file = try folder.file(hash) else {
                        missing.append("\(entry.transaction.date) \(receipt.name)")
                        continue
                    }
                    guard device.isSound(file, hash) else {
                        damaged.append("\(entry.transaction.date) \(receipt.name)")
                        continue
                    }
                    try zip.add(path(of: receipt), on: entry.transaction.date) { try append(file, to: out) }
                }
                query.after = page.next
            } while query.after != nil
            for receipt in try book.unsavedReceipts().flatMap(\.receipts) {
                guard let hash = ContentHash(receipt.sha256), let file = try folder.file(hash),
                    device.isSound(file, hash)
                else {
                    missing.append("\(today) \(receipt.name)")
                    continue
                }
                try zip.add(path(of: receipt), on: today) { try append(file, to: out) }
            }
            let texts = site.pages.texts
            var lines: [String] = []
            if !missing.isEmpty { lines += [texts.string(Text("receipts.not-in-the-archive"))] + missing }
            if !damaged.isEmpty {
                lines += [texts.string(Text("receipts.damaged-and-not-in-the-archive"))] + damaged
            }
            if !lines.isEmpty {
                try zip.add("missing.txt", on: today) { out.append(lines.joined(separator: "\r\n") + "\r\n") }
            }
            try zip.end()
        }
    }

    /// The name may come from another device, which may not have checked it.
    private static func path(of receipt: Receipt) -> String {
        let name = ReceiptType(rawValue: receipt.type).map { Receipt.name(from: receipt.name, $0) } ?? "file"
        // Windows does not allow these in names.
        let safe = String(name.map { "<>:\"|?*".contains($0) ? "_" : $0 })
        return "attachments/\(receipt.id)-\(safe)"
    }

    private static func append(_ file: StoredFile, to out: ExportWriter) throws {
        var offset = 0
        while offset < file.size {
            let bytes = file.bytes(at: offset, count: pieceBytes)
            guard !bytes.isEmpty else { throw ZipError.fileUnreadable }
            out.append(bytes)
            offset += bytes.count
        }
    }
}
