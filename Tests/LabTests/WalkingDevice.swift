// A device of the lab in the hands of a walking reviewer: its links, its forms, and the sentences on its pages.

import TestKit
import Testing

/// One device of the world.
final class WalkingDevice {
    let tab: BrowserTab
    private let number: Int
    private unowned let reviewer: WalkingReviewer

    init(_ number: Int, _ reviewer: WalkingReviewer, _ profile: BrowserProfile) {
        self.number = number
        self.reviewer = reviewer
        tab = BrowserTab(profile)
    }

    /// The page that the device shows.
    var page: SeenPage { tab.page }

    /// Opens a page of the device by its address.
    @discardableResult
    func open(_ path: String) throws -> Self {
        try tab.open("/lab/d/\(number)\(path)")
        return self
    }

    // MARK: - Links, buttons and forms

    /// Follows a link of the page.
    /// - Parameter isWhole: whether the text is the whole name of the link.
    @discardableResult
    func link(_ name: String, isWhole: Bool = true, at source: SourceLocation = #_sourceLocation) throws
        -> Self
    {
        try tab.follow(try place(.link, name, isWhole, source))
        return self
    }

    /// Presses a button of the page.
    /// - Parameters:
    ///   - typed: what is typed or chosen before, by the names of fields.
    ///   - files: the files that are chosen before.
    @discardableResult
    func button(
        _ name: String,
        typing typed: [String: String] = [:],
        files: [ChosenFile] = [],
        isWhole: Bool = true,
        at source: SourceLocation = #_sourceLocation
    ) throws -> Self {
        let place = try place(.button, name, isWhole, source)
        try tab.press(place, typing: typed, files: files, at: source)
        return self
    }

    /// Waits until the page has a link or button.
    private func place(_ kind: SeenPage.Control, _ name: String, _ isWhole: Bool, _ source: SourceLocation)
        throws
        -> Int
    {
        var place: Int?
        _ = try tab.becomes { tab in
            place = tab.page.place(kind, name, isWhole: isWhole)
            return place != nil
        }
        return try #require(place, "\(kind) \(name): \(page.words)", sourceLocation: source)
    }

    /// Opens a sheet by its button, and follows a link in it.
    private func link(_ name: String, inSheet id: String, _ source: SourceLocation) throws -> Self {
        var place: Int?
        _ = try tab.becomes { tab in
            let hasButton = tab.page.places("button", ["popovertarget": id]).contains {
                tab.page.isInSight($0)
            }
            let sheet = hasButton ? tab.page.place(nil, ["id": id]) : nil
            place = sheet.flatMap { tab.page.place(.link, name, in: $0) }
            return place != nil
        }
        try tab.follow(try #require(place, "\(name) in \(id): \(page.words)", sourceLocation: source))
        return self
    }

    /// Presses the cloud in the header, then a link of its sheet.
    @discardableResult
    func cloudLink(_ name: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        try link(name, inSheet: "cloud-sheet", source)
    }

    /// Presses More, then Settings.
    @discardableResult
    func settings(at source: SourceLocation = #_sourceLocation) throws -> Self {
        try link("Settings", inSheet: "more-sheet", source)
    }

    /// Answers the questions that are left, with euros and Monday.
    @discardableResult
    func onboard(at source: SourceLocation = #_sourceLocation) throws -> Self {
        if tab.address.hasSuffix("/onboarding/welcome") { try button("Get started", at: source) }
        try waits(forAddress: "/onboarding/currency", source)
        try button("Continue", typing: ["currency": "EUR"], at: source)
        try waits(forAddress: "/onboarding/secondary", source)
        try button("Continue", at: source)
        try waits(forAddress: "/onboarding/calendar", source)
        return try button("Finish", typing: ["week_start": "monday"], at: source)
    }

    private func waits(forAddress end: String, _ source: SourceLocation) throws {
        let isThere = try tab.becomes { $0.address.hasSuffix(end) }
        try #require(isThere, "\(tab.address): \(page.words)", sourceLocation: source)
    }

    /// From the page of signing in: at the provider, as one of the made-up people.
    @discardableResult
    func signIn(as person: String = anna, at source: SourceLocation = #_sourceLocation) throws -> Self {
        try link(provider, at: source).button(person, isWhole: false, at: source)
    }

    /// Adds an expense through the full form.
    @discardableResult
    func record(_ payee: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        try open("/transactions/new").button("Save", typing: ["amount": "12.50", "payee": payee], at: source)
        return try says("€12.50 \(payee) added", at: source)
    }

    /// Types the phrase that the page asks for, and presses a button.
    @discardableResult
    func confirm(_ name: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        let phrase = page.places(nil, ["data-phrase": ""]).first { page.isInSight($0) }
        let place = try #require(phrase, "\(page.words)", sourceLocation: source)
        return try button(name, typing: ["confirm": page.html.elements[place].text], at: source)
    }

    /// Opens a folded part of the page by its line.
    @discardableResult
    func unfold(_ line: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        let isThere = tab.page.unfold(line)
        try #require(isThere, "\(line): \(page.words)", sourceLocation: source)
        return self
    }

    // MARK: - What the device shows

    /// Waits until the page shows a sentence.
    @discardableResult
    func says(_ sentence: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        let isShown = try tab.becomes { $0.page.shows(sentence) }
        try #require(isShown, "\(sentence): \(page.words)", sourceLocation: source)
        return self
    }

    /// Waits until the sheet of the cloud says something. The sheet is in the page, and a person opens it without a script.
    @discardableResult
    func cloudSays(_ sentence: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        let isSaid = try tab.becomes { tab in
            let sheet = tab.page.place(nil, ["id": "cloud-sheet", "popover": ""])
            let hasButton =
                tab.page.place("button", ["class": "cloud", "popovertarget": "cloud-sheet"]) != nil
            return hasButton && sheet.map { tab.page.html.elements[$0].text.contains(sentence) } ?? false
        }
        try #require(isSaid, "\(sentence): \(page.words)", sourceLocation: source)
        return self
    }

    /// Waits until the page has an element.
    /// - Parameter wanted: as of `HTMLReader.all`.
    @discardableResult
    func has(
        _ tag: String? = nil,
        _ wanted: [String: String],
        at source: SourceLocation = #_sourceLocation
    ) throws -> Self {
        let isThere = try tab.becomes {
            $0.page.places(tag, wanted).contains { [page = $0.page] in page.isInSight($0) }
        }
        try #require(isThere, "\(wanted): \(page.words)", sourceLocation: source)
        return self
    }

    /// Waits until the line of the only file on the page shows a sentence.
    @discardableResult
    func fileSays(_ sentence: String, at source: SourceLocation = #_sourceLocation) throws -> Self {
        let isSaid = try tab.becomes { tab in
            let files = tab.page.places(nil, ["data-attachment": ""])
            return files.count == 1 && tab.page.html.elements[files[0]].text.contains(sentence)
                && tab.page.isInSight(files[0])
        }
        try #require(isSaid, "\(sentence): \(page.words)", sourceLocation: source)
        return self
    }

    /// Opens the only file on the page.
    /// - Returns: its content.
    func openFile(at source: SourceLocation = #_sourceLocation) throws -> [UInt8] {
        let line = try #require(page.place(nil, ["data-attachment": ""]), sourceLocation: source)
        let reply = try tab.download(try #require(page.place("a", in: line), sourceLocation: source))
        try #require(reply.status == 200, "\(reply.text)", sourceLocation: source)
        return reply.body
    }

    /// The balances of the connected bank, as the page shows them.
    func bankBalances(at source: SourceLocation = #_sourceLocation) throws -> [String] {
        let bank = try #require(page.place(nil, ["data-kind": "bank-connection"]), sourceLocation: source)
        return page.places(nil, ["data-amount": ""], in: bank).map { page.html.elements[$0].text }
    }

    /// Waits until the lab reports something about the device.
    func waits(at source: SourceLocation = #_sourceLocation, for condition: (LabReport.Device) -> Bool) throws
    {
        let isSo = try becomesTrue {
            try reviewer.report().devices.contains { $0.n == number && condition($0) }
        }
        try #require(isSo, "\(reviewer.summary)", sourceLocation: source)
    }
}
