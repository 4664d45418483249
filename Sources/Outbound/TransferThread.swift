// The thread on which all requests of a process run, and its input queue.

import CCurl
import Glibc
import Synchronization

/// A thread that runs any number of requests concurrently. It starts with the first request, and ends with
/// its pooled connections after a minute without one.
final class TransferThread: Sendable {
    /// The thread of this process.
    static let shared = CurlLibrary.shared.map { TransferThread($0) }

    /// A monotonic clock, in milliseconds.
    let milliseconds: @Sendable () -> Int64
    private let library: CurlLibrary
    private let inbox = Mutex(Inbox())

    private struct Inbox {
        var jobs: [TransferJob] = []
        var cancelled: [TransferJob.Ticket] = []
        var suspected: [(origin: Substring, patience: Int64)] = []
        var isRunning = false
        /// The handle to wake; nil unless the thread waits.
        var multi: Multi?
    }

    /// A multi handle, for `multi_wakeup` only: the one function that may be called from any thread while the
    /// handle exists. The thread removes it from the inbox before it frees it.
    private struct Multi: @unchecked Sendable {
        let handle: UnsafeMutableRawPointer
    }

    /// - Parameter milliseconds: the clock; a test that moves its own calls `wake`.
    init(_ library: CurlLibrary, milliseconds: @escaping @Sendable () -> Int64 = steadyMilliseconds) {
        self.library = library
        self.milliseconds = milliseconds
    }

    func submit(_ job: TransferJob) {
        let mustStart = inbox.withLock { inbox in
            inbox.jobs.append(job)
            wake(inbox)
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        if mustStart { start() }
    }

    /// Ends a request if it is still under way.
    func cancel(_ ticket: TransferJob.Ticket) {
        inbox.withLock { inbox in
            guard inbox.isRunning else { return }
            inbox.cancelled.append(ticket)
            wake(inbox)
        }
    }

    /// Distrusts all current connections to a server.
    /// - Parameter patience: the longest further silence on one of them, in milliseconds.
    func suspect(_ origin: Substring, patience: Int64) {
        inbox.withLock { inbox in
            guard inbox.isRunning else { return }
            inbox.suspected.append((origin, patience))
            wake(inbox)
        }
    }

    /// Makes the thread read its clock.
    func wake() {
        inbox.withLock { wake($0) }
    }

    /// Writes one byte into a pipe, which never blocks. The lock prevents that the handle is freed during the
    /// call.
    private func wake(_ inbox: borrowing Inbox) {
        if let multi = inbox.multi { _ = library.functions.pointee.multi_wakeup(multi.handle) }
    }

    private func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                breadly_curl_name_thread("breadly-http")
                // A write to a closed TLS connection raises SIGPIPE in the writing thread.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                // Retained below for this call.
                Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard result == 0 else {
            context.release()
            return abandon(.failed("the system gives no thread: \(String(cString: strerror(result)))"))
        }
        pthread_detach(thread)
    }

    /// Fails the requests that wait to be started. The next request starts a new thread.
    private func abandon(_ error: HTTPClientError) {
        let jobs = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return inbox.jobs
        }
        for job in jobs { job.continuation.resume(returning: .failure(error)) }
    }

    private func run() {
        guard let loop = TransferLoop(library.functions, at: milliseconds()) else {
            return abandon(.failed("there is no memory, or no file, for libcurl's multi handle"))
        }
        let multi = Multi(handle: loop.multi)
        inbox.withLock { $0.multi = multi }
        while true {
            let (jobs, cancelled, suspected) = inbox.withLock { inbox in
                defer { (inbox.jobs, inbox.cancelled, inbox.suspected) = ([], [], []) }
                return (inbox.jobs, inbox.cancelled, inbox.suspected)
            }
            // Suspicions come first: a request that was submitted after one needs a connection that was made
            // after it.
            for (origin, patience) in suspected { loop.suspect(origin, patience, at: milliseconds()) }
            for job in jobs { loop.begin(job, at: milliseconds()) }
            for ticket in cancelled { loop.cancel(ticket) }
            guard loop.advance(at: milliseconds()) else { break }
            if loop.isUnused(at: milliseconds()), retire() { return loop.close() }
            guard loop.wait(at: milliseconds()) else { break }
        }
        let error = HTTPClientError.failed("libcurl's multi handle failed")
        abandon(error)
        loop.close(error)
    }

    /// - Returns: whether the inbox is empty. No caller wakes this thread after that.
    private func retire() -> Bool {
        inbox.withLock { inbox in
            guard inbox.jobs.isEmpty else { return false }
            inbox = Inbox()
            return true
        }
    }
}

/// The system's monotonic clock, in milliseconds.
@Sendable func steadyMilliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
}
