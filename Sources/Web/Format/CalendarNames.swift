package import Texts

/// The names of months and weekdays in one language.
package struct CalendarNames: Sendable {
    /// From January.
    let months: [String]
    let shortMonths: [String]
    /// From Monday.
    let weekdays: [String]

    /// The names of a catalogue.
    package init(_ texts: TextCatalogue) {
        months = Self.months.map(texts.string)
        shortMonths = Self.shortMonths.map(texts.string)
        weekdays = Self.weekdays.map(texts.string)
    }

    private static let months = [
        Text("calendar.january"), Text("calendar.february"), Text("calendar.march"), Text("calendar.april"),
        Text("calendar.may"), Text("calendar.june"), Text("calendar.july"), Text("calendar.august"),
        Text("calendar.september"), Text("calendar.october"), Text("calendar.november"),
        Text("calendar.december"),
    ]

    private static let shortMonths = [
        Text("calendar.jan"), Text("calendar.feb"), Text("calendar.mar"), Text("calendar.apr"),
        Text("calendar.may-short"), Text("calendar.jun"), Text("calendar.jul"), Text("calendar.aug"),
        Text("calendar.sep"), Text("calendar.oct"), Text("calendar.nov"), Text("calendar.dec"),
    ]

    private static let weekdays = [
        Text("calendar.monday"), Text("calendar.tuesday"), Text("calendar.wednesday"),
        Text("calendar.thursday"), Text("calendar.friday"), Text("calendar.saturday"),
        Text("calendar.sunday"),
    ]
}
