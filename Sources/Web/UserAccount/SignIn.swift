import CloudProtocol
import Devices
import HTTPServer
import Ledger
import Lifecycle
import Links
import Texts

/// `GET /sign-in`: the forms for signing in, and the number of entries that a guest could lose by it.
enum SignInShow {
    static func answer(_ context: RequestContext) throws -> Response {
        guard context.maySignIn else { return context.redirect(to: .settings) }
        return try page(context, .ok)
    }

    static func page(
        _ context: RequestContext,
        _ status: Status,
        known: FormState = FormState(),
        new: FormState = FormState(),
        message: Text? = nil
    ) throws -> Response {
        let isLocked = context.device?.isLocked ?? false
        context.clearsBrowser = isLocked
        return context.page(
            SignInPage(
                chrome: context.chrome(isBare: isLocked),
                methods: context.site.account.signInMethods,
                known: known,
                new: new,
                entries: try context.entriesOfGuest(),
                files: try context.filesOfGuest(),
                again: context.device?.session.map {
                    SignInPage.Owner(
                        name: $0.user.email ?? $0.user.name
                            ?? context.string(Text("user-account.user-of-this-device")),
                        email: $0.user.email,
                        isLocked: isLocked
                    )
                },
                message: message,
                once: context.onceID().description
            ),
            status
        )
    }
}

/// `POST /sign-in`: signs in with an email address and a password of this server.
enum SignInAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        guard context.maySignIn else { return context.redirect(to: .settings) }
        guard context.site.account.signInMethods.passwords else { throw Refusal.notFound }
        let typed = FormState(context.request.form, ["email"])
        let password = context.request.form.first("password") ?? ""
        let credentials = Credentials.password(email: typed["email"], password: password)
        return SignIn.later(context, credentials) { context, error in
            var state = typed
            switch error {
            case .signIn(.wrongCredentials):
                state.refuse("password", Text("user-account.wrong-credentials"))
            case .signIn(.tooManyAttempts(let seconds)): state.refuse("password", SignIn.wait(seconds))
            default: return try SignIn.failure(context, error, known: state)
            }
            return try SignInShow.page(context, SignIn.status(of: error), known: state)
        }
    }
}

/// `POST /sign-up`: creates an account with a password on this server.
enum SignUpAnswer {
    static func answer(_ context: RequestContext) throws -> Response {
        guard context.maySignIn else { return context.redirect(to: .settings) }
        guard context.site.account.signInMethods.passwords else { throw Refusal.notFound }
        let typed = FormState(context.request.form, ["email"])
        let password = context.request.form.first("password") ?? ""
        let credentials = Credentials.newAccount(email: typed["email"], password: password)
        return SignIn.later(context, credentials) { context, error in
            var state = typed
            switch error {
            case .signIn(.badEmail): state.refuse("email", Text("user-account.enter-an-address"))
            case .signIn(.emailTaken): state.refuse("email", Text("user-account.address-has-an-account"))
            case .signIn(.weakPassword): state.refuse("password", CloudWords.weakPassword)
            case .signIn(.commonPassword): state.refuse("password", CloudWords.commonPassword)
            case .signIn(.tooManySignUps(let seconds)): state.refuse("email", SignIn.waitForSignUp(seconds))
            default: return try SignIn.failure(context, error, new: state)
            }
            return try SignInShow.page(context, SignIn.status(of: error), new: state)
        }
    }
}

/// The cloud has accepted a sign-in, and created the account if there was none, but the device could not
/// store the session.
struct UnfinishedSignIn: Error, CustomStringConvertible {
    let cause: any Error
    let isNewAccount: Bool

    /// One line for the log.
    var description: String { "the sign-in was accepted and is not kept: \(cause)" }
}

/// The shared parts of all ways to sign in.
enum SignIn {
    /// Sends a request to the cloud while the connection is suspended, then answers.
    static func later(
        _ context: RequestContext,
        _ credentials: Credentials,
        refused: @escaping @Sendable (RequestContext, CloudError) throws -> Response
    ) -> Response {
        let devices = context.site.devices
        let (address, name) = (
            context.request.clientAddress, DeviceName.of(context.request.header("User-Agent"))
        )
        // The cookie may have changed before the answer, if the same form is sent three times at once.
        let known = context.device
        let guest = known?.guest ?? context.newID()
        return context.ask { () async throws(CloudError) in
            let device = NewDevice(name: name, guest: guest, former: known?.formerTokens() ?? [])
            return try await devices.cloud.signIn(credentials, device: device, from: address)
        } then: { context, result in
            switch result {
            case .success(let signedIn): return try enter(context, signedIn, on: known)
            case .failure(let error):
                if let line = error.refusalLine(from: address) { devices.dependencies.log.warning(line) }
                return try refused(context, error)
            }
        }
    }

