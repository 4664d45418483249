// Whether a page is valid: by the HTML standard, by ARIA in HTML, and with a name for each control.

import Foundation

/// The faults of a page. It is stricter than a browser, which repairs each of these faults in its own way, so that a
/// script, a screen reader or the next browser reads another page than the one that was written.
public struct HTMLValidity {
    /// The faults, each in words; empty for a valid page.
    public private(set) var faults: [String]
    private let source: HTMLSource
    private let ids: [String: Int]
    /// The ids of the controls that a label outside of them names.
    private var labelled: Set<String> = []

    private var elements: [SourceElement] { source.elements }

    /// Checks a whole page.
    public init(of page: String) {
        source = HTMLSource(page)
        faults = source.faults
        var (ids, twice): ([String: Int], [String]) = ([:], [])
        for (index, element) in source.elements.enumerated() {
            guard let id = element["id"] else { continue }
            if ids.updateValue(index, forKey: id) != nil { twice.append(id) }
        }
        self.ids = ids
        faults += twice.map { "the id \($0) stands twice" }
        for (index, element) in source.elements.enumerated() where element.tag == "label" {
            if let id = element["for"], hasWords(index) { labelled.insert(id) }
        }
        checkOutline()
        for index in elements.indices where !elements[index].isInPicture {
            checkPlace(of: index)
            checkAttributes(of: index)
            checkRole(of: index)
            checkName(of: index)
        }
    }

    private mutating func note(_ index: Int, _ fault: String) {
        let names = ([index] + source.ancestors(of: index)).prefix(4).reversed().map { elements[$0].tag }
        faults.append("\(names.joined(separator: " > ")): \(fault)")
    }

    private mutating func checkOutline() {
        let tags = elements.filter { !$0.isInPicture }.map(\.tag)
        for tag in ["html", "head", "body", "title", "main", "h1"] where tags.count(where: { $0 == tag }) != 1
        {
            faults.append("the page has not one <\(tag)>")
        }
        // A popover sets the focus for itself.
        let focused = elements.indices.filter { index in
            elements[index]["autofocus"] != nil
                && !source.ancestors(of: index).contains {
                    elements[$0]["popover"] != nil || elements[$0].tag == "dialog"
                }
        }
        if focused.count > 1 { faults.append("\(focused.count) elements want the focus") }
        if elements.first(where: { $0.tag == "html" })?["lang"]?.isEmpty != false {
            faults.append("the page has no language")
        }
    }

    // MARK: The content of elements

    private mutating func checkPlace(of index: Int) {
        let (tag, around) = (elements[index].tag, source.ancestors(of: index))
        if !HTMLRules.phrasing.contains(tag), !HTMLRules.flowOnly.contains(tag), !isPart(tag) {
            note(index, "no element of HTML")
        }
        if let parent = around.first, !allows(parent, index, around) { note(index, "may not stand here") }
        for place in around where HTMLRules.excluded[elements[place].tag]?.contains(tag) == true {
            note(index, "may not be inside <\(elements[place].tag)>")
        }
        if tag == "main",
            around.contains(where: { !["html", "body", "div", "form"].contains(elements[$0].tag) })
        {
            note(index, "may only stand in <body>, <div> and <form>")
        }
        let isActive = isInteractive(index) || elements[index]["tabindex"] != nil
        if isActive,
            around.contains(where: {
                elements[$0].tag == "a" && elements[$0]["href"] != nil || elements[$0].tag == "button"
            })
        {
            note(index, "may not be inside a link or a button")
        }
        if let label = around.first(where: { elements[$0].tag == "label" }), HTMLRules.labelable.contains(tag)
        {
            if let named = elements[label]["for"], named != elements[index]["id"] {
                note(index, "its label is about another control")
            }
            let first = elements[label...].firstIndex {
                HTMLRules.labelable.contains($0.tag) && $0["type"] != "hidden"
            }
            if first != index, elements[index]["type"] != "hidden" {
                note(index, "is the second control of its label")
            }
        }
        if elements[index].hasText, let children = HTMLRules.children[tag],
            !["option", "title", "textarea", "script", "style"].contains(tag)
        {
            note(index, "has text beside \(children.sorted().joined(separator: " "))")
        }
    }

