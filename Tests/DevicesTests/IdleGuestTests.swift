// Guests who come and go, users who are never refused, and what the operator orders.
import Book
import DeviceStore
import Foundation
import Ledger
import Lifecycle
import TestKit
import Testing
import Texts

@testable import Devices

@Suite struct IdleGuests {
    let server = DeviceServer()

    private func sweep(_ devices: DeviceManager) async {
        await devices.forgetIdleGuests(
            unfinishedFor: DeviceManager.unfinishedSeconds,
            emptyFor: DeviceManager.emptySeconds
        )
    }

    private func files() -> [String] {
        (FileManager.default.subpaths(atPath: server.folder.path + "/devices") ?? []).filter {
            $0.contains(".sqlite")
        }
    }

    @Test func anUnfinishedOnboardingIsForgottenAfterADay() async throws {
        let devices = try server.open()
        let (token, device) = try devices.arrive()
        try await device.answered(.currency)
        #expect(!files().isEmpty)
        server.clock.advance(by: day)
        await sweep(devices)
        #expect(try devices.find(token)?.device === device, "not for longer than a day")
        server.clock.advance(by: day)
        await sweep(devices)
        #expect(try devices.find(token)?.device === device, "it was used a day ago")
        server.clock.advance(by: day + 1)
        await sweep(devices)
        #expect(try devices.find(token) == nil)
        #expect(try devices.count() == 0 && files().isEmpty)
    }

    @Test func whoWasToldSomethingIsRemembered() async throws {
        let devices = try server.open()
        let (token, device) = try devices.arrive()
        try await device.answered(.currency)
        let notice = Notice(key: "account-gone", at: noon, text: .verbatim("gone"))
        try devices.services.store.post(notice, to: device.id)
        server.clock.advance(by: 20 * day)
        await sweep(devices)
        #expect(try devices.find(token) != nil)
        server.clock.advance(by: 31 * day)
        await sweep(devices)
        #expect(try devices.find(token) == nil)
    }

    @Test func anEmptyGuestIsForgottenAfterAMonthAndOneWithEntriesNever() async throws {
        let devices = try server.open()
        let (empty, _) = try await server.guest(devices)
        let (full, one) = try await server.guest(devices)
        try await server.write(into: one, devices)
        let (sorry, two) = try await server.guest(devices)
        let account = try #require(try await two.book().choices().accounts.first)
        let id = devices.dependencies.newID()
        try await two.book().record(
            Transaction(
                id: id,
                kind: .expense,
                date: CivilDate(dayNumber: 20_000),
                amount: Money(minor: 100, currency: .eur),
                account: account.id,
                accountMinor: 100
            )
        )
        try await two.book().deleteTransaction(id)
        server.clock.advance(by: 30 * day)
        await sweep(devices)
        #expect(try devices.count() == 3)
        server.clock.advance(by: 1)
        await sweep(devices)
        #expect(try devices.find(empty) == nil)
        #expect(try devices.find(full)?.device === one)
        #expect(try devices.find(sorry)?.device === two, "it was deleted, and can be brought back")
        let idle = try devices.services.store.idleGuests(seenBefore: .max, isUnfinished: false)
        #expect(idle.count == 2, "they have been seen since")
        server.clock.advance(by: 31 * day)
        await sweep(devices)
        let again = try devices.services.store.idleGuests(seenBefore: .max, isUnfinished: false)
        #expect(again.isEmpty, "books with entries are not opened again and again")
        #expect(try await one.book().choices().accounts.count == 4)
    }

    @Test func aTabThatIsOpenCountsAsUse() async throws {
        let devices = try server.open()
        let (token, device) = try devices.arrive()
        try await device.answered(.currency)
        let (stream, subscription) = device.notifications()
        server.clock.advance(by: 3 * day)
        await sweep(devices)
        #expect(try devices.services.store.device(device.id) != nil)
        subscription.finish()
        withExtendedLifetime(stream) {}
        try await eventually("the tab is closed") { !device.isWatched }
        await sweep(devices)
        #expect(try devices.find(token) == nil)
    }

