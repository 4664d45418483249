// The first line of a server's log: the version, the folder, and the options that differ from their defaults.

extension Settings {
    /// The line at a start.
    /// - Parameters:
    ///   - work: the task of the server: `serves the books`.
    ///   - url: the address of the server.
    ///   - port: the default port.
    public func startLine(_ work: String, at url: String, usualPort port: UInt16) -> String {
        let options = changedOptions(usualPort: port)
        // A demo keeps nothing in a data folder.
        let place = data.isEmpty ? "" : " in \(data)"
        return "breadly \(breadlyVersion) \(work)\(place) at \(url)"
            + (options.isEmpty ? "" : ", with \(options.joined(separator: " "))")
    }

    /// The options that differ from their defaults, as on the command line; secrets are omitted.
    private func changedOptions(usualPort: UInt16) -> [String] {
        var usual = Settings()
        usual.port = usualPort
        usual.rates = .europeanCentralBank
        var options: [String] = []
        func add<Value: Equatable>(
            _ name: String,
            _ option: KeyPath<Settings, Value>,
            _ text: (Value) -> String = { "\($0)" }
        ) {
            let value = self[keyPath: option]
            if value != usual[keyPath: option] { options.append("--\(name)=\(text(value))") }
        }
        func onOff(_ isOn: Bool) -> String { isOn ? "on" : "off" }
        add("host", \.host)
        add("port", \.port)
        add("trusted-proxy", \.trustedProxies) { $0.texts.joined(separator: ",") }
        add("max-guests", \.limits.guests)
        add("max-guests-per-hour", \.limits.guestsPerAddressAndHour)
        add("guest-bytes", \.limits.guestBytes) { $0.map(String.init) ?? "" }
        add("book-bytes", \.limits.bookBytes)
        add("attachment-bytes", \.limits.receipts.fileBytes)
        add("attachment-quota", \.limits.receipts.deviceBytes)
        add("attachment-cache", \.limits.receipts.cacheBytes)
        add("writes-per-second", \.limits.writesPerSecond)
        add("sign-up", \.acceptsNewAccounts) { $0 ? "open" : "closed" }
        add("guests", \.guests, onOff)
        add("premium", \.premiumForEveryone) { $0 ? "everyone" : "granted" }
        add("identity", \.identity)
        add("oidc-issuer", \.provider?.issuer) { $0 ?? "" }
        add("oidc-client-id", \.provider?.id) { $0 ?? "" }
        add("oidc-name", \.provider?.name) { $0 ?? "" }
        add("public-url", \.publicAddress) { $0?.text ?? "" }
        add("hosts", \.hosts) { $0.joined(separator: ",") }
        add("connections", \.connections)
        add("connections-per-address", \.connectionsPerAddress)
        add("cloud", \.cloudAddress) { $0 ?? "" }
        // A server with a cloud elsewhere sends no requests for rates.
        if cloudAddress == nil { add("rates", \.rates) { $0?.text ?? "off" } }
        add("metrics", \.metrics) { $0.map { "\($0.host):\($0.port)" } ?? "" }
        add("backup-to", \.backups?.folder) { $0 ?? "" }
        add("backup-keep", \.backups?.keep) { $0.map(String.init) ?? "" }
        add("log-level", \.log.level) { $0.rawValue }
        add("log-format", \.log.format) { $0.rawValue }
        add("access-log", \.log.access, onOff)
        return options
    }

    private var identity: String {
        guard provider != nil else { return "local" }
        return hasPasswords ? "both" : "oidc"
    }
}
