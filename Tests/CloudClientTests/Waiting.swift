// Waiting, with a failure that names the place.
import TestKit
import Testing

/// Waits for something that happens in the background.
func eventuallyTrue(
    _ condition: () async throws -> Bool,
    at place: SourceLocation = #_sourceLocation
) async throws {
    guard try await !eventuallyBecomesTrue(condition) else { return }
    Issue.record("this did not happen", sourceLocation: place)
}
