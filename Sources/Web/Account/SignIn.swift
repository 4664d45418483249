import Devices
import HTTPServer
import Ledger
import Lifecycle
import Pages
import SyncCore

/// `GET /sign-in`: the way in, and what it costs a guest who has entered something.
enum SignInShow {
    static func answer(_ visit: Visit) throws -> Response {
        guard visit.maySignIn else { return .seeOther(Routes.settings.link) }
        return try page(visit, .ok)
    }

    static func page(
        _ visit: Visit,
        _ status: Status,
        known: FormState = FormState(),
        new: FormState = FormState(),
        message: String? = nil
    ) throws -> Response {
        visit.page(
            SignInPage(
                chrome: visit.chrome(),
                ways: visit.site.account.ways,
                known: known,
                new: new,
                entries: try visit.entriesOfGuest(),
                again: visit.device?.session.map { $0.user.email ?? $0.user.name ?? "Somebody" },
                message: message
            ),
            status
        )
    }
}

/// `POST /sign-in`: with an account of this server's own.
enum SignInAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        guard visit.maySignIn else { return .seeOther(Routes.settings.link) }
        guard visit.site.account.ways.passwords else { throw Refusal.notFound }
        let typed = FormState(visit.request.form, ["email"])
        let password = visit.request.form.first("password") ?? ""
        let credentials = Credentials.password(email: typed["email"], password: password)
        return SignIn.later(visit, credentials) { visit, error in
            var state = typed
            switch error {
            case .wrongCredentials:
                state.refuse("password", "The e-mail address or the password is wrong.")
            case .tooManyAttempts(let seconds): state.refuse("password", SignIn.wait(seconds))
            default: return try SignIn.failure(visit, error, known: state)
            }
            return try SignInShow.page(visit, SignIn.status(of: error), known: state)
        }
    }
}

/// `POST /sign-up`: makes an account of this server's own.
enum SignUpAnswer {
    static func answer(_ visit: Visit) throws -> Response {
        guard visit.maySignIn else { return .seeOther(Routes.settings.link) }
        guard visit.site.account.ways.passwords else { throw Refusal.notFound }
        let typed = FormState(visit.request.form, ["email"])
        let password = visit.request.form.first("password") ?? ""
        let credentials = Credentials.newAccount(email: typed["email"], password: password)
        return SignIn.later(visit, credentials) { visit, error in
            var state = typed
            switch error {
            case .badEmail: state.refuse("email", "Enter an e-mail address such as name@example.org.")
            case .emailTaken: state.refuse("email", "This address has an account already: sign in above.")
            case .weakPassword:
                state.refuse("password", CloudWords.weakPassword)
            case .tooManyAttempts(let seconds): state.refuse("password", SignIn.wait(seconds))
            default: return try SignIn.failure(visit, error, new: state)
            }
            return try SignInShow.page(visit, SignIn.status(of: error), new: state)
        }
    }
}

/// What all ways in have in common.
enum SignIn {
    /// How long a browser waits for the account to be verified before it is shown that, in milliseconds.
    private static let patience: Int64 = 1_500

    /// Asks the cloud while the connection rests, then goes on.
    static func later(
        _ visit: Visit,
        _ credentials: Credentials,
        refused: @escaping @Sendable (Visit, CloudError) throws -> Response
    ) -> Response {
        let household = visit.site.household
        let (address, name) = (visit.request.clientAddress, DeviceName.of(visit.request.header("User-Agent")))
        let guest = visit.device?.guest ?? visit.newID()
        return visit.ask { () async throws(CloudError) in
            let device = NewDevice(name: name, guest: guest)
            return try await household.cloud.signIn(credentials, device: device, from: address)
        } then: { visit, result in
            switch result {
            case .success(let signedIn): try enter(visit, signedIn)
            case .failure(let error): try refused(visit, error)
            }
        }
    }

    /// The device takes the session over, and gets another cookie.
    private static func enter(_ visit: Visit, _ signedIn: SignedIn) throws -> Response {
        let device: Device
        do { device = try visit.becomeDevice(at: .welcome) } catch {
            visit.site.household.discard(signedIn)
            throw error
        }
        do { try device.enter(signedIn) } catch let refusal as SignInRefusal {
            let message =
                switch refusal {
                case .somebodyElse:
                    "Somebody else is signed in on this device. Sign out first to use another account."
                case .notNow: "This device is busy. Try again in a moment. Nothing was changed."
                }
            return try SignInShow.page(visit, .conflict, message: message)
        }
        // Whoever has just signed in has been welcomed.
        if case .onboarding = device.state { try device.answered(.welcome) }
        let newCookie = try visit.site.household.replaceCookie(of: device)
        return visit.later {
            await device.settle(withinMilliseconds: patience)
        } then: { visit, _ in
            visit.keep(newCookie)
            return .seeOther(Routes.overview.link)
        }
    }

    static func failure(
        _ visit: Visit,
        _ error: CloudError,
        known: FormState = FormState(),
        new: FormState = FormState()
    ) throws -> Response {
        let message: String
        switch error {
        case .signUpClosed: message = "This server takes no new accounts. Whoever runs it can open it."
        case .unreachable, .failed:
            visit.site.household.surroundings.log("sign-in: \(error)")
            message = "The cloud cannot be reached at the moment. Nothing was changed: try again in a minute."
        default: message = "This sign-in was not accepted. Nothing was changed: try again."
        }
        return try SignInShow.page(visit, status(of: error), known: known, new: new, message: message)
    }

    static func status(of error: CloudError) -> Status {
        switch error {
        case .tooManyAttempts: .tooManyRequests
        case .unreachable, .failed, .busy: .unavailable
        case .signUpClosed: .forbidden
        case .wrongCredentials, .emailTaken, .badEmail, .weakPassword, .malformed, .sessionRevoked,
            .accountGone, .subscriptionRequired, .epochChanged, .opGap, .opReused, .cursorExpired,
            .cursorAhead, .tooLarge, .upgradeRequired:
            .unprocessable
        }
    }

    static func wait(_ seconds: Int64) -> String {
        let time = seconds < 90 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
        return "There were too many wrong attempts. Try again in \(seconds == 1 ? "1 second" : time)."
    }
}

extension Visit {
    /// Whether signing in makes sense: for a guest, and for whose session was ended.
    var maySignIn: Bool { device?.session?.isRevoked ?? true }

    /// How many entries a guest would lose to an existing account.
    func entriesOfGuest() throws -> Int {
        guard let device, device.session == nil, case .localOnly = device.state else { return 0 }
        let counts = try device.book().counts()
        let owner = device.guest
        // What every new book begins with is no loss.
        let accounts = max(0, counts.accounts - Seed.accounts(of: owner, currency: .eur).count)
        let categories = max(0, counts.categories - Seed.categories(of: owner).count)
        return counts.transactions + counts.budgets + accounts + categories
    }
}
