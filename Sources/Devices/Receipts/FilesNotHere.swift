// The files of receipts that are not on a device after sync has ended, and what can be promised of each.

public import Book
public import Ledger
public import Texts

extension FilesNotHere {
    /// The sentences about the files after sync has ended with the subscription: one for each number that is not 0.
    public var texts: [Text] {
        var texts: [Text] = []
        if fetchable > 0 { texts.append(Text("notices.files-not-fetched", ["count": .count(fetchable)])) }
        if unanswered > 0 {
            texts.append(Text("notices.files-perhaps-fetched", ["count": .count(unanswered)]))
        }
        if absent.count > 0 {
            texts.append(Text("user-account.files-are-nowhere", ["count": .count(absent.count)]))
        }
        return texts
    }
}

extension Device {
    /// The files of live receipts of live transactions that are not on this device.
    public func filesNotHere(in book: Book) throws(BookError) -> FilesNotHere {
        let nowhere = Set(try absentFiles(in: book).all)
        let known = machine { $0.filesElsewhere }
        var files = FilesNotHere(absent: try countAbsentFiles(in: book))
        for hash in try book.receiptHashesElsewhere() where !nowhere.contains(hash) {
            if known.isInCloud(hash) == true { files.fetchable += 1 } else { files.unanswered += 1 }
        }
        return files
    }
}
