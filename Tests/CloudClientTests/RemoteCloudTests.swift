// A remote cloud whose answers are late, incomplete, wrong or missing.
import CloudClient
import CloudProtocol
import Foundation
import Glibc
import Ledger
import Outbound
import SyncCore
import Synchronization
import TestKit
import Testing

/// Returns a fixed answer.
private struct Scripted: HTTPSending {
    let status: Int
    let body: String
    var retryAfterSeconds: Int64?

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        HTTPResponse(status: status, body: Array(body.utf8), retryAfterSeconds: retryAfterSeconds)
    }
}

/// Sends nothing: every request fails with the same error.
private struct Failing: HTTPSending {
    let error: HTTPClientError

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse { throw error }
}

/// Records the requests, and returns an error.
private final class Recorder: HTTPSending {
    let sent = Mutex<[HTTPRequest]>([])

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        return HTTPResponse(status: 500, body: [])
    }
}

/// Accepts connections, sends some bytes on each, and then is silent.
private final class Mumbler: Sendable {
    let port: Int
    private let listener: Int32

    init(_ bytes: String, closes: Bool) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) }
        }
        try #require(isBound == 0 && listen(listener, 8) == 0)
        var named = sockaddr_in()
        var length = size
        _ = withUnsafeMutablePointer(to: &named) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &length) }
        }
        port = Int(UInt16(bigEndian: named.sin_port))
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                _ = bytes.withCString { send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                if closes { close(client) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }
}

@Suite struct ACloudThatMisbehaves {
    private let token = SessionToken(String(repeating: "a", count: 64))

