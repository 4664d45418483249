// A field of a form as its template shows it.

import Ledger
import Templates
import Texts

/// A field: its name, its value, its error and its choices.
struct Field: TemplateModel {
    let name: String
    /// The id in the page; the name unless the field is repeated.
    let id: String
    let value: String
    let error: Text?
    /// Whether it is the first field with an error, which gets the keyboard focus.
    let isFirstError: Bool
    /// The checkbox that answers the error, if the error is a question.
    let confirmation: FieldConfirmation?
    let options: [Choice]

    init(
        name: String,
        id: String? = nil,
        value: String,
        error: Text? = nil,
        isFirstError: Bool = false,
        confirmation: FieldConfirmation? = nil,
        options: [Choice] = []
    ) {
        self.name = name
        self.id = id ?? name
        self.value = value
        self.error = error
        self.isFirstError = isFirstError
        self.confirmation = confirmation
        self.options = options.selecting(value)
    }

    /// The type of the input for the present value. A browser shows nothing of a value that does not fit the type, so
    /// that a refused value would not be there to be corrected.
    private func type(_ type: String, ifValid isValid: (String) -> Bool) -> String {
        value.isEmpty || isValid(value) ? type : "text"
    }

    /// Whether a browser takes a text as an e-mail address.
    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty
            && parts[0].utf8.allSatisfy { isLetterOrDigit($0) || ".!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
            && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
                !label.isEmpty && label.first != "-" && label.last != "-"
                    && label.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    static let keys = Keys<Field>()
        .text("name") { $0.name }
        .text("id") { $0.id }
        .text("value") { $0.value }
        .text("day_type") { $0.type("date") { CivilDate(iso: $0) != nil } }
        .text("month_type") { $0.type("month") { YearMonth(iso: $0) != nil } }
        .text("email_type") { $0.type("email", ifValid: Self.isEmail) }
        .optionalMessage("error") { $0.error }
        .flag("is_first_error") { $0.isFirstError }
        .list("confirmations", of: FieldConfirmation.self) { $0.confirmation.map { [$0] } ?? [] }
        .list("options", of: Choice.self) { $0.options }
}

/// A checkbox that answers a question about the entered value of a field.
///
/// Its value is the subject of the question, so that it does not confirm another value that is entered later.
struct FieldConfirmation: Hashable, Sendable, TemplateModel {
    /// The name of its form field.
    let name: String
    /// The value that it is sent with.
    let value: String

    static let keys = Keys<FieldConfirmation>()
        .text("name") { $0.name }
        .text("value") { $0.value }
}

/// A choice: an option of a select, a radio button or a checkbox.
struct Choice: Hashable, Sendable, TemplateModel {
    let value: String
    let label: Text
    /// A second value, for scripts: the currency of an account.
    var extra = ""
    var isSelected = false

    init(_ value: String, _ label: Text, extra: String = "", isSelected: Bool = false) {
        self.value = value
        self.label = label
        self.extra = extra
        self.isSelected = isSelected
    }

    /// The same choice, chosen if its value is among the given values.
    func selected(among values: [String]) -> Choice {
        var copy = self
        copy.isSelected = values.contains(value)
        return copy
    }

    /// The first days of a week.
    static let weekStarts = [
        Choice("monday", Text("common.monday")), Choice("sunday", Text("common.sunday")),
    ]

    static let keys = Keys<Choice>()
        .text("value") { $0.value }
        .message("label") { $0.label }
        .text("extra") { $0.extra }
        .flag("selected") { $0.isSelected }
}

extension [Choice] {
    /// The choices with the form's present value, if it is missing from the list: an untouched form must be
    /// sent with the values that it was shown with.
    func keeping(_ value: String, as label: Text) -> [Choice] {
        value.isEmpty || contains { $0.value == value } ? self : self + [Choice(value, label)]
    }

    /// The same choices, with the given value selected.
    func selecting(_ value: String) -> [Choice] {
        guard let chosen = firstIndex(where: { $0.value == value }) else { return self }
        var copy = self
        copy[chosen].isSelected = true
        return copy
    }
}

/// Choices under a heading.
struct ChoiceGroup: TemplateModel {
    let label: Text
    let options: [Choice]

    static let keys = Keys<ChoiceGroup>()
        .message("label") { $0.label }
        .list("options", of: Choice.self) { $0.options }
}
