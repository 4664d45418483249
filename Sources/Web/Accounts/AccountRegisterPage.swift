// The transactions of an account by day, each with the balance after it, and the quick form beside them.

import Ledger
import Links
import Templates
import Texts

/// The register of an account. It is an object, so that reading a part of it copies nothing.
final class AccountRegisterPage: Page, FilteredList {
    static let template = "accounts/register"
    let chrome: Chrome
    let line: AccountLine
    let filters: ListFilters
    /// The filters that are on, without the account.
    let chips: [FilterChip]
    let catalog: Catalog
    let months: MonthNavigation
    let days: [RegisterDay]
    let count: Int
    let older: Link?
    let before: SumLine?
    let beforeLabel: Text
    let form: TransactionForm?
    let debt: Text?
    /// The words about a month that is to come.
    let allToCome: Text?
    let doubles: [BankDoubleLine]
    let undecidedCount: Int
    /// Whether rows are being selected.
    let isSelecting: Bool
    /// Whether a row is being edited in its place. Nothing is added beside it then.
    let isEditing: Bool

    /// - Parameters:
    ///   - filters: the filters of the register.
    ///   - bank: the lines about its bank; nil for an account without one.
    ///   - doubles: the transactions that were perhaps recorded from the bank as well.
    ///   - undecidedCount: the number of the bank's transactions about which the user decides one by one.
    ///   - isSelecting: whether rows are being selected.
    ///   - editing: the transaction whose form is in the place of its row.
    ///   - form: the form that adds a transaction; nil for a closed account.
    init(
        chrome: Chrome,
        formats: Formats,
        catalog: Catalog,
        filters: ListFilters,
        register: AccountRegister,
        bank: BankBadge? = nil,
        doubles: [BankDoubleLine] = [],
        undecidedCount: Int = 0,
        isSelecting: Bool = false,
        editing: (id: EntityID, form: TransactionForm)? = nil,
        form: TransactionForm?
    ) {
        self.doubles = doubles
        self.undecidedCount = undecidedCount
        self.isSelecting = isSelecting
        isEditing = editing.map { editing in register.page.rows.contains { $0.id == editing.id } } ?? false
        self.chrome = chrome.on(.accounts)
        self.filters = filters
        self.catalog = catalog
        self.form = editing?.form ?? form
        let (query, account) = (filters.query, register.account.account)
        var further = query
        further.account = nil
        chips = FilterChip.all(
            of: further,
            sign: query.decimalSign,
            catalog: catalog,
            formats: formats
        ) { Self.href(account.id, $0, isSelecting: isSelecting) }
        debt = Self.debt(register, formats)
        allToCome = formats.wordsToCome(query.days)
        line = AccountLine(register.account, bank: bank, formats: formats)
        months = MonthNavigation(of: query, formats: formats) {
            Self.href(account.id, $0, isSelecting: isSelecting)
        }
        count = register.page.totals.reduce(0) { $0 + $1.count }
        older = register.page.next.map { next in
            var further = query
            further.after = next
            return Self.href(account.id, further, isSelecting: isSelecting)
        }
        before = register.beforeMinor.map {
            SumLine(MoneySum(minor: $0, currency: account.currency), formats: formats)
        }
        beforeLabel =
            query.month.map { Text("accounts.before-month", ["month": .string(formats.monthTitle($0))]) }
            ?? Text("accounts.opening-balance")
        var days: [RegisterDay] = []
        var balances = register.balancesMinor.makeIterator()
        for transaction in register.page.rows {
            let mark = register.bank[transaction.id]
            let row = RegisterRow(
                transaction,
                of: account,
                balanceMinor: mark == .pending ? nil : balances.next(),
                mark: mark,
                partMinor: register.page.partMinors[transaction.id],
                hasReceipts: register.page.withReceipts.contains(transaction.id),
                isSelectable: isSelecting,
                editor: editing?.id == transaction.id ? editing?.form : nil,
                catalog: catalog,
                formats: formats
            )
            if days.last?.date == transaction.date {
                days[days.count - 1].rows.append(row)
            } else {
                days.append(RegisterDay(transaction.date, formats))
                days[days.count - 1].rows.append(row)
            }
        }
        if let opening = register.opening {
            let line = OpeningLine(opening, account.currency, style: formats.style)
            // It is older than the transactions of its day.
            let place = days.firstIndex { $0.date <= opening.day } ?? days.endIndex
            if place == days.endIndex || days[place].date != opening.day {
                days.insert(RegisterDay(opening.day, formats), at: place)
            }
            days[place].opening = line
        }
        self.days = days
    }

    /// The debt of a loan, and when it ends at the pace of the last months; nil for another account, and if the debt is
    /// unknown.
    private static func debt(_ register: AccountRegister, _ formats: Formats) -> Text? {
        let balance = register.account
        guard balance.account.type == .loan, let minor = balance.knownMinor, minor < 0 else { return nil }
        let owed = -minor
        func money(_ minor: Int128) -> Text.Argument {
            .string(formats.money(minor, balance.account.currency))
        }
        guard let pace = register.repayment else {
            return .saying(owed, in: Text("accounts.owed", ["owed": money(owed)]))
        }
        let month = formats.today.yearMonth
        guard let end = pace.end(of: owed, from: pace.isPaidThisMonth ? month.next : month) else {
            let words = Text(
                "accounts.owed-and-not-less",
                ["owed": money(owed), "count": .count(pace.monthCount)]
            )
            return .saying(owed, in: words)
        }
        let words = Text(
            "accounts.owed-until",
            [
                "owed": money(owed), "count": .count(pace.monthCount), "amount": money(pace.perMonthMinor),
                "month": .string(formats.monthTitle(end)),
            ]
        )
        return .saying(owed, pace.perMonthMinor, in: words)
    }

