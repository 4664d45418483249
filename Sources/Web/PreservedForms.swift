// Selects the fields of a failed form that its page shows and sends again.

import HTTPServer
import Ledger
import Links
import Pages

extension PreservedForm {
    private static let secrets = [("password", "Password"), ("new_password", "New password")]
    /// Fields that people do not type.
    private static let plumbing: Set = [
        "csrf", "once", "seen", "again", "sync", "over", "choose", "back", "decimal", "same_name",
    ]

    /// The form of a request.
    /// - Parameters:
    ///   - action: where it can be sent again; nil where it cannot.
    ///   - csrf: the token to send with it.
    init(_ request: Request, action: Link?, csrf: String) {
        let form = request.form
        let carried = form.all.filter { field in
            field.name != "csrf" && !Self.secrets.contains { $0.0 == field.name }
        }
        self.init(
            action: action,
            csrf: csrf,
            fields: carried,
            typed: carried.compactMap { field in
                guard !Self.plumbing.contains(field.name), !field.value.isEmpty, EntityID(field.value) == nil
                else { return nil }
                let label = field.name.replacing("_", with: " ")
                return TypedField(
                    name: field.name,
                    label: label.prefix(1).uppercased() + label.dropFirst(),
                    value: field.value
                )
            },
            secrets: Self.secrets.filter { form.names.contains($0.0) }
        )
    }

    /// The form of a request that failed for a passing reason: the disk is full, the book is busy. Nil where nothing was
    /// typed, and where a phrase was typed: the user has to see again what it confirms.
    /// - Parameter action: where it is sent again.
    init?(afterFault request: Request, _ status: Status, csrf: String, action: Link) {
        guard request.method == "POST", [429, 500, 503, 507].contains(status.rawValue) else { return nil }
        guard request.form.names.contains(where: { !Self.plumbing.contains($0) }),
            !request.form.names.contains("confirm")
        else { return nil }
        self.init(request, action: action, csrf: csrf)
    }
}
