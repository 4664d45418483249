// A demo for all cases of a parametrised test: each kind of world is prepared once, and each reviewer has a world of their
// own.

import TestKit
import Testing

/// Runs a test with a demo in this process.
struct SharedDemo: TestTrait, TestScoping {
    /// The port of the demo of the test that runs.
    @TaskLocal static var port: Int?

    /// As `Trait`: the scope is the whole test, and not each of its cases.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> SharedDemo? { testCase == nil ? self : nil }

    /// As `TestScoping`.
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // All reviewers of a test come from one network.
        let running = try RunningDemo { $0.percentOfNetwork = 100 }
        try await Self.$port.withValue(Int(running.demo.port), operation: function)
        withExtendedLifetime(running) {}
    }
}

extension Trait where Self == SharedDemo {
    /// Runs the test with a demo, whose port is `SharedDemo.port`.
    static var sharedDemo: SharedDemo { SharedDemo() }
}
