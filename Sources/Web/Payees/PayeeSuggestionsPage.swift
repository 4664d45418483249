// The payees that a typed text can mean.

import Templates
import Texts

/// Links to the form of a new transaction, one for each payee.
struct PayeeSuggestionsPage: Page {
    static let template = "payees/suggestions"
    let chrome: Chrome
    let repeats: [PayeeRepeat]

    static let keys = Keys<PayeeSuggestionsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.transactions) }
        .list("repeats", of: PayeeRepeat.self) { $0.repeats }
        .text("kept") { _ in "" }
}
