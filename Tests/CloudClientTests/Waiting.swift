// A wait with a failure that names the source location.
import TestKit
import Testing

/// Waits until a condition holds, and records an issue if it does not in time.
func eventuallyTrue(
    _ condition: () async throws -> Bool,
    at place: SourceLocation = #_sourceLocation
) async throws {
    guard try await !eventuallyBecomesTrue(condition) else { return }
    Issue.record("this did not happen", sourceLocation: place)
}
