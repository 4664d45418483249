/// The next question to a new user. It is kept on the device only and never syncs.
public enum OnboardingStep: String, CaseIterable, Sendable, Comparable {
    /// Nothing yet: the first page is shown, as to a visitor.
    case welcome
    /// The default currency.
    case currency
    /// Other currencies.
    case secondary
    /// Monday or Sunday.
    case calendar
    /// Nothing more.
    case done

    /// In the order in which they are asked.
    public static func < (left: OnboardingStep, right: OnboardingStep) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