    /// Elements that stand in one other element only.
    private func isPart(_ tag: String) -> Bool {
        HTMLRules.children.values.contains { $0.contains(tag) }
            || HTMLRules.ownChildren.values.contains { $0.tags.contains(tag) } || tag == "html"
            || tag == "track"
    }

    private func allows(_ parent: Int, _ index: Int, _ around: [Int]) -> Bool {
        let (tag, holder) = (elements[index].tag, elements[parent].tag)
        if let children = HTMLRules.children[holder] {
            return children.contains(tag) || holder == "head" && tag == "link"
        }
        if let own = HTMLRules.ownChildren[holder], own.tags.contains(tag) {
            return !own.isFirst || elements[parent].children.first == index
        }
        if HTMLRules.transparent.contains(holder) {
            return around.count < 2 || allows(around[1], index, Array(around.dropFirst()))
        }
        // A group within a list of terms.
        if holder == "div", around.count > 1, elements[around[1]].tag == "dl" {
            return ["dt", "dd"].contains(tag)
        }
        if holder == "template" { return true }
        // A link to a style may stand where a sentence may.
        if tag == "link" { return elements[index]["rel"] == "stylesheet" }
        if HTMLRules.holdsPhrasing.contains(holder) { return HTMLRules.phrasing.contains(tag) }
        if HTMLRules.holdsFlow.contains(holder) {
            return HTMLRules.phrasing.contains(tag) || HTMLRules.flowOnly.contains(tag)
        }
        return false
    }

    private func isInteractive(_ index: Int) -> Bool {
        let element = elements[index]
        return switch element.tag {
        case "button", "details", "iframe", "label", "select", "textarea", "embed": true
        case "a": element["href"] != nil
        case "input": element["type"] != "hidden"
        case "audio", "video": element["controls"] != nil
        case "img": element["usemap"] != nil
        default: false
        }
    }

    // MARK: Attributes

    private mutating func checkAttributes(of index: Int) {
        let element = elements[index]
        for (name, value) in element.attributes where !name.hasPrefix("data-") {
            if name.hasPrefix("aria-") {
                guard HTMLRules.aria.contains(String(name.dropFirst(5))) else {
                    note(index, "ARIA has no \(name)")
                    continue
                }
            } else if element.tag != "svg", !isAllowed(name, on: element) {
                let type = element.tag == "input" ? " of the type \(element["type"] ?? "text")" : ""
                note(index, "\(name) is no attribute of <\(element.tag)>\(type)")
            }
            if element.tag != "svg", let fault = fault(in: value, of: name, on: element) {
                note(index, "\(name)=\"\(value)\" \(fault)")
            }
        }
        for name in required(of: element) where element[name] == nil { note(index, "has no \(name)") }
    }

    private func isAllowed(_ name: String, on element: SourceElement) -> Bool {
        if HTMLRules.anywhere.contains(name) { return true }
        guard element.tag == "input" else { return HTMLRules.attributes[element.tag]?.contains(name) == true }
        return HTMLRules.ofAllInputs.contains(name)
            || HTMLRules.inputAttributes[element["type"] ?? "text"]?.contains(name) == true
    }

    private func required(of element: SourceElement) -> [String] {
        switch element.tag {
        case "img": ["alt", "src"]
        case "optgroup": ["label"]
        case "iframe": element["srcdoc"] == nil ? ["src"] : []
        case "meter": ["value"]
        case "link": ["href", "rel"]
        default: []
        }
    }

