// Shown while something is under way that the whole book hangs on.

public import Templates

/// A moment's patience. It reloads itself.
public struct WaitingPage: Page {
    /// Where its template is.
    public static let template = "account/waiting"

    /// The operation that is running.
    public enum Work: String, Sendable {
        case deletingAccount = "Your account is being deleted…"
        case deletingServerData = "Your data on the server is being deleted…"
        case signingOut = "You are being signed out…"
    }

    let chrome: Chrome
    let work: Work

    /// - Parameter chrome: the frame of the page.
    public init(chrome: Chrome, work: Work) {
        self.chrome = chrome
        self.work = work
    }

    /// The values for the template.
    public static let keys = Keys<WaitingPage>()
        .model("chrome", of: Chrome.self) { $0.chrome }
        .text("work") { $0.work.rawValue }
}
