// The pages of signing in and out, each in its forms.

import Ledger
import Pages
import Texts

extension Sample {
    func panel(syncs: Bool?) -> UserAccountPanel {
        UserAccountPanel(
            who: text,
            subscription: Text("settings.waiting-for-approval"),
            mustSignIn: syncs == nil,
            hasPassword: true,
            syncs: syncs
        )
    }

    /// Text that a user or a provider can choose.
    private var text: String { hostile ?? "anna@example.org" }

    private var seenToday: Text { .verbatim("Last seen today") }

    private var everyWay: SignInPage.Ways {
        SignInPage.Ways(passwords: true, provider: text, acceptsNewAccounts: true)
    }

    var accountSidePages: [SamplePage] {
        signInPages + signOutPages + subscriptionPages + [
            SamplePage("verifying", VerifyingPage(chrome: chrome, email: text, takesLong: false)),
            SamplePage("verifying-long", VerifyingPage(chrome: chrome, email: nil, takesLong: true)),
            SamplePage("waiting", WaitingPage(chrome: chrome, work: .deletingAccount)),
            SamplePage(
                "blocked",
                BlockedPage(
                    chrome: chrome,
                    email: text,
                    amounts: .init(accounts: 3, transactions: 1, categories: 25, changed: text)
                )
            ),
            SamplePage(
                "blocked-refused",
                BlockedPage(
                    chrome: chrome,
                    email: nil,
                    amounts: .init(accounts: 0, transactions: 0, categories: 1, changed: nil),
                    confirmation: Confirmation.serverData.refused
                )
            ),
            SamplePage(
                "account-delete",
                UserAccountDeletionPage(chrome: chrome, email: text, hasSubscription: true)
            ),
            SamplePage(
                "devices",
                DevicesPage(
                    chrome: chrome,
                    devices: [
                        DeviceLine(id: Self.id(1), name: text, seen: .verbatim(text), access: .this),
                        DeviceLine(id: Self.id(2), name: "", seen: seenToday, access: .signedIn),
                        DeviceLine(id: Self.id(3), name: text, seen: seenToday, access: .locked),
                    ]
                )
            ),
            SamplePage("devices-failed", DevicesPage(chrome: chrome, devices: [], message: .verbatim(text))),
            SamplePage(
                "password",
                PasswordPage(
                    chrome: chrome,
                    state: FormState(
                        errors: ["password": .verbatim(text), "new_password": .verbatim(text)]
                    ),
                    email: text,
                    locksOthers: true
                )
            ),
        ]
    }

    private var signInPages: [SamplePage] {
        let error = Text.verbatim(text)
        let typed = FormState(values: ["email": text], errors: ["email": error, "password": error])
        let owner = SignInPage.Owner(text, isLocked: false)
        return [
            SamplePage("sign-in", SignInPage(chrome: chrome, ways: everyWay, entries: 12)),
            SamplePage(
                "sign-in-refused",
                SignInPage(chrome: chrome, ways: everyWay, known: typed, new: typed, message: error)
            ),
            SamplePage("sign-in-again", SignInPage(chrome: chrome, ways: everyWay, again: owner)),
            SamplePage(
                "sign-in-locked",
                SignInPage(chrome: chrome, ways: everyWay, again: SignInPage.Owner(text, isLocked: true))
            ),
            SamplePage(
                "sign-in-closed",
                SignInPage(
                    chrome: chrome,
                    ways: .init(passwords: false, provider: text, acceptsNewAccounts: false)
                )
            ),
        ]
    }

    private var signOutPages: [SamplePage] {
        [
            SamplePage("sign-out-free", SignOutPage(chrome: chrome, stake: .everything)),
            SamplePage("sign-out-refused", SignOutPage(chrome: chrome, stake: .everything, isRefused: true)),
            SamplePage("sign-out-synced", SignOutPage(chrome: chrome, stake: .nothing)),
            SamplePage(
                "sign-out-uploading",
                SignOutPage(
                    chrome: chrome,
                    stake: .uploading(done: 2, total: 5),
                    unsent: [.verbatim(text)]
                )
            ),
            SamplePage(
                "sign-out-stuck",
                SignOutPage(chrome: chrome, stake: .stuck(pending: 1), unsent: [.verbatim(text)])
            ),
        ]
    }

    private var subscriptionPages: [SamplePage] {
        let statuses: [SubscriptionPage.Status] = [
            .guest, .none, .active(until: nil, renews: false), .active(until: text, renews: true),
            .active(until: text, renews: false), .grace, .pending, .ended(on: text), .revoked, .unverified,
        ]
        return statuses.enumerated().map { number, status in
            SamplePage(
                "subscription-\(number)",
                SubscriptionPage(
                    chrome: chrome,
                    status: status,
                    offer: number.isMultiple(of: 2) ? .granted(command: text) : .everyone,
                    isBlocked: number == 7
                )
            )
        }
    }
}
