// The help, and the status in each state of the lifecycle.

enum HelpStories {
    static let all = [help] + states

    private static let help = Story("help", .help, "The help") { HelpPage(chrome: $0.chrome) }

    private static let states = LifecycleDiagram.names.sorted().map { state in
        Story("status-\(state.replacing("_", with: "-"))", .help, "The status: \(state)") {
            $0.status(state)
        }
    }
}

extension Sample {
    fileprivate func status(_ state: String) -> StatusPage {
        let hasDevice = state != "uninitialized"
        return StatusPage(
            chrome: with { $0.state = state }.chrome,
            state: state,
            device: hasDevice ? "01m7yj5pdcbes0042j6jdhesbj" : nil,
            transitions: hasDevice
                ? [
                    TransitionLine(
                        at: "2026-11-21 10:00:00",
                        event: "INIT_COMPLETE",
                        from: "initializing",
                        to: state
                    )
                ] : []
        )
    }
}
