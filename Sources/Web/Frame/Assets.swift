// The addresses of the static files that pages refer to.

/// The addresses of the static files, with their content hashes in the names.
public struct Assets: Hashable, Sendable {
    /// The style sheet.
    public var css: String
    /// The address of the script.
    public var script: String
    /// The address of the script of forms that take files, which only their pages load.
    public var receiptsScript: String
    /// The address of the script of pages that show where files are.
    public var filesScript: String
    /// The sprite of icons, without a fragment.
    public var sprite: String
    /// The icon of the browser tab, which is also the logo beside the name.
    public var favicon: String

    /// The addresses as they appear in the markup.
    public init(
        css: String,
        script: String,
        receiptsScript: String,
        filesScript: String,
        sprite: String,
        favicon: String
    ) {
        self.css = css
        self.script = script
        self.receiptsScript = receiptsScript
        self.filesScript = filesScript
        self.sprite = sprite
        self.favicon = favicon
    }
}
