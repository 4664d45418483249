import Devices
import HTTPServer
import Pages
import SyncCore

/// `GET /sign-in/oidc`: on to the identity provider.
enum ProviderBegin {
    static func answer(_ visit: Visit) throws -> Response {
        guard visit.maySignIn else { return .seeOther(Routes.settings.link) }
        guard let provider = visit.site.account.provider else { throw Refusal.notFound }
        // A link from elsewhere must not lead past what the page says before a sign-in.
        guard visit.comesFromOwnPage else { return .seeOther(Routes.signIn.link) }
        let redirect = Provider.address(visit) + Routes.providerCallback.link
        return visit.ask { () async throws(ProviderRefusal) in
            try await provider.begin(redirect: redirect)
        } then: { visit, result in
            switch result {
            case .failure(let refusal): return try Provider.refused(visit, refusal)
            case .success(let (address, pending)):
                guard let closed = visit.site.household.closed(pending) else {
                    return try Provider.refused(visit, .rejected("the sign-in could not be sealed"))
                }
                var response = Response.seeOther(address)
                response.set(Provider.cookie(visit, closed, until: pending.expiresAt))
                return response
            }
        }
    }
}

/// `GET /sign-in/callback`: back from the identity provider.
enum ProviderCallback {
    static func answer(_ visit: Visit) throws -> Response {
        guard let provider = visit.site.account.provider else { throw Refusal.notFound }
        guard visit.maySignIn else { return .seeOther(Routes.settings.link) }
        guard let closed = visit.request.cookie(Provider.cookieName),
            let pending = visit.site.household.pendingSignIn(closed)
        else { return try Provider.refused(visit, .expired) }
        let query = visit.request.query
        let answer = ProviderAnswer(
            state: query.first("state"),
            code: query.first("code"),
            error: query.first("error"),
            issuer: query.first("iss")
        )
        return visit.ask { () async throws(ProviderRefusal) in
            try await provider.finish(pending, answer)
        } then: { visit, result in
            var response =
                switch result {
                case .failure(let refusal): try Provider.refused(visit, refusal)
                case .success(let credentials):
                    SignIn.later(visit, credentials) { visit, error in
                        guard error == .wrongCredentials else { return try SignIn.failure(visit, error) }
                        return try Provider.refused(visit, .rejected("the cloud refuses the ID token"))
                    }
                }
            // It was for once.
            response.set(Provider.cookie(visit, "", until: 0))
            return response
        }
    }
}

/// What both have in common.
enum Provider {
    static let cookieName = "breadly_sign_in"

    /// Where browsers find this server.
    static func address(_ visit: Visit) -> String {
        visit.site.account.publicAddress ?? (visit.request.isSecure ? "https://" : "http://")
            + visit.request.host
    }

    /// Sent along when the provider sends the browser back, and nowhere else.
    static func cookie(_ visit: Visit, _ value: String, until end: Int64) -> Cookie {
        Cookie(
            name: cookieName,
            value: value,
            maxAgeSeconds: Int(max(0, end - visit.site.household.surroundings.now)),
            isSecure: visit.request.isSecure,
            path: "/sign-in"
        )
    }

    static func refused(_ visit: Visit, _ refusal: ProviderRefusal) throws -> Response {
        let provider = visit.site.account.provider?.name ?? "the provider"
        let (status, message): (Status, String) =
            switch refusal {
            case .denied: (.forbidden, "The sign-in was called off at \(provider). Nothing was changed.")
            case .expired:
                (
                    .badRequest,
                    "This sign-in was begun too long ago, or in another browser. Nothing was changed: begin again."
                )
            case .replayed: (.badRequest, "This sign-in was used already. Nothing was changed: begin again.")
            case .unreachable:
                (
                    .unavailable,
                    "\(provider) cannot be reached at the moment. Nothing was changed: try again in a minute."
                )
            case .rejected:
                (.badRequest, "What \(provider) sent was not acceptable. Nothing was changed: begin again.")
            }
        switch refusal {
        case .unreachable(let reason), .rejected(let reason):
            visit.site.household.surroundings.log("sign-in at \(provider): \(reason)")
        case .denied, .expired, .replayed: break
        }
        return try SignInShow.page(visit, status, message: message)
    }
}
