// The reviewers' lab: the time to a fresh world, and the memory of fifty reviewers at once.

import Foundation

/// Figures of `breadly demo`.
struct LabFigures {
    /// The median time from the choice of a world to the first page of its first device, in milliseconds.
    private(set) var fresh = 0.0
    /// The same for an empty world, whose cookie is new as well.
    private(set) var empty = 0.0
    /// Resident memory with fifty reviewers who have opened two devices each, in megabytes.
    private(set) var megabytes = 0.0

    /// - Parameter program: the installed `breadly`.
    init(_ program: String) throws {
        let started = try Started(program, ["demo", "--port", "0", "--trusted-proxy", "127.0.0.1/32"])
        let reviewers = try (1...50).map { number in
            let reviewer = try Client(port: started.port)
            // One network cannot have the worlds of all.
            reviewer.forwardedFor = "192.0.2.\(number)"
            return reviewer
        }
        let look = Self.milliseconds { _ = try $0.begin("empty") }
        empty = try reviewers[..<25].map(look).sorted()[12]
        // The first reviewer of a world waits for its preparation.
        try reviewers[0].beginPremium()
        let begin = Self.milliseconds { try $0.beginPremium() }
        fresh = try reviewers[1..<26].map(begin).sorted()[12]
        for reviewer in reviewers[26...] { try reviewer.beginPremium() }
        for reviewer in reviewers { _ = try reviewer.open("/lab/d/2/") }
        megabytes = started.megabytes
    }

    private static func milliseconds(_ work: @escaping (Client) throws -> Void) -> (Client) throws -> Double {
        { client in
            let begun = ContinuousClock.now
            try work(client)
            return taken(since: begun) / 1e3
        }
    }
}

extension Client {
    /// Begins a world with two devices in step, and opens the first page of the first one.
    fileprivate func beginPremium() throws {
        let first = try begin("premium")
        guard first.contains("data-state=\"synced\"") else { throw BenchError("the device is not synced") }
    }

    /// Begins a world.
    /// - Returns: the first page of its first device.
    fileprivate func begin(_ world: String) throws -> String {
        let page = try open("/lab")
        guard let start = page.range(of: "name=\"csrf\" value=\"")?.upperBound,
            let end = page[start...].firstIndex(of: "\"")
        else { throw BenchError("the lab has no form") }
        _ = try ask(request("POST", "/lab/worlds", body: "csrf=\(page[start..<end])&world=\(world)"))
        return try open("/lab/d/1/")
    }

    /// Requests a page, keeps all cookies, and follows redirects.
    @discardableResult
    fileprivate func open(_ path: String) throws -> String {
        var path = path
        while true {
            let (head, body) = try ask(request("GET", path))
            var cookies = Dictionary(
                uniqueKeysWithValues: cookie.split(separator: "; ").map { pair in
                    let parts = pair.split(separator: "=", maxSplits: 1)
                    return (String(parts[0]), String(parts.last ?? ""))
                }
            )
            var next: String?
            for line in head.split(whereSeparator: \.isNewline) {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2 else { continue }
                let value = parts[1].trimmingCharacters(in: .whitespaces)
                switch parts[0].lowercased() {
                case "location": next = value
                case "set-cookie":
                    let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                    if pair.count == 2 { cookies[String(pair[0])] = String(pair[1]) }
                default: break
                }
            }
            cookie = cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")
            guard let next else { return String(decoding: body, as: UTF8.self) }
            path = next
        }
    }
}

extension Bench {
    static func showLab(beside executable: String) throws {
        guard let program = program(beside: executable) else { return }
        let lab = try LabFigures(program)
        add("lab: an empty world, to its first page", "\(Int(lab.empty)) ms", "< 150 ms", lab.empty < 150)
        add("lab: a world with a year on two devices", "\(Int(lab.fresh)) ms", "< 150 ms", lab.fresh < 150)
        add("lab: memory of 50 reviewers", "\(Int(lab.megabytes)) MB", "< 300 MB", lab.megabytes < 300)
    }
}
