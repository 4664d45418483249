// SimpleFIN as its public documentation describes it: setup tokens that are claimed once, and one address with
// all accounts.

import Encoding
import HTTPServer
import Synchronization

/// A stand-in for a SimpleFIN server.
package final class SimpleFINStandIn: Sendable {
    package let server: StandIn
    private let claims: Claims

    private final class Claims: Sendable {
        let open = Mutex<Set<String>>([])
        let isRevoked = Mutex(false)
    }

    /// The password in the access address.
    package static let password = "access-password-5772"

    package static let transactions = [
        """
        {"id":"s1","posted":1795089600,"amount":"-42.10","description":"PLANTED MARKET 8080",\
        "payee":"Planted Market","memo":""}
        """,
        #"{"id":"s2","posted":1795176000,"amount":"1500.00","description":"Payroll"}"#,
        #"{"id":"s3","posted":0,"pending":true,"transacted_at":1795248000,"amount":"-5","description":"Bakery"}"#,
    ]

    package init() throws {
        let claims = Claims()
        self.claims = claims
        server = try StandIn { request, shared in
            if request.path.hasPrefix("/claim/") {
                guard claims.open.withLock({ $0.remove(request.path) != nil }) else {
                    return .text(.forbidden, "Claimed already")
                }
                guard !shared.present.holdsClaims else { return shared.silence() }
                let host = request.path.split(separator: "@").last ?? ""
                return .text(.ok, "http://user:\(Self.password)@\(host)/simplefin")
            }
            guard request.path == "/simplefin/accounts" else { return .text(.notFound, "") }
            let expected = "Basic " + Base64.padded.encode("user:\(Self.password)".utf8)
            guard request.authorization == expected, !claims.isRevoked.withLock({ $0 }) else {
                return shared.json(.forbidden, #"{"errors":["Forbidden"],"accounts":[]}"#)
            }
            if let accounts = shared.present.accounts {
                let all = accounts.joined(separator: ",")
                return shared.data(#"{"errors":[\#(shared.present.message)],"accounts":[\#(all)]}"#)
            }
            return shared.data(
                """
                {"errors":[\(shared.present.message)],"accounts":[\
                {"org":{"domain":"bank.example","name":"Planted Credit Union","sfin-url":"https://x.example"},\
                "id":"chk","name":"Checking","currency":"USD","balance":"987.65","available-balance":"900.00",\
                "balance-date":1795258800,"transactions":\(shared.present.array(Self.transactions))},\
                {"org":{"domain":"bank.example"},"id":"pts","name":"Points",\
                "currency":"https://bank.example/points","balance":"5000","balance-date":1795258800,\
                "transactions":[]}]}
                """
            )
        }
    }

    /// A new setup token.
    package func token(_ name: String) -> String {
        let path = "/claim/\(name)@\(server.host)"
        claims.open.withLock { _ = $0.insert(path) }
        return Base64.padded.encode("\(server.address)\(path)".utf8)
    }

    /// The user ends the access on the server's own page.
    package func revoke() { claims.isRevoked.withLock { $0 = true } }
}
