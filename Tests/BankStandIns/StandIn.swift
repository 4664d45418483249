// The parts that the stand-ins of all providers share: a real HTTP server on a free port of this machine, its
// faults, and a record of its requests.

package import HTTPServer
import Synchronization

/// The faults of a provider. All are off at first.
package struct StandInFaults: Sendable {
    /// The status of every answer of data.
    package var status: Status?
    /// The field `Retry-After`.
    package var retryAfter: String?
    /// The content type of every answer.
    package var contentType = "application/json; charset=utf-8"
    /// The number of spaces after every answer of data.
    package var padding = 0
    /// Whether requests of data are not answered.
    package var isSilent = false
    /// Whether a setup token is claimed without an answer.
    package var holdsClaims = false
    /// Whether tokens for renewal are refused with `invalid_grant`.
    package var hasEndedConsent = false
    /// Whether the end of a consent is answered with an error.
    package var refusesRevocation = false
    /// The end of the consent that TrueLayer reports, as JSON.
    package var consentEnd = "\"2027-02-19T12:00:00.000Z\""
    /// Whether rows come in the opposite order, and each of them twice.
    package var repeatsRows = false
    /// The JSON of further transactions.
    package var extraRows: [String] = []
    /// The JSON of further transactions of the card.
    package var cardRows: [String] = []
    /// The JSON of the transactions that are not booked yet; nil for the usual ones.
    package var pendingRows: [String]?
    /// The JSON of the accounts of SimpleFIN; nil for the usual ones.
    package var accounts: [String]?
    /// The message of SimpleFIN for the user, as JSON.
    package var message = #""Sign in at <b>your bank</b>\nagain.""#

    package init() {}

    /// The rows of an answer, as a JSON array.
    package func array(_ rows: [String]) -> String {
        let all = rows + extraRows
        return "[\((repeatsRows ? all.reversed() + all : all).joined(separator: ","))]"
    }
}

/// A request that a stand-in has received.
package struct ReceivedRequest: Sendable {
    /// The method and the target as sent, such as `GET /accounts`.
    package var line: String
    package var path: String
    /// The first value of each field of the query or the form that a provider knows.
    package var fields: [String: String]
    /// The field `Authorization`.
    package var authorization: String
}

/// The server of a stand-in.
package final class StandIn: Sendable {
    private static let names = [
        "response_type", "client_id", "scope", "redirect_uri", "state", "code_challenge",
        "code_challenge_method", "grant_type", "code", "code_verifier", "client_secret", "refresh_token",
        "from",
        "to", "start-date", "end-date", "pending",
    ]

    private let server: Server
    private let shared: Shared

    /// The state that the handler reads.
    package final class Shared: Sendable {
        fileprivate let requests = Mutex<[ReceivedRequest]>([])
        fileprivate let faults = Mutex(StandInFaults())
        /// Requests that are never answered.
        fileprivate let unanswered = Mutex<[LaterAnswer]>([])

        /// The faults of now.
        package var present: StandInFaults { faults.withLock { $0 } }

        /// An answer of JSON, without the faults of data.
        package func json(_ status: Status, _ text: String) -> Response {
            Response(
                status,
                headers: [("Content-Type", present.contentType)],
                body: .bytes(Array(text.utf8))
            )
        }

        /// No answer.
        package func silence() -> Response {
            let answer = LaterAnswer()
            unanswered.withLock { $0.append(answer) }
            return .later(answer)
        }

        /// An answer of data, with the faults.
        package func data(_ text: String) -> Response {
            let faults = present
            if faults.isSilent { return silence() }
            let padding = String(repeating: " ", count: faults.padding)
            var response = json(faults.status ?? .ok, text + padding)
            if let retryAfter = faults.retryAfter { response.add("Retry-After", retryAfter) }
            return response
        }
    }

    package init(_ answering: @escaping @Sendable (ReceivedRequest, Shared) -> Response) throws {
        var configuration = Configuration()
        configuration.port = 0
        let shared = Shared()
        self.shared = shared
        server = try Server(configuration) { request in
            let fields = Self.names.compactMap { name in
                (request.form.first(name) ?? request.query.first(name)).map { (name, $0) }
            }
            let received = ReceivedRequest(
                line: "\(request.method) \(request.target)",
                path: request.path,
                fields: Dictionary(fields) { first, _ in first },
                authorization: request.header("Authorization") ?? ""
            )
            shared.requests.withLock { $0.append(received) }
            return answering(received, shared)
        }
    }

    deinit {
        for answer in shared.unanswered.withLock({ $0 }) { answer.fulfil(.text(.ok, "")) }
        server.stop(withinSeconds: 0)
    }

    package var host: String { "127.0.0.1:\(server.port)" }
    package var address: String { "http://\(host)" }

    /// The received requests, the oldest first.
    package var requests: [ReceivedRequest] { shared.requests.withLock { $0 } }

    /// The number of requests for a path.
    package func count(_ path: String) -> Int { requests.filter { $0.path == path }.count }

    /// Replaces the faults for the next requests.
    package func fail(_ change: @Sendable (inout StandInFaults) -> Void) {
        var faults = StandInFaults()
        change(&faults)
        shared.faults.withLock { $0 = faults }
    }
}