    /// Gives the session and a new cookie to the device.
    private static func enter(_ context: RequestContext, _ signedIn: SignedIn, on known: Device?) throws
        -> Response
    {
        let device: Device
        let givenCookie: DeviceToken?
        do {
            (device, givenCookie) =
                try known.map { ($0, nil) } ?? context.createDeviceIfNeeded(at: .welcome, user: signedIn.user)
        } catch {
            context.site.devices.discard(signedIn)
            throw UnfinishedSignIn(cause: error, isNewAccount: !signedIn.isExistingAccount)
        }
        let (devices, submission) = (context.site.devices, context.submission)
        return context.ask { () async throws(DevicesError) in
            try await device.enter(signedIn)
            // A user who has just signed in does not need the welcome page.
            if case .onboarding = device.state { try await device.answered(.welcome) }
            // A device that was created for this sign-in has a new cookie.
            var newCookie = givenCookie
            if newCookie == nil { newCookie = try devices.replaceCookie(submission, of: device) }
            return newCookie
        } then: { (context, newCookie: Result<DeviceToken?, DevicesError>) in
            if case .failure(.signInRefused(let refusal)) = newCookie {
                let message = text(of: refusal, isLocked: device.isLocked)
                return try SignInShow.page(context, .conflict, message: message)
            }
            do throws(DevicesError) {
                context.keep(try newCookie.get())
            } catch {
                throw UnfinishedSignIn(cause: error, isNewAccount: !signedIn.isExistingAccount)
            }
            return context.redirect(to: .overview)
        }
    }

    private static func text(of refusal: SignInRefusal, isLocked: Bool) -> Text {
        switch refusal {
        case .otherUser where isLocked:
            Text("user-account.book-of-another")
        case .otherUser: Text("user-account.another-is-signed-in")
        case .notNow: Text("user-account.device-is-busy")
        }
    }

    static func failure(
        _ context: RequestContext,
        _ error: CloudError,
        known: FormState = FormState(),
        new: FormState = FormState()
    ) throws -> Response {
        let message: Text
        switch error {
        case .signIn(.signUpClosed): message = Text("user-account.this-server-takes-no")
        case .unreachable, .timedOut, .cutOff, .failed:
            context.site.devices.dependencies.log.warning("sign-in: \(error)")
            message = Text("user-account.cloud-cannot-be-reached")
        default: message = Text("user-account.sign-in-not-accepted")
        }
        return try SignInShow.page(context, status(of: error), known: known, new: new, message: message)
    }

    static func status(of error: CloudError) -> Status {
        switch error {
        case .signIn(.tooManyAttempts), .signIn(.tooManySignUps): .tooManyRequests
        case .unreachable, .timedOut, .cutOff, .failed, .busy: .unavailable
        case .signIn(.signUpClosed): .forbidden
        case .malformed, .sessionRevoked, .sessionLocked, .sessionErased, .accountGone, .subscriptionRequired,
            .notSupported, .signIn, .sync, .file:
            .unprocessable
        }
    }

    /// No attempt was wrong, so that none is spoken of.
    static func waitForSignUp(_ seconds: Int64) -> Text {
        Text("user-account.wait-for-sign-up", ["count": .count(Int(seconds.addingClamped(59) / 60))])
    }

    static func wait(_ seconds: Int64) -> Text {
        if seconds < 90 {
            Text("user-account.wait-seconds", ["count": .count(Int(seconds))])
        } else {
            Text("user-account.wait-minutes", ["count": .count(Int((seconds + 59) / 60))])
        }
    }
}

extension RequestContext {
    /// Whether the user can sign in: true for a guest and after the session was ended.
    var maySignIn: Bool { device?.session?.isRevoked ?? true }

    /// The number of a guest's entries that the data of an existing account would replace.
    func entriesOfGuest() throws -> Int {
        guard let device, device.session == nil, case .localOnly = device.state else { return 0 }
        // An unsaved transaction with files is an entry as well.
        return try book().entries(of: device.guest) + book().unsavedReceipts().count
    }

    /// The number of files beside these entries.
    fileprivate func filesOfGuest() throws -> Int {
        guard let device, device.session == nil, case .localOnly = device.state else { return 0 }
        return try book().filesOnlyHere()
    }
}
