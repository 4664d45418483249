// The settings: preferences, the account, the user's data.

import Links
import Templates
import Texts

/// The preferences, and the panel of the user account.
struct SettingsPage: Page {
    static let template = "settings/index"
    let chrome: Chrome
    let form: PreferencesForm
    /// The panel of the signed-in user; nil for a guest.
    let account: UserAccountPanel?
    /// The names of the providers of bank accounts that the operator has set up.
    let bankProviders: [String]

    static let keys = Keys<SettingsPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .model("form", of: PreferencesForm.self) { $0.form }
        .model("account", of: UserAccountPanel.self) { $0.account }
        .message("account_title") { page in
            switch page.chrome.tier {
            case .guest: Text("settings.guest")
            // It is unknown whether it is free, and without a session the cloud is not asked.
            case .free where page.account?.isUnverified == true:
                page.account?.mustSignIn == true
                    ? Text("chrome.signed-out") : Text("settings.verifying-subscription")
            case .free: Text("settings.free-account")
            case .premium: Text("user-account.premium")
            }
        }
        .message("account_text") { page in
            guard let account = page.account else {
                return Text("settings.sign-in-to-protect")
            }
            return account.who.map { Text("settings.signed-in-as", ["name": .string($0)]) }
                ?? Text("settings.signed-in")
        }
        .optionalMessage("warning") { page in
            // Beside the link for signing out.
            if page.chrome.waitsForNetwork { return SignOutPage.needsNetwork }
            let cloud = page.chrome.cloud
            if cloud.hasRetainedCopy || cloud.isUnknown || cloud.isBought {
                // The note about a session that has ended says the same.
                return page.account?.mustSignIn == true ? nil : page.chrome.cloud.text
            }
            return switch page.chrome.tier {
            case .guest: Text("settings.not-signed-in")
            // A device that still uploads, or whose step has failed, says what is so there.
            case .free:
                ["draining_upload_queue", "error"].contains(page.chrome.state)
                    ? page.chrome.cloud.text : Text("settings.upgrade-to-back-up")
            case .premium: nil
            }
        }
        .message("banks_text") { page in
            page.bankProviders.isEmpty
                ? Text("settings.no-bank-provider")
                : Text(
                    "settings.banks-with-providers",
                    ["providers": .string(page.bankProviders.joined(separator: ", "))]
                )
        }
        .model("cells", of: SheetChoice.self) { page in
            SheetChoice(usual: page.form.formats.sheetForm) {
                Link.spreadsheet.adding(query: [("cells", $0.rawValue)])
            }
        }
        .message("data_text") { page in
            let isPart = page.chrome.cloud.isIncomplete
            return isPart
                ? .sentences([Text("settings.it-is-yours"), Text("chrome.copies-have-what-is-here")])
                : Text("settings.it-is-yours")
        }
}

/// Shows who is signed in, with the ways to change that.
struct UserAccountPanel: TemplateModel {
    /// The user's address or name.
    let who: String?
    /// The text of the subscription beside the tier, such as `Waiting for approval`; nil for none.
    let subscription: Text?
    /// Whether the last check of a subscription is too old to count.
    var isUnverified = false
    /// Whether the session was ended on another device.
    let mustSignIn: Bool
    /// Whether the account has a password that can be changed here.
    let hasPassword: Bool
    /// Whether the user has switched sync on; nil if sync cannot be switched.
    let syncs: Bool?
    /// The numbers of changes and of files of receipts that are still to be uploaded.
    var waiting: (changes: Int, files: Int) = (0, 0)

    static let keys = Keys<UserAccountPanel>()
        .optionalMessage("subscription") { $0.subscription }
        .flag("must_sign_in") { $0.mustSignIn }
        .flag("has_password") { $0.hasPassword }
        .flag("can_switch") { $0.syncs != nil }
        .flag("syncs") { $0.syncs == true }
        .message("switched_off") { panel in
            let (changes, files) = panel.waiting
            let words: [String: Text.Argument] = [
                "count": .count(changes), "files": .count(files), "total": .count(changes + files),
            ]
            return switch (changes, files) {
            case (0, 0): Text("settings.new-changes-stay-on")
            case (_, 0): Text("settings.changes-are-uploaded-first", words)
            default: Text("settings.changes-and-files-are-uploaded-first", words)
            }
        }
}
