// A page as a person without JavaScript sees it: the words in sight, the links and buttons by their names, and what a form
// sends.

import Encoding
import TestKit

/// A page in a browser without JavaScript.
struct SeenPage {
    let html: HTMLReader
    /// The places of the folded parts that the person has opened.
    private var opened: Set<Int> = []

    init(_ html: HTMLReader) { self.html = html }

    /// Whether the page shows a sentence. One that is in a closed part only does not count.
    func shows(_ sentence: String) -> Bool {
        guard html.first("body")?.text.contains(sentence) == true else { return false }
        let places = html.elements.indices.filter { html.elements[$0].text.contains(sentence) }
        let outer = Set(places.flatMap { html.elements[$0].ancestors })
        return places.contains { !outer.contains($0) && isInSight($0) }
    }

    /// The words of the page, for the message of a failure.
    var words: String { String((html.first("body")?.text ?? "").prefix(2_000)) }

    /// Whether a person sees an element.
    /// - Parameter part: a part that is open, such as a sheet; what is around it does not matter.
    func isInSight(_ place: Int, in part: Int? = nil) -> Bool {
        let path = html.elements[place].ancestors + [place]
        let inside = part.flatMap { part in path.firstIndex(of: part).map { path[($0 + 1)...] } } ?? path[...]
        return inside.allSatisfy { !hides($0, path) }
    }

    /// Whether an element hides what is inside it.
    /// - Parameter path: the places of the elements from the outermost to the one that is looked at.
    private func hides(_ place: Int, _ path: [Int]) -> Bool {
        let element = html.elements[place]
        if ["head", "script", "style", "template", "datalist"].contains(element.tag) { return true }
        if element["hidden"] != nil { return true }
        if opened.contains(place) { return false }
        if element["popover"] != nil { return true }
        guard element.tag == "details", element["open"] == nil, place != path.last else { return false }
        return !path.contains {
            html.elements[$0].tag == "summary" && html.elements[$0].ancestors.last == place
        }
    }

    /// The place of the first element with this tag and these attributes.
    func place(_ tag: String? = nil, _ wanted: [String: String] = [:], in part: Int? = nil) -> Int? {
        places(tag, wanted, in: part).first
    }

    /// The places of all elements with this tag and these attributes, inside a part of the page.
    /// - Parameter wanted: as of `HTMLReader.all`.
    func places(_ tag: String? = nil, _ wanted: [String: String] = [:], in part: Int? = nil) -> [Int] {
        html.elements.indices.filter { place in
            let element = html.elements[place]
            guard tag == nil || element.tag == tag, part.map(element.ancestors.contains) ?? true else {
                return false
            }
            return wanted.allSatisfy { name, value in
                element[name].map { value.isEmpty || $0 == value } ?? false
            }
        }
    }

    /// The place of the link or button in sight that has a name; nil if there is none.
    /// - Parameters:
    ///   - isWhole: whether the text is the whole name, and not a part of it.
    ///   - part: the part of the page to look in; the main one if it is nil.
    func place(_ kind: Control, _ name: String, isWhole: Bool = true, in part: Int? = nil) -> Int? {
        guard let part = part ?? place("main") else { return nil }
        return places(kind.rawValue, in: part).first { place in
            let element = html.elements[place]
            let label = element["aria-label"] ?? element.text
            let isNamed = isWhole ? label == name : label.contains(name)
            return isNamed && (kind == .button || element["href"] != nil) && isInSight(place, in: part)
        }
    }

    /// The tag of an element that a person presses.
    enum Control: String {
        case link = "a"
        case button
    }

    /// Opens the folded part whose summary, which is in sight, has these words.
    /// - Returns: whether there is such a part.
    mutating func unfold(_ words: String) -> Bool {
        let summary = places("summary").first { html.elements[$0].text == words && isInSight($0) }
        guard let summary, let part = html.elements[summary].ancestors.last else { return false }
        opened.insert(part)
        return true
    }

