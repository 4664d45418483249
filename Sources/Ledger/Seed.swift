// The default content of a new book.

/// The starter categories and accounts.
public enum Seed {
    private struct Line {
        let kind: CategoryKind
        let key: String
        let name: String
        let icon: String
        let color: String
        let parent: String?
    }

    /// The starter categories.
    /// - Parameter owner: the owner of the book. The ids are derived from it, so that seeding twice adds
    ///   nothing and no two owners share an id.
    public static func categories(of owner: EntityID) -> [Category] {
        lines.map { line in
            Category(
                id: owner.derived("category \(line.key)"),
                name: line.name,
                kind: line.kind,
                icon: line.icon,
                color: line.color,
                parent: line.parent.map { owner.derived("category \($0)") }
            )
        }
    }

    /// Cash, Bank and Card.
    /// - Parameters:
    ///   - owner: as for `categories`.
    ///   - currency: the base currency.
    public static func accounts(of owner: EntityID, currency: CurrencyCode) -> [Account] {
        let starters: [(AccountType, String)] = [(.cash, "Cash"), (.bank, "Bank"), (.card, "Card")]
        return starters.enumerated().map { place, starter in
            let (type, name) = starter
            return Account(
                id: owner.derived("account \(type.rawValue)", place: UInt8(place)),
                name: name,
                type: type,
                currency: currency,
                openingMinor: 0
            )
        }
    }

    private static let lines: [Line] = [
        expense("groceries", "Groceries", "basket", "basil"),
        expense("eating-out", "Eating out", "fork", "tomato"),
        expense("coffee", "Coffee and snacks", "cup", "crust", under: "eating-out"),
        expense("housing", "Housing", "home", "clay"),
        expense("rent", "Rent or mortgage", "home", "clay", under: "housing"),
        expense("power", "Power and heating", "bolt", "butter", under: "housing"),
        expense("water", "Water", "drop", "sky", under: "housing"),
        expense("internet", "Internet and phone", "wifi", "sky", under: "housing"),
        expense("transport", "Transport", "bus", "sky"),
        expense("fuel", "Fuel", "fuel", "slate", under: "transport"),
        expense("health", "Health", "heart", "rose"),
        expense("clothing", "Clothing", "shirt", "plum"),
        expense("household", "Household", "tools", "slate"),
        expense("leisure", "Leisure", "film", "plum"),
        expense("subscriptions", "Subscriptions", "phone", "sky", under: "leisure"),
        expense("travel", "Travel", "plane", "moss"),
        expense("children", "Children", "child", "butter"),
        expense("education", "Education", "book", "moss"),
        expense("gifts", "Gifts and donations", "gift", "rose"),
        expense("insurance", "Insurance", "shield", "slate"),
        expense("other", "Other", "dots", "slate"),
        income("salary", "Salary", "briefcase", "basil"),
        income("interest", "Interest and dividends", "percent", "moss"),
        income("refunds", "Refunds", "refund", "sky"),
        income("other-income", "Other income", "star", "butter"),
    ]

    private static func expense(
        _ key: String,
        _ name: String,
        _ icon: String,
        _ color: String,
        under parent: String? = nil
    ) -> Line {
        Line(kind: .expense, key: key, name: name, icon: icon, color: color, parent: parent)
    }

    private static func income(_ key: String, _ name: String, _ icon: String, _ color: String) -> Line {
        Line(kind: .income, key: key, name: name, icon: icon, color: color, parent: nil)
    }
}

extension EntityID {
    /// An id derived from this one and a key: the same pair always gives the same id.
    /// - Parameter place: the order among ids of one kind.
    package func derived(_ key: String, place: UInt8 = 0) -> EntityID {
        // FNV-1a, seeded with the random half of this id: it only has to distinguish a few dozen keys.
        var hash = low ^ 0xcbf2_9ce4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return EntityID(high: high, low: UInt64(place) << 56 | hash >> 8)
    }
}
