// Sends requests with libcurl.

import Synchronization

/// Sends requests over HTTP and HTTPS: no cookies, no caches, no redirects. All clients of a process share one thread
/// and its kept connections; a client is no more than its limits.
public struct HTTPClient: HTTPSending {
    /// What a request may take. None of it limits how long a request lasts whose bytes keep moving, unless
    /// `totalSeconds` does.
    public struct Limits: Hashable, Sendable {
        /// Until there is a connection, with its TLS handshake.
        public var connectSeconds = 10.0
        /// Without a byte sent or received. A request that a server answers when there is news needs more than the
        /// server waits.
        public var stallSeconds = 20.0
        /// From the call to the last byte of the response; nil for no limit.
        public var totalSeconds: Double?
        /// So long may a connection be unused and still take a request. Less than servers keep it (this program's own
        /// 30 seconds, nginx's 75): a request seldom meets a connection that is just being closed.
        var keptSeconds = 25
        /// The longest body of a response, inflated.
        public var responseBytes = 1 << 20

        /// The defaults.
        public init() {}
    }

    private let limits: Limits
    /// A test's own thread.
    private let transfers: TransferThread?

    /// A client with the process's shared connections.
    public init(
        connectSeconds: Double = 10,
        stallSeconds: Double = 20,
        totalSeconds: Double? = nil,
        responseBytes: Int = 1 << 20
    ) {
        var limits = Limits()
        limits.connectSeconds = connectSeconds
        limits.stallSeconds = stallSeconds
        limits.totalSeconds = totalSeconds
        limits.responseBytes = responseBytes
        self.init(limits, over: nil)
    }

    init(_ limits: Limits, over transfers: TransferThread?) {
        self.limits = limits
        self.transfers = transfers
    }

    /// Why no request can be sent on this machine: `noLibrary` or `oldLibrary`; nil where one can. Loads libcurl.
    public static var obstacle: HTTPClientError? {
        switch CurlLibrary.shared {
        case .success: nil
        case .failure(let error): error
        }
    }

    private func thread() throws(HTTPClientError) -> TransferThread {
        if let transfers { return transfers }
        return try TransferThread.shared.get()
    }

    /// As `HTTPSending`. Where the task is cancelled, its connection is closed at once.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let transfers = try thread()
        let (limits, ticket) = (limits, TransferJob.Ticket())
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfers.submit(
                    TransferJob(
                        ticket: ticket,
                        request: request,
                        limits: limits,
                        submittedAt: transfers.milliseconds(),
                        continuation: continuation
                    )
                )
            }
        } onCancel: {
            // In this order: whichever of the two the thread sees first, it ends the request.
            ticket.isCancelled.store(true, ordering: .releasing)
            transfers.cancel(ticket)
        }
        return try result.get()
    }

    /// As `HTTPSending`, for all clients of the process.
    public func suspect(_ url: String, answeredWithin milliseconds: Int64) {
        (try? thread())?.suspect(
            HTTPRequest("GET", url).origin,
            patience: max(300, 2 * min(milliseconds, 60_000))
        )
    }
}

/// A request on its way to the thread.
struct TransferJob: Sendable {
    /// Names a request, and says whether its response is still wanted.
    final class Ticket: Sendable {
        let isCancelled = Atomic(false)
    }

    let ticket: Ticket
    let request: HTTPRequest
    let limits: HTTPClient.Limits
    /// By the clock of the thread.
    let submittedAt: Int64
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPClientError>, Never>
}
