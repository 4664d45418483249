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

    /// The codes and tokens, each of which is valid once or until the next one.
    private final class Tokens: Sendable {
        struct State {
            var number = 0
            var codes: Set<String> = []
            var access = ""
            var renewal = ""
            var isRevoked = false
            /// The number of answers of data before the access becomes invalid.
            var answersLeft = Int.max
        }

        let state = Mutex(State())

        func next() -> String {
            state.withLock { state in
                state.number += 1
                (state.access, state.renewal) = (
                    "access-\(state.number)-2718", "renewal-\(state.number)-1618"
                )
                state.isRevoked = false
                return """
                    {"access_token":"\(state.access)","expires_in":3600,"token_type":"Bearer",\
                    "refresh_token":"\(state.renewal)","scope":"accounts"}
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
                    tokens.state.withLock { $0.isRevoked = true }
                    return Response(.noContent)
                }
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
                    shared.data(#"{"results":[\#(Self.pending.joined(separator: ","))]}"#)
                }
            case "/data/v1/cards/card-1/transactions":
                Self.guarded(request, shared, tokens) {
                    shared.data(
                        """
                        {"results":[{"transaction_id":"c1","timestamp":"2026-11-18T00:00:00Z",\
                        "description":"Cinema","amount":20.00,"currency":"GBP","transaction_type":"DEBIT"}]}
                        """
                    )
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

    /// The present token.
    package var access: String { tokens.state.withLock { $0.access } }
    package var renewal: String { tokens.state.withLock { $0.renewal } }
    package var isRevoked: Bool { tokens.state.withLock { $0.isRevoked } }

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
                tokens.state.withLock { $0.renewal == request.fields["refresh_token"] && !$0.isRevoked }
                && !shared.present.hasEndedConsent
        default: isGranted = false
        }
        guard isGranted else { return shared.json(.badRequest, #"{"error":"invalid_grant"}"#) }
        return shared.json(.ok, tokens.next())
    }

    private static func guarded(
        _ request: ReceivedRequest,
        _ shared: StandIn.Shared,
        _ tokens: Tokens,
        _ answer: () -> Response
    ) -> Response {
        let isValid = tokens.state.withLock { state in
            guard request.authorization == "Bearer \(state.access)", !state.isRevoked else { return false }
            if state.answersLeft == 0 {
                state.answersLeft = .max
                state.access = "expired"
                return false
            }
            if state.answersLeft < .max { state.answersLeft -= 1 }
            return true
        }
        return isValid ? answer() : shared.json(Status(rawValue: 401), #"{"error":"invalid_token"}"#)
    }
}
