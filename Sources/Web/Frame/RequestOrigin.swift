// The page that a request came from, as far as the browser reports it.

import HTTPServer
import Ledger
import Links

extension RequestContext {
    /// Whether the browser reports that a page of this server led here. Without TLS, only `Referer` does.
    var comesFromOwnPage: Bool {
        if let site = request.header("Sec-Fetch-Site") { return site == "same-origin" }
        let parts = request.header("Referer")?.split(separator: "/", omittingEmptySubsequences: true) ?? []
        return parts.count >= 2 && parts[1] == request.host
    }

    /// The list from which the user came to this page, with its filters.
    var originList: Link? { originPage.flatMap { Routes.isList($0) ? $0 : nil } }

    /// The list from which the user came to the form. The register of an account that was deleted since is none.
    var postedList: Link? {
        guard let list = request.form.first("back").flatMap({ Link($0) }), Routes.isList(list),
            list.text.utf8.count <= 2_000
        else { return nil }
        guard let account = Routes.account(of: list) else { return list }
        return (try? book().account(account)) == nil ? nil : list
    }

    /// The same list with a mark at an added or changed row.
    /// - Parameter list: the list of the row, if the user did not come to the form from a list.
    func list(of row: EntityID, or list: Link) -> Link {
        (postedList ?? list).adding(fragment: "t\(row)")
    }

    /// The page of this server that sent the form, with its query; nil if the browser does not report it.
    var originPage: Link? {
        guard comesFromOwnPage, let referer = request.header("Referer") else { return nil }
        let parts = referer.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        guard parts.count >= 2, parts[1] == request.host else { return nil }
        let address = "/" + (parts.count > 2 ? String(parts[2].prefix { $0 != "#" }) : "")
        guard let link = site.base.inside(address).flatMap({ Link($0) }),
            case .found = Routes.table.match("GET", link.path)
        else {
            return nil
        }
        return link
    }
}
