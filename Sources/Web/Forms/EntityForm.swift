// The values that the forms of all entities have for their templates.

import Ledger
import Links
import Templates
import Texts

/// The form that adds or changes an entity.
protocol EntityForm: TemplateModel {
    var state: FormState { get }
    /// The entity that it changes; nil to add one.
    var editing: EntityID? { get }
    /// An id made for this form, so that sending it twice adds one entity.
    var once: String { get }
}

extension Keys where Model: EntityForm {
    /// The values of every form of an entity.
    /// - Parameters:
    ///   - list: the page of all entities of the kind, to which a form for a new one is posted.
    ///   - entity: the page of one of them.
    ///   - add: the label of the button that adds one.
    static func form(of list: Link, _ entity: LinkTo<EntityID>, add: Text) -> Keys<Model> {
        Keys()
            .optional("seen") { $0.state.seen }
            .optionalMessage("notice") { $0.state.notice }
            .optional("back") { $0.state.back?.text }
            .link("cancel_href") { $0.state.back ?? list }
            .flag("is_refused") { $0.state.isRefused || $0.state.notice != nil }
            .flag("is_unsaved") { $0.state.isUnsaved }
            .link("action") { $0.editing.map { entity($0) } ?? list }
            .text("once") { $0.once }
            .flag("is_new") { $0.editing == nil }
            .message("submit") { $0.editing == nil ? add : Text("common.save") }
    }
}
