// The addresses that are not of the app alone: those of each server, and those of the reviewers' lab.

package extension Link {
    /// The address of the static files, without their names.
    static let files = Link(declared: "/static/")
    static let healthz = Link(declared: "/healthz")
    static let readyz = Link(declared: "/readyz")

    // The reviewers' lab, in `breadly demo` only.
    static let lab = Link(declared: "/lab")
    static let labWorlds = Link(declared: "/lab/worlds")
    static let labClock = Link(declared: "/lab/clock")
    static let labNetwork = Link(declared: "/lab/network")
    static let labStore = Link(declared: "/lab/store")
    static let labRates = Link(declared: "/lab/rates")
    static let labKill = Link(declared: "/lab/kill")
    static let labSession = Link(declared: "/lab/session")
    static let labJourneys = Link(declared: "/lab/journeys")
    static let labCoverage = Link(declared: "/lab/coverage")
    static let labJourneyStage = LinkTo<String>("/lab/journeys/*/stage")
    static let labState = Link(declared: "/lab/state.json")
    /// Asked for by a page of the lab whose script does not run.
    static let labWithoutScript = Link(declared: "/lab/without-script")
    /// Below the path of a device: its page reports a part that a person has opened.
    static let labOpened = Link(declared: "/opened")
    /// The storybook: its index, the page of a story, and a story in frames.
    static let labPages = Link(declared: "/lab/pages")
    static let labStory = LinkTo<String>("/lab/pages/*")
    static let labStoryView = LinkTo<String>("/lab/pages/*/view")
    static let labSignIn = Link(declared: "/lab/sign-in")
    /// The page of the demo's bank on which a user consents, and the buttons of the lab for that bank.
    static let labBank = Link(declared: "/lab/bank")
    static let labBankBehaviour = Link(declared: "/lab/bank/behaviour")
    static let labDevice = LinkTo<Int>("/lab/d/*/")
    static let labFiles = Link(declared: "/lab/static/")

    /// Those that templates print with `{{link NAME}}`, by that name.
    static let named: [String: Link] = [
        "healthz": healthz,
        "lab": lab,
        "lab_worlds": labWorlds,
        "lab_clock": labClock,
        "lab_network": labNetwork,
        "lab_store": labStore,
        "lab_rates": labRates,
        "lab_kill": labKill,
        "lab_session": labSession,
        "lab_journeys": labJourneys,
        "lab_coverage": labCoverage,
        "lab_state": labState,
        "lab_without_script": labWithoutScript,
        "lab_pages": labPages,
        "lab_sign_in": labSignIn,
        "lab_bank": labBank,
        "lab_bank_behaviour": labBankBehaviour,
    ]
}
