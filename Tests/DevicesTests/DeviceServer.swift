// A server's devices in a folder of its own, with a real directory of accounts behind a line that can be cut.
import BankFeeds
import Book
import Cloud
import CloudProtocol
import DeviceStore
import FileStore
import Foundation
import Ledger
import Lifecycle
import SyncCore
import Synchronization
import TestKit
import Testing

@testable import Devices

let noon: Int64 = 1_795_262_400
let day: Int64 = 86_400

/// A data folder that goes away with the test.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The accounts of a test: who signs in as `NAME` is NAME, and the line to them can be cut.
final class TestCloud: RelayingCloud {
    let directory: Directory
    private let inner: EmbeddedCloud
    /// The folder with the files of each account.
    private let filesPath: String
    private let fault = Mutex<(error: CloudError, questions: Set<String>?)?>(nil)
    private let said: Said
    private let asked = Mutex<[String: Int]>([:])
    /// Every request with all its values, as text.
    let requests = Mutex<[String]>([])
    private let withheld = Mutex<(question: String, release: AsyncStream<Never>)?>(nil)
    private let cut = Mutex<Cut?>(nil)
    /// The most rows of a page after the first one; nil for as many as are asked for.
    private let mostRows = Mutex<Int?>(nil)
    /// The most rows of a page that comes through; nil for any number.
    private let widestPage = Mutex<Int?>(nil)
    private let losesAnswers = Mutex<String?>(nil)

    /// A line that breaks at a request for rows. From then on nothing comes through.
    private struct Cut {
        /// The requests for rows that are answered before.
        var left: Int
        /// Whether the request comes through, and only its answer is lost.
        let losesAnswer: Bool
        var isOver = false
    }

    /// The end of a request over a line that breaks.
    private enum Fate {
        case answered, answerLost, lost
    }

