import HTTPServer

/// `GET /help`: keyboard shortcuts and answers to common questions.
enum HelpShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(HelpPage(chrome: context.chrome()))
    }
}
