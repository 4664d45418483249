// The decisions about what the documents leave open, or where two of them disagree.

import Texts

/// A decision that stands above the documents. The raw value is its number.
enum Ruling: Int, CaseIterable, Sendable {
    case oneSchema = 1
    case replacedBook
    case threeChoices
    case emptyAccount
    case unverified
    case serverData
    case drainsFirst
    case perField
    case noRestart
    case threeDays
    case bankData
    case freshGuest
    case baseOfEdit
    case guardedFields
    case endOfDrain = 16
    case signOutWithoutSync
    case withinAMinute
    case lockedBook
    case noticesStay

    /// The number and the decision in a sentence or two.
    var label: Text {
        Text("coverage.ruling", ["number": .string("\(rawValue)"), "text": .text(text)])
    }

    private var text: Text {
        switch self {
        case .oneSchema: Text("coverage.ruling-1")
        case .replacedBook: Text("coverage.ruling-2")
        case .threeChoices: Text("coverage.ruling-3")
        case .emptyAccount: Text("coverage.ruling-4")
        case .unverified: Text("coverage.ruling-5")
        case .serverData: Text("coverage.ruling-6")
        case .drainsFirst: Text("coverage.ruling-7")
        case .perField: Text("coverage.ruling-8")
        case .noRestart: Text("coverage.ruling-9")
        case .threeDays: Text("coverage.ruling-10")
        case .bankData: Text("coverage.ruling-11")
        case .freshGuest: Text("coverage.ruling-12")
        case .baseOfEdit: Text("coverage.ruling-13")
        case .guardedFields: Text("coverage.ruling-14")
        case .endOfDrain: Text("coverage.ruling-16")
        case .signOutWithoutSync: Text("coverage.ruling-17")
        case .withinAMinute: Text("coverage.ruling-18")
        case .lockedBook: Text("coverage.ruling-19")
        case .noticesStay: Text("coverage.ruling-20")
        }
    }
}
