// The balance with which an account begins.

/// The money that was on an account before its transactions.
///
/// It is part of the balance from the beginning of a day on. Transactions of earlier days count as well: the balance
/// before that day is their sum.
public struct OpeningBalance: Hashable, Sendable {
    /// In minor units of the currency of the account; may be negative.
    public var minor: Int128
    /// The day from whose beginning on it counts; nil for always.
    public var day: CivilDate?

    /// An amount in minor units.
    public init(minor: Int128, day: CivilDate? = nil) {
        self.minor = minor
        self.day = day
    }

    /// The part of the amount that counts only after the end of a day: all of it or nothing.
    public func minor(after day: CivilDate) -> Int128 {
        guard let first = self.day, first > day else { return 0 }
        return minor
    }

    /// The amount if its day is among some days, and otherwise 0.
    public func minor(of days: ClosedRange<CivilDate>) -> Int128 {
        day.map(days.contains) ?? false ? minor : 0
    }

    /// The amount that counts before all transactions, however old they are.
    public var minorBeforeEverything: Int128 { day == nil ? minor : 0 }
}

/// The opening balance as a row between the transactions of an account.
public struct OpeningRow: Hashable, Sendable {
    /// The day at whose beginning it counts. Transactions of that day are newer.
    public var day: CivilDate
    /// In minor units of the currency of the account.
    public var minor: Int128
    /// The balance of the account with it, at the beginning of the day, in the same unit.
    public var balanceMinor: Int128

    /// Both amounts are in minor units.
    public init(day: CivilDate, minor: Int128, balanceMinor: Int128) {
        self.day = day
        self.minor = minor
        self.balanceMinor = balanceMinor
    }
}

extension Transaction {
    /// The change of the balance of an account, in minor units of the account's currency; 0 for an account at neither end.
    public func changeMinor(of account: EntityID) -> Int64 {
        if account == self.account { return kind == .income ? accountMinor : -accountMinor }
        return account == toAccount ? toMinor ?? 0 : 0
    }

    /// The same change if the transaction is older than the opening balance of the account, and otherwise 0.
    public func changeMinor(beforeOpeningOf account: Account) -> Int64 {
        guard let day = account.openingDay, date < day else { return 0 }
        return changeMinor(of: account.id)
    }

    /// The accounts whose opening balances perhaps contain the transaction already, because it is of an earlier day.
    ///
    /// A bank reports the balance of an account that is joined to it, so that nothing depends on the opening balance.
    /// - Parameter former: the transaction before a change, which is not asked about again for what stays as it was.
    public func perhapsInOpenings(of accounts: [Account], inPlaceOf former: Transaction?) -> [Account] {
        accounts.filter { account in
            let change = changeMinor(beforeOpeningOf: account)
            return change != 0 && change != former?.changeMinor(beforeOpeningOf: account) ?? 0
                && !account.bank.isUsed
        }
    }
}
