// The addresses of the static files that pages refer to.

/// The addresses of the static files, with their content hashes in the names.
package struct Assets: Hashable, Sendable {
    /// The style sheet.
    var css: String
    /// The address of the script.
    var script: String
    /// The address of the script of forms that take files, which only their pages load.
    var receiptsScript: String
    /// The address of the script of signed-in users' pages, which say when their server does not answer.
    var silenceScript: String
    /// The address of the script of lists whose rows can be selected.
    var listScript: String
    /// The address of the script of lists that get an order.
    var orderScript: String
    /// The address of the script of forms in which a transaction is entered.
    var sheetScript: String
    /// The address of the script of signed-in users' pages, whose parts follow sync and files.
    var followScript: String
    /// The address of the script that keeps forms which are left half filled.
    var draftsScript: String
    /// The address of the script that runs before a page is shown and removes the drafts that have arrived.
    var arrivedScript: String
    /// The sprite of icons, without a fragment.
    var sprite: String
    /// The icon of the browser tab, which is also the logo beside the name.
    var favicon: String

    /// The addresses as they appear in the markup.
    /// - Parameter address: that of a file by its name.
    package init(_ address: (String) -> String) {
        css = address("app.css")
        script = address("app.js")
        receiptsScript = address("receipts.js")
        silenceScript = address("silence.js")
        listScript = address("list.js")
        orderScript = address("order.js")
        sheetScript = address("sheet.js")
        followScript = address("follow.js")
        draftsScript = address("drafts.js")
        arrivedScript = address("arrived.js")
        sprite = address("icons.svg")
        favicon = address("favicon.svg")
    }
}
