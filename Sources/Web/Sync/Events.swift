// Server-sent events: an open page hears how sync goes, and that rows have arrived.

import Devices
import HTTPServer
import Ledger
import Pages

/// `GET /events`: `status` with how sync goes, `rows` where the book has changed.
enum EventsShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let (device, site) = (try context.knownDevice(), context.site)
        let (notifications, subscription) = device.notifications()
        let stream = EventStream { subscription.finish() }
        stream.send(event: "status", data: site.news(of: device))
        // What came in between the page and its stream would be missed.
        if device.hasFreshRows { stream.send(event: "rows", data: "{}") }
        // Ends with the subscription, which ends with the stream.
        Background.run { [weak stream] in
            for await notification in notifications {
                switch notification {
                case .status: stream?.send(event: "status", data: site.news(of: device))
                case .rows: stream?.send(event: "rows", data: "{}")
                case .idle: break
                }
            }
        }
        return .events(stream)
    }
}

extension Site {
    /// How a device stands, as its open pages are told.
    func news(of device: Device) -> String {
        // A book that is closed, or its owner's alone for a moment, is not waited for: the engine's last word counts.
        let lease = device.leaseIfOpen()
        let status = device.syncStatus(in: lease?.book)
        lease?.giveBack()
        let cloud = device.cloudStatus(status, now: devices.dependencies.now)
        return JSON.object([
            ("state", .text(device.state.name)), ("sync", .text(device.syncPhase(status))),
            ("pending", .number(Int64(status?.pending ?? 0))), ("look", .text(cloud.look.rawValue)),
            ("label", .text(cloud.label)), ("text", .text(cloud.text)),
        ]).description
    }
}