    @Test func usersAreNoGuestsAndNeverRefused() async throws {
        let devices = try server.open { $0.guests = 2 }
        let (_, first) = try devices.arrive()
        _ = try devices.arrive()
        #expect(throws: DevicesError.tooManyGuests) { try devices.arrive() }
        let sending = DeviceManager.FormSubmission(
            devices.newToken().hash,
            form: devices.dependencies.newID()
        )
        let anna = try devices.welcome(sending, from: "a", locale: "", user: server.user("anna")).device
        try await server.signIn("anna", on: anna)
        #expect(anna.session != nil)
        #expect(throws: DevicesError.tooManyGuests) { try devices.arrive() }
        try await server.signIn("ben", on: first)
        #expect(first.session != nil)
        _ = try devices.arrive()
    }

    @Test func theOperatorLocksADeviceAndErasesOne() async throws {
        let devices = try server.open()
        let (_, anna) = try await server.guest(devices)
        try await server.signIn("anna", on: anna)
        try await server.write(into: anna, devices)
        let store = devices.services.store
        try store.add(.lock(anna.id), now: noon)
        await devices.carryOutOrders()
        #expect(anna.session?.isLocked == true)
        #expect(try store.orders().isEmpty)
        let token = try #require(anna.session?.token)
        try await eventually("the cloud knows") {
            do { _ = try await server.cloud.account(token) } catch { return true }
            return false
        }
        try await server.signIn("anna", on: anna)
        #expect(anna.session?.isLocked == false)
        #expect(try await anna.book().choices().accounts.contains { $0.name == "Mine" })
        try store.add(.erase(anna.id), now: noon)
        await devices.carryOutOrders()
        try await anna.waitUntilIdle(withinMilliseconds: .max)
        #expect(anna.session == nil && anna.onboarding == .welcome)
        #expect(anna.notices.map(\.key) == ["account-gone"])
        #expect(try store.orders().isEmpty)
    }

    @Test func aDeviceWithAnOrderIsShutBeforeItIsCarriedOut() async throws {
        let token: DeviceToken
        do {
            let devices = try server.open()
            let (cookie, device) = try await server.guest(devices)
            try await server.signIn("anna", on: device)
            token = cookie
            try devices.services.store.add(.lock(device.id), now: noon)
            await devices.close()
        }
        do {
            let devices = try server.open()
            #expect(try devices.find(token)?.device.session?.isLocked == true)
            await devices.carryOutOrders()
            #expect(try devices.services.store.orders().isEmpty)
            await devices.close()
        }
        let devices = try server.open()
        #expect(try devices.find(token)?.device.session?.isLocked == true, "also after another start")
    }

    @Test func aGuestWhoseBookIsMissingIsNotForgotten() async throws {
        let devices = try server.open()
        let (token, device) = try await server.guest(devices)
        try await server.write(into: device, devices)
        await devices.close()
        let path = devices.services.folder.bookPath(of: device.id)
        for suffix in ["-wal", "-shm", ""] { try? FileManager.default.removeItem(atPath: path + suffix) }
        let again = try server.open()
        server.clock.advance(by: 31 * day)
        await sweep(again)
        #expect(try again.find(token) != nil, "its disk may be away")
    }

    @Test func whoSignedOutIsRememberedForTheNextSignIn() async throws {
        let devices = try server.open()
        let (_, device) = try await server.guest(devices)
        try await server.signIn("anna", on: device)
        try await device.handle(.userSignedOut)
        try await eventually("a fresh guest") { device.session == nil && device.onboarding == .welcome }
        server.clock.advance(by: 3 * day)
        await sweep(devices)
        #expect(try devices.count() == 1)
        #expect(device.formerTokens().count == 1)
    }

    @Test func theOperatorErasesAGuestAndPrunes() async throws {
        let devices = try server.open()
        let (erased, one) = try await server.guest(devices)
        let (empty, _) = try await server.guest(devices)
        let (full, two) = try await server.guest(devices)
        for device in [one, two] { try await server.write(into: device, devices) }
        let store = devices.services.store
        try store.add(.erase(one.id), now: noon)
        await devices.carryOutOrders()
        #expect(try devices.find(erased) == nil)
        server.clock.advance(by: 2 * 3_600 + 1)
        try store.add(.prune(idleSeconds: 0), now: noon)
        await devices.carryOutOrders()
        try await eventually("it is forgotten") { try devices.count() == 1 }
        #expect(try devices.find(empty) == nil)
        #expect(try devices.find(full)?.device === two)
        #expect(try store.orders().isEmpty && devices.count() == 1)
        #expect(throws: DeviceStoreError.unknownDevice(one.id)) { try store.add(.lock(one.id), now: noon) }
    }
}
