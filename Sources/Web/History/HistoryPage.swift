// The history of the book: all changes as texts, grouped by day, each with Undo.

import Ledger
import Links
import Templates
import Texts

/// Changes, newest first.
struct HistoryPage: Page {
    static let template = "history/index"

    let chrome: Chrome
    let days: [HistoryDay]
    let query: HistoryQuery
    /// The kinds of rows that can be asked for, by their names in the sync protocol.
    let kinds: [String]
    /// The names of other devices that can be asked for; an empty one for those without a known name.
    let devices: [String]
    /// The number of the change after which earlier ones are listed; nil if there are none.
    let next: Int64?
    /// Whether the search has not looked at all changes that could stand on this page.
    let endsEarly: Bool
    /// Whether there were earlier changes that are not kept.
    let isShortened: Bool

    static let keys = Keys<HistoryPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .flag("has_days") { !$0.days.isEmpty }
        .flag("has_entries") { !$0.days.isEmpty || $0.isShortened || !$0.query.isOfAll }
        .message("empty_text") { page in
            page.chrome.cloud.isIncomplete
                ? Text("overview.not-all-is-here") : Text("history.nothing-has-been-changed")
        }
        .flag("is_filtered") { !$0.query.isOfAll }
        .flag("filters_open") { $0.query.kind != nil || $0.query.device != nil || $0.query.days != nil }
        .flag("nothing_matches") { $0.days.isEmpty && !$0.query.isOfAll && $0.next == nil }
        .text("q") { $0.query.text ?? "" }
        .text("from") { $0.firstDay.map { "\($0)" } ?? "" }
        .text("to") { $0.lastDay.map { "\($0)" } ?? "" }
        .model("kind_filter", of: Field.self) { page in
            let all = Choice("", Text("history.all-kinds"))
            let kinds = page.kinds.map { Choice($0, .declared("entity.\($0)", otherwise: $0)) }
            return Field(name: "kind", value: page.query.kind ?? "", options: [all] + kinds)
        }
        .model("device_filter", of: Field.self) { page in
            let value = page.query.device?.fieldValue ?? ""
            let others = page.devices.map { name in
                let label = name.isEmpty ? Text("history.a-device-without-a-name") : Text.verbatim(name)
                return Choice(HistoryDevice.other(name).fieldValue, label)
            }
            let all = [
                Choice("", Text("history.all-devices")),
                Choice(HistoryDevice.this.fieldValue, Text("history.this-device")),
            ]
            return Field(
                name: "device",
                value: value,
                options: (all + others).keeping(value, as: .verbatim(value))
            )
        }
        .list("days", of: HistoryDay.self) { $0.days }
        .optionalLink("older_href") { page in page.next.map { page.href(before: $0) } }
        .flag("ends_early") { $0.endsEarly }
        .flag("is_shortened") { $0.isShortened && $0.next == nil }

    /// The first day of the filter; nil without one.
    private var firstDay: CivilDate? {
        query.days.map(\.lowerBound).flatMap { $0 == CivilDate(dayNumber: .min) ? nil : $0 }
    }

    /// The last day of the filter; nil without one.
    private var lastDay: CivilDate? {
        query.days.map(\.upperBound).flatMap { $0 == .distantFuture ? nil : $0 }
    }

    private func href(before change: Int64) -> Link {
        var items: [(String, String)] = []
        if let text = query.text { items.append(("q", text)) }
        if let kind = query.kind { items.append(("kind", kind)) }
        if let device = query.device { items.append(("device", device.fieldValue)) }
        if let firstDay { items.append(("from", "\(firstDay)")) }
        if let lastDay { items.append(("to", "\(lastDay)")) }
        return Link.history.adding(query: items + [("before", "\(change)")])
    }
}

extension HistoryDevice {
    private static let thisDevice = "this"
    private static let withoutName = "another"

    /// The device that a field of an address names.
    init(fieldValue: String) {
        switch fieldValue {
        case Self.thisDevice: self = .this
        case Self.withoutName: self = .other("")
        default: self = .other(fieldValue)
        }
    }

    /// Its form in the field `device` of the address.
    var fieldValue: String {
        switch self {
        case .this: Self.thisDevice
        case .other(let name): name.isEmpty ? Self.withoutName : name
        }
    }
}

/// The changes of one day.
struct HistoryDay: TemplateModel {
    let title: Text
    let lines: [HistoryLine]

    static let keys = Keys<HistoryDay>()
        .message("title") { $0.title }
        .list("lines", of: HistoryLine.self) { $0.lines }
}

/// One change.
struct HistoryLine: TemplateModel {
    /// The action, for the icon.
    enum Deed: Sendable { case added, changed, deleted, begun, loaded }

    let id: Int64
    let deed: Deed
    var title: Text
    var detail: Text
    let when: String
    let device: Text
    let more: Text?
    let canUndo: Bool
    /// The page of the changed row, or of the change if it has several; nil if there is none.
    var target: Link?

    /// - Parameters:
    ///   - title: the name of the changed entity: `Groceries`.
    ///   - detail: the change: `12.50 → 13.00`.
    ///   - when: the time of day.
    ///   - device: the device that made the change: `this device`.
    ///   - more: the number of further rows; nil if there are none.
    init(
        id: Int64,
        deed: Deed,
        title: Text,
        detail: Text,
        when: String,
        device: Text,
        more: Int,
        canUndo: Bool,
        target: Link? = nil
    ) {
        self.id = id
        self.deed = deed
        self.title = title
        self.detail = detail
        self.when = when
        self.device = device
        self.more = more > 0 ? Text("history.and-more-changes", ["count": .count(more)]) : nil
        self.canUndo = canUndo
        self.target = target
    }

    private var icon: String {
        switch deed {
        case .added: "plus"
        case .changed: "edit"
        case .deleted: "trash"
        case .begun: "book"
        case .loaded: "download"
        }
    }

    static let keys = Keys<HistoryLine>()
        .text("id") { String($0.id) }
        .link("href", to: Link.historyChange) { $0.id }
        .link("undo_action", to: Link.historyUndo) { $0.id }
        .text("icon") { $0.icon }
        .message("title") { $0.title }
        .message("detail") { $0.detail }
        .text("when") { $0.when }
        .message("device") { $0.device }
        .optionalMessage("more") { $0.more }
        .flag("can_undo") { $0.canUndo }
        .optionalLink("target") { $0.target }
}