    private func isUnreachable(_ cloud: RemoteCloud) async throws -> Bool {
        do {
            _ = try await cloud.account(try #require(token))
            return false
        } catch let error as CloudError {
            guard case .unreachable = error else { return false }
            return true
        }
    }

    @Test(arguments: [
        (500, ""), (500, "<html>"), (502, "Bad gateway"), (200, ""), (200, "{}"), (200, "[1]"),
        (200, "nonsense"),
        (200, #"{"user":{"id":"x","createdAt":1,"hasPassword":true}}"#), (204, ""), (301, ""), (404, "{}"),
        (401, "{}"), (401, #"{"code":"something_new"}"#), (403, #"{"code":"token_revoked"}"#),
        (401, #"{"code":5}"#), (200, #"{"code":"account_deleted"}"#),
    ])
    func whatIsNotUnderstoodIsNoAnswer(status: Int, body: String) async throws {
        let cloud = RemoteCloud(at: "http://cloud.test", client: Scripted(status: status, body: body))
        #expect(try await isUnreachable(cloud))
    }

    @Test(arguments: [
        (401, "token_revoked", CloudError.sessionRevoked), (401, "account_deleted", .accountGone),
        (401, "wrong_credentials", .signIn(.wrongCredentials)),
        (403, "sign_up_closed", .signIn(.signUpClosed)),
        (409, "email_taken", .signIn(.emailTaken)), (422, "bad_email", .signIn(.badEmail)),
        (422, "weak_password", .signIn(.weakPassword)),
        (400, "malformed", .malformed),
        (429, "too_many_attempts", .signIn(.tooManyAttempts(retryAfterSeconds: 1))),
    ])
    func whatTheCloudRefusesIsToldApart(status: Int, code: String, error: CloudError) async throws {
        let cloud = RemoteCloud(
            at: "http://cloud.test",
            client: Scripted(status: status, body: #"{"code":"\#(code)"}"#)
        )
        let token = try #require(token)
        await #expect(throws: error) { try await cloud.account(token) }
    }

    @Test(arguments: [429, 503])
    func aProxyThatAsksToWaitIsHeeded(status: Int) async throws {
        let token = try #require(token)
        for (asked, seconds) in [(30, 30), (1_000_000, 86_400)] as [(Int64, Int64)] {
            let proxy = Scripted(status: status, body: "<h1>Later</h1>", retryAfterSeconds: asked)
            let cloud = RemoteCloud(at: "http://cloud.test", client: proxy)
            await #expect(throws: CloudError.busy(retryAfterSeconds: seconds)) {
                try await cloud.account(token)
            }
        }
        // Without a time to wait, the answer counts as no answer.
        let silent = RemoteCloud(
            at: "http://cloud.test",
            client: Scripted(status: status, body: "<h1>No</h1>")
        )
        #expect(try await isUnreachable(silent))
    }

    @Test func aProxyThatLimitsBodiesAsksForLess() async throws {
        let page = "<h1>413 Request Entity Too Large</h1>"
        let cloud = RemoteCloud(at: "http://cloud.test", client: Scripted(status: 413, body: page))
        let (token, replica) = (try #require(token), EntityID(high: 1, low: 1))
        let error = CloudError.sync(.tooLarge(max: .max))
        await #expect(throws: error) {
            try await cloud.push(PushBatch(replica: replica, epoch: 1, operations: []), token)
        }
        #expect("\(error)" == "more bytes at once than a proxy in front of the cloud accepts")
    }

    @Test(arguments: [404, 405, 501]) func anOlderCloudDoesNotTakeFiles(status: Int) async throws {
        let cloud = RemoteCloud(at: "http://cloud.test", client: Scripted(status: status, body: "{}"))
        let (token, key) = (try #require(token), try #require(FileKey(String(repeating: "a", count: 64))))
        await #expect(throws: CloudError.notSupported) {
            try await cloud.put(FilePart(key, total: 5), token)
        }
        // The cloud's own answer says something else.
        let other = Scripted(status: 404, body: #"{"code":"no_such_file"}"#)
        await #expect(throws: CloudError.file(.noSuchFile)) {
            try await RemoteCloud(at: "http://cloud.test", client: other)
                .bytes(FileRange(key, offset: 0), token)
        }
    }

    @Test(arguments: [
        ("", false), ("", true), ("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"user\":", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n{\"user\":", true), ("nonsense\r\n\r\n", true),
    ])
    func halfAnAnswerIsNone(bytes: String, closes: Bool) async throws {
        let mumbler = try Mumbler(bytes, closes: closes)
        let cloud = RemoteCloud(at: "http://127.0.0.1:\(mumbler.port)", client: HTTPClient(stallSeconds: 1))
        #expect(try await isUnreachable(cloud))
    }

    @Test(arguments: [
        (HTTPClientError.timedOut(.noProgress), CloudError.timedOut),
        (.timedOut(.total), CloudError.timedOut),
        (.timedOut(.connecting), CloudError.unreachable), (.cutOff("broken pipe"), CloudError.cutOff),
        (.tooManyOpenFiles, CloudError.unreachable), (.failed("cut"), CloudError.unreachable),
    ])
    func aBatchThatDidNotGetThroughIsToldApart(
        error: HTTPClientError,
        told: @Sendable (String) -> CloudError
    ) async throws {
        let cloud = RemoteCloud(at: "http://cloud.test", client: Failing(error: error))
        let (token, replica) = (try #require(token), EntityID(high: 1, low: 1))
        let batch = told("http://cloud.test: \(error)")
        await #expect(throws: batch) {
            try await cloud.push(PushBatch(replica: replica, epoch: 1, operations: []), token)
        }
        await #expect(throws: batch) {
            try await cloud.changes(
                ChangesQuery(replica: replica, epoch: 1, range: .since(0), limit: 1, lastN: 0, seen: 0),
                token
            )
        }
        // Only a batch has an error of its own, because it can be made smaller.
        await #expect(throws: CloudError.unreachable("http://cloud.test: \(error)")) {
            try await cloud.account(token)
        }
        await #expect(throws: CloudError.unreachable("http://cloud.test: \(error)")) {
            try await cloud.signal(seen: nil, waitSeconds: 0, token)
        }
    }

    @Test func whatMustNotComeTwiceIsNotRepeated() async throws {
        let (recorder, token) = (Recorder(), try #require(token))
        let cloud = RemoteCloud(at: "http://cloud.test", client: recorder)
        let replica = EntityID(high: 1, low: 1)
        _ = try? await cloud.signIn(
            .password(email: "a@x.test", password: "correct horse"),
            device: NewDevice(name: "D", guest: replica),
            from: ""
        )
        _ = try? await cloud.changePassword(
            PasswordUpdate(from: "a", to: "b", locksOthers: false),
            from: "",
            token
        )
        #expect(recorder.sent.withLock { $0.map(\.isRepeatable) } == [false, false])
        // The cloud recognises a repeated operation by its number, and ending an ended session is not an
        // error.
        _ = try? await cloud.push(PushBatch(replica: replica, epoch: 1, operations: []), token)
        _ = try? await cloud.signOut(token)
        _ = try? await cloud.detach(replica, lastN: 0, token)
        #expect(recorder.sent.withLock { $0.suffix(3).map(\.isRepeatable) } == [true, true, true])
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let cloud = RemoteCloud(at: "http://127.0.0.1:1", client: HTTPClient(stallSeconds: 1))
        #expect(try await isUnreachable(cloud))
    }
}
