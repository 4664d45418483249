// Files that are fetched from the cloud: equal requests are joined, few run at once, and no request waits for ever.
import Book
import CloudProtocol
import FileStore
import Ledger
import Synchronization
import TestKit
import Testing

@testable import Devices

/// Downloads that end when the test says so.
private final class Gates: Sendable {
    private struct State {
        var begun: [DownloadQueue.Key] = []
        var gates: [DownloadQueue.Key: [CheckedContinuation<DownloadQueue.Outcome, Never>]] = [:]
    }

    private let state = Mutex(State())

    /// The downloads that were begun, in their order.
    var begun: [DownloadQueue.Key] { state.withLock { $0.begun } }

    func download(_ key: DownloadQueue.Key) async -> DownloadQueue.Outcome {
        await withCheckedContinuation { gate in
            state.withLock { state in
                state.begun.append(key)
                state.gates[key, default: []].append(gate)
            }
        }
    }

    func end(_ key: DownloadQueue.Key, _ error: FileFetchError) {
        let gate = state.withLock { $0.gates[key]?.isEmpty == false ? $0.gates[key]?.removeFirst() : nil }
        gate?.resume(returning: .failure(error))
    }
}

@Suite struct DownloadsOfReceipts {
    private let tasks = TaskScope()
    private let gates = Gates()

    private let token: SessionToken = {
        var random = SystemRandomNumberGenerator()
        return SessionToken(using: &random)
    }()

    private func key(_ device: UInt64, _ file: UInt8) -> DownloadQueue.Key {
        let id = EntityID(high: 1, low: device)
        return DownloadQueue.Key(device: id, token: token, hash: ContentHash(of: [file]), size: 5)
    }

    private func queue(
        _ change: (inout DownloadQueue.Limits) -> Void = { _ in },
        pause: @escaping @Sendable (Int64) async -> Void = { _ in try? await Task.sleep(for: .seconds(86_400))
        }
    ) -> DownloadQueue {
        var limits = DownloadQueue.Limits()
        change(&limits)
        return DownloadQueue(limits, tasks, pause: pause)
    }

    private func request(_ key: DownloadQueue.Key, _ queue: DownloadQueue) -> Task<FileFetchError?, Never> {
        Task { [gates] in
            guard case .failure(let error) = await queue.file(key, { await gates.download(key) }) else {
                return nil
            }
            return error
        }
    }

