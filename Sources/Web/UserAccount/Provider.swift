import CloudProtocol
import Devices
import HTTPServer
import Links
import Texts

/// `GET /sign-in/oidc`: redirects to the identity provider.
enum ProviderBegin {
    static func answer(_ context: RequestContext) throws -> Response {
        let isForDeletion = context.request.query.first("for") == "deletion" && context.device?.session != nil
        guard context.maySignIn || isForDeletion else { return context.redirect(to: .settings) }
        guard let provider = context.site.account.provider else { throw Refusal.notFound }
        // A link from another site must not skip the information that the page shows before a sign-in.
        guard context.comesFromOwnPage else { return context.redirect(to: .signIn) }
        let redirect = Provider.address(context) + Link.providerCallback.text
        return context.ask { () async throws(ProviderRefusal) in
            try await provider.begin(redirect: redirect, again: isForDeletion)
        } then: { context, result in
            switch result {
            case .failure(let refusal): return try Provider.refused(context, refusal)
            case .success(let (address, pending)):
                guard
                    let closed = context.site.devices.closed(
                        pending,
                        for: context.cookie,
                        isForDeletion ? .accountDeletion : .signIn
                    )
                else {
                    return try Provider.refused(context, .rejected("the sign-in could not be sealed"))
                }
                var response = Response.seeOther(address)
                response.set(Provider.cookie(context, closed, until: pending.expiresAt))
                return response
            }
        }
    }
}

/// `GET /sign-in/callback`: the return from the identity provider.
enum ProviderCallback {
    static func answer(_ context: RequestContext) throws -> Response {
        guard let provider = context.site.account.provider else { throw Refusal.notFound }
        guard let closed = context.request.cookie(context.site.signInCookieName),
            let (pending, purpose) = context.site.devices.pendingSignIn(closed, for: context.formCookies)
        else {
            guard context.maySignIn else { return context.redirect(to: .settings) }
            return try Provider.refused(context, .expired)
        }
        let device = purpose == .accountDeletion ? context.device : nil
        guard context.maySignIn || device?.session != nil else { return context.redirect(to: .settings) }
        let query = context.request.query
        let answer = ProviderAnswer(
            state: query.first("state"),
            code: query.first("code"),
            error: query.first("error"),
            issuer: query.first("iss")
        )
        return context.ask { () async throws(ProviderRefusal) in
            try await provider.finish(pending, answer)
        } then: { context, result in
            var response =
                switch result {
                case .failure(let refusal): try Provider.refused(context, refusal)
                case .success(let credentials) where device != nil:
                    Provider.confirming(context, credentials, device)
                case .success(let credentials):
                    SignIn.later(context, credentials) { context, error in
                        guard error == .signIn(.wrongCredentials) else {
                            return try SignIn.failure(context, error)
                        }
                        return try Provider.refused(context, .rejected("the cloud refuses the ID token"))
                    }
                }
            // The cookie is valid for one callback only.
            response.set(Provider.cookie(context, "", until: 0))
            return response
        }
    }
}

/// The shared parts of both flows.
enum Provider {
    /// The address of this server for browsers.
    static func address(_ context: RequestContext) -> String {
        context.site.account.publicAddress ?? (context.request.isSecure ? "https://" : "http://")
            + context.request.host + context.site.base.text
    }

    /// The cookie of the flow, which browsers send only to the callback.
    static func cookie(_ context: RequestContext, _ value: String, until end: Int64) -> Cookie {
        Cookie(
            name: context.site.signInCookieName,
            value: value,
            maxAgeSeconds: Int(max(0, end - context.site.devices.dependencies.now)),
            isSecure: context.request.isSecure,
            path: context.site.base.address(.signIn)
        )
    }

    /// Continues after the user has signed in again to confirm the deletion of the account.
    static func confirming(_ context: RequestContext, _ credentials: Credentials, _ device: Device?)
        -> Response
    {
        let address = context.request.clientAddress
        return context.ask { () async throws(CloudError) in
            try await device?.confirm(credentials, from: address)
        } then: { context, result in
            if case .failure(let error) = result {
                if let line = error.refusalLine(from: address) {
                    context.site.devices.dependencies.log.warning(line)
                }
                let text =
                    error == .signIn(.wrongCredentials)
                    ? Text("user-account.confirmed-by-another") : CloudWords.of(error)
                device?.show(Device.Toast(key: "not-confirmed", text: text))
                return context.redirect(to: .settings)
            }
            return context.redirect(to: .userAccountDeletion)
        }
    }

    static func refused(_ context: RequestContext, _ refusal: ProviderRefusal) throws -> Response {
        let provider = context.site.account.provider?.name
        let name: [String: Text.Argument] = [
            "provider": provider.map { .string($0) } ?? .text(Text("user-account.the-provider"))
        ]
        let (status, message): (Status, Text) =
            switch refusal {
            case .denied: (.forbidden, Text("user-account.provider-called-off", name))
            case .expired: (.badRequest, Text("user-account.sign-in-too-old"))
            case .replayed: (.badRequest, Text("user-account.sign-in-used-already"))
            case .unreachable: (.unavailable, Text("user-account.provider-unreachable", name))
            case .rejected: (.badRequest, Text("user-account.provider-rejected", name))
            }
        switch refusal {
        case .unreachable(let reason), .rejected(let reason):
            let line = "sign-in at \(provider ?? "the provider"): \(reason)"
            context.site.devices.dependencies.log.warning(line)
        case .denied, .expired, .replayed: break
        }
        return try SignInShow.page(context, status, message: message)
    }
}
