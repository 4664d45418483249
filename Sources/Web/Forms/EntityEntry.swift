// The parsed form of an entity: a valid value, or errors by field.

import Book
import HTTPServer
import Ledger
import Links
import Texts

/// A kind of entity on the web: filling in, parsing, refusing and showing its form. Adding, changing,
/// deleting and restoring are the same for every kind; see `EntityAdd` and the other types of
/// `EntityActions.swift`.
protocol EntityEntry: SendableMetatype {
    associatedtype Value: Renumbered

    /// The sentences about changes of an entity of this kind.
    static var texts: EntityTexts { get }
    /// The names of the form's fields.
    static var fields: [String] { get }
    /// The names of the checkboxes among the fields, which browsers do not send if they are not ticked.
    static var ticks: Set<String> { get }
    /// The names of the fields that may be repeated.
    static var lists: [String] { get }
    /// Prepares the form to be shown again, if the user has only asked for more rows or for a suggested value.
    /// - Returns: whether the user has.
    static func fillIn(_ state: inout FormState, _ form: FormFields) -> Bool
    /// The address of the form that changes an entity.
    static var pageLink: LinkTo<EntityID> { get }
    static var deleteLink: LinkTo<EntityID> { get }
    /// The address that removes an entity that was just added, and nothing else.
    static func undoOfAdding(_ id: EntityID) -> Link
    static var restoreLink: LinkTo<EntityID> { get }

    /// The entered values, and their errors.
    var state: FormState { get set }
    /// The entity; nil if a field has an error.
    var value: Value? { get set }

    /// Parses the entered values.
    init(_ state: FormState, id: EntityID, _ context: RequestContext) throws

    /// The live entity, or nil.
    static func stored(_ id: EntityID, _ book: Book) throws(BookError) -> Value?
    /// The form values of a stored entity.
    static func state(of value: Value, _ context: RequestContext) throws -> FormState
    /// The field that an error of the book concerns, and the text beside it; nil if it concerns no field.
    static func refusal(_ error: BookError) -> (field: String, text: Text)?

    /// The question whether to save an entity although another one has its name already; nil if there is no
    /// question.
    /// - Parameter version: the version that the form had shown; nil for a new entity.
    static func nameQuestion(about value: Value, shown version: EntityVersion?, _ book: Book)
        throws(BookError) -> Text?

    static func add(_ value: Value, to book: Book) throws(BookError)
    /// Adds the entity, with what the form says beside it.
    /// - Returns: the address that undoes it.
    func add(_ value: Value, to book: Book) throws(BookError) -> Link
    /// Moves to another id what the form of a new entity has stored before.
    static func move(from id: EntityID, to other: EntityID, _ book: Book) throws(BookError)
    /// The toast after it was added.
    static func addedText(_ value: Value, _ context: RequestContext) throws -> Text
    /// The answer after the entity was added.
    static func added(_ value: Value, _ context: RequestContext) throws -> Response
    /// Writes the fields of the entity that the user changed.
    func save(_ value: Value, shown version: EntityVersion?, to book: Book) throws(BookError) -> Edit
    /// Asks what follows from a change that was saved.
    static func changed(_ value: Value, from former: Value, _ context: RequestContext) throws
    /// Deletes the entity.
    /// - Returns: the address that undoes it; nil if it cannot be restored unchanged.
    static func delete(_ id: EntityID, _ book: Book, _ form: DeletionForm) throws(BookError) -> Link?
    /// The toast after a deletion.
    /// - Parameters:
    ///   - value: the entity before it; nil if it was deleted already.
    ///   - undo: the result of `delete`.
    static func deleted(_ value: Value?, _ form: DeletionForm, undo: Link?, _ context: RequestContext) throws
        -> Text
    /// The form that hides a transaction of a bank, which is listed again after the deletion of its record; nil if there
    /// is none.
    static func hideAfterDeletion(of value: Value, _ context: RequestContext) throws -> Link?
    /// The references that prevent the deletion; nil if there are none.
    static func obstacle(_ error: BookError, to id: EntityID, _ book: Book) throws(BookError) -> Obstacle?
    static func restore(_ id: EntityID, _ book: Book) throws(BookError) -> EntityID

    /// Prepares the form of a deleted entity to add another one in its place.
    static func renew(_ state: inout FormState, of id: EntityID, _ book: Book) throws(BookError)

    /// The page that follows a change.
    static func list(around value: Value?) -> Link
    /// The row of a list that shows an entity after a change.
    static func row(of value: Value, on list: Link, _ context: RequestContext) throws -> EntityID
    /// The page with the form.
    /// - Parameters:
    ///   - editing: the entity that it changes; nil to add one.
    ///   - obstacle: the reason why a deletion failed; nil if none was tried.
    static func page(
        _ context: RequestContext,
        _ state: FormState,
        editing: EntityID?,
        obstacle: Obstacle?,
        _ status: Status
    ) throws -> Response
}

/// The references that prevent a deletion.
struct Obstacle: Sendable {
    let text: Text
    /// The page on which they can be removed.
    let way: Way
}

