// Signing in to an account with data: the guest's book until the first page, a line that ends half-way, a process that dies.
import Book
import Cloud
import CloudProtocol
import DeviceStore
import Entitlements
import Foundation
import Ledger
import Lifecycle
import Storage
import TestKit
import Testing

@testable import Devices

@Suite struct AnAccountThatIsDownloaded {
    private let server = DeviceServer()

    /// A guest with an entry of their own, beside an account whose rows need several pages.
    private func guest(_ devices: DeviceManager) async throws -> (token: DeviceToken, device: Device) {
        let (_, first) = try await server.synced(devices)
        let book = try await first.book()
        let account = try #require(try book.choices().accounts.first).id
        let amount = Money(minor: 100, currency: .eur)
        let rows = (0..<250).map { number in
            Transaction(
                id: devices.dependencies.newID(),
                kind: .expense,
                date: CivilDate(dayNumber: 20_000 + Int32(number)),
                amount: amount,
                account: account,
                accountMinor: 100
            )
        }
        _ = try book.record(all: rows)
        try await eventually("all is in the cloud") { try await first.isInStep() }
        let (token, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        return (token, device)
    }

    private func names(_ device: Device) async throws -> [String] {
        try await device.book().accountBalances().map(\.account.name)
    }

    /// The files of books that are not in use.
    private var nextBooks: [String] {
        let files = FileManager.default.enumerator(atPath: server.folder.path)
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.contains(".next") }
    }

    @Test func theGuestsBookStaysUntilTheFirstPageIsHere() async throws {
        let devices = try server.open()
        let (_, device) = try await guest(devices)
        server.cloud.fail(.unreachable("cut"), ["changes"])
        let asked = server.cloud.count("changes")
        try await server.signIn("anna", on: device)
        try await eventually("the page is asked for again") { server.cloud.count("changes") > asked + 3 }
        #expect(device.state.name == "verifying_account")
        try await device.handle(.verificationCancelled)
        #expect(device.state == .localOnly(nil, isAttached: false))
        #expect(try await names(device).contains("Mine"))
        try await eventually("nothing of the account is left") { nextBooks.isEmpty }
    }

    @Test func rowsThatHaveArrivedAreThereAndTheOthersAreMissing() async throws {
        let devices = try server.open()
        let (token, device) = try await guest(devices)
        let release = server.cloud.withhold("changes")
        try await server.signIn("anna", on: device)
        try await eventually("the first page is on its way") { server.cloud.isWithholding }
        #expect(device.awaitsFirstPage)
        server.cloud.fail(.unreachable("cut"), ["changes"])
        release()
        try await eventually("it is let in") { device.state.name == "synced" }
        try await eventually("the line is gone") { device.syncStatus(in: nil)?.phase == .offline }
        func check(_ device: Device, _ place: String) async throws {
            let book = try await device.book()
            let status = try #require(device.syncStatus(in: book))
            let incomplete = try #require(status.incomplete, "\(place)")
            #expect(incomplete.done == 100 && incomplete.total > 250, "\(place)")
            #expect(status.syncedAt == nil && device.showsDownload(in: book), "\(place)")
            // Its accounts are here, so that entries can be made.
            let counts = try book.counts()
            #expect(counts.accounts > 0 && counts.categories > 0 && counts.transactions > 0, "\(place)")
            #expect(try await !names(device).contains("Mine"), "\(place)")
            // A second account or category of the same name is asked about, although most rows are on their way.
            var account = try #require(try book.choices().accounts.first)
            var category = try #require(try book.choices().categories.first)
            (account.id, category.id) = (devices.dependencies.newID(), devices.dependencies.newID())
            #expect(try book.namesake(of: account) != nil && book.namesake(of: category) != nil, "\(place)")
        }
        try await check(device, "before a restart")
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        try await eventually("it is let in again") { returned.state.name == "synced" }
        try await check(returned, "after a restart")
        try await returned.dismissDownload()
        let isShown = returned.showsDownload(in: try await returned.book())
        #expect(!isShown && returned.state.name == "synced")
        await again.close()
        let third = try server.open()
        let left = try await third.load(token)
        try await eventually("it is let in once more") { left.state.name == "synced" }
        let isShownAgain = left.showsDownload(in: try await left.book())
        #expect(!isShownAgain, "the user has left the page")
        server.cloud.fail(nil)
        left.retrySync()
        try await eventually("all is here") { try await left.isInStep() }
        let book = try await left.book()
        #expect(left.syncStatus(in: book)?.incomplete == nil)
        #expect(try book.counts().transactions == 250)
        #expect(nextBooks.isEmpty)
    }

