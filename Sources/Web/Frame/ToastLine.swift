// A short message that a page shows once, over its content.

import Links
import Templates
import Texts

/// The message after an action.
package struct ToastLine: TemplateModel {
    /// The key of the message, for tests and scripts: `transaction-deleted`.
    var key: String
    /// The text for the user.
    var text: Text
    /// The address of the form that undoes the action; nil if it cannot be undone.
    var undo: Link?
    /// The same address, for the button of a page whose form with the id `entry` is sent along: without a script, whatever
    /// was typed there would be lost. With a script the form of the toast is sent alone, and the page stays.
    var undoWithEntry: Link?
    /// The address of the form that answers the question of the text with "It is the same"; nil for no question.
    var same: Link?
    /// The address of the form that answers it with "It is another one"; nil for no such answer.
    var another: Link?
    /// The address of the form that hides a transaction of a bank; nil for no such button.
    var hide: Link?

    /// Creates a message.
    init(
        key: String,
        text: Text,
        undo: Link? = nil,
        same: Link? = nil,
        another: Link? = nil,
        hide: Link? = nil
    ) {
        self.key = key
        self.text = text
        self.undo = undo
        self.same = same
        self.another = another
        self.hide = hide
    }

    static let keys = Keys<ToastLine>()
        .text("key") { $0.key }
        .message("text") { $0.text }
        .optionalLink("undo") { $0.undo }
        .optionalLink("undo_with_entry") { $0.undoWithEntry }
        .optionalLink("same") { $0.same }
        .optionalLink("another") { $0.another }
        .optionalLink("hide") { $0.hide }
        .model("way", of: Way.self) { $0.key == "signed-out-elsewhere" ? .signInAgain : nil }
}
