// Filters in words: `>100 last month #holiday payee:lidl` in the field of the search.

import Encoding

/// One filter of a list of transactions that was typed as a word.
public enum TypedFilter: Hashable, Sendable {
    case amount(AmountFilter)
    case days(ClosedRange<CivilDate>)
    case period(DayPeriod)
    case account(EntityID)
    case category(CategoryFilter)
    case payee(String)
    case tag(String)
    case kind(TransactionKind)
    case withReceipt
    case fromBank
}

/// A word that looks like a filter and is none, so that it is searched for.
public struct UnreadFilter: Hashable, Sendable {
    /// Why it is none.
    public enum Reason: Hashable, Sendable {
        case unreadable
        /// A range of amounts of which the first one is greater: `20..10`.
        case empty
        /// A day or a month that does not exist: `2025-13`.
        case noSuchDay
        /// There is no account, category or kind of this name.
        case unknownName
    }

    /// The word as it was typed.
    public let word: String
    /// Decides about the words beside the search.
    public let reason: Reason
}

/// The accounts and categories that can be named in a filter.
public struct FilterNames: Sendable {
    private let accounts: [(key: String, id: EntityID)]
    private let categories: [(key: String, id: EntityID)]

    /// The live accounts and categories of a book.
    public init(_ choices: BookChoices) {
        accounts = choices.accounts.map { ($0.name.nameKey, $0.id) }
        categories = choices.categories.map { ($0.name.nameKey, $0.id) }
    }

    func account(_ name: String) -> EntityID? { Self.find(name, in: accounts) }
    func category(_ name: String) -> EntityID? { Self.find(name, in: categories) }

    /// The one with a name, or the only one whose name begins with it.
    private static func find(_ name: String, in all: [(key: String, id: EntityID)]) -> EntityID? {
        let key = name.nameKey
        guard !key.isEmpty else { return nil }
        let same = all.filter { $0.key == key }
        let found = same.isEmpty ? all.filter { $0.key.hasPrefix(key) } : same
        return found.count == 1 ? found[0].id : nil
    }
}

/// Separates the filters of a search from the words that are searched for.
///
/// Words in quotation marks are always searched for. A filter that is typed twice counts once: of two amounts, those
/// that pass both; of two days or names, the last one.
public struct FilterWords: Sendable {
    /// Words, one to three of them with a space between them and in lower case, that are a filter.
    public typealias Phrases = [String: TypedFilter]

    /// The beginnings of filters by name, in the user's language, in lower case and without the colon.
    public struct Prefixes: Sendable {
        var account, category, payee, tag, kind: String

        /// All in lower case.
        public init(account: String, category: String, payee: String, tag: String, kind: String) {
            (self.account, self.category, self.payee, self.tag, self.kind) = (
                account, category, payee, tag, kind
            )
        }
    }

    private let decimalSign: Character
    private let today: CivilDate
    private let phrases: Phrases
    private let kinds: [String: TransactionKind]
    private let prefixes: Prefixes

    /// - Parameters:
    ///   - decimalSign: the sign of the user's locale.
    ///   - kinds: the names of kinds behind the prefix of kinds, in lower case.
    public init(
        decimalSign: Character,
        today: CivilDate,
        phrases: Phrases,
        kinds: [String: TransactionKind],
        prefixes: Prefixes
    ) {
        (self.decimalSign, self.today, self.phrases) = (decimalSign, today, phrases)
        (self.kinds, self.prefixes) = (kinds, prefixes)
    }

    /// The filters of a text, and what is left of it.
    public struct Reading: Hashable, Sendable {
        /// In the order in which they were typed.
        public var filters: [TypedFilter] = []
        /// The words that are searched for, with single spaces between them.
        public var text = ""
        /// Those of them that look like filters.
        public var unread: [UnreadFilter] = []
    }

