// The pages of the user account: signing in, the subscription, devices, the deletion.

import Devices
import Ledger
import Texts

enum UserAccountStories {
    static let all = signIn + waiting + SubscriptionStories.all + rest

    private static let signIn: [Story] = [
        Story("sign-in", .userAccount, "A guest with entries, every way to sign in") {
            $0.signIn(entries: 12)
        },
        Story("sign-in-files", .userAccount, "A guest with entries and files") {
            $0.signIn(entries: 12, files: 3)
        },
        Story("sign-in-empty", .userAccount, "A guest without entries") { $0.signIn() },
        Story("sign-in-new-browser", .userAccount, "A browser without a device") { sample in
            sample.with { $0.state = "uninitialized" }.signIn()
        },
        Story("sign-in-passwords", .userAccount, "A server without an identity provider") {
            $0.signIn { $0.provider = nil }
        },
        Story("sign-in-provider", .userAccount, "A server with an identity provider only") {
            $0.signIn { $0.passwords = false }
        },
        Story("sign-in-closed", .userAccount, "A server that takes no new accounts") {
            $0.signIn { $0.acceptsNewAccounts = false }
        },
        Story("sign-in-refused", .userAccount, "Refused: a wrong password") {
            $0.signIn(known: ["password": Text("user-account.wrong-credentials")])
        },
        Story("sign-in-refused-new", .userAccount, "Refused: an account that there is, with a weak password")
        {
            $0.signIn(new: [
                "email": Text("user-account.address-has-an-account"),
                "password": Text("user-account.weak-password"),
            ])
        },
        Story("sign-in-wait", .userAccount, "Too many wrong attempts") {
            $0.signIn(known: ["password": Text("user-account.wait-minutes", ["count": .count(5)])])
        },
        Story("sign-in-refused-remote", .userAccount, "Refused: a wrong password, of a cloud elsewhere") {
            $0.signIn(known: ["password": Text("user-account.wrong-credentials")]) {
                $0.isOfRemoteCloud = true
            }
        },
        Story("sign-in-unreachable", .userAccount, "The cloud cannot be reached") {
            $0.signIn(message: Text("user-account.cloud-cannot-be-reached"))
        },
        Story("sign-in-again", .userAccount, "The session was ended on another device") {
            $0.framed(.signInAgain).signIn(
                again: SignInPage.Owner(name: $0.email, email: $0.email, isLocked: false)
            )
        },
        Story("sign-in-locked", .userAccount, "The book is locked until its user signs in") {
            $0.framed(.signInAgain).signIn(
                again: SignInPage.Owner(name: $0.email, email: $0.email, isLocked: true)
            )
        },
    ]

    private static let waiting: [Story] =
        [
            Story("verifying", .userAccount, "The account is looked up, before 30 seconds") {
                $0.verifying(takesLong: false)
            },
            Story("verifying-long", .userAccount, "The account is looked up, after 30 seconds") {
                $0.verifying(takesLong: true)
            },
            Story("verifying-unnamed", .userAccount, "The account is looked up, and its address is not known")
            {
                $0.verifying(takesLong: false, isNamed: false)
            },
            Story("blocked", .userAccount, "The data in the cloud needs a subscription") { $0.blocked() },
            Story("blocked-unknown", .userAccount, "A deletion of the data in the cloud was not answered") {
                $0.blocked(isKnown: false)
            },
            Story("blocked-refused", .userAccount, "Its deletion was not confirmed") {
                $0.blocked(isRefused: true)
            },
            Story("blocked-premium", .userAccount, "There is a subscription now, and the data will follow") {
                $0.blocked(hasPremium: true)
            },
            Story("blocked-bought", .userAccount, "A subscription was bought, and the cloud has not answered")
            {
                $0.blocked(isUnanswered: true, isBought: true)
            },
            Story("blocked-signed-out", .userAccount, "The session on the blocked device has ended") {
                $0.blocked(hasSession: false)
            },
            Story("blocked-unanswered", .userAccount, "The cloud does not answer") {
                $0.blocked(isUnanswered: true)
            },
            Story("blocked-long", .userAccount, "A long address") { $0.of(.longLived).blocked() },
        ]
        + cases(from: WaitingPage.Work.deletingAccount, next).map { work in
            Story("waiting-\(name(work))", .userAccount, "An operation is running: \(name(work))") { sample in
                WaitingPage(chrome: sample.with { $0.state = state(work) }.chrome, work: work)
            }
        }

    private static let rest: [Story] = [
        Story("user-account-delete-password", .userAccount, "Deleting the account, with its password") {
            $0.deletion(.password)
        },
        Story("user-account-delete-provider", .userAccount, "Deleting the account, after another sign-in") {
            $0.deletion(.provider("Example ID"))
        },
        Story(
            "user-account-delete-confirmed",
            .userAccount,
            "Deleting the account, with a subscription to cancel"
        ) {
            $0.deletion(.given, hasSubscription: true)
        },
        Story("user-account-delete-refused", .userAccount, "Deleting the account: refused") {
            $0.deletion(.password, isRefused: true)
        },
        Story("devices", .userAccount, "This device, another one, and a locked one") {
            $0.devices([.this, .signedIn, .locked])
        },
        Story("devices-waiting", .userAccount, "The account has too many devices, and no book here yet") {
            $0.devices([.this, .signedIn], isBeforeBook: true)
        },
        Story("devices-alone", .userAccount, "This device only") { $0.devices([.this]) },
        Story("devices-failed", .userAccount, "The cloud does not tell the devices") {
            DevicesPage(
                chrome: $0.framed(.offline).chrome,
                devices: [],
                message: Text("user-account.cloud-cannot-be-reached")
            )
        },
        Story("devices-long", .userAccount, "Long names") { $0.of(.longLived).devices([.this, .signedIn]) },
        Story("password", .userAccount, "The password") { $0.password([:]) },
        Story("password-others", .userAccount, "The password, and the other devices are signed out") {
            $0.password([:], locksOthers: true)
        },
        Story("password-refused", .userAccount, "The password: refused") {
            $0.password([
                "password": Text("user-account.not-the-present-password"),
                "new_password": Text("user-account.common-password"),
            ])
        },
    ]

