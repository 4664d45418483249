// The made-up accounts of the demo's bank: every day has its transactions, which depend on a seed and the day only.

import Encoding
import Ledger

/// An entry in the books of the demo's bank. Times are UTC seconds.
struct DemoEntry: Hashable, Sendable {
    let id: String
    /// The time of the purchase or the transfer.
    let at: Int64
    /// The time of the booking; until then it is pending.
    let bookedAt: Int64
    let minor: Int64
    let description: String
    let counterparty: String?
}

/// The books of the demo's bank.
struct DemoLedger: Sendable {
    static let current = BankAccount(
        id: "lindenbank-current",
        name: "Everyday account",
        kind: .current,
        currency: .eur,
        institution: bank
    )
    static let savings = BankAccount(
        id: "lindenbank-savings",
        name: "Rainy days",
        kind: .savings,
        currency: .eur,
        institution: bank
    )
    static let card = BankAccount(
        id: "lindenbank-card",
        name: "Travel card",
        kind: .card,
        currency: .usd,
        institution: bank
    )
    static let accounts = [current, savings, card]
    private static let bank = "Lindenbank"

    private static let daySeconds: Int64 = 86_400
    /// The time of day at which purchases of two days before are booked.
    private static let bookingSecond: Int64 = 6 * 3_600
    /// The amounts in the accounts before the first day, in minor units.
    private static let openings = [current.id: 182_450, savings.id: 640_000, card.id: 0] as [String: Int64]

    let seed: UInt64
    /// The first day with entries.
    let firstDay: CivilDate

    /// The entries of an account that exist at a time, the oldest first.
    func entries(of account: BankAccount, from day: CivilDate, at now: Int64) -> [DemoEntry] {
        let today = Int32(clamping: now / Self.daySeconds)
        let first = max(day, firstDay).dayNumber
        guard first <= today else { return [] }
        return (first...today).flatMap { entries(of: account, on: CivilDate(dayNumber: $0)) }
            .filter { $0.at <= now }
    }

    /// The balance at a time, without what is pending.
    func balance(of account: BankAccount, at now: Int64) -> Int64 {
        entries(of: account, from: firstDay, at: now).filter { $0.bookedAt <= now }.reduce(
            Self.openings[account.id] ?? 0
        ) { $0 + $1.minor }
    }

    private func entries(of account: BankAccount, on day: CivilDate) -> [DemoEntry] {
        switch account.id {
        case Self.current.id: ofCurrent(on: day)
        case Self.savings.id: ofSavings(on: day)
        default: ofCard(on: day)
        }
    }

    /// Randomness of one day of one account.
    private func random(_ day: CivilDate, _ salt: UInt64) -> SplitMix {
        var random = SplitMix(seed: seed ^ UInt64(bitPattern: Int64(day.dayNumber)) &* 0x9E37_79B9_7F4A_7C15)
        for _ in 0..<salt { _ = random.next() }
        return SplitMix(seed: random.next())
    }

    // MARK: - Accounts

    private func ofCurrent(on day: CivilDate) -> [DemoEntry] {
        var entries: [DemoEntry] = []
        switch day.components.day {
        case 1: entries.append(transfer("rent", day, 7, -92_000, "RENT FLAT 4", "Hausverwaltung Brandt"))
        case 2: entries.append(transfer("saving", day, 7, -20_000, "STANDING ORDER SAVINGS", nil))
        case 3: entries.append(transfer("power", day, 8, -6_400, "STADTWERKE ELECTRICITY", "Stadtwerke"))
        case 5: entries.append(transfer("net", day, 8, -3_490, "INTERNET 50 MBIT", "Kabelnetz"))
        case 27: entries.append(transfer("salary", day, 5, 285_000, "SALARY", "Linden GmbH"))
        default: break
        }
        var random = random(day, 1)
        let isWeekend = (Int(day.dayNumber) + 3) % 7 >= 5
        if Int.random(in: 0..<100, using: &random) < 45 {
            let payee = Self.groceries[Int.random(in: 0..<Self.groceries.count, using: &random)]
            let minor = -Int64.random(in: 380...7_200, using: &random)
            entries.append(purchase("food", day, &random, minor, payee))
        }
        if Int.random(in: 0..<100, using: &random) < (isWeekend ? 40 : 18) {
            let payee = Self.outings[Int.random(in: 0..<Self.outings.count, using: &random)]
            let minor = -Int64.random(in: 320...4_600, using: &random)
            entries.append(purchase("out", day, &random, minor, payee))
        }
        if Int.random(in: 0..<100, using: &random) < 7 {
            let payee = Self.retailers[Int.random(in: 0..<Self.retailers.count, using: &random)]
            let minor = -Int64.random(in: 900...11_900, using: &random)
            entries.append(purchase("retail", day, &random, minor, payee))
        }
        return entries
    }

