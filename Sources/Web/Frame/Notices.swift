// The pages and actions that belong to no noun: notices, errors, and forms whose token is outdated.

import Devices
import HTTPServer
import Links

extension Link {
    static let noticeDismiss = LinkTo<String>("/notices/*/dismiss")
}

extension Feature {
    static let frame = Feature(
        routes: [
            post(to: Link.noticeDismiss, NoticeDismiss.answer)
        ],
        pages: [ErrorPage.self, StaleFormPage.self, FramedErrorPage.self]
    )
}

/// The key of a notice in its address.
struct NoticeKey: PathValue {
    let text: String

    init?(pathSegment: Substring) {
        let isKey = pathSegment.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }
        guard isKey, (1...64).contains(pathSegment.utf8.count) else { return nil }
        text = String(pathSegment)
    }
}

/// `POST /notices/KEY/dismiss`: removes a notice.
enum NoticeDismiss {
    static func answer(_ context: RequestContext, _ key: NoticeKey) throws -> Response {
        let device = try context.knownDevice()
        if NoticeLine(key: key.text, text: .verbatim("")).canDismiss { try device.dismiss(notice: key.text) }
        return context.redirect(to: context.originPage ?? .overview)
    }
}
