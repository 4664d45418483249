// The effects of a rule on a row.

import Encoding

extension RuleState {
    /// Sets the values of a rule that the row can have and that no person has written.
    mutating func apply(_ rule: CompiledRule, _ references: RuleReferences) {
        let effects = rule.effects
        if let payee = effects.payee, canSet(.payee), payee != result.transaction.payee {
            result.transaction.payee = payee
            note(.payee, by: rule)
        }
        if let text = effects.note, canSet(.note), text != result.transaction.note {
            result.transaction.note = text
            note(.note, by: rule)
        }
        if !effects.tags.isEmpty, canSet(.tags) { add(effects.tags, rule) }
        if let account = effects.transfer { makeTransfer(with: account, rule, references) }
        if let category = effects.category { set(category, rule, references) }
        if !effects.split.isEmpty { divide(effects.split, rule, references) }
        if effects.hides, canSet(.hide), !result.isHidden {
            result.isHidden = true
            note(.hide, by: rule)
        }
        if let schedule = effects.schedule, canSet(.schedule), references.schedules.contains(schedule),
            result.schedule != schedule
        {
            result.schedule = schedule
            note(.schedule, by: rule)
        }
    }

    private func canSet(_ effect: RuleEffect) -> Bool { !typed.contains(effect) }

    private mutating func add(_ tags: [String], _ rule: CompiledRule) {
        let keys = Set(result.transaction.tags.map(\.nameKey))
        let new = tags.filter { !keys.contains($0.nameKey) }
        guard !new.isEmpty, result.transaction.tags.count + new.count <= 20 else { return }
        result.transaction.tags += new
        note(.tags, by: rule)
    }

    private mutating func set(_ category: EntityID, _ rule: CompiledRule, _ references: RuleReferences) {
        let row = result.transaction
        guard canSet(.category), row.split == nil, row.category != category,
            row.canHave(category, references)
        else { return }
        result.transaction.category = category
        note(.category, by: rule)
    }

    /// Makes the row a transfer: from its account, or to it if it is income. No amount is invented in another currency.
    private mutating func makeTransfer(
        with other: EntityID,
        _ rule: CompiledRule,
        _ references: RuleReferences
    ) {
        let row = result.transaction
        guard canSet(.transfer), canSet(.category), row.kind != .transfer, row.account != other,
            let currency = references.accounts[other], currency == row.amount.currency,
            references.accounts[row.account] == currency
        else { return }
        if row.kind == .income { result.transaction.account = other }
        result.transaction.kind = .transfer
        result.transaction.toAccount = row.kind == .income ? row.account : other
        result.transaction.toMinor = row.accountMinor
        result.transaction.category = nil
        result.transaction.split = nil
        for effect in [RuleEffect.category, .split] { result.setBy[effect] = nil }
        note(.transfer, by: rule)
    }

    private mutating func divide(
        _ parts: [RuleSplitPart],
        _ rule: CompiledRule,
        _ references: RuleReferences
    ) {
        let row = result.transaction
        guard canSet(.category), canSet(.split), row.kind != .transfer,
            let split = row.divided(parts, references), split != row.split
        else { return }
        result.transaction.split = split
        result.transaction.category = nil
        result.setBy[.category] = nil
        note(.split, by: rule)
    }
}

extension Transaction {
    /// Whether a category is live and fits the kind. Income of a spending category is a refund.
    fileprivate func canHave(_ category: EntityID, _ references: RuleReferences) -> Bool {
        guard let category = references.categories[category] else { return false }
        return switch kind {
        case .transfer: false
        case .expense: category == .expense
        case .income: true
        }
    }

    /// The split that a rule makes: the amounts first, then the percentages of the rest, which is rounded so that all
    /// percentages together are not more than it. The remainder is a part of the category that the row had. Categories that
    /// do not fit are left out.
    /// - Returns: nil if the amounts exceed the amount of the row, or if there would be one part only.
    func divided(_ parts: [RuleSplitPart], _ references: RuleReferences) -> Split? {
        let decimals = amount.currency.decimals
        let unit = (decimals..<4).reduce(Int64(1)) { unit, _ in unit * 10 }
        var rest = amount.minor
        var minors = parts.map { _ in Int64(0) }
        for (index, part) in parts.enumerated() {
            guard case .amount(let value) = part.share else { continue }
            // An amount with more decimals than the currency cannot be set.
            guard value % unit == 0, value / unit <= rest else { return nil }
            minors[index] = value / unit
            rest -= minors[index]
        }
        let (whole, upTo) = (Int128(rest), Int128(10_000))
        var (percent, given) = (Int128(0), Int128(0))
        for (index, part) in parts.enumerated() {
            guard case .percent(let share) = part.share else { continue }
            // Cumulative rounding: the parts of 100 % are the whole.
            percent += Int128(share)
            let end = (whole * percent + upTo / 2) / upTo
            minors[index] = Int64(clamping: end - given)
            given = end
        }
        rest = Int64(clamping: whole - given)
        func fitting(_ category: EntityID?) -> EntityID? {
            category.flatMap { canHave($0, references) ? $0 : nil }
        }
        var made = zip(parts, minors).compactMap { part, minor in
            minor > 0 ? SplitPart(category: fitting(part.category), minor: minor) : nil
        }
        guard rest >= 0 else { return nil }
        if rest > 0 { made.append(SplitPart(category: category, minor: rest)) }
        return Split.counts.contains(made.count) ? .parts(made) : nil
    }
}
