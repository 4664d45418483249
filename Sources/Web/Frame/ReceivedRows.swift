// How much of a download has been received.

import Texts

/// The numbers of the rows that were received and of all rows, as text.
struct ReceivedRows: Hashable, Sendable {
    let done: String
    /// Nil if it is not known yet.
    let total: String?

    /// - Parameters:
    ///   - done: the number of rows that were received.
    ///   - total: the number of all rows; 0 if it is not known yet.
    init(_ done: Int, of total: Int, _ style: any WritingStyle) {
        self.done = style.count(done)
        self.total = total == 0 ? nil : style.count(total)
    }

    /// The values for a sentence.
    var words: [String: Text.Argument] { ["done": .string(done), "total": .string(total ?? done)] }

    /// The note in a file with a copy of the book.
    var copyNote: Text {
        total == nil
            ? Text("chrome.copies-have-what-is-here") : Text("chrome.so-many-are-here-and-the-rest", words)
    }

    /// `963 of 100,037`.
    var text: Text { Text("sync.done-of-total", words) }
}