    /// There is no exchange without a first page, and the page of waiting can say why.
    @Test func anAccountThatIsRefusedLeavesTheGuestsBookAndSaysWhy() async throws {
        let devices = try server.open()
        let (_, device) = try await guest(devices)
        server.cloud.fail(.sync(.tooManyReplicas(max: 1)), ["changes"])
        let asked = server.cloud.count("changes")
        try await server.signIn("anna", on: device)
        try await eventually("it is asked for again") { server.cloud.count("changes") > asked + 2 }
        #expect(device.firstPageTrouble == .tooManyDevices(limit: 1))
        #expect(device.state.name == "verifying_account")
        #expect(try await names(device).contains("Mine"))
        server.cloud.fail(.sync(.upgradeRequired(oldest: 99, newest: 99)), ["changes"])
        try await device.hurryCloudTask()
        try await eventually("the reason is the present one") {
            device.firstPageTrouble == .upgradeRequired
        }
        try await device.handle(.verificationCancelled)
        #expect(device.state == .localOnly(nil, isAttached: false) && device.firstPageTrouble == nil)
        #expect(try await names(device).contains("Mine"))
        try await eventually("nothing of the account is left") { nextBooks.isEmpty }
        server.cloud.fail(nil)
        try await server.signIn("anna", on: device)
        try await eventually("the next attempt is let in") { device.state.name == "synced" }
        try await eventually("all is here") { try await device.isInStep() }
        #expect(device.firstPageTrouble == nil)
        #expect(try await device.book().counts().transactions == 250)
    }

    /// The page of waiting has the reason of the last attempt, and the next one comes when the cloud wants it.
    @Test func theReasonIsThatOfTheLastAttempt() async throws {
        // No other device asks the cloud meanwhile.
        try await server.fill(transactions: 20)
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        server.cloud.fail(.sync(.tooManyReplicas(max: 1)), ["changes"])
        try await server.signIn("anna", on: device)
        try await eventually("it is refused") { device.firstPageTrouble == .tooManyDevices(limit: 1) }
        server.cloud.fail(.unreachable("cut"))
        try await eventually("the cloud is away") { device.firstPageTrouble == .offline }
        server.cloud.fail(.busy(retryAfterSeconds: 47))
        try await eventually("the cloud is busy") { device.firstPageTrouble == .cloudBusy }
        try await eventually("it pauses as asked") { server.pauses.withLock { $0.contains(47_000) } }
        server.cloud.fail(.busy(retryAfterSeconds: 86_000))
        try await eventually("the pause has a bound") { server.pauses.withLock { $0.contains(60_000) } }
        let isAsLongAsAsked = server.pauses.withLock { $0.contains(86_000_000) }
        #expect(!isAsLongAsAsked)
        server.cloud.fail(nil)
        try await eventually("it is let in") { device.state.name == "synced" }
    }

    /// The cloud admits a replica before it sends a page, and the other devices of the user keep their places.
    @Test func attemptsWithoutAnAnswerAreOneReplica() async throws {
        try await server.fill(transactions: 20)
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        server.cloud.loseAnswers(true)
        let asked = server.cloud.count("changes")
        try await server.signIn("anna", on: device)
        try await eventually("answers are lost") { server.cloud.count("changes") > asked + 150 }
        let user = try #require(device.session?.user.id)
        let usage = try SyncService(server.cloud.directory).usage(of: user)
        #expect(usage.replicas == 2, "the device that has filled the account, and this one")
        server.cloud.loseAnswers(false)
        try await eventually("it is let in") { device.state.name == "synced" }
        try await eventually("all is here") { try await device.isInStep() }
        #expect(try SyncService(server.cloud.directory).usage(of: user).replicas == 2)
    }

    @Test func aLineThatBreaksWithinLargePagesGetsASmallerOne() async throws {
        try await server.fill(transactions: 150)
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        server.cloud.breakPages(above: 30)
        let asked = server.cloud.count("changes")
        try await server.signIn("anna", on: device)
        try await eventually("it is let in") { device.state.name == "synced" }
        #expect(server.cloud.count("changes") >= asked + 3, "a hundred rows, fifty, twenty-five")
        try await eventually("all is here") { try await device.isInStep() }
        #expect(try await device.book().counts().transactions == 150)
    }

