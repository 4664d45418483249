/// The rights of the user of a device.
public enum Tier: String, Sendable {
    /// No user is signed in.
    case guest
    /// Signed in without premium.
    case free
    /// Signed in with premium.
    case premium
}
