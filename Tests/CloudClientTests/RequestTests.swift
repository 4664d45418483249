// The requests of the client: method, address, headers and body of each endpoint.
import CloudClient
import CloudProtocol
import CloudSamples
import Compression
import Ledger
import Outbound
import SyncCore
import Synchronization
import Testing

/// Records the requests, and returns a fixed answer.
private final class Recorder: HTTPSending {
    let sent = Mutex<[HTTPRequest]>([])
    private let answer: HTTPResponse

    init(_ answer: HTTPResponse) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        return answer
    }
}

@Suite struct RequestsOfTheClient {
    @Test func everyEndpointIsAskedAndItsAnswerUnderstood() async throws {
        for sample in try WireSample.all() {
            let response = Array(sample.golden.response.utf8)
            let recorder = Recorder(HTTPResponse(status: response.isEmpty ? 204 : 200, body: response))
            let cloud = RemoteCloud(at: "http://cloud.test/", client: recorder)
            let answer = try await sample.send(cloud)
            #expect(WireSample.isSame(answer, sample.response), "\(sample)")

            let request = try #require(recorder.sent.withLock { $0.first }, "\(sample)")
            #expect(request.method == sample.golden.method, "\(sample)")
            #expect(request.url == "http://cloud.test\(sample.golden.address)", "\(sample)")
            #expect(
                request.body.map { String(decoding: $0, as: UTF8.self) } == sample.golden.body,
                "\(sample)"
            )
            #expect(request.isRepeatable == (sample.endpoint.delivery != .credentials), "\(sample)")
            var headers: [String] = []
            let isBinary = sample.golden.header["Content-Range"] != nil
            if sample.golden.body != nil {
                headers.append("Content-Type: application/\(isBinary ? "octet-stream" : "json")")
            }
            headers += sample.golden.header.map { "\($0.key): \($0.value)" }
            if let token = sample.caller.token { headers.append("Authorization: Bearer \(token.text)") }
            if !sample.caller.address.isEmpty { headers.append("X-Forwarded-For: \(sample.caller.address)") }
            #expect(request.headers.map { "\($0.0): \($0.1)" } == headers, "\(sample)")
        }
    }

    @Test func aLongBodyIsCompressed() async throws {
        let recorder = Recorder(HTTPResponse(status: 500, body: []))
        let cloud = RemoteCloud(at: "http://cloud.test", client: recorder)
        let operation = SyncCore.Operation(
            n: 1,
            opID: String(repeating: "0", count: 32),
            tx: 1,
            action: .create,
            kind: "account",
            id: EntityID(high: 1, low: 1),
            fields: ["name": .text(String(repeating: "a", count: 5_000))]
        )
        let batch = PushBatch(replica: EntityID(high: 1, low: 1), epoch: 1, operations: [operation])
        _ = try? await cloud.push(batch, try WireSample.token())
        let request = try #require(recorder.sent.withLock { $0.first })
        #expect(request.headers.contains { $0 == ("Content-Encoding", "gzip") })
        let body = try #require(request.body)
        #expect(body.count < 1_000)
        #expect(try Gzip.inflate(body, upTo: SyncLimits.bytes) == batch.encoded)
    }
}
