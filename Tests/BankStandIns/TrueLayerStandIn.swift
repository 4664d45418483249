// TrueLayer as its public documentation describes it: a consent page without a screen, the token endpoint, and
// version 1 of the Data API for one bank with an account and a card.

import Encoding
import HTTPServer
import Synchronization

/// A stand-in for TrueLayer.
package final class TrueLayerStandIn: Sendable {
    package let server: StandIn
    private let tokens: Tokens

    package static let clientID = "breadly-test"
    package static let clientSecret = "client-secret-3141"

    /// The codes and tokens, each of which is valid once or until the next one of its consent.
    private final class Tokens: Sendable {
        struct Grant {
            var access: String
            var renewal: String
            let credentials: String
            var isRevoked = false
        }

        struct State {
            var number = 0
            var codes: Set<String> = []
            /// The grants of all consents, the last one granted at the end.
            var grants: [Grant] = []
            /// The number of answers of data before the access becomes invalid.
            var answersLeft = Int.max
        }

        let state = Mutex(State())

        /// - Parameter renewal: the token of the consent that is renewed; nil for a new one.
        func next(renewing renewal: String? = nil) -> String {
            state.withLock { state in
                state.number += 1
                let number = state.number
                let former = state.grants.firstIndex { $0.renewal == renewal }.map {
                    state.grants.remove(at: $0)
                }
                state.grants.append(
                    Grant(
                        access: "access-\(number)-2718",
                        renewal: "renewal-\(number)-1618",
                        credentials: former?.credentials ?? "credentials-\(number)"
                    )
                )
                return """
                    {"access_token":"access-\(number)-2718","expires_in":3600,"token_type":"Bearer",\
                    "refresh_token":"renewal-\(number)-1618","scope":"accounts"}
                    """
            }
        }
    }

    /// The transactions of the account that its bank has booked.
    package static let booked = [
        """
        {"transaction_id":"t1","provider_transaction_id":"p1","normalised_provider_transaction_id":"n1",\
        "timestamp":"2026-11-19T00:00:00Z","description":"PLANTED GROCER 4242","amount":-12.5,"currency":"GBP",\
        "transaction_type":"DEBIT","merchant_name":"Planted Grocer","transaction_classification":["Shopping"],\
        "running_balance":{"currency":"GBP","amount":1234.56},"meta":{}}
        """,
        """
        {"transaction_id":"t2","timestamp":"2026-11-20T09:30:00.000Z","description":"Salary","amount":1E2,\
        "currency":"GBP","transaction_type":"CREDIT"}
        """,
    ]

    /// The transactions that it has not booked.
    package static let pending = [
        """
        {"transaction_id":"t3","timestamp":"2026-11-21T00:00:00Z","description":"Coffee","amount":-3.20,\
        "currency":"GBP","transaction_type":"DEBIT"}
        """
    ]

    package init() throws {
        let tokens = Tokens()
        self.tokens = tokens
        server = try StandIn { request, shared in
            switch request.path {
            case "/connect/token": Self.token(request, shared, tokens)
            case "/api/delete":
                Self.guarded(request, shared, tokens) {
                    guard !shared.present.refusesRevocation else {
                        return shared.json(.unavailable, #"{"error":"unavailable"}"#)
                    }
                    tokens.state.withLock { state in
                        for index in state.grants.indices
                        where request.authorization == "Bearer \(state.grants[index].access)" {
                            state.grants[index].isRevoked = true
                        }
                    }
                    return Response(.noContent)
                }
            case "/data/v1/me": Self.consent(request, shared, tokens)
            case "/data/v1/accounts":
                Self.guarded(request, shared, tokens) {
                    shared.data(
                        """
                        {"results":[{"update_timestamp":"2026-11-21T12:00:00Z","account_id":"acc-1",\
                        "account_type":"TRANSACTION","display_name":"Club Account","currency":"GBP",\
                        "account_number":{"iban":"GB00PLANTED"},\
                        "provider":{"display_name":"Planted Bank","provider_id":"mock"}}],"status":"Succeeded"}
                        """
                    )
                }
            case "/data/v1/cards":
                Self.guarded(request, shared, tokens) {
                    shared.data(
                        """
                        {"results":[{"account_id":"card-1","card_type":"CREDIT","display_name":"Gold Card",\
                        "currency":"GBP","partial_card_number":"4321",\
                        "provider":{"display_name":"Planted Bank","provider_id":"mock"}}]}
                        """
                    )
                }
            case "/data/v1/accounts/acc-1/balance":
                Self.guarded(request, shared, tokens) {
                    shared.data(#"{"results":[{"currency":"GBP","available":1300,"current":1234.56}]}"#)
                }
            case "/data/v1/cards/card-1/balance":
                Self.guarded(request, shared, tokens) {
                    shared.data(#"{"results":[{"currency":"GBP","available":900.0,"current":50.25}]}"#)
                }
            case "/data/v1/accounts/acc-1/transactions":
                Self.guarded(request, shared, tokens) {
                    shared.data(#"{"results":\#(shared.present.array(Self.booked))}"#)
                }
            case "/data/v1/accounts/acc-1/transactions/pending":
                Self.guarded(request, shared, tokens) {
                    let rows = shared.present.pendingRows ?? Self.pending
                    return shared.data(#"{"results":[\#(rows.joined(separator: ","))]}"#)
                }
            case "/data/v1/cards/card-1/transactions":
                Self.guarded(request, shared, tokens) {
                    let cinema = """
                        {"transaction_id":"c1","timestamp":"2026-11-18T00:00:00Z","description":"Cinema",\
                        "amount":20.00,"currency":"GBP","transaction_type":"DEBIT"}
                        """
                    let rows = [cinema] + shared.present.cardRows
                    return shared.data(#"{"results":[\#(rows.joined(separator: ","))]}"#)
                }
            // The bank has no pending transactions of cards.
            case "/data/v1/cards/card-1/transactions/pending":
                Self.guarded(request, shared, tokens) {
                    shared.json(.notImplemented, #"{"error":"endpoint_not_supported"}"#)
                }
            default: shared.json(.notFound, #"{"error":"not_found"}"#)
            }
        }
    }

    /// The tokens of the last grant.
    package var access: String { tokens.state.withLock { $0.grants.last?.access ?? "" } }
    package var renewal: String { tokens.state.withLock { $0.grants.last?.renewal ?? "" } }
    package var isRevoked: Bool { revocations.last ?? false }

    /// Whether each consent was ended, in the order of their last grants.
    package var revocations: [Bool] { tokens.state.withLock { $0.grants.map(\.isRevoked) } }

    /// Makes the access invalid after a number of answers of data.
    package func expire(afterAnswers count: Int) { tokens.state.withLock { $0.answersLeft = count } }

    /// Consents on the page at an address, as a user does in a browser.
    /// - Returns: the address to which the browser is sent back.
    package func consent(at address: String) -> String? {
        guard let query = address.split(separator: "?", maxSplits: 1).last else { return nil }
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, let value = PercentEncoding.decode(sides[1].utf8) else { return nil }
            fields[String(sides[0])] = String(decoding: value, as: UTF8.self)
        }
        guard fields["client_id"] == Self.clientID, fields["response_type"] == "code",
            fields["code_challenge_method"] == "S256", let challenge = fields["code_challenge"],
            fields["scope"]?.contains("offline_access") == true, let state = fields["state"],
            let redirect = fields["redirect_uri"]
        else { return nil }
        // The code names its challenge, which the token endpoint compares with the verifier.
        let code = tokens.state.withLock { tokens in
            tokens.number += 1
            let code = "code-\(tokens.number)-\(challenge)"
            tokens.codes.insert(code)
            return code
        }
        return "\(redirect)?code=\(PercentEncoding.encode(code))&state=\(PercentEncoding.encode(state))"
    }

    private static func token(_ request: ReceivedRequest, _ shared: StandIn.Shared, _ tokens: Tokens)
        -> Response
    {
        guard request.fields["client_id"] == clientID, request.fields["client_secret"] == clientSecret else {
            return shared.json(.badRequest, #"{"error":"invalid_client"}"#)
        }
        let isGranted: Bool
        switch request.fields["grant_type"] {
        case "authorization_code":
            let code = request.fields["code"] ?? ""
            isGranted =
                tokens.state.withLock { $0.codes.remove(code) != nil }
                && code.hasSuffix(challenge(request.fields["code_verifier"] ?? ""))
        case "refresh_token":
            isGranted =
                tokens.state.withLock { state in
                    state.grants.contains { $0.renewal == request.fields["refresh_token"] && !$0.isRevoked }
                }
                && !shared.present.hasEndedConsent
        default: isGranted = false
        }
        guard isGranted else { return shared.json(.badRequest, #"{"error":"invalid_grant"}"#) }
        return shared.json(.ok, tokens.next(renewing: request.fields["refresh_token"]))
    }

    /// The consent of an access, which does not count as an answer of data.
    private static func consent(_ request: ReceivedRequest, _ shared: StandIn.Shared, _ tokens: Tokens)
        -> Response
    {
        let grant = tokens.state.withLock { state in
            state.grants.first { request.authorization == "Bearer \($0.access)" && !$0.isRevoked }
        }
        guard let grant else { return shared.json(Status(rawValue: 401), #"{"error":"invalid_token"}"#) }
        let end = shared.present.consentEnd
        return shared.json(
            .ok,
            """
            {"results":[{"client_id":"\(clientID)","credentials_id":"\(grant.credentials)",\
            "consent_status":"Authorised","consent_status_updated_at":"2026-11-21T12:00:00Z",\
            "consent_created_at":"2026-11-21T12:00:00Z","consent_expires_at":\(end),\
            "provider":{"display_name":"Planted Bank","provider_id":"mock"}}],"status":"Succeeded"}
            """
        )
    }

    private static func guarded(
        _ request: ReceivedRequest,
        _ shared: StandIn.Shared,
        _ tokens: Tokens,
        _ answer: () -> Response
    ) -> Response {
        let isValid = tokens.state.withLock { state in
            guard
                let place = state.grants.firstIndex(where: {
                    request.authorization == "Bearer \($0.access)" && !$0.isRevoked
                })
            else { return false }
            if state.answersLeft == 0 {
                state.answersLeft = .max
                state.grants[place].access = "expired"
                return false
            }
            if state.answersLeft < .max { state.answersLeft -= 1 }
            return true
        }
        return isValid ? answer() : shared.json(Status(rawValue: 401), #"{"error":"invalid_token"}"#)
    }
}