    private func fault(in value: String, of name: String, on element: SourceElement) -> String? {
        if HTMLRules.flags.contains(name) {
            return value.isEmpty || value == name ? nil : "is a switch and has no value"
        }
        if let values = HTMLRules.enumerated[name] {
            let mayBeEmpty = ["hidden", "popover", "spellcheck"].contains(name)
            return values.contains(value) || value.isEmpty && mayBeEmpty
                ? nil : "is none of \(values.sorted().joined(separator: " "))"
        }
        if let values = HTMLRules.ariaValues[name] {
            return values.contains(value) ? nil : "is none of \(values.sorted().joined(separator: " "))"
        }
        if HTMLRules.numbers.contains(name) {
            guard let number = Int(value), number >= 0 else { return "is no number" }
            return number == 0 && ["size", "rows", "cols", "colspan", "span"].contains(name) ? "is zero" : nil
        }
        if name == "tabindex" { return Int(value) == nil ? "is no number" : nil }
        if HTMLRules.addresses.contains(name) { return addressFault(value, name) }
        if HTMLRules.references.contains(name) { return referenceFault(value, name, element) }
        switch (element.tag, name) {
        case (_, "id"): return value.isEmpty || value.contains(where: \.isWhitespace) ? "is no id" : nil
        case ("button", "type"):
            return ["submit", "reset", "button"].contains(value) ? nil : "is no type of a button"
        case ("input", "type"): return HTMLRules.inputAttributes[value] == nil ? "is no type of a field" : nil
        case ("input", "value"): return valueFault(value, element["type"] ?? "text")
        case ("input", "min"), ("input", "max"): return valueFault(value, element["type"] ?? "text")
        case ("input", "step"): return value == "any" || (Double(value) ?? 0) > 0 ? nil : "is no step"
        case ("progress", "max"), ("meter", "max"):
            return (Double(value) ?? 0) > 0 ? nil : "is not above zero"
        case ("progress", "value"):
            let (number, most) = (Double(value), element["max"].flatMap(Double.init) ?? 1)
            return number.map { $0 >= 0 && $0 <= most } == true ? nil : "is not from 0 to \(most)"
        case ("time", "datetime"): return Self.isTime(value) ? nil : "is no time"
        case (_, "lang"):
            return value.wholeMatch(of: /[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*/) == nil ? "is no language" : nil
        case (_, "title"), (_, "class"), (_, "alt"): return nil
        case ("label", _), ("textarea", _), ("option", _): return nil
        case (_, "autocomplete"): return value.isEmpty ? "is empty" : nil
        case (_, "name"): return value.isEmpty ? "is empty" : nil
        default: return nil
        }
    }

    private func addressFault(_ value: String, _ name: String) -> String? {
        guard !value.isEmpty else { return name == "href" ? nil : "is empty" }
        let strange = value.unicodeScalars.first {
            $0.value <= 0x20 || "\"<>\\^`{|}".unicodeScalars.contains($0)
        }
        if let strange { return "has \(strange.escaped(asASCII: true))" }
        guard value.hasPrefix("#"), value.count > 1 else { return nil }
        return ids[String(value.dropFirst())] == nil ? "leads nowhere" : nil
    }

    private func referenceFault(_ value: String, _ name: String, _ element: SourceElement) -> String? {
        let names = value.split(separator: " ").map(String.init)
        guard !names.isEmpty else { return "names nothing" }
        if names.count > 1, HTMLRules.single.contains(name) || name == "for" && element.tag == "label" {
            return "names more than one id"
        }
        for id in names {
            guard let target = ids[id].map({ elements[$0] }) else { return "names no element" }
            switch name {
            case "form" where target.tag != "form": return "is no form"
            case "list" where target.tag != "datalist": return "is no list"
            case "popovertarget" where target["popover"] == nil: return "is no popover"
            case "for"
            where element.tag == "label"
                && (!HTMLRules.labelable.contains(target.tag) || target["type"] == "hidden"):
                return "is no control"
            default: continue
            }
        }
        return nil
    }

    /// The fault of the value of an `<input>`; nil for a right one.
    private func valueFault(_ value: String, _ type: String) -> String? {
        guard !value.isEmpty else { return nil }
        let isRight =
            switch type {
            case "date": Self.isDay(value)
            case "month": value.wholeMatch(of: /[0-9]{4,}-(0[1-9]|1[0-2])/) != nil
            case "time": value.wholeMatch(of: /([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?/) != nil
            case "number", "range": value.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil
            case "email":
                value.wholeMatch(of: /[A-Za-z0-9.!#$%&'*+\/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*/)
                    != nil
            case "url": value.wholeMatch(of: /[a-z][a-z0-9+.-]*:\S+/) != nil
            case "color": value.wholeMatch(of: /#[0-9a-fA-F]{6}/) != nil
            case "text", "search", "tel", "password": !value.contains(where: \.isNewline)
            default: true
            }
        return isRight ? nil : "is no value of the type \(type)"
    }

    private static func isDay(_ text: some StringProtocol) -> Bool {
        guard String(text).wholeMatch(of: /[0-9]{4,}-[0-9]{2}-[0-9]{2}/) != nil else { return false }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return year > 0 && (1...12).contains(month) && (1...days[month - 1]).contains(day)
    }

    private static func isTime(_ text: String) -> Bool {
        let parts = text.split(separator: "T")
        guard let first = parts.first else { return false }
        if parts.count == 1 { return isDay(first) || text.wholeMatch(of: /[0-9]{4,}-(0[1-9]|1[0-2])/) != nil }
        return parts.count == 2 && isDay(first)
            && String(parts[1]).wholeMatch(
                of: /[0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?/
            ) != nil
    }

    // MARK: Names and roles

    private mutating func checkRole(of index: Int) {
        let element = elements[index]
        guard let role = element["role"] else { return }
        guard HTMLRules.roles.contains(role) else { return note(index, "there is no role \(role)") }
        guard element.tag != "svg", element.tag != "input", element.tag != "a" || element["href"] != nil
        else { return }
        if let allowed = HTMLRules.allowedRoles[element.tag], !allowed.contains(role) {
            note(index, "may not have the role \(role)")
        }
    }

    /// A control, a picture of its own, a table's region and a group of controls need a name.
    private mutating func checkName(of index: Int) {
        let element = elements[index]
        guard !isHidden(index) else { return }
        let needsName =
            switch element.tag {
            case "input": !["hidden", "submit", "reset", "button"].contains(element["type"] ?? "text")
            case "select", "textarea", "progress", "meter", "iframe": true
            case "button": true
            case "a": element["href"] != nil
            case "svg": element["role"] == "img"
            default: ["dialog", "radiogroup", "region"].contains(element["role"] ?? "")
            }
        if needsName, !hasName(index) { note(index, "has no name") }
    }

    private func isHidden(_ index: Int) -> Bool {
        ([index] + source.ancestors(of: index)).contains {
            elements[$0]["hidden"] != nil || elements[$0]["aria-hidden"] == "true"
                || elements[$0].tag == "template"
        }
    }

    private func hasName(_ index: Int) -> Bool {
        let element = elements[index]
        if element["aria-label"]?.isEmpty == false || element["aria-labelledby"] != nil
            || element["title"]?.isEmpty == false
        {
            return true
        }
        if element.tag == "button" || element.tag == "a" { return hasWords(index) }
        if element.tag == "svg" { return element.children.contains { elements[$0].tag == "title" } }
        if element.tag == "input", element["type"] == "image" { return element["alt"]?.isEmpty == false }
        guard HTMLRules.labelable.contains(element.tag) else { return false }
        return element["id"].map(labelled.contains) == true
            || source.ancestors(of: index).contains { elements[$0].tag == "label" && hasWords($0) }
    }

    /// Whether an element has text, or a picture with a description, somewhere inside.
    private func hasWords(_ index: Int) -> Bool {
        let element = elements[index]
        guard element["aria-hidden"] != "true" else { return false }
        if element.hasText, !["select", "textarea", "script"].contains(element.tag) { return true }
        if element.tag == "img", element["alt"]?.isEmpty == false { return true }
        if element.tag == "svg", element["aria-label"] != nil { return true }
        return element.children.contains { hasWords($0) }
    }
}