    /// Reads the text of a search.
    /// - Parameter names: read only if the text names an account or a category.
    public func read(_ text: String, names: () throws -> FilterNames) rethrows -> Reading {
        let words = Self.words(of: text)
        var reading = Reading()
        var rest: [Substring] = []
        var index = 0
        while index < words.count {
            if let (filter, count) = phrase(words[index...]) {
                reading.filters.append(filter)
                index += count
                continue
            }
            var word = String(words[index])
            index += 1
            // `> 100`
            if Self.signs.contains(word), index < words.count, words[index].contains(where: \.isNumber) {
                word += " " + words[index]
                index += 1
            }
            switch try filter(word, names) {
            case nil: rest.append(contentsOf: word.split(separator: " "))
            case .success(let filter)?: reading.filters.append(filter)
            case .failure(let fault)?:
                rest.append(contentsOf: word.split(separator: " "))
                reading.unread.append(UnreadFilter(word: word, reason: fault.reason))
            }
        }
        reading.text = rest.joined(separator: " ")
        return reading
    }

    private struct Fault: Error { var reason: UnreadFilter.Reason }

    private static let signs: Set<String> = ["<", ">", "=", "<=", ">=", "\u{2264}", "\u{2265}"]
    private static let comma: Character = ","
    private static let quotationMarks = "\"\u{201C}\u{201D}\u{201E}"

    /// The parts of a text between white space that is not within quotation marks.
    private static func words(of text: String) -> [Substring] {
        var words: [Substring] = []
        var start: String.Index?
        var isQuoted = false
        for index in text.indices {
            let character = text[index]
            if quotationMarks.contains(character) { isQuoted.toggle() }
            if character.isWhitespace, !isQuoted {
                if let first = start { words.append(text[first..<index]) }
                start = nil
            } else if start == nil {
                start = index
            }
        }
        if let start { words.append(text[start...]) }
        return words
    }

    /// The longest phrase at the beginning of some words, with their number.
    private func phrase(_ words: ArraySlice<Substring>) -> (TypedFilter, Int)? {
        for count in (1...3).reversed() where words.count >= count {
            let text = words.prefix(count).joined(separator: " ").nameKey
            if let filter = phrases[text] { return (filter, count) }
        }
        return nil
    }

    /// The filter that a word is; nil for a word to search for.
    private func filter(_ word: String, _ names: () throws -> FilterNames) rethrows -> Result<
        TypedFilter, Fault
    >? {
        let plain = String(word.filter { !$0.isFormat }).narrow
        guard let first = plain.first, !Self.quotationMarks.contains(first) else { return nil }
        if first == "#" {
            // Numbers behind the sign are those of invoices and checks.
            let tag = plain.dropFirst()
            return tag.contains(where: \.isLetter) && !tag.contains(Self.comma)
                ? .success(.tag(String(tag))) : nil
        }
        if let named = try self.named(plain, names) { return named }
        guard plain.contains(where: \.isNumber) else { return nil }
        if let days = days(plain) { return days }
        guard "<>=\u{2264}\u{2265}".contains(first) || plain.firstRange(of: "..") != nil else { return nil }
        do throws(AmountFilter.Fault) {
            return .success(.amount(try AmountFilter(plain, decimalSign: decimalSign)))
        } catch {
            return .failure(Fault(reason: error == .empty ? .empty : .unreadable))
        }
    }

    // MARK: Names

    private func named(_ word: String, _ names: () throws -> FilterNames) rethrows -> Result<
        TypedFilter, Fault
    >? {
        guard let colon = word.firstIndex(of: ":") else { return nil }
        let prefix = word[..<colon].lowercased()
        let name = String(word[word.index(after: colon)...].filter { !Self.quotationMarks.contains($0) })
        guard !name.allSatisfy(\.isWhitespace) else { return nil }
        let filter: TypedFilter?
        switch prefix {
        case prefixes.account: filter = try names().account(name).map { .account($0) }
        case prefixes.category: filter = try names().category(name).map { .category(.family($0)) }
        case prefixes.payee: filter = .payee(name)
        case prefixes.tag:
            filter =
                name.contains(Self.comma) ? nil : .tag(name.hasPrefix("#") ? String(name.dropFirst()) : name)
        case prefixes.kind: filter = kinds[name.nameKey].map { .kind($0) }
        default: return nil
        }
        return filter.map { .success($0) } ?? .failure(Fault(reason: .unknownName))
    }

