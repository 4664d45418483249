// The one rule for addresses that the operator or a provider names: a request can be neither read nor changed on the way.

/// Addresses whose requests and responses are protected on the way.
public enum ProtectedAddress {
    /// Whether an address is of https, or of http within this machine.
    public static func accepts(scheme: String?, host: String?) -> Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host?.lowercased())
        default: false
        }
    }
}
