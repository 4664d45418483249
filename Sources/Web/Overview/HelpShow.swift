import HTTPServer
import Pages

/// `GET /help`: shortcuts and what is worth knowing.
enum HelpShow {
    static func answer(_ visit: Visit) throws -> Response { visit.page(HelpPage(chrome: visit.chrome())) }
}
