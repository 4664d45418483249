import BankFeeds
import Devices
import HTTPServer
import Ledger
import Links
import Texts

/// `GET /banks/connect`: the providers, or the way to the page of the chosen one.
enum BankConnectShow {
    static func answer(_ context: RequestContext) throws -> Response {
        guard let device = context.device, device.session != nil else {
            return context.redirect(to: .banks)
        }
        let renewing = context.request.query.first("connection").flatMap { EntityID($0) }
        let known = try renewing.map { id in
            let id = device.presentBank(id)
            guard let connection = try device.bankConnections().first(where: { $0.id == id }) else {
                throw Refusal.notFound
            }
            return connection
        }
        if let known, let provider = known.provider, let address = try device.consentAddress(of: known.id) {
            let consent = BankConnectPage.Consent(provider: provider.name, address: address)
            return context.page(
                BankConnectPage(chrome: context.chrome(), providers: [], consent: consent)
            )
        }
        return try page(context, renewing: known, FormState(), nil, .ok)
    }

    /// - Parameter renewing: the connection to renew, whose provider alone can be chosen; nil for a new one.
    static func page(
        _ context: RequestContext,
        renewing: BankConnection?,
        _ state: FormState,
        _ message: Text?,
        _ status: Status
    ) throws -> Response {
        let providers = context.site.devices.bankProviders.filter { provider in
            renewing.map { $0.provider == provider } ?? true
        }
        let forms = providers.map { provider in
            BankProviderForm(
                key: provider.key,
                name: provider.name,
                hasToken: provider.way == .setupToken,
                connection: renewing?.id,
                state: state
            )
        }
        guard !forms.isEmpty else { return context.redirect(to: .banks) }
        return context.page(
            BankConnectPage(chrome: context.chrome(), providers: forms, message: message),
            status
        )
    }
}

/// `POST /banks/connect`: begins a consent, or claims a setup token.
enum BankConnect {
    static func answer(_ context: RequestContext) throws -> Response {
        let device = try context.knownDevice()
        guard device.session != nil else { return context.redirect(to: .banks) }
        let form = context.request.form
        let key = form.first("provider") ?? ""
        guard let provider = context.site.devices.bankProviders.first(where: { $0.key == key }) else {
            throw Refusal.notFound
        }
        let renewing = try connection(form, of: device)
        switch provider.way {
        case .consentPage:
            do throws(BankRefusal) {
                let id = try device.beginConsent(
                    at: key,
                    renewing: renewing?.id,
                    redirect: Provider.address(context) + Link.bankCallback.text
                )
                // The page has a link to the provider: its content security policy allows no redirect of a form
                // to another server.
                return context.redirect(to: .bankConnect.adding(query: [("connection", "\(id)")]))
            } catch {
                let text = error.text(isToken: false)
                return try BankConnectShow.page(context, renewing: renewing, FormState(), text, .unavailable)
            }
        case .setupToken:
            let token = form.first("setup_token") ?? ""
            return context.ask { () async throws(BankRefusal) in
                try await device.connectBank(at: key, renewing: renewing?.id, setupToken: token)
            } then: { context, result in
                guard case .failure(let refusal) = result else {
                    device.show(Device.Toast(key: "bank-connected", text: Text("banks.bank-connected")))
                    return context.redirect(to: .banks)
                }
                BankLog.write(refusal, of: provider, context)
                var state = FormState()
                state.errors["setup_token"] = refusal.text(isToken: true)
                return try BankConnectShow.page(context, renewing: renewing, state, nil, .unprocessable)
            }
        }
    }

    private static func connection(_ form: FormFields, of device: Device) throws -> BankConnection? {
        guard let text = form.first("connection") else { return nil }
        guard let id = EntityID(text).map({ device.presentBank($0) }),
            let known = try device.bankConnections().first(where: { $0.id == id })
        else { throw Refusal.notFound }
        return known
    }
}

/// `GET /banks/callback`: the return from the provider's page. The answer belongs to a consent that this
/// browser has begun, and is used once.
enum BankCallback {
    static func answer(_ context: RequestContext) throws -> Response {
        guard let device = context.device, device.session != nil else {
            return context.redirect(to: .banks)
        }
        let query = context.request.query
        let (state, code) = (query.first("state") ?? "", query.first("code"))
        let isDenied = query.first("error") != nil
        return context.ask { () async throws(BankRefusal) in
            guard let code, !isDenied else { return try device.cancelConsent(state: state) }
            try await device.finishConsent(state: state, code: code)
        } then: { context, result in
            switch result {
            case .success where code == nil || isDenied:
                let text = Text("banks.consent-denied")
                return try BankConnectShow.page(context, renewing: nil, FormState(), text, .forbidden)
            case .success:
                device.show(Device.Toast(key: "bank-connected", text: Text("banks.bank-connected")))
                return context.redirect(to: .banks)
            case .failure(let refusal):
                for provider in context.site.devices.bankProviders where provider.way == .consentPage {
                    BankLog.write(refusal, of: provider, context)
                }
                let text = refusal.text(isToken: false)
                let status: Status = if case .device = refusal { .unavailable } else { .badRequest }
                return try BankConnectShow.page(context, renewing: nil, FormState(), text, status)
            }
        }
    }
}

/// Lines for the operator.
enum BankLog {
    /// Logs a failure of the provider, without data of the user's.
    static func write(_ refusal: BankRefusal, of provider: BankProvider, _ context: RequestContext) {
        guard case .feed(let error) = refusal else { return }
        context.site.devices.dependencies.log.warning("connecting a bank with \(provider.name): \(error)")
    }
}
