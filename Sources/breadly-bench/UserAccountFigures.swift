// The cost of user accounts: signing up, moving a guest's book, and deciding the state when a device is
// opened.

import Book
import CloudClient
import DeviceStore
import Devices
import Foundation
import Identity
import Ledger
import Outbound

/// Figures in microseconds.
struct UserAccountFigures {
    /// Hashing one password.
    let scrypt: Double
    /// Signing up over loopback, from the form to its answer, with an empty book.
    let signUp: Double
    /// Signing up with a full book.
    let fullSignUp: Double
    /// Making all rows of the full book a user's.
    let move: Double
    /// From a cookie to a device that has decided whether it syncs, with a cloud that does not answer.
    let bootstrap: Double

    /// - Parameter served: a server with a full book. It is stopped.
    init(_ served: Served, data: String) async throws {
        let salt = [UInt8](repeating: 7, count: 16)
        scrypt = median(of: 5) { _ = PasswordHash(of: "correct-horse-battery", salt: salt, cost: .usual) }
        var times: [Double] = []
        for number in 0..<7 {
            let visitor = try Client(port: Int(served.app.port))
            try visitor.onboard()
            times.append(try visitor.signUp("guest-\(number)%40x.test"))
        }
        signUp = times.sorted()[times.count / 2]
        // The earlier connection has been idle for too long.
        let owner = try Client(port: Int(served.app.port))
        owner.cookie = served.client.cookie
        fullSignUp = try owner.signUp("anna%40x.test")
        let cookie = owner.cookie.split(separator: "=").last.map(String.init) ?? ""
        served.app.stop()

        let book = try Book.open(at: served.book) { 0 }
        let owners = (0..<2).map { EntityID(high: 9, low: UInt64($0)) }
        var turn = 0
        move = try median(of: 50) {
            turn += 1
            try book.move(to: owners[turn % 2])
        }
        book.close()

        guard let token = DeviceToken(cookie) else { throw BenchError("there is no cookie") }
        var openings: [Double] = []
        for _ in 0..<7 {
            let devices = try DeviceManager(
                folder: try DataFolder.lock(data),
                locales: try LocaleTable(tsv: ""),
                limits: DeviceManager.Limits(),
                dependencies: .forFigures,
                cloud: RemoteCloud(at: "http://127.0.0.1:1", client: HTTPClient(stallSeconds: 1))
            )
            let clock = ContinuousClock()
            let begun = clock.now
            let device = try devices.find(token)?.device
            try await device?.waitUntilIdle(withinMilliseconds: 10_000)
            guard device?.state.user != nil else { throw BenchError("nobody is signed in") }
            openings.append(microseconds(clock.now - begun))
            await devices.close()
        }
        bootstrap = openings.sorted()[openings.count / 2]
    }
}

extension Dependencies {
    static let forFigures = Dependencies(
        milliseconds: { Int64(Date().timeIntervalSince1970 * 1_000) },
        random: Randomness(),
        log: .off,
        zoneOffset: { _, _ in 0 }
    )
}

extension Bench {
    static func show(_ accounts: UserAccountFigures) {
        add(
            "a book of 100,000 becomes a user's, in one transaction",
            micro(accounts.move),
            "< 1,000,000 µs",
            accounts.move < 1_000_000
        )
        add(
            "making an account over loopback, with an empty book and with 100,000",
            "\(micro(accounts.signUp)), \(micro(accounts.fullSignUp)): "
                + "\(times(accounts.signUp / accounts.scrypt)) one hashing of a password",
            "",
            nil
        )
        add(
            "opening a signed-in device while the cloud is silent",
            micro(accounts.bootstrap),
            "< 5,000 µs",
            accounts.bootstrap < 5_000
        )
    }
}
