// Shows the values of a form from a page that was open for too long, with a button that sends it again.

import Templates
import Texts

/// The values of an outdated form. None of them was applied.
struct StaleFormPage: Page {
    static let template = "errors/stale"

    let chrome: Chrome
    /// The values of the form, which the page shows again.
    let kept: PreservedForm
    /// The heading of the page that the form was on; nil if it is not known.
    var form: Text? = nil
    /// The names of the files that were sent with the form.
    var files: [String] = []

    static let keys = Keys<StaleFormPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .flag("can_repeat") { $0.kept.action != nil }
        .message("heading") { page in
            guard page.kept.action == nil else { return Text("errors.stale-send-it-again") }
            return page.form.map { Text("errors.form-was-not-saved", ["form": .text($0)]) }
                ?? Text("errors.this-page-was-too")
        }
        .optionalMessage("files") { page in
            guard !page.files.isEmpty else { return nil }
            let names = page.files.map(\.isolated).joined(separator: ", ")
            return Text(
                "errors.files-were-not-added",
                ["files": .string(names), "count": .count(page.files.count)]
            )
        }
        .model("kept", of: PreservedForm.self) { $0.kept }
}