    /// The request that the browser sends when a person presses a button.
    /// - Parameters:
    ///   - typed: what the person has typed or chosen before, by the names of fields.
    ///   - files: the files that the person has chosen.
    /// - Returns: nil if the button sends no form, or the form has no field for what was typed or chosen.
    func submission(of button: Int, typing typed: [String: String] = [:], files: [ChosenFile] = [])
        -> PageRequest?
    {
        guard let owner = form(of: button), html.elements[owner]["method"] == "post" else { return nil }
        let (pressed, form) = (html.elements[button], html.elements[owner])
        guard let action = pressed["formaction"] ?? form["action"] else { return nil }
        var fields: [(String, String)] = []
        var used: Set<String> = []
        var fileFields = 0
        for place in html.elements.indices where self.form(of: place) == owner {
            let element = html.elements[place]
            guard let name = element["name"], element["disabled"] == nil else { continue }
            if element["type"] == "file" { fileFields += 1 }
            guard let value = value(of: place, typed[name], isPressed: place == button) else { continue }
            if typed[name] != nil { used.insert(name) }
            fields.append((name, value))
        }
        let isMultipart = (pressed["formenctype"] ?? form["enctype"]) == "multipart/form-data"
        guard used == Set(typed.keys), files.isEmpty || isMultipart && fileFields > 0 else { return nil }
        // A browser sends a part without a name for each choice of files that was not used.
        let empty = Array(repeating: ChosenFile(name: "", bytes: []), count: fileFields)
        return PageRequest(
            method: "POST",
            address: action,
            fields: fields,
            files: files + empty.dropFirst(files.isEmpty ? 0 : 1),
            isMultipart: isMultipart
        )
    }

    /// The form that a field or button belongs to.
    private func form(of place: Int) -> Int? {
        let element = html.elements[place]
        guard ["button", "input", "select", "textarea"].contains(element.tag) else { return nil }
        if let id = element["form"] { return self.place("form", ["id": id]) }
        return element.ancestors.last { html.elements[$0].tag == "form" }
    }

    /// The value that a field sends; nil if it sends none.
    private func value(of place: Int, _ typed: String?, isPressed: Bool) -> String? {
        let element = html.elements[place]
        switch (element.tag, element["type"]) {
        case ("button", _): return isPressed ? element["value"] ?? "" : nil
        case ("input", "file"): return nil
        case ("input", "radio"), ("input", "checkbox"):
            let value = element["value"] ?? "on"
            let isChosen = typed.map { $0 == value } ?? (element["checked"] != nil)
            return isChosen ? value : nil
        case ("select", _):
            let options = places("option", in: place).map { html.elements[$0] }
            if let typed { return options.first { ($0["value"] ?? $0.text) == typed }.map { _ in typed } }
            let chosen = options.last { $0["selected"] != nil } ?? options.first
            return chosen.map { $0["value"] ?? $0.text }
        case ("textarea", _): return typed ?? element.rawText
        default: return typed ?? element["value"] ?? ""
        }
    }
}

/// A file that a person has chosen for the field `file`.
struct ChosenFile: Sendable {
    let name: String
    let bytes: [UInt8]
}

/// A request that a browser sends for a person.
struct PageRequest: Sendable {
    let method: String
    /// As it is in the page.
    let address: String
    var fields: [(String, String)] = []
    var files: [ChosenFile] = []
    var isMultipart = false
    /// The address of the page with the link.
    var referrer: String?

    /// A link that is followed, or an address that is typed.
    static func page(_ address: String, from referrer: String? = nil) -> PageRequest {
        PageRequest(method: "GET", address: address, referrer: referrer)
    }

    /// The body, with its type; nil without one.
    var content: (type: String, body: [UInt8])? {
        guard method == "POST" else { return nil }
        guard isMultipart else {
            let pairs = fields.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
            return ("application/x-www-form-urlencoded", Array(pairs.joined(separator: "&").utf8))
        }
        let boundary = "breadly-lab-tests"
        var body: [UInt8] = []
        for (name, value) in fields {
            let head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
            body += Array("\(head)\(value)\r\n".utf8)
        }
        for file in files {
            let place = "name=\"file\"; filename=\"\(file.name)\""
            let head = "--\(boundary)\r\nContent-Disposition: form-data; \(place)\r\n"
            body += Array("\(head)Content-Type: application/octet-stream\r\n\r\n".utf8)
            body += file.bytes + Array("\r\n".utf8)
        }
        body += Array("--\(boundary)--\r\n".utf8)
        return ("multipart/form-data; boundary=\(boundary)", body)
    }
}
