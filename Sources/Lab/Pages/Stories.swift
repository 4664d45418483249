// The storybook: every page in every state, from values that no device has.

import HTTPServer
import Ledger
import Storybook
import Templates

/// `GET /lab/pages`: the index of the stories.
enum StoriesShow {
    static func answer(_ call: LabCall) -> Response {
        call.leaf(.index(search: call.request.query.first("q") ?? ""))
    }
}

/// `GET /lab/pages/ID`: the page of a story; `theme` is `light`, `dark` or the theme of the system.
enum StoryShow {
    static func answer(_ call: LabCall, _ id: Slug) -> Response {
        let theme = call.request.query.first("theme").flatMap { Theme(rawValue: $0) } ?? .system
        return call.leaf(.story(id: id.text, theme: theme))
    }
}

/// `GET /lab/pages/ID/view`: a story in frames of several widths and themes.
enum StoryView {
    static func answer(_ call: LabCall, _ id: Slug) -> Response { call.leaf(.view(id: id.text)) }
}

/// The picture of a receipt on a page of the storybook, which has no files.
enum StoryThumbnail {
    @Sendable static func answer() -> Response {
        Response(.ok, headers: [("Content-Type", "image/svg+xml")], body: .bytes(Array(drawing.utf8)))
    }

    private static let drawing = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><rect width="40" height="40" fill="#c9b79c"/>\
        <path d="M11 5h18v30l-3-2-3 2-3-2-3 2-3-2-3 2z" fill="#fffdf8"/>\
        <path d="M14 12h12M14 17h12M14 22h7M23 22h3" stroke="#7a6a55" stroke-width="2"/></svg>
        """
}

extension LabCall {
    fileprivate func leaf(_ leaf: Storybook.Leaf) -> Response {
        let out = ByteBuffer(capacity: 48 << 10)
        guard lab.parts.storybook.render(leaf, into: out) else {
            return lab.page(ProblemPage(.notFound, lab.assets), .notFound)
        }
        return lab.printed(out, .ok)
    }
}
