// Code under a lock only decides. A call from there could come back for the same lock, and a call that waits
// for a disk or a network would block every other user of the lock.

import Foundation

enum Locks {
    /// A place where something is done under a lock.
    struct Place: Hashable {
        var path: String
        var line: Int
        /// The code that the lock guards.
        var body: String
    }

    /// Patterns that are refused under a lock, with the reason.
    static var rules: [(pattern: Regex<Substring>, reason: String)] {
        [
            (/\bawait\b/, "waits for a task"),
            (/\btry\b/, "may fail, as files do"),
            (/\b(?:DatabaseFile|FileManager|Glibc|DataFolder|(?:Book|DatabaseQueue)[.(])/, "touches a file"),
            (
                /\b(?:reading|changing|changeAsUser|applyRemoteRows|updateSyncState|inDatabase|persist|unlink|fsync|usleep)\b/,
                "touches a file"
            ),
            (/\bcloud\.|\bnetwork\.|\bURLSession\b/, "asks a network"),
            (/\.(?:resume|yield|signal)\(/, "wakes somebody"),
            (/\.cancel\(/, "runs the handlers of a cancellation"),
            (/\bTask(?:\s*\{|\()|\bBackground\.run\b|\.async\b/, "begins a task"),
            (/\b(?:when|on)[A-Z]\w*\??\(/, "calls back"),
            (
                /\b(?:body|work|action|making|handler|changed|callback|opening|read|condition)\(/,
                "calls a closure"
            ),
            (/\blog(?:\.(?:error|warning|debug|write))?\(|\bprint\(/, "writes a line"),
            (/\bshutdown\(|\bSuspendedConnection\(|\busing: &/, "calls what is not ours"),
            (/\.withLock\b/, "takes another lock"),
        ]
    }

    /// Places with such a pattern that are allowed.
    static let exceptions: [(path: String, pattern: String, reason: String)] = [
        (
            "Sources/Devices/Device.swift", "body(&$0.machine)",
            "the closures given to `machine` are looked at like any other"
        ),
        (
            "Sources/HTTPServer/LaterAnswer.swift", "connection.resume()",
            "libmicrohttpd accepts a resume for a suspended connection only: the lock guards whether it is suspended"
        ),
        (
            "Sources/HTTPServer/LaterAnswer.swift", "Self.wake(&state)",
            "the same, for streams"
        ),
        (
            "Sources/HTTPServer/LaterAnswer.swift", "SuspendedConnection(",
            "it suspends the connection, from within the library's own callback: nobody may answer in between"
        ),
        (
            "Sources/HTTPServer/Connections.swift", "shutdown(record.descriptor, ",
            "the record is removed before its descriptor is closed: outside of the lock it could be another's by then"
        ),
        (
            "Sources/Devices/Dependencies.swift", "using: &",
            "the generator is what the lock guards, and comes in from the top only"
        ),
    ]

    /// The closures that run under a lock in a file: of `withLock`, and of a device's `machine`.
    static func places(in file: SourceFile) -> [Place] {
        let isDevices = file.target == "Devices"
        var places: [Place] = []
        let call = /(?:\.withLock|\bmachine)\s*(?<parenthesis>\()?\s*\{/
        for match in file.code.matches(of: call.wordBoundaryKind(.simple)) {
            let isMachine = match.output.0.hasPrefix("machine")
            guard isDevices || !isMachine else { continue }
            let line = file.code[..<match.range.lowerBound].count { $0.isNewline } + 1
            places.append(
                Place(path: file.path, line: line, body: body(file.code[match.range.upperBound...]))
            )
        }
        return places
    }

    /// The faults of a place, one sentence for each rule that it breaks.
    static func faults(of place: Place) -> [String] {
        // An exception excuses what it names and nothing else of its place.
        let body = exceptions.filter { $0.path == place.path }.reduce(place.body) {
            $0.replacing($1.pattern, with: "")
        }
        return rules.compactMap { rule in
            guard let found = body.firstMatch(of: rule.pattern.wordBoundaryKind(.simple)) else {
                return nil
            }
            return "\(place.path):\(place.line): \(rule.reason) under a lock: \(found.output)"
        }
    }

    /// Up to the brace that closes the closure.
    private static func body(_ text: Substring) -> String {
        var depth = 1
        var end = text.startIndex
        for index in text.indices {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            end = index
            if depth == 0 { break }
        }
        return String(text[..<end])
    }
}
