import Devices
import HTTPServer
import Ledger
import Lifecycle
import Pages

/// `GET /blocked`: the account has data that needs a subscription.
enum BlockedShow {
    static func answer(_ visit: Visit) throws -> Response {
        switch try visit.knownDevice().state {
        case .blocked: try page(visit, .serverData, .ok)
        case .deletingServerData:
            visit.page(WaitingPage(chrome: visit.chrome(isBare: true), work: .deletingServerData))
        default: .seeOther(Routes.overview.link)
        }
    }

    static func page(_ visit: Visit, _ confirmation: Confirmation, _ status: Status) throws -> Response {
        let session = try visit.knownDevice().session
        let holdings = session?.holdings
        return visit.page(
            BlockedPage(
                chrome: visit.chrome(isBare: true),
                email: session?.user.email,
                amounts: BlockedPage.Amounts(
                    accounts: holdings?.accounts ?? 0,
                    transactions: holdings?.transactions ?? 0,
                    categories: holdings?.categories ?? 0,
                    changed: try holdings?.changedAt.map { try visit.formats().longDay(visit.day(of: $0)) }
                ),
                confirmation: confirmation
            ),
            status
        )
    }
}

/// `POST /blocked/delete-server-data`: the cloud forgets all data; the account stays.
enum ServerDataDelete {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        guard case .blocked = device.state else { return .seeOther(Routes.overview.link) }
        guard Confirmation.serverData.isGiven(visit.request.form.first("confirm")) else {
            return try BlockedShow.page(visit, Confirmation.serverData.refused, .unprocessable)
        }
        try device.handle(.serverDataDeleteRequested)
        return visit.later {
            await device.settle(withinMilliseconds: 1_500)
        } then: { _, _ in
            .seeOther(Routes.overview.link)
        }
    }
}
