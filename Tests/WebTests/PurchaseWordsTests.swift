// A subscription that was bought while the cloud is away: no page asks to subscribe, and each says what is waited for.

import TestKit
import Testing
import Texts

@testable import Web

@Suite struct WordsOfAPurchaseThatWaits {
    private func page(_ page: some Page) throws -> HTMLReader { HTMLReader(try Renderer().render(page)) }

    private func subscription(_ cloud: CloudStatus, _ status: SubscriptionPage.Status) throws -> HTMLReader {
        var chrome = Sample().chrome
        chrome.cloud = cloud
        if cloud.isBought {
            chrome.notices = [NoticeLine(key: "purchase-waits", text: Text("notices.purchase-waits"))]
        }
        return try page(
            SubscriptionPage(
                chrome: chrome,
                status: status,
                offer: .store,
                isBlocked: !cloud.hasBook,
                deadline: nil
            )
        )
    }

    @Test(
        arguments: [
            (CloudStatus.bought(nil), CloudStatus.free, SubscriptionPage.Status.none),
            (
                .bought(RetainedCopy(day: "Monday", changes: 1, files: 0)),
                .ended(RetainedCopy(day: "Monday", changes: 1, files: 0)), .ended(on: "Monday")
            ),
            (.boughtWhileBlocked, .blocked, .ended(on: "Monday")),
        ] as [(CloudStatus, CloudStatus, SubscriptionPage.Status)]
    )
    func isOnThePageOfTheSubscription(
        bought: CloudStatus,
        before: CloudStatus,
        status: SubscriptionPage.Status
    ) throws {
        #expect(try subscription(before, status).form("/subscription/purchase") != nil)
        let shown = try subscription(bought, status)
        #expect(shown.form("/subscription/purchase") == nil)
        #expect(shown.all("h1").map(\.text) == ["Waiting for Premium"])
        #expect(
            shown.all("p").contains {
                $0.text.hasPrefix("You have subscribed, but the cloud has not confirmed it")
            }
        )
        let text = shown.first("body")?.text ?? ""
        #expect(text.ranges(of: "You have subscribed, but").count == 1)
        for sentence in ["Upgrade to Premium", "Your subscription ended", "Renew your subscription"] {
            #expect(!text.contains(sentence), "\(sentence)")
        }
        // The copy and what it lacks are named as before.
        #expect(text.contains("1 change is only on this device.") == bought.hasRetainedCopy)
    }

    @Test func aBlockedUserWaitsInsteadOfSubscribing() throws {
        var chrome = Sample().chrome
        let amounts = BlockedPage.Amounts(accounts: 1, transactions: 2, categories: 3, changed: nil)
        func shown(_ cloud: CloudStatus) throws -> HTMLReader {
            chrome.cloud = cloud
            return try page(BlockedPage(chrome: chrome, email: nil, amounts: amounts))
        }
        let sentence = "requires a subscription"
        let before = try shown(.blocked)
        #expect(before.first("main")?.text.contains(sentence) == true)
        #expect(before.first("a", ["href": "/subscription"]) != nil)
        let after = try shown(.boughtWhileBlocked)
        #expect(after.first("main")?.text.contains(sentence) == false)
        #expect(after.first("main")?.text.contains("You have subscribed: it is loaded here once") == true)
        #expect(after.form("/subscription/restore") != nil)
    }

    @Test func isNotDismissedBeforeTheCloudAnswers() {
        #expect(!NoticeLine(key: "purchase-waits", text: .verbatim("x")).canDismiss)
        #expect(NoticeLine(key: "subscription-ended", text: .verbatim("x")).canDismiss)
    }
}