    // MARK: Waiting

    private static func name(_ work: WaitingPage.Work) -> String {
        switch work {
        case .deletingAccount: "deleting-account"
        case .deletingServerData: "deleting-server-data"
        case .signingOut: "signing-out"
        }
    }

    private static func state(_ work: WaitingPage.Work) -> String { name(work).replacing("-", with: "_") }

    private static func next(_ work: WaitingPage.Work) -> WaitingPage.Work? {
        switch work {
        case .deletingAccount: .deletingServerData
        case .deletingServerData: .signingOut
        case .signingOut: nil
        }
    }
}

extension Sample {
    var email: String { typed("anna@example.org") }

    fileprivate func signIn(
        entries: Int = 0,
        files: Int = 0,
        known: [String: Text] = [:],
        new: [String: Text] = [:],
        again: SignInPage.Owner? = nil,
        message: Text? = nil,
        _ narrow: (inout SignInPage.Methods) -> Void = { _ in }
    ) -> SignInPage {
        var methods = SignInPage.Methods(
            passwords: true,
            provider: typed("Example ID"),
            acceptsNewAccounts: true
        )
        narrow(&methods)
        func state(_ errors: [String: Text]) -> FormState {
            FormState(values: errors.isEmpty ? [:] : ["email": email], errors: errors)
        }
        return SignInPage(
            chrome: chrome,
            methods: methods,
            known: state(known),
            new: state(new),
            entries: entries,
            files: files,
            again: again,
            message: message,
            once: Self.once
        )
    }

    fileprivate func verifying(takesLong: Bool, isNamed: Bool = true) -> VerifyingPage {
        VerifyingPage(
            chrome: framed(.free).with { $0.state = "verifying_account" }.chrome,
            email: isNamed ? email : nil,
            takesLong: takesLong
        )
    }

    func inBlockedState(hasPremium: Bool = false) -> Sample {
        framed(hasPremium ? .connecting : .free).with {
            ($0.state, $0.sync) = ("blocked_no_sync", "off")
            $0.cloud = hasPremium ? .awaited : .blocked
        }
    }

    fileprivate func blocked(
        isRefused: Bool = false,
        hasPremium: Bool = false,
        isKnown: Bool = true,
        isUnanswered: Bool = false,
        isBought: Bool = false,
        hasSession: Bool = true
    ) -> BlockedPage {
        let amounts: BlockedPage.Amounts =
            isRefused
            ? .init(accounts: 0, transactions: 0, categories: 1, changed: nil)
            : .init(accounts: 3, transactions: 1, categories: 25, changed: "Saturday 21 November 2026")
        var shown = isKnown ? inBlockedState(hasPremium: hasPremium) : framed(.deletionUnanswered)
        if isBought { shown = shown.with { $0.cloud = .boughtWhileBlocked } }
        if !hasSession { shown = shown.with { $0.cloud = .sessionEnded } }
        return BlockedPage(
            chrome: shown.chrome,
            email: isRefused ? nil : email,
            amounts: isKnown ? amounts : nil,
            hasPremium: hasPremium,
            isUnanswered: isUnanswered,
            confirmation: isRefused ? Confirmation.serverData.refused : .serverData
        )
    }

    fileprivate func deletion(
        _ proof: UserAccountDeletionPage.Proof,
        hasSubscription: Bool = false,
        isRefused: Bool = false
    ) -> UserAccountDeletionPage {
        let errors = ["password": Text("user-account.not-your-password")]
        return UserAccountDeletionPage(
            chrome: framed(.idle).chrome,
            email: email,
            hasSubscription: hasSubscription,
            confirmation: isRefused ? Confirmation.account.refused : .account,
            proof: proof,
            loss: UserAccountDeletionPage.Loss(
                changes: isRefused ? 3 : 0,
                files: isRefused ? 2 : 0,
                filesNotHere: FilesNotHere(fetchable: isRefused ? 2 : 0),
                hasFiles: proof == .password,
                unsaved: isRefused ? [UnsavedEntry(Self.id(398), files: ["receipt.jpg"])] : []
            ),
            state: FormState(errors: isRefused ? errors : [:]),
            forgotten: forgotten(isOpen: isRefused)
        )
    }

    private func forgotten(isOpen: Bool) -> ForgottenPassword {
        let methods = SignInPage.Methods(passwords: true, provider: nil, acceptsNewAccounts: true)
        return ForgottenPassword(of: email, methods, isOpen: isOpen)
    }

    fileprivate func devices(_ access: [DeviceLine.Access], isBeforeBook: Bool = false) -> DevicesPage {
        let lines = access.enumerated().map { place, access in
            DeviceLine(
                id: Self.id(UInt64(place + 1)),
                name: place == 1 ? "" : typed("Anna’s phone"),
                seen: Text("user-account.last-seen", ["day": .string("on 20 November 2026")]),
                access: access
            )
        }
        return DevicesPage(chrome: framed(.idle).chrome, devices: lines, isBeforeBook: isBeforeBook)
    }

    fileprivate func password(_ errors: [String: Text], locksOthers: Bool = false) -> PasswordPage {
        PasswordPage(
            chrome: framed(.idle).chrome,
            state: FormState(errors: errors),
            email: email,
            locksOthers: locksOthers,
            forgotten: forgotten(isOpen: errors["password"] != nil)
        )
    }
}
