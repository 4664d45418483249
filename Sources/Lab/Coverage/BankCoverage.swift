// The storage and the automatic sync of bank data, row by row.

import Texts

extension Coverage {
    static let banks = CoverageDocument(
        id: "bank",
        title: Text("coverage.bank"),
        sections: [
            cloudOfBanks, localOfBanks, triggersOfBanks, securityOfBanks, elsewhereOfBanks, staleOfBanks,
            troubleOfBanks, laterOfBanks,
        ]
    )

    private static let cloudOfBanks = CoverageSection(
        title: Text("coverage.bank-of-cloud"),
        rows: [
            CoverageRow(
                Text("coverage.bank-cloud-accounts"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-cloud-balance"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-cloud-manual"),
                ours: Text("coverage.bank-cloud-manual-ours"),
                journeys: ["scenario-11"],
                at: [.transactions],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-cloud-plans"),
                ours: Text("coverage.bank-cloud-plans-ours"),
                journeys: ["subscribes-again"],
                at: [.budgets]
            ),
            CoverageRow(Text("coverage.bank-cloud-settings"), ours: asWritten, at: [.settings]),
        ]
    )

    private static let localOfBanks = CoverageSection(
        title: Text("coverage.bank-of-local"),
        rows: [
            CoverageRow(
                Text("coverage.bank-local-tokens"),
                ours: Text("coverage.bank-local-tokens-ours"),
                journeys: ["reconnect-a-bank"],
                at: [.banks],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-local-transactions"),
                ours: Text("coverage.bank-local-transactions-ours"),
                journeys: ["connect-a-bank"],
                at: [.banks],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-local-balances"),
                ours: Text("coverage.bank-local-balances-ours"),
                journeys: ["connect-a-bank"],
                at: [.banks],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-local-sizes"),
                ours: Text("coverage.bank-local-sizes-ours"),
                at: [.banks],
                rulings: [.bankData]
            ),
        ]
    )

    private static let triggersOfBanks = CoverageSection(
        title: Text("coverage.bank-of-triggers"),
        rows: [
            CoverageRow(
                Text("coverage.bank-trigger-launch"),
                ours: Text("coverage.bank-trigger-launch-ours"),
                at: [.banks]
            ),
            CoverageRow(
                Text("coverage.bank-trigger-foreground"),
                ours: Text("coverage.bank-trigger-foreground-ours"),
                at: [.banks]
            ),
            CoverageRow(
                Text("coverage.bank-trigger-manual"),
                ours: Text("coverage.bank-trigger-manual-ours"),
                journeys: ["connect-a-bank"]
            ),
            CoverageRow(Text("coverage.bank-trigger-hour"), ours: asWritten, at: [.banks]),
            CoverageRow(
                Text("coverage.bank-frequency-free"),
                ours: Text("coverage.bank-frequency-free-ours"),
                journeys: ["connect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-frequency-premium"),
                ours: Text("coverage.bank-frequency-premium-ours"),
                journeys: ["reconnect-a-bank"]
            ),
            CoverageRow(Text("coverage.bank-order"), ours: Text("coverage.bank-order-ours"), at: [.banks]),
            CoverageRow(Text("coverage.bank-what-accounts"), ours: asWritten, journeys: ["connect-a-bank"]),
            CoverageRow(
                Text("coverage.bank-what-transactions"),
                ours: Text("coverage.bank-what-transactions-ours"),
                journeys: ["connect-a-bank"],
                at: [.lab]
            ),
            CoverageRow(
                Text("coverage.bank-what-balances"),
                ours: Text("coverage.bank-what-balances-ours"),
                journeys: ["connect-a-bank"]
            ),
        ]
    )

    private static let securityOfBanks = CoverageSection(
        title: Text("coverage.bank-of-security"),
        rows: [
            CoverageRow(
                Text("coverage.bank-security-least"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-security-user"),
                ours: Text("coverage.bank-security-user-ours"),
                journeys: ["connect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-security-expiring"),
                ours: Text("coverage.bank-security-expiring-ours"),
                at: [.banks]
            ),
            CoverageRow(Text("coverage.bank-security-renewal"), ours: asWritten, at: [.banks, .log]),
            CoverageRow(
                Text("coverage.bank-security-read-only"),
                ours: Text("coverage.bank-security-read-only-ours"),
                journeys: ["connect-a-bank"]
            ),
        ]
    )

    private static let elsewhereOfBanks = CoverageSection(
        title: Text("coverage.bank-of-elsewhere"),
        rows: [
            CoverageRow(
                Text("coverage.bank-elsewhere-accounts"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-elsewhere-missing"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"],
                rulings: [.bankData]
            ),
            CoverageRow(
                Text("coverage.bank-elsewhere-badge"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-elsewhere-connect"),
                ours: asWritten,
                journeys: ["reconnect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-elsewhere-fresh"),
                ours: Text("coverage.bank-elsewhere-fresh-ours"),
                journeys: ["reconnect-a-bank"]
            ),
        ]
    )

    private static let staleOfBanks = CoverageSection(
        title: Text("coverage.bank-of-stale"),
        rows: [
            CoverageRow(
                Text("coverage.bank-stale-first"),
                ours: Text("coverage.bank-stale-first-ours"),
                journeys: ["connect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-stale-refresh"),
                ours: Text("coverage.bank-stale-refresh-ours"),
                at: [.banks]
            ),
            CoverageRow(
                Text("coverage.bank-stale-update"),
                ours: Text("coverage.bank-stale-update-ours"),
                at: [.banks]
            ),
            CoverageRow(
                Text("coverage.bank-stale-failed"),
                ours: Text("coverage.bank-stale-failed-ours"),
                journeys: ["connect-a-bank"]
            ),
        ]
    )

    private static let troubleOfBanks = CoverageSection(
        title: Text("coverage.bank-of-trouble"),
        rows: [
            CoverageRow(
                Text("coverage.bank-trouble-transactions"),
                ours: Text("coverage.bank-trouble-transactions-ours"),
                journeys: ["connect-a-bank"]
            ),
            CoverageRow(
                Text("coverage.bank-trouble-balances"),
                ours: Text("coverage.bank-trouble-balances-ours"),
                at: [.lab, .banks]
            ),
            CoverageRow(
                Text("coverage.bank-trouble-consent"),
                ours: Text("coverage.bank-trouble-consent-ours"),
                journeys: ["connect-a-bank"]
            ),
        ]
    )

    private static let laterOfBanks = CoverageSection(
        title: Text("coverage.bank-of-later"),
        rows: [
            CoverageRow(
                Text("coverage.bank-later-background"),
                ours: Text("coverage.bank-later-background-ours"),
                at: [.banks]
            ),
            CoverageRow(
                Text("coverage.bank-later-schedule"),
                ours: Text("coverage.bank-later-schedule-ours"),
                at: [.banks]
            ),
            CoverageRow(Text("coverage.bank-later-status"), ours: asWritten, journeys: ["connect-a-bank"]),
            CoverageRow(
                Text("coverage.bank-later-offline"),
                ours: Text("coverage.bank-later-offline-ours"),
                at: [.banks]
            ),
        ]
    )
}
