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

/// `GET /lab/pages/ID`: the page of a story; `theme` is `light`, `dark` or that of the system.
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

extension LabCall {
    fileprivate func leaf(_ leaf: Storybook.Leaf) -> Response {
        let out = ByteBuffer(capacity: 48 << 10)
        guard lab.parts.storybook.render(leaf, into: out) else {
            return lab.page(ProblemPage(.notFound, lab.assets), .notFound)
        }
        return lab.printed(out, .ok)
    }
}
