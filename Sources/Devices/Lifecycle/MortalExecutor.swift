// Ends a process at a chosen effect, so that the recovery can be tested and watched.

package import Lifecycle

/// Performs the steps of a device until the simulated process dies: after that, no step begins or ends. An effect can
/// also fail after it was performed, as where the disk becomes full before its result is stored.
package struct MortalExecutor: StepExecutor {
    /// Called before an effect; nil means an effect that waits for the cloud.
    private let mayBegin: @Sendable (Effect?) -> Bool
    private let mayEnd: @Sendable (Effect?) -> Bool
    private let fault: @Sendable (Effect) -> DevicesError?
    private let executor = DeviceExecutor()

    /// - Parameters:
    ///   - mayBegin: called before an effect, with nil before a request to the cloud; false ends the process there.
    ///   - mayEnd: the same after it was performed and before its result is stored.
    ///   - fault: called after an effect was performed; an error makes it fail.
    package init(
        mayBegin: @escaping @Sendable (Effect?) -> Bool = { _ in true },
        mayEnd: @escaping @Sendable (Effect?) -> Bool,
        fault: @escaping @Sendable (Effect) -> DevicesError? = { _ in nil }
    ) {
        self.mayBegin = mayBegin
        self.mayEnd = mayEnd
        self.fault = fault
    }

    func perform(_ step: DeviceStep, on device: Device) async throws(CancellationError) -> StepOutcome {
        guard case .effect(let effect) = step else { return try await executor.perform(step, on: device) }
        guard mayBegin(effect) else { throw CancellationError() }
        let outcome = try await executor.perform(step, on: device)
        guard mayEnd(effect) else { throw CancellationError() }
        if let error = fault(effect) { return .failed(error, at: device.services.dependencies.now) }
        return outcome
    }

    func ask(_ task: CloudTask, of device: Device, with session: Session?) async throws(CancellationError)
        -> CloudTask.Outcome
    {
        guard mayBegin(nil) else { throw CancellationError() }
        let outcome = try await executor.ask(task, of: device, with: session)
        guard mayEnd(nil) else { throw CancellationError() }
        return outcome
    }
}
