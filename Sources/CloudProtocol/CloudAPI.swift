// The whole API of the cloud, and clouds that relay its calls.

/// All calls of the cloud. The cloud in this process and a cloud behind HTTP give the same answers.
public typealias CloudAPI = UserAccountsAPI & SyncAPI & SignalsAPI & RatesAPI & FilesAPI

/// A cloud that relays each call in the same way: over HTTP, or to another cloud to measure it.
///
/// A conforming type implements only `send`. The calls are derived from their endpoints.
public protocol RelayingCloud: UserAccountsAPI, SyncAPI, SignalsAPI, RatesAPI, FilesAPI {
    /// Relays a call.
    /// - Throws: the errors of the call.
    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response
}

/// The endpoints of the API.
public enum Endpoints {
    /// The common prefix of all paths.
    public static let root = "/cloud/v1"

    /// The route table.
    public static let all: [any AnyEndpoint] = userAccounts + sync + [rates, rateHistory] + files
}
