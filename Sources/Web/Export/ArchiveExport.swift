// The export of the whole book together with the files of its receipts.

import Book
import Devices
import FileStore
import HTTPServer
import Ledger
import Texts

/// `GET /export/breadly.zip`: `breadly.json`, and the files that are on this device in `attachments`, each under the id
/// and the name of its receipt. `missing.txt` says how much of the book is here if that is not all, and names files that
/// are on other devices only, and damaged files; pages say so as well from then on. The files of unsaved transactions are in `attachments` as well. The
/// files of deleted transactions, which can be restored, are in `deleted`, and `deleted.txt` says so: `breadly.json`
/// does not name them.
enum ArchiveExport {
    private static let pieceBytes = 1 << 16

    static func answer(_ context: RequestContext) throws -> Response {
        let (device, formats) = (try context.knownDevice(), try context.formats())
        let (today, style) = (formats.today, formats.style)
        let (folder, advice) = (device.files, context.archiveAdvice)
        return try Export.answer(context, "application/zip", ExportName(base: "breadly", type: "zip")) {
            exported,
            site,
            out in
            let book = exported.book
            var zip = ZipWriter(out)
            try zip.add("breadly.json", on: today) { try BookExport.write(exported, out) }
            var (missing, damaged, deleted): ([String], [String], [String]) = ([], [], [])
            var query = ReceiptQuery()
            query.limit = 500
            query.scope = .withDeleted
            repeat {
                let page = try book.receipts(query)
                for entry in page.entries {
                    let receipt = entry.shown.receipt
                    let line = "\(entry.transaction.date) \(receipt.name)"
                    // A file that cannot be opened at present ends the export: it is not missing.
                    guard let hash = ContentHash(receipt.sha256), let file = try folder.file(hash) else {
                        // Files of deleted transactions that other devices have do not get lost with this one.
                        if !entry.isTransactionDeleted || entry.shown.isOfThisDevice { missing.append(line) }
                        // The cloud may have a file that was sent: opening it finds that out.
                        if entry.shown.isOfThisDevice, !entry.shown.mayBeInCloud {
                            try device.noteMissing(receipt.sha256, in: book)
                        }
                        continue
                    }
                    guard device.isSound(file, hash) else {
                        damaged.append(line)
                        let isAvailable = device.canFetchFiles
                        try device.noteDamage(of: receipt.sha256, isAvailable: isAvailable, in: book)
                        continue
                    }
                    if entry.isTransactionDeleted { deleted.append(line) }
                    let path = Self.path(
                        of: receipt,
                        in: entry.isTransactionDeleted ? "deleted" : "attachments"
                    )
                    try zip.add(path, on: entry.transaction.date) { try append(file, to: out) }
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
                try zip.add(path(of: receipt, in: "attachments"), on: today) { try append(file, to: out) }
            }
            let texts = site.pages.texts
            var lines: [String] = []
            if let rows = exported.incomplete {
                let received = ReceivedRows(rows.done, of: rows.total, style)
                lines.append(texts.string(received.copyNote))
            } else if exported.isCatchingUp {
                lines.append(texts.string(Text("chrome.newest-changes-are-missing")))
            }
            if !missing.isEmpty { lines += [texts.string(advice.missing)] + missing }
            if !damaged.isEmpty { lines += [texts.string(advice.damaged)] + damaged }
            if !lines.isEmpty {
                try zip.add("missing.txt", on: today) { out.append(lines.joined(separator: "\r\n") + "\r\n") }
            }
            if !deleted.isEmpty {
                let lines = [texts.string(Text("receipts.deleted-in-the-archive"))] + deleted
                try zip.add("deleted.txt", on: today) { out.append(lines.joined(separator: "\r\n") + "\r\n") }
            }
            try zip.end()
        }
    }

    /// The name may come from another device, which may not have checked it.
    private static func path(of receipt: Receipt, in folder: String) -> String {
        let name = ReceiptType(rawValue: receipt.type).map { Receipt.name(from: receipt.name, $0) } ?? "file"
        // Windows does not allow these in names.
        let safe = String(name.map { "<>:\"|?*".contains($0) ? "_" : $0 })
        return "\(folder)/\(receipt.id)-\(safe)"
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

extension RequestContext {
    /// The texts above the files that the archive lacks. Opening them helps only on a device that fetches files from a cloud.
    fileprivate var archiveAdvice: (missing: Text, damaged: Text) {
        guard hasCloud else {
            return (Text("receipts.lost-without-a-cloud"), Text("receipts.damaged-without-a-cloud"))
        }
        switch receiptCloud {
        case .on, .away, .outdated:
            return (
                Text("receipts.not-in-the-archive"), Text("receipts.damaged-and-not-in-the-archive")
            )
        case .off, .needsPremium, .switchedOff, .needsSignIn, .ending:
            return (Text("receipts.not-in-the-archive-without-sync"), Text("receipts.damaged-without-sync"))
        }
    }
}
