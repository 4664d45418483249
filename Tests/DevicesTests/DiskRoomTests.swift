// The bytes of guests on the disk: counted after each form, given back by removal and by signing in.
import Foundation
import Storage
import Synchronization
import Testing

@testable import Devices

@Suite struct TheRoomOnTheDisk {
    let server = DeviceServer()

    @Test func aGuestCountsUntilThereIsNone() async throws {
        let devices = try server.open { $0.space = { _ in DiskSpace(bytes: 1 << 40, size: 1 << 40) } }
        let (_, one) = try await server.guest(devices)
        let (_, two) = try await server.guest(devices)
        #expect(devices.room.guestBytes == 0)
        one.noteForm()
        let first = devices.room.guestBytes
        #expect(first > 4_096, "an empty book has its tables")
        one.noteForm()
        #expect(devices.room.guestBytes == first, "the same guest is counted once")
        devices.countGuestBytes()
        #expect(devices.room.guestBytes > first, "every guest of the folder is counted")
        try await server.signIn("anna", on: two)
        two.noteForm()
        #expect(devices.room.guestBytes == first, "a user is no guest")
        server.clock.advance(by: 40 * day)
        await devices.forgetIdleGuests(unfinishedFor: day, emptyFor: 30 * day)
        #expect(devices.room.guestBytes == 0)
        devices.countGuestBytes()
        #expect(devices.room.guestBytes == 0)
    }

    @Test func theBudgetIsATenthOfTheDiskUnlessToldOtherwise() async throws {
        let devices = try server.open { $0.space = { _ in DiskSpace(bytes: 1 << 40, size: 500) } }
        #expect(devices.room.mostGuestBytes == 50)
        await devices.close()
        let other = try server.open { $0.guestBytes = 5 }
        #expect(other.room.mostGuestBytes == 5)
        await other.close()
    }

    @Test(arguments: [
        // A large disk, a small one, and one that cannot be asked.
        (Int64(100 << 30), Int64(1 << 30), Int64(64 << 20)), (2_000_000_000, 200_000_000, 64 << 20),
    ])
    func guestsEndFirstAndFilesAfterThem(size: Int64, users: Int64, entries: Int64) async throws {
        let free = FreeSpace()
        let devices = try server.open {
            $0.space = { _ in DiskSpace(bytes: free.bytes.withLock { $0 }, size: size) }
        }
        func room(_ bytes: Int64) -> [Bool] {
            free.bytes.withLock { $0 = bytes }
            let room = devices.room
            return [
                room.accepts(nil), room.acceptsDownload(in: "/tmp", ofGuest: true), room.acceptsFiles,
                room.acceptsDownload(in: "/tmp", ofGuest: false),
            ]
        }
        #expect(room(users + 1) == [true, true, true, true])
        #expect(room(users) == [false, true, true, true])
        #expect(room(users / 2) == [false, false, true, true])
        #expect(room(entries) == [false, false, false, false])
        #expect(throws: DevicesError.noRoomForGuests) { try devices.arrive() }
        await devices.close()
    }

    @Test func oneGuestUsesASixteenthAndLeavesTheRestToOthers() async throws {
        let devices = try server.open {
            $0.guestBytes = 320 << 20
            $0.space = { _ in DiskSpace(bytes: 1 << 40, size: 1 << 40) }
        }
        let (_, one) = try await server.guest(devices)
        let (_, two) = try await server.guest(devices)
        let folder = one.files.path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(count: 19 << 20).write(to: URL(fileURLWithPath: folder + "/first"))
        one.noteForm()
        #expect(devices.room.accepts(one.id))
        try Data(count: 1 << 20).write(to: URL(fileURLWithPath: folder + "/second"))
        one.noteForm()
        #expect(!devices.room.accepts(one.id))
        #expect(devices.room.accepts(two.id) && devices.room.accepts(nil))
    }

    /// Otherwise many forms at once would each find the room that one of them fills.
    @Test func filesOnTheirWayAndDownloadsCountUntilTheyAreOver() throws {
        let devices = try server.open {
            $0.guestBytes = 2 << 20
            $0.space = { _ in DiskSpace(bytes: 1 << 40, size: 1 << 40) }
        }
        let room = devices.room
        func download() -> Bool { room.acceptsDownload(in: "/tmp", ofGuest: true) }
        do {
            let file = room.passing(isDownload: false)
            file.add(1 << 20)
            #expect(room.accepts(nil))
            file.add(1 << 20)
            #expect(!room.accepts(nil) && download())
        }
        #expect(room.accepts(nil))
        do {
            let copy = room.passing(isDownload: true)
            copy.add(2 << 20)
            #expect(room.accepts(nil) && !download())
            #expect(room.acceptsDownload(in: "/tmp", ofGuest: false))
        }
        #expect(download())
    }

    private final class FreeSpace: Sendable {
        let bytes = Mutex<Int64>(0)
    }
}