extension Link {
    /// The page of an entity; nil for a kind without pages.
    static func page(of kind: String, _ id: EntityID) -> Link? {
        switch kind {
        case Transaction.entityKind: TransactionEntry.pageLink(id)
        case Account.entityKind: AccountEntry.pageLink(id)
        case Ledger.Category.entityKind: CategoryEntry.pageLink(id)
        case Budget.entityKind: BudgetEntry.pageLink(id)
        case Schedule.entityKind: ScheduleEntry.pageLink(id)
        case Rule.entityKind: RuleEntry.pageLink(id)
        case SavedView.entityKind: ViewEntry.pageLink(id)
        default: nil
        }
    }
}

/// The values of a form that deletes an entity.
struct DeletionForm {
    /// The part of a budget that is deleted. Other entities have no parts.
    enum Extent {
        /// The present month and all later months.
        case fromNow
        /// All months.
        case always
        /// The months of one limit: what adding it has added.
        case oneLimit
    }

    /// The present month in the user's time zone.
    let month: YearMonth
    let extent: Extent

    init(_ context: RequestContext) throws {
        month = try context.formats().today.yearMonth
        let request = context.request
        switch request.form.first("since") ?? request.query.first("since") {
        case "beginning": extent = .always
        case "only": extent = .oneLimit
        default: extent = .fromNow
        }
    }
}

/// The sentences about changes of an entity.
struct EntityTexts: Sendable {
    let added: Text
    let changed: Text
    let deleted: Text
    let restored: Text
    /// The reason why a deletion could not be undone.
    let lost: Text
    /// The heading of the page at the address of a deleted entity.
    let gone: Text
    /// The sentence about its restoration.
    var safe = Text("errors.your-data-is-as-it")
    /// The message above a form whose entity was deleted while the form was open.
    /// - Parameter place: where it was deleted, such as "in another window".
    let deletedMeanwhile: @Sendable (_ place: Text.Argument) -> Text

    /// The page at the address of a deleted entity.
    /// - Parameters:
    ///   - link: the address that restores it.
    ///   - device: as in `DeletedEntity`.
    func gone(restoring link: Link, on device: String?) -> DeletedEntity {
        DeletedEntity(heading: gone, restore: link, device: device, safe: safe)
    }
}

/// An entity that can be added once more under another id.
protocol Renumbered: Entity {
    var id: EntityID { get set }
}

extension Transaction: Renumbered {}
extension Account: Renumbered {}
extension Ledger.Category: Renumbered {}
extension Budget: Renumbered {}
extension Schedule: Renumbered {}
extension Rule: Renumbered {}

extension EntityEntry {
    static var ticks: Set<String> { [] }
    static var lists: [String] { [] }

    static func fillIn(_ state: inout FormState, _ form: FormFields) -> Bool { false }

    static func obstacle(_ error: BookError, to id: EntityID, _ book: Book) -> Obstacle? { nil }

    static func row(of value: Value, on list: Link, _ context: RequestContext) -> EntityID { value.id }

    static func renew(_ state: inout FormState, of id: EntityID, _ book: Book) {}

    static func changed(_ value: Value, from former: Value, _ context: RequestContext) {}

    static func move(from id: EntityID, to other: EntityID, _ book: Book) {}

    static func undoOfAdding(_ id: EntityID) -> Link { deleteLink(id) }

    static func deleted(_ value: Value?, _ form: DeletionForm, undo: Link?, _ context: RequestContext) -> Text
    {
        texts.deleted
    }

    static func hideAfterDeletion(of value: Value, _ context: RequestContext) throws -> Link? { nil }

    func add(_ value: Value, to book: Book) throws(BookError) -> Link {
        try Self.add(value, to: book)
        return Self.undoOfAdding(value.id)
    }

    func save(_ value: Value, shown version: EntityVersion?, to book: Book) throws(BookError) -> Edit {
        try book.change(value, shown: version)
    }

    static func nameQuestion(about value: Value, shown version: EntityVersion?, _ book: Book)
        throws(BookError) -> Text?
    { nil }

    static func addedText(_ value: Value, _ context: RequestContext) -> Text { texts.added }

    static func added(_ value: Value, _ context: RequestContext) throws -> Response {
        context.redirect(to: context.list(of: value.id, or: list(around: value)))
    }

    /// Sets the error of a field.
    mutating func refuse(_ field: String, _ error: Text) {
        state.refuse(field, error)
        value = nil
    }

    /// Asks about a name that another entity has already, unless the user has confirmed this same name.
    /// - Returns: whether there is a question.
    mutating func asks(
        about value: Value,
        shown version: EntityVersion?,
        _ book: Book,
        _ context: RequestContext
    ) throws(BookError) -> Bool {
        guard let question = try Self.nameQuestion(about: value, shown: version, book),
            context.request.form.first("same_name") != state["name"]
        else { return false }
        refuse("name", question)
        state.confirmations["name"] = FieldConfirmation(name: "same_name", value: state["name"])
        return true
    }

    /// Asks whether the year of a day or a month is right, unless the user has confirmed this same value.
    mutating func ask(aboutYear year: Int, of field: String, _ context: RequestContext) {
        guard context.request.form.first("unusual_\(field)") != state[field] else { return }
        state.ask(aboutYear: year, of: field)
        value = nil
    }

    /// Shows an error of the book beside the field that it concerns.
    /// - Returns: whether it concerns a field.
    mutating func refuse(_ error: BookError) -> Bool {
        if case .changedMeanwhile(let field) = error {
            refuse(field.rawValue, Text("forms.changed-meanwhile"))
            return true
        }
        guard let (field, text) = Self.refusal(error) else { return false }
        refuse(field, text)
        return true
    }
}