    @Test func requestsForTheSameFileHaveOneDownload() async throws {
        let (queue, file) = (queue(), key(1, 1))
        let requests = (0..<5).map { _ in request(file, queue) }
        try await eventually("all of them wait") { queue.requests(for: file) == 5 && gates.begun == [file] }
        // Its browser has gone away.
        requests[0].cancel()
        #expect(await requests[0].value == .busy)
        try await eventually("four wait") { queue.requests(for: file) == 4 }
        gates.end(file, .notSentYet)
        for one in requests.dropFirst() { #expect(await one.value == .notSentYet) }
        #expect(gates.begun == [file])
        // One that comes later asks again.
        let again = request(file, queue)
        try await eventually("it begins") { gates.begun == [file, file] }
        gates.end(file, .cloudAway)
        #expect(await again.value == .cloudAway)
        await tasks.close()
    }

    @Test func fewRunAtOnceAndEachDeviceHasItsTurn() async throws {
        let queue = queue { ($0.running, $0.runningOfDevice) = (3, 2) }
        let greedy = (UInt8(1)...4).map { key(1, $0) }
        var requests: [Task<FileFetchError?, Never>] = []
        for (number, file) in greedy.enumerated() {
            requests.append(request(file, queue))
            try await eventually("it has come") { queue.requests(for: file) == 1 }
            try await eventually("two run") { gates.begun.count == min(number + 1, 2) }
        }
        let (other, third) = (key(2, 1), key(3, 1))
        for file in [other, third] {
            requests.append(request(file, queue))
            try await eventually("it has come") { queue.requests(for: file) == 1 }
        }
        try await eventually("another device comes first") { gates.begun == greedy[..<2] + [other] }
        gates.end(other, .notSentYet)
        // The greedy one has two already.
        try await eventually("the next device") { gates.begun == greedy[..<2] + [other, third] }
        gates.end(greedy[1], .notSentYet)
        try await eventually("its next") { gates.begun.last == greedy[2] }
        for file in [greedy[0], greedy[2], third] { gates.end(file, .notSentYet) }
        try await eventually("the last") { gates.begun.last == greedy[3] }
        gates.end(greedy[3], .notSentYet)
        for one in requests { #expect(await one.value == .notSentYet) }
        await tasks.close()
    }

    @Test func aDeviceHasFewThatWait() async throws {
        let queue = queue { ($0.running, $0.waitingOfDevice) = (1, 1) }
        let files = (UInt8(1)...3).map { key(1, $0) }
        let running = request(files[0], queue)
        try await eventually("it runs") { gates.begun == [files[0]] }
        let waiting = request(files[1], queue)
        try await eventually("it waits") { queue.requests(for: files[1]) == 1 }
        #expect(await request(files[2], queue).value == .busy)
        let other = request(key(2, 1), queue)
        try await eventually("another device waits as well") { queue.requests(for: key(2, 1)) == 1 }
        for (file, one) in [(files[0], running), (files[1], waiting), (key(2, 1), other)] {
            try await eventually("its turn") { gates.begun.last == file }
            gates.end(file, .notSentYet)
            #expect(await one.value == .notSentYet)
        }
        await tasks.close()
    }

    /// The pause of this test has ended already.
    @Test func aRequestDoesNotWaitForEverAndItsDownloadContinues() async throws {
        let queue = queue({ $0.running = 1 }, pause: { _ in })
        let (file, next) = (key(1, 1), key(1, 2))
        #expect(await request(file, queue).value == .busy)
        // One that waits for its turn is given up with its request.
        #expect(await request(next, queue).value == .busy)
        try await eventually("the first runs") { gates.begun == [file] }
        gates.end(file, .notSentYet)
        try await eventually("the one that was given up never begins") {
            #expect(await request(key(1, 3), queue).value == .busy)
            return gates.begun == [file, key(1, 3)]
        }
        gates.end(key(1, 3), .notSentYet)
        await tasks.close()
    }

    @Test func aServerThatStopsEndsAllOfThem() async throws {
        let queue = queue { $0.running = 1 }
        let (running, waiting) = (key(1, 1), key(1, 2))
        let requests = [request(running, queue), request(waiting, queue)]
        try await eventually("both have come") {
            queue.requests(for: running) == 1 && queue.requests(for: waiting) == 1 && gates.begun.count == 1
        }
        let end = Task { await tasks.close() }
        let begun = try #require(gates.begun.first)
        // As the cancelled request to the cloud.
        try await eventually("it is closed") { tasks.run {} == nil }
        gates.end(begun, .cloudAway)
        for one in requests { #expect(await one.value != nil) }
        await end.value
        #expect(gates.begun.count == 1)
    }
}

@Suite struct FilesThatSeveralRequestsOpen {
    private let server = DeviceServer()

    @Test func areFetchedOnceAndNotByTheRequestThatCameFirst() async throws {
        let devices = try server.open { $0.receipts.downloads.patienceMilliseconds = .max }
        let one = try await server.synced(devices).device
        let other = try await server.synced(devices).device
        let bytes = [UInt8](repeating: 7, count: FilePart.mostBytes + 9)
        let receipt = try await server.attach(bytes, to: one, devices)
        try await eventually("it is uploaded") {
            try await one.book().receipt(receipt.id)?.file?.status == .uploaded
        }
        try await eventually("its row arrives") { try await other.book().receipt(receipt.id) != nil }
        let release = server.cloud.withhold("fileBytes")
        let requests = (0..<4).map { _ in
            Task { try await other.fetchFile(of: receipt, limit: 1 << 30) }
        }
        let token = try #require(other.session?.token)
        let hash = ContentHash(of: bytes)
        let key = DownloadQueue.Key(device: other.id, token: token, hash: hash, size: Int64(bytes.count))
        try await eventually("all of them wait") {
            other.services.downloads.requests(for: key) == 4 && server.cloud.isWithholding
        }
        for one in requests[..<2] { one.cancel() }
        release()
        for one in requests[2...] {
            let file = try await one.value
            #expect(file.bytes(at: 0, count: file.size) == bytes)
        }
        #expect(server.cloud.count("fileBytes") == 2, "its two parts, once")
        // A request that looked for the file just before.
        _ = try await other.fetchFile(of: receipt, limit: 1 << 30)
        #expect(server.cloud.count("fileBytes") == 2)
        await devices.close()
    }
}
