// Lost values of one entity beside the current values, with one button that writes them again.

import Links
import Templates
import Texts

/// One entity with its lost values.
struct LossLine: TemplateModel {
    let number: Int64
    let title: Text
    let device: Text
    let when: Text
    let fields: [Value]
    let isDeleted: Bool

    /// A lost value beside the current one.
    struct Value: TemplateModel {
        let field: Text
        /// The lost value.
        let mine: Text
        /// The current value; nil where the entity is deleted.
        let theirs: Text?

        static let keys = Keys<Value>()
            .message("field") { $0.field }
            .message("mine") { $0.mine }
            .optionalMessage("theirs") { $0.theirs }
    }

    /// - Parameters:
    ///   - number: the number that its buttons send.
    ///   - title: the name of the entity: `Corner Bakery`.
    ///   - device: the name of the other device; empty if it is unknown.
    ///   - when: the time of its discovery, as text.
    ///   - isDeleted: whether the other device deleted the entity.
    init(
        number: Int64,
        title: Text,
        device: String,
        when: Text,
        fields: [Value],
        isDeleted: Bool
    ) {
        self.number = number
        self.title = title
        self.device = device.isEmpty ? Text("sync.another-device") : .verbatim(device)
        self.when = when
        self.fields = fields
        self.isDeleted = isDeleted
    }

    static let keys = Keys<LossLine>()
        .integer("number") { $0.number }
        .link("action", to: Link.reviewedLoss) { $0.number }
        .message("title") { $0.title }
        .message("device") { $0.device }
        .message("when") { $0.when }
        .list("values", of: Value.self) { $0.fields }
        .flag("deleted") { $0.isDeleted }
}
