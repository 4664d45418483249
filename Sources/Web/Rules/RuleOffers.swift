// The question whether a correction that was made twice is to be made always.

import Book
import Devices
import HTTPServer
import Ledger
import Links
import Templates
import Texts

/// The offer of a rule above the content of a list, until it is answered.
struct RuleOfferLine: TemplateModel {
    let payee: String
    let category: EntityID
    /// The name of the category.
    let name: String
    /// The number of transactions that the rule would change now.
    let count: Int

    static let keys = Keys<RuleOfferLine>()
        .message("question") { offer in
            Text(
                "rules.always",
                [
                    "category": .string(offer.name.isolated), "payee": .string(offer.payee.isolated),
                    "count": .count(offer.count),
                ]
            )
        }
        .text("payee") { $0.payee }
        .text("category") { "\($0.category)" }
        .text("count") { "\($0.count)" }
        .flag("changes") { $0.count > 0 }
        .list("fields", of: HiddenField.self) { $0.fields }

    /// The rule as the fields of its form, for the page that shows what it would change.
    private var fields: [HiddenField] {
        [
            ("enabled", "on"), ("match", RuleMatch.all.rawValue), ("when_field", RuleField.payee.rawValue),
            ("when_test", RuleTest.equals.rawValue), ("when_value", payee), ("then_category", "\(category)"),
        ].map { HiddenField(name: $0.0, value: $0.1) }
    }
}

extension RequestContext {
    /// The newest offer of a rule, on the pages of lists; nil if there is none.
    func ruleOffer() -> RuleOfferLine? {
        // A page never fails for the want of an offer.
        guard Routes.isList(Link(path: request.path)), let book = try? book(),
            let offer = try? book.ruleOffers().first,
            let category = try? catalog().category(offer.category)
        else { return nil }
        return RuleOfferLine(
            payee: offer.payee,
            category: category.id,
            name: category.name,
            count: offer.count
        )
    }
}

/// `POST /rules/offer`: with `answer` = `yes`, adds the rule that was offered for `payee` and `category`, and changes the
/// transactions that it changes; with `no`, never offers it again.
enum RuleOfferAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        let (form, book) = (context.request.form, try context.book())
        guard let payee = form.first("payee"), let category = form.first("category").flatMap({ EntityID($0) })
        else { throw Refusal.malformed }
        guard payee.fits(TextLimit.payee) else { throw Refusal.malformed }
        switch form.first("answer") {
        case "yes":
            // Another tab may have answered.
            let offer = try book.ruleOffers().first { $0.payee == payee && $0.category == category }
            if let offer { try accept(offer, book, context) }
        case "no":
            try book.dismissRuleOffer(payee: payee, category: category)
            let text = Text("rules.not-offered-again", ["payee": .string(payee.isolated)])
            try context.knownDevice().show(Device.Toast(key: "rule-not-offered", text: text))
        default: throw Refusal.malformed
        }
        return context.redirect(to: context.originPage ?? .rules)
    }

    private static func accept(_ offer: RuleOffer, _ book: Book, _ context: RequestContext) throws {
        let rule = offer.rule(id: context.newID(), name: String(offer.payee.prefix(Rule.nameLimit)))
        try book.add(rule)
        let undo = RuleEntry.undoOfAdding(rule.id).text
        let toast = Device.Toast(key: "rule-added", text: RuleEntry.texts.added, undo: undo)
        try context.knownDevice().show(toast)
        if offer.count > 0 { try RulesApply.apply(rule, context) }
    }
}
