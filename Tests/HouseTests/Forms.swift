// The forms of templates: what is typed into one is kept when its page is left.

/// A form of a template that is posted.
struct TemplateForm {
    let tag: Substring
    let content: Substring

    /// The forms of a template, in order.
    static func all(in source: String) -> [TemplateForm] {
        source.matches(of: /<form\b(?<tag>[^>]*)>(?<content>(?s:.*?))<\/form>/)
            .map { TemplateForm(tag: $0.output.tag, content: $0.output.content) }
            .filter { $0.tag.contains("method=\"post\"") }
    }

    /// Whether a person types or chooses something in it.
    var asksForSomething: Bool {
        content.contains(/<select|<textarea|<input(?![^>]*type="hidden")|forms\/select|user-account\//)
    }

    /// Whether it waits for a server that is away, comes back with what was typed, and says when it shows a draft.
    var isKept: Bool {
        tag.contains("data-once") && tag.contains(" data-typed{{/") && content.contains("{{>forms/draft}}")
    }

    /// Templates whose forms hold secrets, confirm something, are about a selection, or are sent again as they are. Nothing of
    /// them is kept.
    static let exceptions = [
        "user-account/", "lab/", "banks/connect.mustache", "errors/kept.mustache", "payees/",
        "transactions/bulk", "transactions/uncategorised",
    ]
}
