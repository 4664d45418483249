import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links

/// `GET /blocked`: the account has data that needs a subscription, or that is on its way because there is one now. With
/// `choices=1` the latter page has the other choices as well.
enum BlockedShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return switch device.state {
        case .blocked where device.awaitsFirstPage && context.request.query.first("choices") == nil:
            FirstPage.answer(context, device, .blocked, takesLong: true)
        case .blocked: try page(context, .serverData, .ok)
        case .deletingServerData:
            context.page(WaitingPage(chrome: context.chrome(isBare: true), work: .deletingServerData))
        default: context.redirect(to: .overview)
        }
    }

    static func page(_ context: RequestContext, _ confirmation: Confirmation, _ status: Status) throws
        -> Response
    {
        let device = try context.knownDevice()
        let session = device.session
        let holdings = device.hasUnknownServerData ? nil : session?.holdings
        return context.page(
            BlockedPage(
                chrome: context.chrome(isBare: true),
                email: session?.user.email,
                amounts: try holdings.map { holdings in
                    BlockedPage.Amounts(
                        accounts: holdings.accounts,
                        transactions: holdings.transactions,
                        categories: holdings.categories,
                        changed: try holdings.changedAt.map {
                            try context.formats().longDay(context.day(of: $0))
                        }
                    )
                },
                hasPremium: device.awaitsFirstPage,
                isUnanswered: device.isAccountUnanswered,
                confirmation: confirmation
            ),
            status
        )
    }
}

/// `POST /blocked/delete-server-data`: deletes all data on the cloud and keeps the account.
enum ServerDataDelete {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard case .blocked = device.state else { return context.redirect(to: .overview) }
        guard
            Confirmation.serverData.isGiven(
                context.request.form.first("confirm"),
                in: context.site.pages.texts
            )
        else {
            return try BlockedShow.page(context, Confirmation.serverData.refused, .unprocessable)
        }
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.handle(.serverDataDeleteRequested)
            await device.waitForCloudTask(withinMilliseconds: CloudWait.milliseconds)
        }
    }
}
