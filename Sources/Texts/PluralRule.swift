/// The plural forms of a language for whole numbers, by the rules of Unicode's CLDR.
public enum PluralRule: Sendable {
    /// No forms: Chinese, Indonesian, Japanese, Korean, Thai, Vietnamese.
    case invariant
    /// One, and all others: most European languages.
    case oneOrOther
    /// Zero and one, and all others: French, Portuguese of Brazil.
    case zeroOneOrOther
    /// By the last digits: Russian, Ukrainian.
    case eastSlavic
    /// By the last digits: Polish.
    case polish
    /// One, two to four, and all others: Czech, Slovak.
    case czech

    /// A form's name in the catalogue.
    public enum Category: String, Sendable {
        case one, few, many, other
    }

    /// - Parameter tag: a BCP 47 tag, such as `en` or `pt-PT`.
    /// - Returns: nil for a language without a rule here.
    init?(language tag: String) {
        switch tag.prefix(while: { $0 != "-" }) {
        case "pt" where tag.hasPrefix("pt-PT"): self = .oneOrOther
        case "id", "ja", "ko", "th", "vi", "zh": self = .invariant
        case "bg", "da", "de", "el", "en", "es", "et", "fi", "hu", "it", "nb", "nl", "nn", "no", "sv", "tr":
            self = .oneOrOther
        case "fr", "pt": self = .zeroOneOrOther
        case "ru", "uk": self = .eastSlavic
        case "pl": self = .polish
        case "cs", "sk": self = .czech
        default: return nil
        }
    }

    /// The form for a number.
    func category(of number: Int) -> Category {
        let magnitude = number.magnitude
        let (digit, two) = (magnitude % 10, magnitude % 100)
        let isFew = (2...4).contains(digit) && !(12...14).contains(two)
        switch self {
        case .invariant: return .other
        case .oneOrOther: return magnitude == 1 ? .one : .other
        case .zeroOneOrOther: return magnitude <= 1 ? .one : .other
        case .eastSlavic:
            if digit == 1 && two != 11 { return .one }
            return isFew ? .few : .many
        case .polish:
            if magnitude == 1 { return .one }
            return isFew ? .few : .many
        case .czech:
            if magnitude == 1 { return .one }
            return (2...4).contains(magnitude) ? .few : .other
        }
    }
}