    @Test func aDiskWithoutRoomForTwoBooksRefusesNoSignIn() async throws {
        try await server.fill(transactions: 150)
        let first = try server.open()
        let (token, _) = try await server.guest(first)
        await first.close()
        let devices = try server.open { $0.space = { _ in DiskSpace(bytes: 65 << 20, size: 100 << 30) } }
        #expect(!devices.room.acceptsSecondBook)
        let device = try await devices.load(token)
        try await server.signIn("anna", on: device)
        try await eventually("the account is let in") { device.state.name == "synced" }
        try await eventually("all is here") { try await device.isInStep() }
        #expect(try await device.book().counts().transactions == 150)
        #expect(nextBooks.isEmpty)
        await devices.close()
    }

    /// From the page of a blocked account, too, the first page that is shown has the account's data.
    @Test func aBlockedAccountIsLoadedBeforeItIsLetIn() async throws {
        try await server.fill(transactions: 150)
        server.cloud.say(nil)
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        try await eventually("it is blocked") { device.state.name == "blocked_no_sync" }
        #expect(!device.awaitsFirstPage && device.tier == .free)
        server.cloud.fail(.unreachable("cut"), ["changes"])
        server.cloud.say(Entitlement(.active))
        await device.verify()
        try await eventually("the line is cut") { device.firstPageTrouble == .offline }
        #expect(device.state.name == "blocked_no_sync" && device.tier == .premium && device.awaitsFirstPage)
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        #expect(
            returned.state.name == "blocked_no_sync" && returned.awaitsFirstPage,
            "after a restart as well"
        )
        let release = server.cloud.withhold("changes")
        server.cloud.fail(nil)
        try await eventually("the first page is on its way") { server.cloud.isWithholding }
        #expect(returned.state.name == "blocked_no_sync" && returned.awaitsFirstPage)
        release()
        try await eventually("it is let in") { returned.state.name == "synced" }
        let book = try await returned.book()
        #expect(try book.preferences().baseCurrency == .usd && book.counts().transactions > 0)
        try await eventually("all is here") { try await returned.isInStep() }
        #expect(try await returned.book().counts().transactions == 150)
        #expect(nextBooks.isEmpty)
    }

    @Test func aBlockedAccountWhosePremiumEndsStaysBlocked() async throws {
        try await server.fill(transactions: 150)
        server.cloud.say(nil)
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        try await eventually("it is blocked") { device.state.name == "blocked_no_sync" }
        server.cloud.fail(.unreachable("cut"), ["changes"])
        server.cloud.say(Entitlement(.active))
        await device.verify()
        try await eventually("the line is cut") { device.firstPageTrouble == .offline }
        server.cloud.say(nil)
        await device.verify()
        #expect(device.state.name == "blocked_no_sync" && !device.awaitsFirstPage)
        server.cloud.fail(nil)
        try await device.hurryCloudTask()
        try await eventually("nothing of the account is here") { nextBooks.isEmpty }
        #expect(device.state.name == "blocked_no_sync")
        try await device.handle(.userSignedOut)
        #expect(device.state == .onboarding(nil) && nextBooks.isEmpty)
    }

    @Test(arguments: [Effect.Kind.begins, .ends])
    fileprivate func aProcessThatDiesAtTheExchangeGoesOnWithTheAccountsBook(_ moment: Effect.Kind)
        async throws
    {
        let first = try server.open()
        let (token, guest) = try await guest(first)
        let guestID = guest.id
        await first.close()
        @Sendable func lives(_ effect: Effect?, _ kind: Effect.Kind) -> Bool {
            if case .attachSync = effect { kind != moment } else { true }
        }
        let devices = try server.open(mayBegin: { lives($0, .begins) }, mayEnd: { lives($0, .ends) })
        let device = try await devices.load(token)
        try? await server.signIn("anna", on: device)
        try await eventually("it dies") { device.machine { $0.isAbandoned } }
        await devices.close()
        let again = try server.open()
        let returned = try await again.load(token)
        try await eventually("all is here") {
            let isInStep = try await returned.isInStep()
            return returned.state.name == "synced" && isInStep
        }
        #expect(returned.id == guestID)
        #expect(try await returned.book().counts().transactions == 250)
        #expect(try await !names(returned).contains("Mine"))
        #expect(nextBooks.isEmpty)
    }
}

extension Effect {
    /// A moment of an effect.
    fileprivate enum Kind: Sendable { case begins, ends }
}
