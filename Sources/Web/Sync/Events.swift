// Server-sent events: an open page hears how sync goes, and that rows have arrived.

import Devices
import HTTPServer
import Ledger
import Pages
import Synchronization

/// `GET /events`: `status` with how sync goes, `rows` where the book has changed.
enum EventsShow {
    static func answer(_ visit: Visit) throws -> Response {
        let device = try visit.knownDevice()
        let stream = EventStream()
        visit.site.listeners.add(stream, of: device)
        stream.send(event: "status", data: visit.site.news(of: device))
        // What came in between the page and its stream would be missed.
        if device.hasFreshRows { stream.send(event: "rows", data: "{}") }
        return .events(stream)
    }
}

/// Open streams, by device.
final class Listeners: Sendable {
    private struct Entry {
        let device: Device
        var streams: [EventStream]
    }

    private let open = Mutex<[EntityID: Entry]>([:])

    func add(_ stream: EventStream, of device: Device) {
        open.withLock { open in
            var entry = open[device.id] ?? Entry(device: device, streams: [])
            entry.streams.removeAll { $0.isClosed }
            entry.streams.append(stream)
            open[device.id] = entry
        }
    }

    /// Sends an event to each page of a device.
    func send(_ event: String, to device: EntityID, _ data: (Device) -> String) {
        let entry = open.withLock { open -> Entry? in
            open[device]?.streams.removeAll { $0.isClosed }
            if open[device]?.streams.isEmpty == true { open[device] = nil }
            return open[device]
        }
        guard let entry else { return }
        let text = data(entry.device)
        for stream in entry.streams { stream.send(event: event, data: text) }
    }
}

extension Site {
    /// How a device stands, as its open pages are told.
    func news(of device: Device) -> String {
        let status = device.syncStatus
        let cloud = device.cloudStatus(status, now: household.surroundings.now)
        return JSON.object([
            ("state", .text(device.state.name)), ("sync", .text(device.syncPhase(status))),
            ("pending", .number(Int64(status?.pending ?? 0))), ("look", .text(cloud.look.rawValue)),
            ("label", .text(cloud.label)), ("text", .text(cloud.text)),
        ]).description
    }

    /// Begins to tell open pages what happens.
    func listen() {
        household.watch { [weak self] device, news in
            guard let self else { return }
            switch news {
            case .status: listeners.send("status", to: device) { self.news(of: $0) }
            case .rows: listeners.send("rows", to: device) { _ in "{}" }
            }
        }
    }
}