    // MARK: Days

    /// The days of a word such as `2025`, `2025-03`, `2025-03-31` or `2025-01..2025-03`; nil for other words.
    private func days(_ word: String) -> Result<TypedFilter, Fault>? {
        guard let dots = word.firstRange(of: "..") else {
            return Self.isDay(word) ? result(span(word[...])) : year(word[...]).map { .success(.days($0)) }
        }
        let sides = [word[..<dots.lowerBound], word[dots.upperBound...]].filter { !$0.isEmpty }
        guard !sides.isEmpty, sides.allSatisfy({ Self.isDay($0) || year($0) != nil }) else { return nil }
        let spans = sides.compactMap(span)
        guard spans.count == sides.count, let first = spans.first, let last = spans.last else {
            return .failure(Fault(reason: .noSuchDay))
        }
        let begin = dots.lowerBound == word.startIndex ? CivilDate.distantPast : min(first, last).lowerBound
        let end = dots.upperBound == word.endIndex ? CivilDate.distantFuture : max(first, last).upperBound
        return .success(.days(begin...end))
    }

    private func min(_ one: ClosedRange<CivilDate>, _ other: ClosedRange<CivilDate>) -> ClosedRange<CivilDate>
    {
        one.lowerBound <= other.lowerBound ? one : other
    }

    private func max(_ one: ClosedRange<CivilDate>, _ other: ClosedRange<CivilDate>) -> ClosedRange<CivilDate>
    {
        one.upperBound >= other.upperBound ? one : other
    }

    private func result(_ days: ClosedRange<CivilDate>?) -> Result<TypedFilter, Fault> {
        days.map { .success(.days($0)) } ?? .failure(Fault(reason: .noSuchDay))
    }

    /// Whether a text is written as a month or a day, which may not exist.
    private static func isDay(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return (2...3).contains(parts.count) && parts[0].utf8.count == 4
            && parts.dropFirst().allSatisfy { (1...2).contains($0.utf8.count) }
            && parts.allSatisfy { $0.utf8.allSatisfy { (48...57).contains($0) } }
    }

    /// The days of a year, a month or a day; nil for one that does not exist.
    private func span(_ text: Substring) -> ClosedRange<CivilDate>? {
        if let year = year(text) { return year }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count > 1, (1...12).contains(parts[1]), parts[0] > 0 else { return nil }
        if parts.count == 3 {
            return CivilDate(year: parts[0], month: parts[1], day: parts[2]).map { $0...$0 }
        }
        let month = YearMonth(year: parts[0], month: parts[1])
        return month.firstDay...month.lastDay
    }

    /// A year in which there can be transactions: other numbers of four digits are amounts.
    private func year(_ text: Substring) -> ClosedRange<CivilDate>? {
        guard text.utf8.count == 4, let year = Int(text),
            (Self.firstYear...today.yearMonth.year + 2).contains(year)
        else { return nil }
        return YearMonth(year: year, month: 1).firstDay...YearMonth(year: year, month: 12).lastDay
    }

    private static let firstYear = 1970
}

extension TransactionQuery {
    /// Adds a filter that was typed.
    /// - Returns: false if no amount passes the filter and the one before.
    public mutating func add(_ filter: TypedFilter, on today: CivilDate) -> Bool {
        switch filter {
        case .amount(let range):
            guard let both = amount.map({ $0.and(range) }) ?? range else { return false }
            amount = both
        case .days(let range): days = range
        case .period(let period): setPeriod(period, on: today)
        case .account(let id): (account, isOfDailyUse) = (id, false)
        case .category(let filter): category = filter
        case .payee(let name): payee = name
        case .tag(let tag): if !tags.contains(where: { $0.nameKey == tag.nameKey }) { tags.append(tag) }
        case .kind(let kind): (self.kind, isSpending) = (kind, false)
        case .withReceipt: isWithReceipt = true
        case .fromBank: isFromBank = true
        }
        return true
    }
}

extension CivilDate {
    /// 0001-01-01.
    public static let distantPast = CivilDate(dayNumber: .min)
}
