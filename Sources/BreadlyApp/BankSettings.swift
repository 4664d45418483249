// The providers of bank accounts that the operator has set up.

public import BankFeeds
import Devices
import Ledger
import Outbound

/// The settings of bank connections. Without a provider, the page of the banks says how to set one up.
public struct BankSettings: Hashable, Sendable {
    /// The registration at TrueLayer; nil for none.
    public var trueLayer: TrueLayerFeed.Client?
    /// The hosts of SimpleFIN whose tokens are accepted; empty for none.
    public var simpleFINHosts: Set<String>

    /// The default is no provider.
    public init(trueLayer: TrueLayerFeed.Client? = nil, simpleFINHosts: Set<String> = []) {
        self.trueLayer = trueLayer
        self.simpleFINHosts = simpleFINHosts
    }

    /// Whether the server sends requests to a provider.
    var hasProviders: Bool { trueLayer != nil || !simpleFINHosts.isEmpty }

    /// The providers, in the order in which pages show them.
    func feeds(_ currencies: CurrencyTable, _ dependencies: Dependencies) -> [any BankFeed] {
        let http = BankClient.make()
        var feeds: [any BankFeed] = []
        if let trueLayer {
            feeds.append(
                TrueLayerFeed(trueLayer, http: http, currencies: currencies, now: { dependencies.now })
            )
        }
        if !simpleFINHosts.isEmpty {
            feeds.append(
                SimpleFINFeed(
                    hosts: simpleFINHosts,
                    http: http,
                    currencies: currencies,
                    now: { dependencies.now }
                )
            )
        }
        return feeds
    }
}
