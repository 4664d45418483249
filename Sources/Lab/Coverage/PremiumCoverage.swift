// The cases of Premium and sync, row by row.

import Texts

extension Coverage {
    static let premium = CoverageDocument(
        id: "premium",
        title: Text("coverage.premium"),
        sections: [
            startOfPremium, scenariosOfPremium,
        ]
    )

    private static let startOfPremium = CoverageSection(
        title: Text("coverage.premium-of-start"),
        rows: [
            CoverageRow(
                Text("coverage.premium-bootstrap"),
                ours: asWritten,
                journeys: ["scenario-4", "scenario-5"]
            ),
            CoverageRow(
                Text("coverage.premium-decide"),
                ours: Text("coverage.premium-decide-ours"),
                journeys: ["scenario-4", "scenario-10"],
                rulings: [.threeDays]
            ),
            CoverageRow(
                Text("coverage.premium-session-fixed"),
                ours: Text("coverage.premium-session-fixed-ours"),
                journeys: ["scenario-3"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.premium-verification"),
                ours: Text("coverage.premium-verification-ours"),
                journeys: ["scenario-2", "scenario-20"]
            ),
            CoverageRow(
                Text("coverage.premium-premium-toast"),
                ours: Text("coverage.premium-premium-toast-ours"),
                journeys: ["scenario-3"],
                rulings: [.noRestart]
            ),
        ]
    )

    private static let scenariosOfPremium = CoverageSection(
        title: Text("coverage.premium-of-scenarios"),
        rows: [
            CoverageRow(Text("coverage.premium-1"), ours: asWritten, journeys: ["scenario-1"]),
            CoverageRow(Text("coverage.premium-2"), ours: asWritten, journeys: ["scenario-2"]),
            CoverageRow(
                Text("coverage.premium-3"),
                ours: Text("coverage.premium-3-ours"),
                journeys: ["scenario-3"],
                rulings: [.noRestart]
            ),
            CoverageRow(Text("coverage.premium-4"), ours: asWritten, journeys: ["scenario-4"]),
            CoverageRow(
                Text("coverage.premium-5"),
                ours: Text("coverage.premium-5-ours"),
                journeys: ["scenario-5"],
                rulings: [.threeDays]
            ),
            CoverageRow(
                Text("coverage.premium-6"),
                ours: Text("coverage.premium-6-ours"),
                journeys: ["scenario-6"],
                rulings: [.noRestart, .threeDays]
            ),
            CoverageRow(
                Text("coverage.premium-7"),
                ours: Text("coverage.premium-7-ours"),
                journeys: ["scenario-7"],
                rulings: [.drainsFirst, .threeDays]
            ),
            CoverageRow(
                Text("coverage.premium-8"),
                ours: Text("coverage.premium-8-ours"),
                journeys: ["scenario-8"],
                at: [.log],
                rulings: [.threeDays]
            ),
            CoverageRow(
                Text("coverage.premium-9"),
                ours: Text("coverage.premium-9-ours"),
                journeys: ["scenario-9"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.premium-10"),
                ours: Text("coverage.premium-10-ours"),
                journeys: ["scenario-10"]
            ),
            CoverageRow(
                Text("coverage.premium-11"),
                ours: Text("coverage.premium-11-ours"),
                journeys: ["scenario-11"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.premium-12"),
                ours: Text("coverage.premium-12-ours"),
                journeys: ["scenario-12"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.premium-13"),
                ours: Text("coverage.premium-13-ours"),
                journeys: ["scenario-13"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.premium-14"),
                ours: Text("coverage.premium-14-ours"),
                journeys: ["scenario-14"],
                rulings: [.lockedBook]
            ),
            CoverageRow(
                Text("coverage.premium-14b"),
                ours: Text("coverage.premium-14b-ours"),
                journeys: ["scenario-14b"],
                rulings: [.lockedBook]
            ),
            CoverageRow(
                Text("coverage.premium-15"),
                ours: Text("coverage.premium-15-ours"),
                journeys: ["scenario-15"],
                rulings: [.noRestart]
            ),
            CoverageRow(
                Text("coverage.premium-16"),
                ours: Text("coverage.premium-16-ours"),
                journeys: ["scenario-16"]
            ),
            CoverageRow(
                Text("coverage.premium-17"),
                ours: Text("coverage.premium-17-ours"),
                journeys: ["scenario-17"]
            ),
            CoverageRow(Text("coverage.premium-18"), ours: asWritten, journeys: ["scenario-18"]),
            CoverageRow(
                Text("coverage.premium-19"),
                ours: Text("coverage.premium-19-ours"),
                journeys: ["scenario-19"]
            ),
            CoverageRow(Text("coverage.premium-20"), ours: asWritten, journeys: ["scenario-20"]),
            CoverageRow(
                Text("coverage.premium-21"),
                ours: Text("coverage.premium-21-ours"),
                journeys: ["scenario-21", "scenario-21-restart"]
            ),
        ]
    )
}
