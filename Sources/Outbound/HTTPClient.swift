// Sends HTTP requests with libcurl.

import Synchronization

/// Sends requests over HTTP and HTTPS, without cookies, caches and redirects. All clients of a process share
/// one thread and its pooled connections; a client only holds limits.
public struct HTTPClient: HTTPSending {
    /// The limits of a request. Only `totalSeconds` limits a request whose bytes keep moving.
    public struct Limits: Hashable, Sendable {
        /// The time until there is a connection, including its TLS handshake.
        public var connectSeconds = 10.0
        /// The time without a byte sent or received. A long poll needs more than the server's longest wait.
        public var stallSeconds = 20.0
        /// The time from the call to the last byte of the response; nil for no limit.
        public var totalSeconds: Double?
        /// The time that a pooled connection may be idle and still be used. It is shorter than servers keep
        /// one (this program's own 30 seconds, nginx's 75), so that a request seldom meets a connection that
        /// is being closed.
        var pooledSeconds = 25
        /// The longest body of a response, after decompression.
        public var responseBytes = 1 << 20

        /// The values above.
        public init() {}
    }

    private let limits: Limits
    /// The thread of a test.
    private let transfers: TransferThread?

    /// A client that uses the process's pooled connections.
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

    /// The reason why no request can be sent on this machine, `noLibrary` or `oldLibrary`; nil if requests
    /// can be sent. Loads libcurl.
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

    /// As `HTTPSending`. Cancelling the task closes the connection at once.
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
            // The order matters: the thread ends the request with either of the two that it sees first.
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

/// A request with its limits and continuation, for the thread.
struct TransferJob: Sendable {
    /// Identifies a request, and tells whether it was cancelled.
    final class Ticket: Sendable {
        let isCancelled = Atomic(false)
    }

    let ticket: Ticket
    let request: HTTPRequest
    let limits: HTTPClient.Limits
    /// In the milliseconds of the thread's clock.
    let submittedAt: Int64
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPClientError>, Never>
}
