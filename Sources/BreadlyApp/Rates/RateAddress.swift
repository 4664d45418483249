// The address from which a server requests exchange rates.

import Foundation
import Outbound
import RateFeeds

/// The address of a file of exchange rates.
public struct RateAddress: Hashable, Sendable {
    /// The rates of the last working day, as the bank publishes them at about 16:00 CET.
    public static let europeanCentralBank = RateAddress(unchecked: EuropeanCentralBankFeed.dailyFile)

    /// The address with its scheme, https, or http of this machine.
    public let text: String

    private init(unchecked text: String) { self.text = text }

    /// Reads an address.
    /// - Throws: `AppError.refused`, in a sentence for the operator.
    public init(_ text: String) throws(AppError) {
        guard text.utf8.count <= 2_000, text.utf8.allSatisfy({ (33...126).contains($0) }),
            let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            ProtectedAddress.accepts(scheme: parts.scheme, host: host),
            (1...65_535).contains(parts.port ?? 80),
            parts.user == nil, parts.password == nil, parts.fragment == nil
        else {
            throw .refused(
                "'\(text)' is no address of rates: write off, or one with https such as "
                    + "\(Self.europeanCentralBank.text)."
            )
        }
        self.text = text
    }
}
