// The devices on which the user is signed in.

import Ledger
import Links
import Templates
import Texts

/// The user's signed-in devices.
struct DevicesPage: Page {
    static let template = "user-account/devices"
    let chrome: Chrome
    let devices: [DeviceLine]
    /// Whether the book of the account is not on this device yet, so that there are no settings.
    var isBeforeBook: Bool = false
    /// The reason why the list cannot be shown; nil if it can.
    var message: Text? = nil

    static let keys = Keys<DevicesPage>()
        .model("chrome", of: Chrome.self) { $0.chrome.on(.settings) }
        .list("devices", of: DeviceLine.self) { $0.devices }
        .flag("is_before_book") { $0.isBeforeBook }
        .optionalMessage("message") { $0.message }
}

/// A signed-in device.
struct DeviceLine: TemplateModel {
    let id: EntityID
    let name: String
    /// The time of its last use, as text.
    let seen: Text
    let access: Access

    /// The extent of access on the device.
    enum Access: Hashable, Sendable {
        case this, signedIn
        /// The device was signed out from elsewhere, and its book is closed.
        case locked
    }

    static let keys = Keys<DeviceLine>()
        .text("id") { $0.id.description }
        .message("name") { $0.name.isEmpty ? Text("user-account.a-browser") : .verbatim($0.name) }
        .message("seen") { line in
            switch line.access {
            case .this: Text("user-account.this-device")
            case .signedIn: line.seen
            case .locked: Text("user-account.locked-and-seen", ["seen": .text(line.seen)])
            }
        }
        .flag("is_other") { $0.access != .this }
        .flag("is_signed_in") { $0.access == .signedIn }
        .link("action", to: Link.signedInDeviceEnd) { $0.id }
}
