// The page that changes or deletes a category.

import Ledger
import Links
import Templates
import Texts

/// A category on a page of its own.
struct CategoryEditPage: Page {
    static let template = "categories/edit"
    let chrome: Chrome
    let use: CategoryUse
    let form: CategoryForm
    let deleteError: Obstacle?

    /// A page around a form.
    /// - Parameter deleteError: why the category could not be deleted, after it was tried.
    init(chrome: Chrome, category: CategoryUse, form: CategoryForm, deleteError: Obstacle? = nil) {
        self.deleteError = deleteError
        self.chrome = chrome.on(.categories)
        use = category
        self.form = form
    }

    static let keys = Keys<CategoryEditPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("name") { $0.use.category.name }
        .text("icon") { $0.use.category.icon }
        .text("color") { $0.use.category.color }
        .link("list_href") { $0.use.category.transactionsLink }
        .flag("is_archived") { $0.use.category.isArchived }
        .link("archive_action", to: Link.categoryArchive) { $0.use.category.id }
        .link("unarchive_action", to: Link.categoryUnarchive) { $0.use.category.id }
        .link("merge_href", to: Link.categoryMerge) { $0.use.category.id }
        .model("form", of: CategoryForm.self) { $0.form }
        .link("delete_action", to: Link.categoryDelete) { $0.use.category.id }
        .optionalMessage("delete_error") { $0.deleteError?.text }
        .model("delete_way", of: Way.self) { $0.deleteError?.way }
        // One in use is archived or merged, so that nothing loses its category.
        .flag("can_delete") { $0.use.isUnused }
        .message("delete_text") { page in
            page.chrome.cloud.isIncomplete
                ? Text("overview.not-all-is-here") : Text("categories.nothing-uses-it")
        }
}
