// The texts in which conditions and effects are stored and sent, such as
// `[{"field":"text","test":"contains","value":"lidl"}]` and `{"category":"01h…","tags":["food"]}`.

import Encoding

extension Rule {
    /// A rule from its stored values. Texts that cannot be read are kept in `foreign`.
    package init(
        id: EntityID,
        name: String,
        position: String?,
        isEnabled: Bool,
        match: RuleMatch,
        conditions: String,
        effects: String
    ) {
        let read = (RuleTexts.conditions(conditions), RuleTexts.effects(effects))
        self.init(
            id: id,
            name: name,
            position: position,
            isEnabled: isEnabled,
            match: match,
            conditions: read.0 ?? [],
            effects: read.1 ?? RuleEffects()
        )
        if read.0 == nil { foreign.conditions = conditions }
        if read.1 == nil { foreign.effects = effects }
    }

    /// The canonical text of the conditions: the same conditions have the same text on every device.
    package var conditionsText: String { foreign.conditions ?? RuleTexts.text(of: conditions) }

    /// The canonical text of the effects.
    package var effectsText: String { foreign.effects ?? RuleTexts.text(of: effects) }
}

/// The encoding of conditions and effects.
private enum RuleTexts {
    static func text(of conditions: [RuleCondition]) -> String {
        encode { writer in
            writer.array { writer in
                for condition in conditions {
                    writer.object { writer in
                        writer.member("field", condition.field.rawValue)
                        writer.member("test", condition.test.rawValue)
                        switch condition.value {
                        case .text(let text): writer.member("value", text.inNormalForm)
                        case .account(let id): writer.member("value", "\(id)")
                        case .kind(let kind): writer.member("value", kind.rawValue)
                        case .currency(let code): writer.member("value", code.rawValue)
                        case .amount(let amount):
                            writer.member("low", amount.low)
                            writer.member("high", amount.high)
                            if amount.isSigned { writer.member("signed", true) }
                        }
                    }
                }
            }
        }
    }

    static func text(of effects: RuleEffects) -> String {
        encode { writer in
            writer.object { writer in
                if let payee = effects.payee { writer.member("payee", payee.inNormalForm) }
                if let category = effects.category { writer.member("category", "\(category)") }
                if let note = effects.note { writer.member("note", note.inNormalForm) }
                if !effects.tags.isEmpty {
                    writer.name("tags")
                    writer.array { writer in
                        for tag in effects.tags { writer.string(tag.inNormalForm) }
                    }
                }
                if !effects.split.isEmpty {
                    writer.name("split")
                    writer.array { writer in
                        for part in effects.split { write(part, to: &writer) }
                    }
                }
                if let account = effects.transfer { writer.member("transfer", "\(account)") }
                if effects.hides { writer.member("hide", true) }
                if let schedule = effects.schedule { writer.member("schedule", "\(schedule)") }
            }
        }
    }

    private static func write(_ part: RuleSplitPart, to writer: inout JSONWriter) {
        writer.object { writer in
            if let category = part.category { writer.member("category", "\(category)") }
            switch part.share {
            case .amount(let amount): writer.member("amount", amount)
            case .percent(let percent): writer.member("percent", Int64(percent))
            }
        }
    }

    private static func encode(_ body: (inout JSONWriter) -> Void) -> String {
        String(decoding: JSONWriter.encode(body), as: UTF8.self)
    }

    /// The conditions of a text; nil if it has others than this version knows.
    static func conditions(_ text: String) -> [RuleCondition]? {
        var conditions: [RuleCondition] = []
        do throws(MalformedJSON) {
            try JSONReader.read(Array(text.utf8)) { reader throws(MalformedJSON) in
                try reader.array { reader throws(MalformedJSON) in
                    let members = try Self.members(&reader)
                    guard let condition = condition(members) else { throw reader.malformed }
                    conditions.append(condition)
                }
            }
        } catch {
            return nil
        }
        return conditions
    }

    private static func condition(_ members: [String: JSONReader.Element]) -> RuleCondition? {
        guard case .text(let name)? = members["field"], let field = RuleField(rawValue: name),
            case .text(let test)? = members["test"], let test = RuleTest(rawValue: test),
            let value = value(of: field, members)
        else { return nil }
        let condition = RuleCondition(field, test, value)
        return condition.isWellFormed ? condition : nil
    }

    private static func value(of field: RuleField, _ members: [String: JSONReader.Element]) -> RuleValue? {
        if field == .amount {
            guard case .integer(let low)? = members["low"], case .integer(let high)? = members["high"] else {
                return nil
            }
            let isSigned = members["signed"] == .raw("true")
            guard members.count == (isSigned ? 5 : 4) else { return nil }
            return .amount(RuleAmount(low: low, high: high, isSigned: isSigned))
        }
        guard members.count == 3, case .text(let text)? = members["value"] else { return nil }
        return switch field {
        case .text, .payee, .note, .tags: .text(text)
        case .account: EntityID(text).map { .account($0) }
        case .kind: TransactionKind(rawValue: text).map { .kind($0) }
        case .currency: CurrencyCode(text).map { .currency($0) }
        case .amount: nil
        }
    }

    /// The effects of a text; nil if it has others than this version knows.
    static func effects(_ text: String) -> RuleEffects? {
        var effects = RuleEffects()
        // The value of a received row without effects.
        if text == "[]" { return effects }
        do throws(MalformedJSON) {
            try JSONReader.read(Array(text.utf8)) { reader throws(MalformedJSON) in
                try reader.object { name, reader throws(MalformedJSON) in
                    switch RuleEffect(rawValue: name) {
                    case .payee: effects.payee = try reader.string()
                    case .category: effects.category = try id(&reader)
                    case .note: effects.note = try reader.string()
                    case .tags:
                        try reader.array { reader throws(MalformedJSON) in
                            effects.tags.append(try reader.string())
                        }
                    case .split:
                        try reader.array { reader throws(MalformedJSON) in
                            let members = try Self.members(&reader)
                            guard let part = part(members) else { throw reader.malformed }
                            effects.split.append(part)
                        }
                    case .transfer: effects.transfer = try id(&reader)
                    case .hide: effects.hides = try reader.bool()
                    case .schedule: effects.schedule = try id(&reader)
                    case nil: throw reader.malformed
                    }
                }
            }
        } catch {
            return nil
        }
        return effects
    }

    private static func part(_ members: [String: JSONReader.Element]) -> RuleSplitPart? {
        var category: EntityID?
        if let element = members["category"], element != .null {
            guard case .text(let text) = element, let id = EntityID(text) else { return nil }
            category = id
        }
        guard members.count == (members["category"] == nil ? 1 : 2) else { return nil }
        switch (members["amount"], members["percent"]) {
        case (.integer(let amount)?, nil) where amount > 0:
            return RuleSplitPart(category: category, share: .amount(amount))
        case (nil, .integer(let percent)?) where (1...10_000).contains(percent):
            return RuleSplitPart(category: category, share: .percent(Int(percent)))
        default: return nil
        }
    }

    private static func members(_ reader: inout JSONReader) throws(MalformedJSON)
        -> [String: JSONReader.Element]
    {
        var members: [String: JSONReader.Element] = [:]
        try reader.object { name, reader throws(MalformedJSON) in members[name] = try reader.element() }
        return members
    }

    /// An id; nil for null, which replaces the id of a category that is gone.
    private static func id(_ reader: inout JSONReader) throws(MalformedJSON) -> EntityID? {
        switch try reader.element() {
        case .null: return nil
        case .text(let text):
            guard let id = EntityID(text) else { throw reader.malformed }
            return id
        default: throw reader.malformed
        }
    }
}
