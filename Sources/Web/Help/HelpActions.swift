// The action of the help.

import HTTPServer
import Links

extension Link {
    static let help = Link(declared: "/help")
}

extension Feature {
    static let help = Feature(
        routes: [get(.help, HelpShow.answer)],
        pages: [HelpPage.self],
        links: ["help": .help]
    )
}

/// `GET /help`: keyboard shortcuts and answers to common questions.
enum HelpShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(HelpPage(chrome: context.chrome()))
    }
}