    /// The address of an account's register with some filters.
    /// - Parameter isSelecting: whether its rows can be selected.
    static func href(_ account: EntityID, _ query: TransactionQuery, isSelecting: Bool = false) -> Link {
        Link.accountTransactions(account).adding(
            query: items(query) + (isSelecting ? [(TransactionsPage.select, "on")] : [])
        )
    }

    /// The filters in the address of a register. Without days it is of all months.
    private static func items(_ query: TransactionQuery) -> [(String, String)] {
        var further = query
        further.account = nil
        return TransactionsPage.items(further).filter { $0 != ("month", "all") }
    }

    static let keys = Keys<AccountRegisterPage>.filters()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .model("account", of: AccountLine.self) { $0.line }
        .message("kind_text") { page in
            let currency = page.line.balance.currency.rawValue
            return Text(
                "accounts.kind-and-currency",
                ["kind": .text(page.line.type.label), "currency": .string(currency)]
            )
        }
        .optionalMessage("debt") { $0.debt }
        .optionalMessage("all_to_come") { $0.allToCome }
        .message("count_text") { .transactions($0.count) }
        .link("register_href", to: Link.accountTransactions) { $0.line.id }
        .link("edit_href", to: Link.account) { $0.line.id }
        .list("doubles", of: BankDoubleLine.self) { $0.doubles }
        .optionalLink("record_href") { page in
            page.line.bank?.isConnected == true ? Link.accountRecordBank(page.line.id) : nil
        }
        .optionalLink("undecided_href") { page in
            guard page.undecidedCount > 0 else { return nil }
            return Link.accountRecordBank(page.line.id).adding(fragment: "undecided")
        }
        .message("undecided") { page in
            Text("bankrows.wait-for-you", ["count": .count(page.undecidedCount)])
        }
        .link("new_href") { page in
            Link.newTransaction.adding(query: [("account", "\(page.line.id)")])
        }
        .model("months", of: MonthNavigation.self) { $0.months }
        .optionalLink("everywhere_href") { page in
            guard page.query.month != nil else { return nil }
            var everywhere = page.query
            everywhere.month = nil
            everywhere.after = nil
            return AccountRegisterPage.href(page.line.id, everywhere)
        }
        .link("clear_href") { page in
            var clear = TransactionQuery()
            clear.month = page.query.month
            return AccountRegisterPage.href(page.line.id, clear)
        }
        .optionalLink("select_href") { page in
            page.isSelecting || !page.hasRows ? nil : page.href(isSelecting: true)
        }
        .flag("is_editing") { $0.isEditing }
        .list("list_fields", of: HiddenField.self) { page in
            items(page.query).map { HiddenField(name: $0.0, value: $0.1) }
        }
        .text("list_back") { $0.href(isSelecting: $0.isSelecting).text }
        .list("bulk", of: BulkBar.self) { page in
            guard page.isSelecting else { return [] }
            let (back, done) = (page.href(isSelecting: true), page.href(isSelecting: false))
            return [
                BulkBar(
                    query: page.query,
                    count: page.count,
                    catalog: page.catalog,
                    back: back,
                    done: done
                )
            ]
        }
        .flag("has_rows") { $0.hasRows }
        .flag("has_balances") { $0.hasRows && $0.line.unknown == nil }
        .list("days", of: RegisterDay.self) { $0.days }
        .list("before", of: SumLine.self) { $0.before.map { [$0] } ?? [] }
        .message("before_label") { $0.beforeLabel }
        .optionalLink("older_href") { $0.older }
        .list("form", of: TransactionForm.self) { $0.form.map { [$0] } ?? [] }
        .message("empty_text") { page in
            if page.chrome.cloud.isIncomplete { return Text("overview.not-all-is-here") }
            if page.isFiltered { return Text("transactions.nothing-matches") }
            guard page.query.month != nil else { return Text("accounts.no-transactions-yet") }
            return Text("transactions.nothing-was-written-down", ["month": .text(page.months.title)])
        }

    private var hasRows: Bool { days.contains { !$0.rows.isEmpty } }
    private func href(isSelecting: Bool) -> Link { Self.href(line.id, query, isSelecting: isSelecting) }

    private var isFiltered: Bool {
        !(query.text ?? "").isEmpty || query.kind != nil || query.isSpending || query.counts != nil
            || query.category != nil || query.payee != nil || query.isOfDetails || isOfDays
    }
}

/// The rows of a day under its heading.
struct RegisterDay: TemplateModel {
    let date: CivilDate
    let isToCome: Bool
    let title: Text
    var rows: [RegisterRow] = []
    /// The opening balance of the account, if this is its day.
    var opening: OpeningLine?

    /// A day without rows.
    init(_ date: CivilDate, _ formats: Formats) {
        self.date = date
        isToCome = date > formats.today
        title = formats.dayTitle(date)
    }

    static let keys = Keys<RegisterDay>()
        .message("title") { $0.title }
        .flag("is_to_come") { $0.isToCome }
        .list("rows", of: RegisterRow.self) { $0.rows }
        .list("opening", of: OpeningLine.self) { $0.opening.map { [$0] } ?? [] }
}