    init(in folder: String, _ clock: FixedClock) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let random = Randomness()
        filesPath = folder + "/cloud.files"
        directory = try Directory(
            at: folder + "/cloud.sqlite",
            acceptsNewAccounts: true,
            dependencies: Directory.Dependencies(
                now: { clock.now },
                newID: {
                    var system = SystemRandomNumberGenerator()
                    return EntityID(milliseconds: UInt64(clock.now) * 1_000, using: &system)
                },
                newToken: { random.sessionToken() }
            )
        )
        said = Said(directory)
        inner = EmbeddedCloud(directory, authenticator: Trusting(), entitlements: said)
    }

    /// A test's entitlement for all users, or else the grants.
    private final class Said: EntitlementSource {
        let status = Mutex<Entitlement?>(nil)
        private let grants: Directory

        init(_ grants: Directory) { self.grants = grants }

        func entitlement(of user: UserAccount) async throws(CloudError) -> Entitlement {
            if let status = status.withLock({ $0 }) { return status }
            return try await grants.entitlement(of: user)
        }
    }

    deinit { directory.close() }

    private struct Trusting: Authenticator {
        func verify(_ credentials: Credentials, from address: String, known: Set<String>)
            async throws(CloudError) -> Identity
        {
            guard case .password(let name, _) = credentials else { throw .signIn(.wrongCredentials) }
            return Identity(issuer: "test", subject: name, email: "\(name)@x.test")
        }

        func change(_ update: PasswordUpdate, of email: String, from address: String) async throws(CloudError)
        {
            throw .signIn(.wrongCredentials)
        }
    }

    /// From now on nothing but this comes back, to some questions or to all; nil for answers.
    func fail(_ error: CloudError?, _ questions: Set<String>? = nil) {
        fault.withLock { $0 = error.map { ($0, questions) } }
    }

    /// The entitlement that the service reports for all users from now on; nil for the grants.
    func say(_ entitlement: Entitlement?) { said.status.withLock { $0 = entitlement } }

    /// The disk of the cloud loses the bytes of all files; their names stay.
    func loseFiles() {
        for folder in FileFolder.names(in: filesPath).map({ FileFolder("\(filesPath)/\($0)") }) {
            for hash in folder.contents() { folder.remove(hash) }
        }
    }

    /// Whether the cloud has a file of this content, in any account.
    func hasFile(_ content: [UInt8]) -> Bool {
        FileFolder.names(in: filesPath).contains { folder in
            FileFolder("\(filesPath)/\(folder)").size(of: ContentHash(of: content)) == content.count
        }
    }

    /// The disk of the cloud changes a byte of a file.
    func damageFile(_ content: [UInt8]) throws { try damage(try #require(path(of: content))) }

    /// Whether the cloud has a file of this content, whose bytes are these.
    func isSound(_ content: [UInt8]) -> Bool {
        path(of: content).flatMap { FileManager.default.contents(atPath: $0) }.map(Array.init) == content
    }

    private func path(of content: [UInt8]) -> String? {
        FileFolder.names(in: filesPath).map {
            FileFolder("\(filesPath)/\($0)").path(of: ContentHash(of: content))
        }
        .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// The next answer to a question is made at once, and comes back once the returned closure was called.
    func withhold(_ question: String) -> @Sendable () -> Void {
        let (release, end) = AsyncStream.makeStream(of: Never.self)
        withheld.withLock { $0 = (question, release) }
        return { end.finish() }
    }

    /// Whether the answer to be withheld has been made.
    var isWithholding: Bool { withheld.withLock { $0 == nil } }

    /// Breaks the line after some requests for rows.
    /// - Parameter losesAnswer: whether the next one comes through, and its answer is cut off.
    func cutLine(after requests: Int, losesAnswer: Bool) {
        cut.withLock { $0 = Cut(left: requests, losesAnswer: losesAnswer) }
    }

    var isLineCut: Bool { cut.withLock { $0?.isOver == true } }

    func repairLine() { cut.withLock { $0 = nil } }

    /// From now on a page has no more rows than this, except for the first one of an account.
    func limitPages(to rows: Int) { mostRows.withLock { $0 = rows } }

    /// From now on the line breaks within each page that may have more rows than this.
    func breakPages(above rows: Int) { widestPage.withLock { $0 = rows } }

    /// Whether all answers to a question, with rows unless it is named, are lost from now on, although the requests come
    /// through.
    func loseAnswers(_ loses: Bool, to question: String = "changes") {
        losesAnswers.withLock { $0 = loses ? question : nil }
    }

    private func fate(of question: String) -> Fate {
        cut.withLock { cut in
            guard var line = cut else { return .answered }
            guard !line.isOver else { return .lost }
            guard question == "changes" else { return .answered }
            if line.left > 0 {
                line.left -= 1
                cut = line
                return .answered
            }
            line.isOver = true
            cut = line
            return line.losesAnswer ? .answerLost : .lost
        }
    }

    /// How often something was asked.
    func count(_ question: String) -> Int { asked.withLock { $0[question] ?? 0 } }

    func send<Request, Response>(
        _ endpoint: Endpoint<Request, Response>,
        _ request: Request,
        _ caller: Caller
    ) async throws(CloudError) -> Response {
        asked.withLock { $0[endpoint.name, default: 0] += 1 }
        requests.withLock { $0.append("\(endpoint.name) \(String(reflecting: request))") }
        if let (error, questions) = fault.withLock({ $0 }), questions?.contains(endpoint.name) ?? true {
            throw error
        }
        let fate = fate(of: endpoint.name)
        if case .lost = fate { throw .unreachable("cut") }
        var request = request
        if let most = mostRows.withLock({ $0 }), var query = request as? ChangesQuery,
            query.limit > Device.firstRows
        {
            query.limit = min(query.limit, most)
            if let limited = query as? Request { request = limited }
        }
        let answer = try await endpoint.call(inner, request, caller)
        if case .answerLost = fate { throw .cutOff("cut") }
        if let query = request as? ChangesQuery {
            let isTooWide = widestPage.withLock { $0.map { query.limit > $0 } ?? false }
            if isTooWide { throw .cutOff("slow") }
        }
        if losesAnswers.withLock({ $0 == endpoint.name }) { throw .cutOff("lost") }
        let release = withheld.withLock { withheld -> AsyncStream<Never>? in
            guard let held = withheld, held.question == endpoint.name else { return nil }
            withheld = nil
            return held.release
        }
        if let release { for await _ in release {} }
        return answer
    }
}

/// The dependencies of a device manager, kept while it is opened several times.
final class DeviceServer: Sendable {
    let folder = Folder()
    let clock = FixedClock(at: noon)
    let cloud: TestCloud
    let lines = Mutex<[String]>([])
    /// The lengths of all pauses, in milliseconds, as they were asked for.
    let pauses = Mutex<Set<Int64>>([])

    init() {
        do { cloud = try TestCloud(in: folder.path + "-cloud", clock) } catch {
            preconditionFailure("the test's cloud cannot be opened: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.path + "-cloud") }

    func open(
        _ change: (inout DeviceManager.Limits) -> Void = { _ in },
        banks: [any BankFeed] = [],
        mayBegin: @escaping @Sendable (Effect?) -> Bool = { _ in true },
        mayEnd: @escaping @Sendable (Effect?) -> Bool = { _ in true }
    ) throws -> DeviceManager {
        var limits = DeviceManager.Limits()
        // Pauses are short here, and an answer of the cloud takes the time that it takes.
        limits.receipts.downloads.patienceMilliseconds = .max
        limits.receipts.leavingCheckMilliseconds = .max
        change(&limits)
        let locales = try LocaleTable(
            tsv: "de-AT\tAT\tEUR\tmonday\t,\t\u{a0}\t3\t\tbefore-space\tGerman (Austria)\n"
        )
        let clock = clock
        return try DeviceManager(
            folder: try DataFolder.lock(folder.path),
            locales: locales,
            limits: limits,
            dependencies: Dependencies(
                milliseconds: { clock.now * 1_000 },
                random: Randomness(),
                log: Log { [weak self] _, line in self?.lines.withLock { $0.append(line) } },
                zoneOffset: { zone, _ in zone == "East" ? 7_200 : nil },
                // Pauses are short here: what is waited for is a condition, never a time. One without an end has none.
                pause: { [weak self] milliseconds in
                    self?.pauses.withLock { _ = $0.insert(milliseconds) }
                    let short = Duration.milliseconds(max(1, min(milliseconds, 3_600_000) / 500))
                    try? await Task.sleep(for: milliseconds == .max ? .seconds(86_400) : short)
                }
            ),
            cloud: cloud,
            banks: banks,
            mortal: MortalExecutor(mayBegin: mayBegin, mayEnd: mayEnd)
        )
    }

    /// A device that has answered the onboarding.
    func guest(_ devices: DeviceManager) async throws -> (token: DeviceToken, device: Device) {
        let (token, device) = try devices.arrive(locale: "de-AT")
        for step in [OnboardingStep.currency, .secondary, .calendar] { try await device.answered(step) }
        return (token, device)
    }

    /// Signs a device in.
    func signIn(_ name: String, on device: Device) async throws {
        let answer = try await cloud.signIn(
            .password(email: name, password: ""),
            device: NewDevice(name: "Test", guest: device.guest),
            from: "a"
        )
        try await device.enter(answer)
    }

    /// A device's session ends without a lock.
    func expire(_ device: Device) async throws {
        try cloud.directory.signOut(try #require(device.session?.token))
    }

    /// An account that was made on another device, with so many transactions on the cloud.
    func account(_ name: String, transactions: Int = 0) async throws -> UserAccount {
        var random = SystemRandomNumberGenerator()
        let guest = EntityID(milliseconds: 1, using: &random)
        let user = try await cloud.signIn(
            .password(email: name, password: ""),
            device: NewDevice(name: "Elsewhere", guest: guest),
            from: "b"
        ).user
        if transactions > 0 {
            let held = Holdings(accounts: 1, transactions: transactions, categories: 1, changedAt: clock.now)
            try cloud.directory.note(held, of: user.id)
        }
        return user
    }

    /// Puts something of one's own into a book.
    func write(into device: Device, _ devices: DeviceManager, _ name: String = "Mine") async throws {
        try await device.book().add(
            Account(
                id: devices.dependencies.newID(),
                name: name,
                type: .cash,
                currency: .eur,
                openingMinor: 0
            )
        )
    }
}

extension DeviceManager {
    /// A visitor becomes a guest's device, with a form of its own.
    func arrive(from address: String = "a", locale: String = "") throws -> (
        token: DeviceToken, device: Device
    ) {
        let submission = FormSubmission(newToken().hash, form: dependencies.newID())
        let found = try welcome(submission, from: address, locale: locale)
        return (try #require(found.newCookie), found.device)
    }

    /// The device of a cookie, once its lifecycle has gone on.
    func load(_ token: DeviceToken, at place: SourceLocation = #_sourceLocation) async throws -> Device {
        let device = try #require(try find(token), sourceLocation: place).device
        try await device.waitUntilIdle(withinMilliseconds: 120_000)
        return device
    }
}

extension Device {
    /// Verifies the subscription, and waits for as long as it takes. A verification that was under way may have been
    /// answered before what the test has just changed.
    func verify() async {
        await wait(withinMilliseconds: .max) { !$0.machine { $0.plan.isAsking } }
        _ = await verify(withinMilliseconds: .max)
    }

    /// The open book. The test is the only one to clear it.
    func book() async throws -> Book { try await lease().book }

    /// How many changes wait for the cloud.
    func pendingChanges() async throws -> Int {
        session?.isAttached == true ? try await book().replicaState().pending : 0
    }

    /// Whether nothing waits for the cloud, and nothing is wrong with sync.
    func isInStep() async throws -> Bool {
        guard session?.isAttached == true else { return true }
        let status = syncStatus(in: try await book())
        return status?.phase == .idle && status?.pending == 0
    }
}

/// Waits for something that happens in the background. What was true once has happened, and may be over.
func eventually(
    _ what: String = "",
    _ condition: () async throws -> Bool,
    at place: SourceLocation = #_sourceLocation
) async throws {
    guard try await !eventuallyBecomesTrue(condition) else { return }
    Issue.record("this did not happen: \(what)", sourceLocation: place)
}
