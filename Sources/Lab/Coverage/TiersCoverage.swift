// The user tiers and their features, row by row.

import Texts

extension Coverage {
    static let tiers = CoverageDocument(
        id: "tiers",
        title: Text("coverage.tiers"),
        sections: [
            usersOfTiers, matrixOfTiers, onboardingOfTiers, arrivalOfTiers, existingOfTiers,
            premiumOfTiers, leavingOfTiers, warningOfTiers, syncOfTiers, currencyOfTiers, devicesOfTiers,
            principlesOfTiers, wordsOfTiers, decisionsOfTiers,
        ]
    )

    private static let usersOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-users"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-guest-all"),
                ours: asWritten,
                journeys: ["first-visit"],
                at: [.budgets]
            ),
            CoverageRow(
                Text("coverage.tiers-guest-device"),
                ours: Text("coverage.tiers-guest-device-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(
                Text("coverage.tiers-guest-lost"),
                ours: Text("coverage.tiers-guest-lost-ours"),
                at: [.overview]
            ),
            CoverageRow(
                Text("coverage.tiers-free-account"),
                ours: Text("coverage.tiers-free-account-ours"),
                journeys: ["guest-new-account"],
                at: [.signIn]
            ),
            CoverageRow(Text("coverage.tiers-free-moved"), ours: asWritten, journeys: ["guest-new-account"]),
            CoverageRow(
                Text("coverage.tiers-free-device"),
                ours: Text("coverage.tiers-free-device-ours"),
                journeys: ["scenario-1", "guest-new-account"]
            ),
            CoverageRow(Text("coverage.tiers-premium-backup"), ours: asWritten, journeys: ["goes-premium"]),
            CoverageRow(Text("coverage.tiers-premium-devices"), ours: asWritten, journeys: ["scenario-13"]),
            CoverageRow(Text("coverage.tiers-premium-recovery"), ours: asWritten, journeys: ["lost-device"]),
            CoverageRow(
                Text("coverage.tiers-premium-real-time"),
                ours: Text("coverage.tiers-premium-real-time-ours"),
                journeys: ["scenario-11", "conflict"]
            ),
        ]
    )

    private static let matrixOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-matrix"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-matrix-transactions"),
                ours: Text("coverage.tiers-matrix-transactions-ours"),
                journeys: ["first-visit"],
                at: [.transactions]
            ),
            CoverageRow(Text("coverage.tiers-matrix-categories"), ours: asWritten, at: [.categories]),
            CoverageRow(Text("coverage.tiers-matrix-accounts"), ours: asWritten, at: [.accounts]),
            CoverageRow(
                Text("coverage.tiers-matrix-local"),
                ours: Text("coverage.tiers-matrix-local-ours"),
                journeys: ["killed-with-changes"]
            ),
            CoverageRow(
                Text("coverage.tiers-matrix-offline"),
                ours: Text("coverage.tiers-matrix-offline-ours"),
                journeys: ["scenario-5"]
            ),
            CoverageRow(
                Text("coverage.tiers-matrix-backup"),
                ours: asWritten,
                journeys: ["goes-premium", "scenario-1"]
            ),
            CoverageRow(
                Text("coverage.tiers-matrix-devices"),
                ours: asWritten,
                journeys: ["scenario-13", "welcome-existing-account"]
            ),
            CoverageRow(Text("coverage.tiers-matrix-recovery"), ours: asWritten, journeys: ["lost-device"]),
            CoverageRow(Text("coverage.tiers-matrix-rates"), ours: asWritten, journeys: ["currencies"]),
        ]
    )

    private static let onboardingOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-onboarding"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-step-welcome"),
                ours: Text("coverage.tiers-step-welcome-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(
                Text("coverage.tiers-step-currency"),
                ours: Text("coverage.tiers-step-currency-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(
                Text("coverage.tiers-step-secondary"),
                ours: Text("coverage.tiers-step-secondary-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(Text("coverage.tiers-step-week"), ours: asWritten, journeys: ["first-visit"]),
            CoverageRow(
                Text("coverage.tiers-step-more"),
                ours: Text("coverage.tiers-step-more-ours"),
                at: [.settings]
            ),
            CoverageRow(
                Text("coverage.tiers-fallback-currency"),
                ours: Text("coverage.tiers-fallback-currency-ours"),
                journeys: ["welcome-existing-account"],
                at: [.settings]
            ),
            CoverageRow(
                Text("coverage.tiers-fallback-secondary"),
                ours: asWritten,
                journeys: ["welcome-existing-account"],
                at: [.settings]
            ),
            CoverageRow(
                Text("coverage.tiers-fallback-week"),
                ours: Text("coverage.tiers-fallback-week-ours"),
                journeys: ["welcome-existing-account"],
                at: [.settings]
            ),
            CoverageRow(Text("coverage.tiers-shown-guest"), ours: asWritten, journeys: ["first-visit"]),
            CoverageRow(
                Text("coverage.tiers-shown-new"),
                ours: Text("coverage.tiers-shown-new-ours"),
                journeys: ["welcome-new-account"]
            ),
            CoverageRow(
                Text("coverage.tiers-shown-existing"),
                ours: asWritten,
                journeys: ["welcome-existing-account"]
            ),
            CoverageRow(
                Text("coverage.tiers-shown-reinstall"),
                ours: Text("coverage.tiers-shown-reinstall-ours"),
                journeys: ["lost-device"]
            ),
            CoverageRow(Text("coverage.tiers-shown-sign-out"), ours: asWritten, journeys: ["sign-out-free"]),
            CoverageRow(
                Text("coverage.tiers-completion"),
                ours: asWritten,
                journeys: ["welcome-existing-account"]
            ),
            CoverageRow(
                Text("coverage.tiers-preferences-local"),
                ours: asWritten,
                at: [.settings],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.tiers-preferences-synced"),
                ours: Text("coverage.tiers-preferences-synced-ours"),
                at: [.settings],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.tiers-no-skip"),
                ours: Text("coverage.tiers-no-skip-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(
                Text("coverage.tiers-resume"),
                ours: Text("coverage.tiers-resume-ours"),
                at: [.welcome]
            ),
        ]
    )

    private static let arrivalOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-arrival"),
        rows: [
            CoverageRow(Text("coverage.tiers-j1-guest"), ours: asWritten, journeys: ["first-visit"]),
            CoverageRow(
                Text("coverage.tiers-j1-seeded"),
                ours: Text("coverage.tiers-j1-seeded-ours"),
                journeys: ["first-visit"]
            ),
            CoverageRow(Text("coverage.tiers-j1-no-sign-in"), ours: asWritten, journeys: ["first-visit"]),
            CoverageRow(Text("coverage.tiers-j2-new"), ours: asWritten, journeys: ["guest-new-account"]),
            CoverageRow(
                Text("coverage.tiers-j2-asked-once"),
                ours: asWritten,
                journeys: ["guest-new-account"]
            ),
            CoverageRow(
                Text("coverage.tiers-j2-upgrade"),
                ours: asWritten,
                journeys: ["goes-premium", "guest-goes-premium"]
            ),
            CoverageRow(Text("coverage.tiers-j3-new"), ours: asWritten, journeys: ["welcome-new-account"]),
            CoverageRow(
                Text("coverage.tiers-j3-existing"),
                ours: asWritten,
                journeys: ["welcome-existing-account", "existing-premium", "blocked-subscribe"]
            ),
        ]
    )

    private static let existingOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-existing"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-j4-detection"),
                ours: Text("coverage.tiers-j4-detection-ours"),
                journeys: ["two-at-once"]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-check"),
                ours: Text("coverage.tiers-j4-check-ours"),
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-retry"),
                ours: asWritten,
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-cleared"),
                ours: Text("coverage.tiers-j4-cleared-ours"),
                journeys: ["guest-existing-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(Text("coverage.tiers-j4-progress"), ours: asWritten, journeys: ["existing-premium"]),
            CoverageRow(
                Text("coverage.tiers-j4-dismiss"),
                ours: Text("coverage.tiers-j4-dismiss-ours"),
                journeys: ["existing-premium"]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-meanwhile"),
                ours: Text("coverage.tiers-j4-meanwhile-ours"),
                journeys: ["existing-premium"]
            ),
            CoverageRow(Text("coverage.tiers-j4-queued"), ours: asWritten, journeys: ["existing-premium"]),
            CoverageRow(
                Text("coverage.tiers-j4-duplicates"),
                ours: Text("coverage.tiers-j4-duplicates-ours"),
                journeys: ["existing-premium"],
                at: [.categories]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-nothing"),
                ours: Text("coverage.tiers-j4-nothing-ours"),
                journeys: ["welcome-existing-account"],
                rulings: [.emptyAccount]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-server-data"),
                ours: Text("coverage.tiers-j4-server-data-ours"),
                journeys: ["blocked-subscribe", "welcome-existing-account"],
                rulings: [.serverData]
            ),
            CoverageRow(
                Text("coverage.tiers-j4-blocked"),
                ours: Text("coverage.tiers-j4-blocked-ours"),
                journeys: ["blocked-subscribe"],
                rulings: [.threeChoices]
            ),
            CoverageRow(Text("coverage.tiers-j4-purchase"), ours: asWritten, journeys: ["blocked-subscribe"]),
            CoverageRow(Text("coverage.tiers-j4-delete"), ours: asWritten, journeys: ["blocked-delete"]),
            CoverageRow(Text("coverage.tiers-j4-kept"), ours: asWritten, journeys: ["blocked-delete"]),
            CoverageRow(
                Text("coverage.tiers-j4-others"),
                ours: Text("coverage.tiers-j4-others-ours"),
                journeys: ["data-deleted-elsewhere"],
                at: [.storybook],
                rulings: [.noticesStay]
            ),
            CoverageRow(Text("coverage.tiers-j4-sign-out"), ours: asWritten, journeys: ["blocked-sign-out"]),
        ]
    )

    private static let premiumOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-premium"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-j5-upload"),
                ours: Text("coverage.tiers-j5-upload-ours"),
                journeys: ["goes-premium", "guest-goes-premium"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.tiers-j6-drain"),
                ours: asWritten,
                journeys: ["expires"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.tiers-j6-stays"),
                ours: asWritten,
                journeys: ["expires"],
                rulings: [.oneSchema]
            ),
            CoverageRow(Text("coverage.tiers-j6-no-question"), ours: asWritten, journeys: ["expires"]),
            CoverageRow(
                Text("coverage.tiers-j6-never-cleared"),
                ours: Text("coverage.tiers-j6-never-cleared-ours"),
                journeys: ["expires-offline"],
                rulings: [.endOfDrain]
            ),
            CoverageRow(
                Text("coverage.tiers-j6-offline"),
                ours: asWritten,
                journeys: ["expires-offline"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(Text("coverage.tiers-j6-indicator"), ours: asWritten, journeys: ["expires"]),
            CoverageRow(Text("coverage.tiers-j6-each"), ours: asWritten, journeys: ["expires"]),
            CoverageRow(
                Text("coverage.tiers-j6-return"),
                ours: asWritten,
                journeys: ["scenario-7"],
                rulings: [.endOfDrain]
            ),
            CoverageRow(Text("coverage.tiers-j7-merge"), ours: asWritten, journeys: ["subscribes-again"]),
            CoverageRow(
                Text("coverage.tiers-j7-no-question"),
                ours: Text("coverage.tiers-j7-no-question-ours"),
                journeys: ["subscribes-again"],
                rulings: [.perField]
            ),
            CoverageRow(
                Text("coverage.tiers-j7-devices"),
                ours: asWritten,
                journeys: ["scenario-9", "subscribes-again"]
            ),
        ]
    )

    private static let leavingOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-leaving"),
        rows: [
            CoverageRow(Text("coverage.tiers-j8-waiting"), ours: asWritten, journeys: ["sign-out-pending"]),
            CoverageRow(
                Text("coverage.tiers-j8-now"),
                ours: Text("coverage.tiers-j8-now-ours"),
                journeys: ["sign-out-unreachable"]
            ),
            CoverageRow(
                Text("coverage.tiers-j8-free"),
                ours: asWritten,
                journeys: ["sign-out-free"],
                rulings: [.freshGuest]
            ),
            CoverageRow(
                Text("coverage.tiers-j8-premium"),
                ours: Text("coverage.tiers-j8-premium-ours"),
                journeys: ["sign-out-premium", "sign-out-sync-off"],
                rulings: [.freshGuest, .signOutWithoutSync]
            ),
            CoverageRow(
                Text("coverage.tiers-j8-network"),
                ours: asWritten,
                journeys: ["sign-out-unreachable", "sign-out-offline"]
            ),
            CoverageRow(
                Text("coverage.tiers-j8-guest"),
                ours: asWritten,
                journeys: ["sign-out-premium", "sign-out-free"],
                rulings: [.freshGuest]
            ),
            CoverageRow(
                Text("coverage.tiers-j8-before"),
                ours: Text("coverage.tiers-j8-before-ours"),
                journeys: ["sign-out-free"],
                at: [.status]
            ),
            CoverageRow(
                Text("coverage.tiers-j9-delete"),
                ours: Text("coverage.tiers-j9-delete-ours"),
                journeys: ["deletes-account"]
            ),
            CoverageRow(
                Text("coverage.tiers-j9-subscription"),
                ours: asWritten,
                journeys: ["deletes-account"]
            ),
            CoverageRow(Text("coverage.tiers-j9-order"), ours: asWritten, journeys: ["deletes-account"]),
            CoverageRow(
                Text("coverage.tiers-j9-others"),
                ours: Text("coverage.tiers-j9-others-ours"),
                journeys: ["deletes-account"],
                rulings: [.withinAMinute]
            ),
            CoverageRow(
                Text("coverage.tiers-j10-download"),
                ours: Text("coverage.tiers-j10-download-ours"),
                journeys: ["lost-device"]
            ),
            CoverageRow(Text("coverage.tiers-j10-only-synced"), ours: asWritten, journeys: ["lost-device"]),
        ]
    )

    private static let warningOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-warning"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-warning-settings"),
                ours: asWritten,
                journeys: ["sign-out-guest"]
            ),
            CoverageRow(
                Text("coverage.tiers-warning-count"),
                ours: Text("coverage.tiers-warning-count-ours"),
                at: [.transactions]
            ),
            CoverageRow(
                Text("coverage.tiers-warning-before"),
                ours: Text("coverage.tiers-warning-before-ours"),
                journeys: ["guest-existing-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(
                Text("coverage.tiers-warning-no-copy"),
                ours: Text("coverage.tiers-warning-no-copy-ours"),
                journeys: ["guest-existing-account"],
                rulings: [.replacedBook]
            ),
        ]
    )

    private static let syncOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-sync"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-sync-tables"),
                ours: Text("coverage.tiers-sync-tables-ours"),
                journeys: ["goes-premium"],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.tiers-sync-durable"),
                ours: asWritten,
                journeys: ["killed-with-changes"]
            ),
            CoverageRow(
                Text("coverage.tiers-clear-existing"),
                ours: asWritten,
                journeys: ["guest-existing-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(
                Text("coverage.tiers-clear-sign-out"),
                ours: asWritten,
                journeys: ["sign-out-free", "killed-while-signing-out"]
            ),
            CoverageRow(
                Text("coverage.tiers-clear-server"),
                ours: Text("coverage.tiers-clear-server-ours"),
                journeys: ["blocked-delete"],
                rulings: [.replacedBook]
            ),
            CoverageRow(
                Text("coverage.tiers-clear-expiry"),
                ours: asWritten,
                journeys: ["expires"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.tiers-clear-switch"),
                ours: Text("coverage.tiers-clear-switch-ours"),
                journeys: ["goes-premium"],
                rulings: [.oneSchema]
            ),
            CoverageRow(Text("coverage.tiers-cloud-up"), ours: asWritten, journeys: ["goes-premium"]),
            CoverageRow(
                Text("coverage.tiers-cloud-down"),
                ours: asWritten,
                journeys: ["scenario-15", "scenario-11"]
            ),
            CoverageRow(
                Text("coverage.tiers-cloud-offline"),
                ours: Text("coverage.tiers-cloud-offline-ours"),
                journeys: ["scenario-16", "scenario-5"]
            ),
            CoverageRow(
                Text("coverage.tiers-signing-in-offline"),
                ours: asWritten,
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(
                Text("coverage.tiers-signing-in-partly"),
                ours: Text("coverage.tiers-signing-in-partly-ours"),
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(
                Text("coverage.tiers-signing-in-late"),
                ours: Text("coverage.tiers-signing-in-late-ours"),
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(
                Text("coverage.tiers-merge-field"),
                ours: asWritten,
                at: [.transactions],
                rulings: [.perField]
            ),
            CoverageRow(
                Text("coverage.tiers-merge-last"),
                ours: Text("coverage.tiers-merge-last-ours"),
                journeys: ["conflict"],
                rulings: [.perField, .baseOfEdit]
            ),
            CoverageRow(
                Text("coverage.tiers-merge-delete"),
                ours: Text("coverage.tiers-merge-delete-ours"),
                journeys: ["delete-against-edit"],
                rulings: [.perField]
            ),
            CoverageRow(
                Text("coverage.tiers-merge-no-prompt"),
                ours: Text("coverage.tiers-merge-no-prompt-ours"),
                journeys: ["conflict"],
                rulings: [.perField, .guardedFields]
            ),
            CoverageRow(
                Text("coverage.tiers-merge-different"),
                ours: asWritten,
                journeys: ["subscribes-again"]
            ),
        ]
    )

    private static let currencyOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-currency"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-currency-any"),
                ours: asWritten,
                journeys: ["first-visit"],
                at: [.settings]
            ),
            CoverageRow(Text("coverage.tiers-currency-totals"), ours: asWritten, journeys: ["currencies"]),
            CoverageRow(
                Text("coverage.tiers-currency-list"),
                ours: Text("coverage.tiers-currency-list-ours"),
                journeys: ["first-visit"],
                at: [.settings]
            ),
            CoverageRow(
                Text("coverage.tiers-currency-table"),
                ours: Text("coverage.tiers-currency-table-ours"),
                at: [.settings],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.tiers-rates-sent"),
                ours: Text("coverage.tiers-rates-sent-ours"),
                journeys: ["currencies"],
                at: [.rates]
            ),
            CoverageRow(
                Text("coverage.tiers-rates-latest"),
                ours: Text("coverage.tiers-rates-latest-ours"),
                journeys: ["currencies"],
                at: [.reports]
            ),
            CoverageRow(Text("coverage.tiers-rates-old"), ours: asWritten, journeys: ["currencies"]),
            CoverageRow(Text("coverage.tiers-rates-cached"), ours: asWritten, journeys: ["currencies"]),
            CoverageRow(Text("coverage.tiers-rates-none"), ours: asWritten, journeys: ["currencies"]),
            CoverageRow(Text("coverage.tiers-rates-upgrade"), ours: asWritten, journeys: ["currencies"]),
            CoverageRow(
                Text("coverage.tiers-budget-base"),
                ours: Text("coverage.tiers-budget-base-ours"),
                at: [.budgets]
            ),
            CoverageRow(Text("coverage.tiers-budget-premium"), ours: asWritten, at: [.budgets]),
            CoverageRow(
                Text("coverage.tiers-budget-free"),
                ours: Text("coverage.tiers-budget-free-ours"),
                at: [.budgets]
            ),
            CoverageRow(
                Text("coverage.tiers-budget-message"),
                ours: Text("coverage.tiers-budget-message-ours"),
                journeys: ["currencies"]
            ),
        ]
    )

    private static let devicesOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-devices"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-devices-new"),
                ours: asWritten,
                journeys: ["existing-premium", "scenario-13"]
            ),
            CoverageRow(
                Text("coverage.tiers-devices-sign-out"),
                ours: asWritten,
                journeys: ["sign-out-premium"]
            ),
            CoverageRow(
                Text("coverage.tiers-devices-conflict"),
                ours: Text("coverage.tiers-devices-conflict-ours"),
                journeys: ["conflict"],
                rulings: [.perField]
            ),
            CoverageRow(
                Text("coverage.tiers-devices-free"),
                ours: asWritten,
                journeys: ["welcome-existing-account"]
            ),
            CoverageRow(
                Text("coverage.tiers-devices-blocked"),
                ours: asWritten,
                journeys: ["blocked-subscribe", "welcome-existing-account"],
                rulings: [.emptyAccount]
            ),
            CoverageRow(
                Text("coverage.tiers-devices-again"),
                ours: Text("coverage.tiers-devices-again-ours"),
                journeys: ["sign-out-free", "welcome-existing-account"],
                rulings: [.emptyAccount]
            ),
        ]
    )

    private static let principlesOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-principles"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-safe-silent"),
                ours: asWritten,
                journeys: ["guest-existing-account", "delete-against-edit"]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-typed"),
                ours: asWritten,
                journeys: ["blocked-delete", "sign-out-free"]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-replaced"),
                ours: asWritten,
                journeys: ["guest-existing-account", "blocked-subscribe"]
            ),
            CoverageRow(Text("coverage.tiers-safe-1"), ours: asWritten, journeys: ["first-visit"]),
            CoverageRow(Text("coverage.tiers-safe-2"), ours: asWritten, journeys: ["guest-new-account"]),
            CoverageRow(Text("coverage.tiers-safe-3"), ours: asWritten, journeys: ["welcome-new-account"]),
            CoverageRow(
                Text("coverage.tiers-safe-4"),
                ours: Text("coverage.tiers-safe-4-ours"),
                journeys: ["guest-existing-account"],
                rulings: [.replacedBook]
            ),
            CoverageRow(Text("coverage.tiers-safe-5"), ours: asWritten, journeys: ["guest-existing-account"]),
            CoverageRow(
                Text("coverage.tiers-safe-6"),
                ours: Text("coverage.tiers-safe-6-ours"),
                journeys: ["welcome-existing-account"],
                rulings: [.emptyAccount]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-7"),
                ours: asWritten,
                journeys: ["blocked-sign-out"],
                rulings: [.threeChoices]
            ),
            CoverageRow(Text("coverage.tiers-safe-8"), ours: asWritten, journeys: ["goes-premium"]),
            CoverageRow(
                Text("coverage.tiers-safe-9"),
                ours: asWritten,
                journeys: ["expires"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-10"),
                ours: asWritten,
                journeys: ["subscribes-again"],
                rulings: [.perField]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-11"),
                ours: asWritten,
                journeys: ["sign-out-free", "sign-out-premium"],
                rulings: [.freshGuest]
            ),
            CoverageRow(Text("coverage.tiers-safe-12"), ours: asWritten, journeys: ["sign-out-pending"]),
            CoverageRow(Text("coverage.tiers-safe-13"), ours: asWritten, journeys: ["sign-out-free"]),
            CoverageRow(Text("coverage.tiers-safe-14"), ours: asWritten, journeys: ["sign-out-unreachable"]),
            CoverageRow(
                Text("coverage.tiers-safe-15"),
                ours: asWritten,
                journeys: ["lost-device", "scenario-13"]
            ),
            CoverageRow(Text("coverage.tiers-safe-16"), ours: asWritten, journeys: ["blocked-subscribe"]),
            CoverageRow(Text("coverage.tiers-safe-17"), ours: asWritten, journeys: ["blocked-delete"]),
            CoverageRow(Text("coverage.tiers-safe-18"), ours: asWritten, journeys: ["blocked-sign-out"]),
            CoverageRow(
                Text("coverage.tiers-safe-19"),
                ours: asWritten,
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(Text("coverage.tiers-safe-20"), ours: asWritten, journeys: ["lost-device"]),
            CoverageRow(
                Text("coverage.tiers-safe-21"),
                ours: asWritten,
                journeys: ["killed-with-changes", "killed-while-moving"]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-22"),
                ours: asWritten,
                journeys: ["expires"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(Text("coverage.tiers-safe-23"), ours: asWritten, journeys: ["sign-out-premium"]),
            CoverageRow(
                Text("coverage.tiers-safe-24"),
                ours: Text("coverage.tiers-safe-24-ours"),
                journeys: ["deletes-account"],
                rulings: [.withinAMinute]
            ),
            CoverageRow(Text("coverage.tiers-safe-25"), ours: asWritten, journeys: ["migration-fails"]),
            CoverageRow(
                Text("coverage.tiers-safe-26"),
                ours: asWritten,
                journeys: ["expires-offline"],
                rulings: [.drainsFirst]
            ),
            CoverageRow(
                Text("coverage.tiers-safe-27"),
                ours: asWritten,
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(Text("coverage.tiers-safe-28"), ours: asWritten, journeys: ["two-at-once"]),
        ]
    )

    private static let wordsOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-words"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-words-settings"),
                ours: Text("coverage.tiers-words-settings-ours"),
                at: [.settings]
            ),
            CoverageRow(
                Text("coverage.tiers-words-expiry"),
                ours: Text("coverage.tiers-words-expiry-ours"),
                journeys: ["expires"],
                rulings: [.noticesStay]
            ),
            CoverageRow(Text("coverage.tiers-words-check"), ours: asWritten, journeys: ["goes-premium"]),
            CoverageRow(
                Text("coverage.tiers-words-slash"),
                ours: Text("coverage.tiers-words-slash-ours"),
                journeys: ["first-visit", "guest-new-account"]
            ),
            CoverageRow(Text("coverage.tiers-words-free"), ours: asWritten, journeys: ["guest-new-account"]),
            CoverageRow(Text("coverage.tiers-words-guest"), ours: asWritten, journeys: ["first-visit"]),
            CoverageRow(Text("coverage.tiers-words-totals"), ours: asWritten, journeys: ["currencies"]),
            CoverageRow(Text("coverage.tiers-words-out-free"), ours: asWritten, journeys: ["sign-out-free"]),
            CoverageRow(
                Text("coverage.tiers-words-out-premium"),
                ours: asWritten,
                journeys: ["sign-out-unreachable"]
            ),
            CoverageRow(
                Text("coverage.tiers-words-out-network"),
                ours: asWritten,
                journeys: ["sign-out-offline"]
            ),
            CoverageRow(
                Text("coverage.tiers-words-blocked"),
                ours: asWritten,
                journeys: ["blocked-subscribe"]
            ),
            CoverageRow(
                Text("coverage.tiers-words-purchase"),
                ours: Text("coverage.tiers-words-purchase-ours"),
                journeys: ["blocked-subscribe"]
            ),
            CoverageRow(
                Text("coverage.tiers-words-delete"),
                ours: Text("coverage.tiers-words-delete-ours"),
                journeys: ["blocked-delete"],
                rulings: [.replacedBook]
            ),
            CoverageRow(Text("coverage.tiers-words-leave"), ours: asWritten, journeys: ["blocked-sign-out"]),
        ]
    )

    private static let decisionsOfTiers = CoverageSection(
        title: Text("coverage.tiers-of-decisions"),
        rows: [
            CoverageRow(
                Text("coverage.tiers-decision-fail-safe"),
                ours: Text("coverage.tiers-decision-fail-safe-ours"),
                journeys: ["not-verified"],
                rulings: [.unverified]
            ),
            CoverageRow(
                Text("coverage.tiers-decision-sessions"),
                ours: asWritten,
                journeys: ["blocked-subscribe", "welcome-existing-account"],
                rulings: [.serverData]
            ),
            CoverageRow(
                Text("coverage.tiers-decision-schema"),
                ours: asWritten,
                journeys: ["goes-premium", "expires"],
                rulings: [.oneSchema]
            ),
            CoverageRow(
                Text("coverage.tiers-decision-no-restore"),
                ours: Text("coverage.tiers-decision-no-restore-ours"),
                journeys: ["guest-existing-account", "not-verified"],
                rulings: [.replacedBook]
            ),
        ]
    )
}