    private func ofSavings(on day: CivilDate) -> [DemoEntry] {
        let (_, month, number) = day.components
        if number == 2 { return [transfer("saving", day, 7, 20_000, "STANDING ORDER SAVINGS", nil)] }
        let isQuarter = [1, 4, 7, 10].contains(month) && number == 1
        return isQuarter ? [transfer("interest", day, 1, 1_875, "INTEREST", Self.bank)] : []
    }

    private func ofCard(on day: CivilDate) -> [DemoEntry] {
        var random = random(day, 2)
        var entries: [DemoEntry] = []
        switch day.components.day {
        case 8: entries.append(purchase("video", day, &random, -1_199, ("CINEBOX STREAMING", "Cinebox")))
        case 12: entries.append(purchase("cloud", day, &random, -299, ("NIMBUS 200GB", "Nimbus Storage")))
        case 20: entries.append(transfer("settle", day, 9, 6_500, "PAYMENT RECEIVED", Self.bank))
        default: break
        }
        if Int.random(in: 0..<100, using: &random) < 9 {
            let payee = Self.online[Int.random(in: 0..<Self.online.count, using: &random)]
            let minor = -Int64.random(in: 499...6_999, using: &random)
            entries.append(purchase("online", day, &random, minor, payee))
        }
        return entries
    }

    // MARK: - Entries

    /// - Parameter hour: the hour of the booking.
    private func transfer(
        _ kind: String,
        _ day: CivilDate,
        _ hour: Int64,
        _ minor: Int64,
        _ description: String,
        _ counterparty: String?
    ) -> DemoEntry {
        let at = Int64(day.dayNumber) * Self.daySeconds + hour * 3_600
        return DemoEntry(
            id: "\(day)-\(kind)",
            at: at,
            bookedAt: at,
            minor: minor,
            description: description,
            counterparty: counterparty
        )
    }

    private func purchase(
        _ kind: String,
        _ day: CivilDate,
        _ random: inout SplitMix,
        _ minor: Int64,
        _ payee: (description: String, name: String)
    ) -> DemoEntry {
        let midnight = Int64(day.dayNumber) * Self.daySeconds
        return DemoEntry(
            id: "\(day)-\(kind)",
            at: midnight + Int64.random(in: 25_200..<72_000, using: &random),
            bookedAt: midnight + 2 * Self.daySeconds + Self.bookingSecond,
            minor: minor,
            description: payee.description,
            counterparty: payee.name
        )
    }

    private static let groceries = [
        ("BIOHOF MARKT 0042", "Biohof Markt"), ("SUPERMARKT AM PLATZ", "Supermarkt am Platz"),
        ("BAECKEREI KRUME", "Bäckerei Krume"), ("OBST GEMUESE YILMAZ", "Yilmaz"),
    ]
    private static let outings = [
        ("CAFE FENSTERPLATZ", "Café Fensterplatz"), ("TRATTORIA DA PINO", "Da Pino"),
        ("KINO ODEON", "Odeon"), ("VERKEHRSBETRIEBE APP", "Verkehrsbetriebe"),
    ]
    private static let retailers = [
        ("APOTHEKE AM TOR", "Apotheke am Tor"), ("BUCHLADEN SEITE 7", "Seite 7"),
        ("FAHRRAD WERKSTATT", "Fahrradwerkstatt"),
    ]
    private static let online = [
        ("PAPER LANTERN BOOKS", "Paper Lantern Books"), ("TINY TOOLS INC", "Tiny Tools"),
        ("MAPLE AIRPORT CAFE", "Maple Café"),
    ]
}
