import CloudProtocol
import Devices
import Encoding
import Entitlements
import HTTPServer
import Ledger
import Lifecycle
import Links
import Texts

/// `GET /subscription`: the state of the subscription, and how to get one.
enum SubscriptionShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let isBlocked = device.isBlocked
        return context.page(
            SubscriptionPage(
                chrome: context.chrome(),
                status: try status(context, device.session),
                offer: offer(context, device.session),
                isBlocked: isBlocked,
                deadline: try UploadDeadline.text(context),
                // A blocked book is empty.
                filesNotHere: isBlocked
                    ? FilesNotHere() : (try? device.filesNotHere(in: context.book())) ?? FilesNotHere(),
                checked: device.accountCheckedAt.map { time in
                    .ago(context.site.devices.dependencies.now.subtractingClamped(time))
                },
                isUnanswered: device.isAccountUnanswered
            )
        )
    }

    private static func status(_ context: RequestContext, _ session: Session?) throws
        -> SubscriptionPage.Status
    {
        guard let session else { return .guest }
        let isTrusted = session.entitlement?.trust(at: context.site.devices.dependencies.now) == .trusted
        if session.isRevoked, !isTrusted { return .signedOut }
        guard let entitlement = session.entitlement?.entitlement else { return .unknown }
        // Without a subscription, an old check says as much as a new one: the page names its time.
        if entitlement.isPremium, !isTrusted { return .unverified(wantsSync: session.wantsSync) }
        let day = try entitlement.expiresAt.map {
            try context.formats().longDay(context.lastDay(before: $0))
        }
        return switch entitlement.status {
        case .active: .active(until: day, renews: entitlement.willRenew)
        case .grace: .grace
        case .pending: .pending
        case .expired: .ended(on: day)
        case .revoked: .revoked
        case .none: .none
        }
    }

    private static func offer(_ context: RequestContext, _ session: Session?) -> SubscriptionPage.Offer {
        guard !context.site.account.premiumForEveryone else { return .everyone }
        if context.site.account.store != nil { return .store }
        let who = session.map { $0.user.email ?? $0.user.id.description } ?? "EMAIL"
        let word = ShellWord.quote(who)
        let arguments = who.hasPrefix("-") ? "--forever -- \(word)" : "\(word) --forever"
        return .granted(command: "breadly grant \(arguments)")
    }
}

/// `POST /subscription/restore`: requests the state of the subscription from the service at once.
enum SubscriptionRestore {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        let asksForData = device.hasUnknownServerData
        return context.later {
            await device.verify(withinMilliseconds: 5_000)
        } then: { context, hasAnswer in
            // The next page says what the cloud has.
            if asksForData, hasAnswer { return context.redirect(to: .overview) }
            // If the account no longer exists, the device is a new guest, which the result does not concern.
            if let session = device.session {
                let text =
                    if !hasAnswer {
                        Text("subscription.no-answer")
                    } else if session.isRevoked {
                        Text("subscription.session-has-ended")
                    } else {
                        device.tier == .premium
                            ? Text("subscription.you-have-premium")
                            : Text("subscription.you-do-not-have-premium")
                    }
                device.show(Device.Toast(key: "subscription-checked", text: text))
            }
            return context.redirect(to: asksForData ? .overview : .subscription)
        }
    }
}

/// `POST /subscription/purchase`: subscribes at the store of this server; without a store, redirects to the page that
/// says how to get premium.
enum SubscriptionPurchase {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard let store = context.site.account.store else { return context.redirect(to: .subscription) }
        // Without a session the device would not learn what was bought.
        guard let session = device.session, !session.isRevoked else { return context.redirect(to: .signIn) }
        let user = session.user
        let wasBlocked = device.isBlocked
        return context.ask { () async throws(CloudError) in
            try await store.subscribe(user)
            device.show(.purchaseWaits, Text("notices.purchase-waits"))
            // The page after it shows premium already, if the cloud answers.
            _ = await device.verify(withinMilliseconds: CloudWait.milliseconds)
            // The first page of an account that was blocked is on its way now.
            await device.waitForCloudTask(withinMilliseconds: CloudWait.milliseconds)
        } then: { context, result in
            if case .failure(let error) = result {
                device.show(Device.Toast(key: "not-subscribed", text: CloudWords.of(error)))
                return context.redirect(to: .subscription)
            }
            // A book that was inaccessible opens now, or its page says what it waits for.
            return context.redirect(to: wasBlocked ? .overview : .subscription)
        }
    }
}

extension Device {
    /// Whether the account has data that needs a subscription.
    fileprivate var isBlocked: Bool { if case .blocked = state { true } else { false } }
}

/// `POST /settings/sync`: switches sync on or off.
enum SyncSwitch {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session != nil else { return context.redirect(to: .settings) }
        guard let wish = context.request.form.first("sync"), wish == "on" || wish == "off" else {
            throw Refusal.malformed
        }
        let wasOn = device.session?.wantsSync == true
        return context.redirect(to: .settings) { () async throws(DevicesError) in
            try await device.setSync(wish == "on")
            // Before the subscription is verified, sync continues later.
            guard wish == "on", !wasOn, device.session?.wantsSync == true, device.tier == .premium
            else { return }
            device.show(Device.Toast(key: "sync-on", text: Text("settings.sync-is-on")))
        }
    }
}
