// The operator's commands for devices, also while a server works on the folder: it carries out orders within
// a second, or when it is started.

import DeviceStore
public import Devices
import Foundation
public import Ledger

/// The devices of a data folder, for the operator's commands.
public final class DeviceAdministration: Sendable {
    private let store: DeviceStore
    private let folder: String
    private let dependencies: Dependencies

    /// Opens the device store.
    /// - Throws: `AppError.folder` if there is none.
    public init(_ folder: String, dependencies: Dependencies) throws(AppError) {
        let path = folder + "/sessions.sqlite"
        self.folder = folder
        self.dependencies = dependencies
        store = try openBesideServer(path, in: folder) { () throws(AppError) in
            do throws(DeviceStoreError) {
                return try DeviceStore.needsUpgrade(at: path, now: dependencies.now)
            } catch {
                throw AppError(.store(error), path: folder)
            }
        } open: { () throws(AppError) in
            do throws(DeviceStoreError) { return try DeviceStore.open(at: path) } catch {
                throw AppError(.store(error), path: folder)
            }
        }
    }

    /// Closes the file.
    public func close() { store.close() }

    /// A line for each device with a signed-in user, the most recently used first: its id, its user, and its
    /// state.
    public func list() throws(AppError) -> [String] {
        try wrapping { () throws(DeviceStoreError) in
            var lines: [String] = []
            for id in try store.signedInDevices(seenAfter: .min) {
                guard let device = try store.device(id), let session = try store.session(of: id) else {
                    continue
                }
                let access =
                    session.isLocked
                    ? "locked" : session.isRevoked ? "signed out" : session.isAttached ? "syncs" : "local"
                lines.append("\(id)  \(session.user.shownName)  \(days(of: device))  \(access)")
            }
            return lines
        }
    }

    /// The bank connections of all devices, with their users.
    func bankConnections() throws(AppError) -> [(user: String, device: EntityID, BankConnectionRecord)] {
        try wrapping { () throws(DeviceStoreError) in
            var found: [(String, EntityID, BankConnectionRecord)] = []
            for id in try store.signedInDevices(seenAfter: .min) {
                guard let session = try store.session(of: id) else { continue }
                found += try store.bankConnections(of: id).map { (session.user.shownName, id, $0) }
            }
            return found
        }
    }

    /// A line for each guest, the most recently used first: the id, and whether the guest will be removed.
    public func guests() throws(AppError) -> [String] {
        try wrapping { () throws(DeviceStoreError) in
            try store.guests().map { guest in
                let bytes = size(of: guest.id)
                let content = guest.onboarding == "done" ? "\((bytes + 1_023) / 1_024) KB" : "onboarding"
                return "\(guest.id)  \(days(of: guest))  \(content)"
            }
        }
    }

    /// Orders that a device's book is locked until its user signs in there again.
    /// - Returns: the effect, in a line.
    public func lock(_ device: EntityID) throws(AppError) -> String {
        guard try session(of: device) else {
            throw .refused(
                "nobody is signed in on \(device), so that nobody could open it again: erase it with --erase."
            )
        }
        try add(.lock(device))
        return "\(device) is going to be locked \(when), until its user signs in there again"
    }

    /// Orders that a device's book is erased.
    /// - Returns: the effect, in a line.
    public func erase(_ device: EntityID) throws(AppError) -> String {
        _ = try session(of: device)
        try add(.erase(device))
        return "\(device) is going to be erased \(when)"
    }

    /// Orders the removal of guests without entries.
    /// - Parameter days: the time for which they must not have been seen.
    /// - Returns: the effect, in a line.
    public func prune(idleDays days: Int) throws(AppError) -> String {
        try add(.prune(idleSeconds: Int64(days) * 86_400))
        let span = days == 1 ? "1 day" : "\(days) days"
        return
            "Guests who have entered nothing and were not seen for \(span) are going to be forgotten \(when)"
    }

    /// A server that works on the folder carries the order out at once.
    private var when: String {
        DataFolder.isInUse(folder) ? "within a few seconds" : "as soon as the server is started"
    }

    private func add(_ order: Order) throws(AppError) {
        try wrapping { () throws(DeviceStoreError) in try store.add(order, now: dependencies.now) }
    }

    /// - Returns: whether a user is signed in on the device.
    private func session(of device: EntityID) throws(AppError) -> Bool {
        let (known, session) = try wrapping { () throws(DeviceStoreError) in
            (try store.device(device), try store.session(of: device))
        }
        guard known != nil else {
            throw .refused("there is no device \(device): breadly devices and breadly guests list them.")
        }
        return session != nil
    }

    private func days(of device: DeviceRecord) -> String {
        func day(_ seconds: Int64) -> CivilDate { dependencies.day(of: seconds, in: "UTC") }
        return "since \(day(device.createdAt))  last used \(day(device.seenAt))"
    }

    private func size(of device: EntityID) -> Int {
        let path = "\(folder)/devices/\(device.description.suffix(2))/\(device).sqlite"
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? Int) ?? 0
    }

    private func wrapping<Value>(_ body: () throws(DeviceStoreError) -> Value) throws(AppError) -> Value {
        do { return try body() } catch { throw AppError(.store(error), path: folder) }
    }
}
