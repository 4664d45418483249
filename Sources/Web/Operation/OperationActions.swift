// The actions beside the book: errors of the lifecycle, the status and the health of the server.

import Book
import Devices
import HTTPServer
import Ledger
import Lifecycle
package import Links

extension Link {
    static let error = Link(declared: "/error")
    static let retry = Link(declared: "/error/retry")
    static let dismiss = Link(declared: "/error/dismiss")
    static let status = Link(declared: "/status.json")
    package static let statusPage = Link(declared: "/status")
}

extension Feature {
    static let operation = Feature(
        routes: [
            get(.error, ErrorShow.answer),
            post(.retry, ErrorRetry.answer),
            post(.dismiss, ErrorDismiss.answer),
            get(.status, StatusShow.answer),
            get(.statusPage, StatusPageShow.answer),
            get(.healthz, HealthShow.answer),
            get(.readyz, ReadinessShow.answer),
        ],
        pages: [StatusPage.self],
        links: [
            "dismiss": .dismiss,
            "status_page": .statusPage,
        ]
    )
}

/// `GET /error`: the error that stopped the lifecycle, with a button to retry.
enum ErrorShow {
    static func answer(_ context: RequestContext) throws -> Response {
        guard case .error(let failure) = try context.knownDevice().state else { throw Refusal.notFound }
        let reference = "\(try context.knownDevice().id)".suffix(8)
        let problem: ErrorPage.Problem =
            failure.what == BookError.damaged("").key
            ? .damagedBook(reference: String(reference))
            : .step(
                ErrorPage.FailedStep(rawValue: failure.what) ?? .other,
                reference: String(reference),
                of: failure.deletion
            )
        let page = ErrorPage(chrome: context.chrome(isBare: true), problem: problem)
        return context.page(page, Status(rawValue: problem.status))
    }
}

extension Failure {
    /// The deletion that failed; nil for another step.
    fileprivate var deletion: ErrorPage.Deletion? {
        switch from {
        case .deletingServerData: .serverData
        case .deletingAccount(_, from: .blocked): .accountWithoutBook
        case .deletingAccount: .account
        default: nil
        }
    }
}

/// `POST /error/retry`: repeats the failed step.
enum ErrorRetry {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.handle(.retry)
            await device.waitForCloudTask(withinMilliseconds: CloudWait.milliseconds)
        }
    }
}

/// `POST /error/dismiss`: dismisses a deletion that failed.
enum ErrorDismiss {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        return context.redirect(to: .overview) { () async throws(DevicesError) in
            try await device.handle(.dismissed)
            // The cloud may have carried out the deletion although its answer is missing.
            guard device.hasUnknownServerData else { return }
            _ = await device.verify(withinMilliseconds: CloudWait.milliseconds)
        }
    }
}

/// `GET /healthz`: whether the process answers.
enum HealthShow {
    static func answer(_ context: RequestContext) throws -> Response { .text(.ok, "ok") }
}

/// `GET /readyz`: whether the server can do its work. Only a client on the machine itself gets the reasons.
enum ReadinessShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let readiness = context.site.readiness
        return context.later {
            await readiness()
        } then: { context, problems in
            let isLocal = context.request.isFromThisMachine
            // Damaged books do not prevent the server from serving other devices.
            let damaged = context.site.devices.damagedBookCount
            guard problems.isEmpty, damaged > 0, isLocal else {
                return .readiness(problems, isLocal: isLocal)
            }
            let books = damaged == 1 ? "1 book is" : "\(damaged) books are"
            return .text(.ok, "ok, but \(books) damaged: breadly doctor says which\n")
        }
    }
}

/// `GET /status`: the state of this device, for curious users and for support.
enum StatusPageShow {
    static func answer(_ context: RequestContext) throws -> Response {
        let transitions = try context.device?.transitions() ?? []
        return context.page(
            StatusPage(
                chrome: context.chrome(isBare: true),
                state: (context.device?.state ?? .uninitialized).name,
                device: context.device.map { "\($0.id)" },
                transitions: transitions.reversed().map {
                    TransitionLine(at: timestamp($0.at), event: $0.event, from: $0.from, to: $0.to)
                }
            )
        )
    }

    /// Day and time, UTC.
    private static func timestamp(_ seconds: Int64) -> String {
        let day = CivilDate(dayNumber: Int32(clamping: seconds / 86_400))
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = seconds % 86_400
        return "\(day) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
    }
}
