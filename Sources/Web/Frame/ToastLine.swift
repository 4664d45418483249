// A short message that a page shows once, over its content.

public import Links
public import Templates
public import Texts

/// The message after an action.
public struct ToastLine: TemplateModel {
    /// The key of the message, for tests and scripts: `transaction-deleted`.
    public var key: String
    /// The text for the user.
    public var text: Text
    /// The address of the form that undoes the action; nil if it cannot be undone.
    public var undo: Link?
    /// The same address, for the button of a page whose form with the id `entry` is sent along: without a script, whatever
    /// was typed there would be lost. With a script the form of the toast is sent alone, and the page stays.
    public var undoWithEntry: Link?
    /// The address of the form that answers the question of the text with "It is the same"; nil for no question.
    public var same: Link?
    /// The address of the form that hides a transaction of a bank; nil for no such button.
    public var hide: Link?

    /// Creates a message.
    public init(key: String, text: Text, undo: Link? = nil, same: Link? = nil, hide: Link? = nil) {
        self.key = key
        self.text = text
        self.undo = undo
        self.same = same
        self.hide = hide
    }

    /// The values for the template.
    public static let keys = Keys<ToastLine>()
        .text("key") { $0.key }
        .message("text") { $0.text }
        .optionalLink("undo") { $0.undo }
        .optionalLink("undo_with_entry") { $0.undoWithEntry }
        .optionalLink("same") { $0.same }
        .optionalLink("hide") { $0.hide }
}
