/// The next question to a new user. It is stored on the device only and never syncs.
public enum OnboardingStep: String, CaseIterable, Sendable, Comparable {
    /// No step yet: the welcome page is shown.
    case welcome
    /// The default currency.
    case currency
    /// Other currencies.
    case secondary
    /// Monday or Sunday.
    case calendar
    /// The onboarding is complete.
    case done

    /// In the order of the onboarding.
    public static func < (left: OnboardingStep, right: OnboardingStep) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
