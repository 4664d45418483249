// Devices and clouds of the first version beside those of now, by what they once said to each other.
import CloudClient
import CloudProtocol
import Foundation
import Ledger
import Outbound
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Cloud

/// Returns the answers of an earlier version of the cloud, for the requests that it knew.
private struct CloudOfThen: HTTPSending {
    let exchange: Exchange

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        guard !request.url.hasSuffix("/cloud/v1/signals") else { return HTTPResponse(status: 404, body: []) }
        return HTTPResponse(status: exchange.status, body: Array(exchange.answer.utf8))
    }
}

/// JSON in which one that knew the first version finds all that it looks for: more members do not disturb it.
private func covers(_ now: Any?, _ then: Any?) -> Bool {
    switch (now, then) {
    case (let now as [String: Any], let then as [String: Any]):
        return then.allSatisfy { covers(now[$0.key], $0.value) }
    case (let now as [Any], let then as [Any]):
        return now.count == then.count && zip(now, then).allSatisfy { covers($0, $1) }
    case (let now as String, let then as String):
        // Ids and tokens are made anew each time.
        let isMade = then.count == 64 || (then.count == 26 && then.hasPrefix("01"))
        return isMade ? now.count == then.count : now == then
    default: return (now as? NSObject) == (then as? NSObject)
    }
}

private func json(_ text: some Sequence<UInt8>) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
}

@Suite struct TheFirstVersionOfTheWire {
    private let exchanges = Exchange.ofVersionOne

    private func exchange(_ start: String, _ status: Int = 200, after: Int = 0) throws -> Exchange {
        try #require(
            exchanges.filter { $0.request.hasPrefix(start) && $0.status == status }.dropFirst(after).first
        )
    }

    private func cloud(saying exchange: Exchange) -> RemoteCloud {
        RemoteCloud(at: "http://cloud.test", client: CloudOfThen(exchange: exchange))
    }

    @Test func aDeviceOfThenUnderstandsACloudOfNow() async throws {
        let cloud = try CloudUnderTest(.http)
        let client = HTTPClient(stallSeconds: 600)
        var token = ""
        for exchange in exchanges {
            let parts = exchange.request.split(separator: " ", maxSplits: 1).map(String.init)
            let body = exchange.body.isEmpty ? nil : Array(exchange.body.utf8)
            var request = HTTPRequest(parts[0], cloud.address + parts[1], body: body)
            request.headers = [("Content-Type", "application/json"), ("Authorization", "Bearer \(token)")]
            let response = try await client.send(request)
            let answer = String(decoding: response.body, as: UTF8.self)
            #expect(response.status == exchange.status, "\(exchange.request): \(answer)")
            #expect(
                covers(json(response.body), json(exchange.answer.utf8)),
                "\(exchange.request)\n\(exchange.answer)\n\(answer)"
            )
            if let signedIn = Endpoints.signIn.response.decode(response.body) {
                token = signedIn.token.text
                try cloud.directory.grant(signedIn.user.id, until: nil)
            }
        }
    }

    @Test func aCloudOfThenUnderstandsADeviceOfNow() throws {
        for exchange in exchanges where exchange.status == 200 || exchange.status == 204 {
            let body = Array(exchange.body.utf8)
            if exchange.request.hasPrefix("POST /cloud/v1/push") {
                let sent = try PushBatch(body).encoded
                #expect(covers(json(sent), json(body)), "\(String(decoding: sent, as: UTF8.self))")
            }
            if exchange.request.hasPrefix("POST /cloud/v1/detach") {
                #expect(covers(json(try DetachMessage(body).encoded), json(body)))
            }
            if exchange.request.hasPrefix("POST /cloud/v1/sign-in") {
                let received = ReceivedRequest(id: nil, body: body) { _ in nil }
                let decoded = try #require(Endpoints.signIn.request.decode(received))
                let sent = try #require(Endpoints.signIn.request.encode(decoded).body)
                #expect(covers(json(sent), json(body)))
            }
        }
        let replica = try #require(EntityID("0000000000000r000000000001"))
        let query = ChangesQuery(replica: replica, epoch: 1, range: .since(0), limit: 100, lastN: 3, seen: 2)
        let asked = try exchange("GET /cloud/v1/changes").request.split(separator: "?")[1].split(
            separator: "&"
        )
        #expect(Set(asked).isSubset(of: Set(query.encoded.split(separator: "&"))))
    }

    @Test func aDeviceOfNowUnderstandsACloudOfThen() async throws {
        let token = try #require(SessionToken(String(repeating: "a", count: 64)))
        let replica = try #require(EntityID("0000000000000r000000000001"))
        let row = try #require(EntityID("0000000000000r00000000000b"))

        let signIn = cloud(saying: try exchange("POST /cloud/v1/sign-in"))
        let device = NewDevice(name: "Phone", guest: replica)
        let signedIn = try await signIn.signIn(.password(email: "a", password: "b"), device: device, from: "")
        #expect(!signedIn.isExistingAccount && signedIn.entitlement.status == .none)
        let report = try await cloud(saying: try exchange("GET /cloud/v1/account")).account(token)
        #expect(report.entitlement.status == .active && report.user.createdAt == 1_795_262_400)

        let signal = cloud(saying: try exchange("GET /cloud/v1/signal"))
        #expect(try await signal.signal(seen: nil, waitSeconds: 0, token) == Head(epoch: 1, seq: 0))

        let empty = PushBatch(replica: replica, epoch: 1, operations: [])
        let pushed = try await cloud(saying: try exchange("POST /cloud/v1/push", after: 1)).push(empty, token)
        #expect(pushed.head == 6 && pushed.lastN == 2 && pushed.results.map(\.seq) == [4, 6])
        #expect(pushed.results.map { $0.conflict != nil } == [true, false] && !pushed.isOlder)
        let refused = try await cloud(saying: try exchange("POST /cloud/v1/push")).push(empty, token)
        #expect(refused.results.last?.status == .rejected && refused.results.last?.code == .unknownRow)

        let query = ChangesQuery(replica: replica, epoch: 1, range: .since(0), limit: 9, lastN: 0)
        let page = try await cloud(saying: try exchange("GET /cloud/v1/changes")).changes(query, token)
        #expect(page.rows.map(\.seq) == [4, 5, 6] && page.rows.map(\.isDeleted) == [false, false, true])
        #expect(page.rows[0].id == row && page.rows[0].writers?.last == "Phone")
        #expect(page.rows[0].fields == ["future": .other(#"{"x":[1.5]}"#), "name": "Bar", "opening": 9])
        let first = try await cloud(saying: try exchange("GET /cloud/v1/changes", after: 1)).changes(
            query,
            token
        )
        #expect(first.hasMore && first.remaining == 1 && !first.next.isEmpty)

        let refusals = [CloudError.sync(.opGap(expected: 4)), .sync(.opReused), .sync(.epochChanged(1))]
        for (index, error) in refusals.enumerated() {
            let refusing = cloud(saying: try exchange("POST /cloud/v1/push", 409, after: index))
            await #expect(throws: error) { try await refusing.push(empty, token) }
        }
        let behind = cloud(saying: try exchange("GET /cloud/v1/changes", 410))
        await #expect(throws: CloudError.sync(.cursorAhead)) { try await behind.changes(query, token) }
        try await cloud(saying: try exchange("POST /cloud/v1/detach", 204)).detach(replica, lastN: 3, token)
        #expect(try await cloud(saying: try exchange("GET /cloud/v1/devices")).devices(token).count == 1)
    }
}
