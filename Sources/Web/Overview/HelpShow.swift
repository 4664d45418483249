import HTTPServer
import Pages

/// `GET /help`: shortcuts and what is worth knowing.
enum HelpShow {
    static func answer(_ context: RequestContext) throws -> Response {
        context.page(HelpPage(chrome: context.chrome()))
    }
}
