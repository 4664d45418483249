// All documents of the coverage, in the order of the page.

import Texts

enum Coverage {
    static let documents = [tiers, lifecycle, offlineFirst, premium, banks]

    /// For a row that needs no other words than the words of the document.
    static let asWritten = Text("coverage.as-written")
}
