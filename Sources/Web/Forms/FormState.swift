// The state of a refused form: the entered values, and their errors.

import Links
import Texts

/// The values of a form by field name, and the errors beside the fields.
struct FormState: Hashable, Sendable {
    /// The values as they were entered.
    var values: [String: String] = [:]
    /// Fields that may be repeated, such as `currencies`.
    var lists: [String: [String]] = [:]
    /// The values with which the form of a stored entity was shown; empty in a form that adds one.
    var shown: [String: String] = [:]
    /// The repeated fields with which it was shown.
    var shownLists: [String: [String]] = [:]
    /// The fields that were not sent, and have the shown values.
    var carried: Set<String> = []
    /// The error of each refused field, as a sentence with the remedy.
    var errors: [String: Text] = [:]
    /// The check boxes that confirm unusual values, by the name of the field that they are beside.
    var confirmations: [String: FieldConfirmation] = [:]
    /// The answers to a question that a value has raised, by the name of the field that they are of.
    var choices: [String: [Choice]] = [:]
    /// The version of the entity that a form for editing shows; nil in a form that adds one.
    var seen: String?
    /// The list to return to, with its filters; nil for the default one.
    var back: Link?
    /// The fields in the order in which the page shows them.
    var order: [String] = []
    /// The number of rows for parts that the user has asked for; 0 for the usual number.
    var partRowCount = 0
    /// The same for rows of conditions.
    var conditionRowCount = 0
    /// A caution to confirm before the form is sent again; nil for none.
    var notice: Text?
    /// Whether the address of the page has filled it in.
    var isPrefilled = false
    /// Whether the form was only filled in further and is shown again, such as with more rows.
    var isFilledIn = false

    /// The entered value; empty if there is none.
    subscript(name: String) -> String { values[name] ?? "" }

    /// Whether the field was sent with a value, changed or not.
    func isSent(_ name: String) -> Bool { !self[name].asLine.isEmpty && !carried.contains(name) }

    /// Whether the field was sent with another value than it was shown with. Browsers send the fields that a page
    /// hides too, as they were shown.
    func isEntered(_ name: String) -> Bool { isSent(name) && self[name] != shown[name] }

    /// Whether something must be corrected.
    var isRefused: Bool { !errors.isEmpty }

    /// Whether the form came back with what was typed, which is not saved.
    var isUnsaved: Bool { isRefused || notice != nil || isFilledIn }

    /// Asks whether the year of a day or a month is right.
    mutating func ask(aboutYear year: Int, of field: String) {
        refuse(field, Text("forms.is-this-year-right", ["year": .string("\(year)")]))
        confirmations[field] = FieldConfirmation(name: "unusual_\(field)", value: self[field])
    }

    /// A field as its template shows it.
    func field(_ name: String, options: [Choice] = []) -> Field {
        let first = order.first { errors[$0] != nil }
        return Field(
            name: name,
            value: self[name],
            error: errors[name],
            isFirstError: name == first,
            confirmation: confirmations[name],
            options: options.isEmpty ? choices[name] ?? [] : options
        )
    }

    /// A field of one of the rows of a list. Its errors are under its name and the number of the row: `amount-2`.
    func field(_ name: String, row: Int) -> Field {
        let values = lists[name] ?? []
        let id = "\(name)-\(row)"
        return Field(
            name: name,
            id: id,
            value: row <= values.count ? values[row - 1] : "",
            error: errors[id],
            isFirstError: order.first { errors[$0] != nil } == id
        )
    }
}
