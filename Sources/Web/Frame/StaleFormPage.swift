// Shows the values of a form from a page that was open for too long, with a button that sends it again.

import Templates
import Texts

/// The values of an outdated form. None of them was applied.
struct StaleFormPage: Page {
    /// The name of the page's template.
    static let template = "errors/stale"

    let chrome: Chrome
    let kept: PreservedForm
    let form: Text?
    let files: [String]

    /// - Parameters:
    ///   - kept: the values of the form, which the page shows again.
    ///   - form: the heading of the page that the form was on; nil if it is not known.
    ///   - files: the names of the files that were sent with the form.
    init(chrome: Chrome, kept: PreservedForm, form: Text? = nil, files: [String] = []) {
        self.chrome = chrome
        self.kept = kept
        self.form = form
        self.files = files
    }

    /// The values for the template.
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
