// The addresses of the user account. What is answered there is in files by subject, from signing in to deletion.

import HTTPServer
import Ledger
package import Links

extension Link {
    package static let signIn = Link(declared: "/sign-in")
    static let signUp = Link(declared: "/sign-up")
    static let providerBegin = Link(declared: "/sign-in/oidc")
    /// Another sign-in at the provider, before the account is deleted.
    static let providerForDeletion = providerBegin.adding(query: [("for", "deletion")])
    static let providerCallback = Link(declared: "/sign-in/callback")
    static let verifying = Link(declared: "/verifying")
    static let verifyingRetry = Link(declared: "/verifying/retry")
    static let verifyingCancel = Link(declared: "/verifying/cancel")
    static let blocked = Link(declared: "/blocked")
    /// The same page, on a device that waits for the data of its account.
    static let blockedChoices = blocked.adding(query: [("choices", "1")])
    static let serverDataDelete = Link(declared: "/blocked/delete-server-data")
    static let subscription = Link(declared: "/subscription")
    static let purchase = Link(declared: "/subscription/purchase")
    static let restore = Link(declared: "/subscription/restore")
    static let syncSwitch = Link(declared: "/settings/sync")
    static let signOut = Link(declared: "/sign-out")
    /// Signing out without waiting for the upload.
    static let signOutNow = signOut.adding(query: [("now", "1")])
    static let signOutWait = Link(declared: "/sign-out/wait")
    static let signOutStay = Link(declared: "/sign-out/stay")
    static let userAccountDeletion = Link(declared: "/account/delete")
    static let signedInDevices = Link(declared: "/settings/devices")
    static let signedInDeviceEnd = LinkTo<EntityID>("/settings/devices/*/sign-out")
    static let password = Link(declared: "/settings/password")
}

extension Feature {
    static let userAccount = Feature(
        routes: [
            get(.signIn, SignInShow.answer),
            post(.signIn, SignInAnswer.answer),
            post(.signUp, SignUpAnswer.answer),
            get(.providerBegin, ProviderBegin.answer),
            get(.providerCallback, ProviderCallback.answer),
            get(.verifying, VerifyingShow.answer),
            post(.verifyingRetry, VerifyingRetry.answer),
            post(.verifyingCancel, VerifyingCancel.answer),
            get(.blocked, BlockedShow.answer),
            post(.serverDataDelete, ServerDataDelete.answer),
            get(.subscription, SubscriptionShow.answer),
            post(.purchase, SubscriptionPurchase.answer),
            post(.restore, SubscriptionRestore.answer),
            post(.syncSwitch, SyncSwitch.answer),
            get(.signOut, SignOutShow.answer),
            post(.signOut, SignOutAnswer.answer),
            post(.signOutWait, SignOutWait.answer),
            post(.signOutStay, SignOutWait.stay),
            get(.userAccountDeletion, UserAccountDeletionShow.answer),
            post(.userAccountDeletion, UserAccountDeletionAnswer.answer),
            get(.signedInDevices, SignedInDevicesShow.answer),
            post(to: Link.signedInDeviceEnd, SignedInDeviceEnd.answer),
            get(.password, PasswordShow.answer),
            post(.password, PasswordChange.answer),
        ],
        pages: [
            SignInPage.self, VerifyingPage.self, WaitingPage.self, BlockedPage.self, SubscriptionPage.self,
            SignOutPage.self, UserAccountDeletionPage.self, DevicesPage.self, PasswordPage.self,
        ],
        links: [
            "sign_in": .signIn,
            "sign_up": .signUp,
            "provider_begin": .providerBegin,
            "provider_for_deletion": .providerForDeletion,
            "verifying": .verifying,
            "verifying_retry": .verifyingRetry,
            "verifying_cancel": .verifyingCancel,
            "blocked_choices": .blockedChoices,
            "server_data_delete": .serverDataDelete,
            "subscription": .subscription,
            "purchase": .purchase,
            "restore": .restore,
            "sync_switch": .syncSwitch,
            "sign_out": .signOut,
            "sign_out_now": .signOutNow,
            "sign_out_wait": .signOutWait,
            "sign_out_stay": .signOutStay,
            "user_account_deletion": .userAccountDeletion,
            "signed_in_devices": .signedInDevices,
            "password": .password,
        ]
    )
}
