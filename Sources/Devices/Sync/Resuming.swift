// Resumption of the sync of all devices when the server starts.

import Book
import DeviceStore
import Ledger
import SyncEngine

extension DeviceManager {
    /// The number of devices that are resumed concurrently. Each opens its book and sends one or two
    /// requests.
    static let resumedAtOnce = 8
    /// The time after which the next device is resumed although this one is not in sync, in milliseconds: a
    /// damaged book, a long download or a slow cloud delays no other device.
    static let resumePatience: Int64 = 2_000

    /// Resumes the sync of every attached device without a request of its browser: the most recently used
    /// first, several concurrently, the next one when one of them is in sync or `resumePatience` has passed.
    /// A request of the browser resumes its device at once.
    public func resumeSync() {
        services.tasks.run { [weak self] in
            guard let devices = try? self?.attachedDevices() else { return }
            await withDiscardingTaskGroup { group in
                let queue = ResumeQueue(devices)
                for _ in 0..<Self.resumedAtOnce {
                    group.addTask { [weak self] in
                        while !Task.isCancelled, let id = await queue.next() { await self?.resume(id) }
                    }
                }
            }
        }
    }

    /// The devices with attached books, the most recently used first.
    func attachedDevices() throws(DeviceStoreError) -> [EntityID] {
        try services.store.signedInDevices(isAttached: true, seenAfter: deadline)
    }

    private func resume(_ id: EntityID) async {
        guard let record = try? services.store.device(id) else { return }
        do {
            let device = try device(record)
            try await device.waitUntilIdle(withinMilliseconds: Self.resumePatience)
            await device.wait(withinMilliseconds: Self.resumePatience) { $0.hasStartedSync }
        } catch {
            // A server that stops right after its start resumes no device; the next one does.
            guard !error.isClosed else { return }
            dependencies.log.error("sync cannot be resumed: \(error) (device \(id))")
        }
    }
}

/// The devices that are not resumed yet.
private actor ResumeQueue {
    private var devices: ArraySlice<EntityID>

    init(_ devices: [EntityID]) { self.devices = devices[...] }

    func next() -> EntityID? { devices.popFirst() }
}

extension Device {
    /// Whether sync has caught up or cannot continue at present.
    fileprivate var hasStartedSync: Bool {
        let hasRunner = runner != nil
        return machine { machine in
            guard !machine.isAbandoned, machine.session?.isAttached == true else { return true }
            switch machine.syncStatus?.phase {
            case nil: return machine.isCloudIdle && !hasRunner
            case .connecting, .downloading, .uploading: return false
            case .idle, .offline, .failed: return true
            }
        }
    }
}
