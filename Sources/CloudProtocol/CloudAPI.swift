// The whole API of the cloud, and clouds that pass its calls on.

/// All calls of the cloud. The one in this process and the one behind HTTP answer alike.
public typealias CloudAPI = UserAccountsAPI & SyncAPI & SignalsAPI

/// A cloud that passes every call on in the same way: over HTTP, or to another cloud while it measures.
///
/// It implements `send` alone; each call is there by its endpoint.
public protocol RelayingCloud: UserAccountsAPI, SyncAPI, SignalsAPI {
    /// Passes a call on.
    /// - Throws: what the call throws.
    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response
}

/// The endpoints.
public enum Endpoints {
    /// The path in front of all of them.
    public static let root = "/cloud/v1"

    /// All of them.
    public static let all: [any AnyEndpoint] = userAccounts + sync
}
