// The lines of an account about its bank.

import Ledger
import Links
import Templates
import Texts

/// The age of a bank's balance, and the way to read the bank again.
struct BankBadge: TemplateModel {
    let detail: Text
    private(set) var difference: Text?
    let reconnect: Link?
    /// The page that the detail names; nil if it names none.
    let way: Way?
    /// Whether this device has a connection.
    let isConnected: Bool

    /// - Parameters:
    ///   - detail: the age of the balance, or why there is none.
    ///   - difference: the sum of the recorded transactions, if the bank's balance is another.
    ///   - needsReconnect: whether this device cannot read the bank.
    ///   - connection: the connection to renew; nil for a new one.
    ///   - way: the page that the detail names.
    init(detail: Text, difference: Text?, needsReconnect: Bool, connection: EntityID?, way: Way? = nil) {
        self.way = way
        self.detail = detail
        self.difference = difference
        isConnected = connection != nil
        let query = connection.map { [("connection", "\($0)")] } ?? []
        reconnect = needsReconnect ? Link.bankConnect.adding(query: query) : nil
    }

    /// The lines without the sum of the recorded transactions, which the page of the accounts has.
    var brief: BankBadge {
        var brief = self
        brief.difference = nil
        return brief
    }

    static let keys = Keys<BankBadge>()
        .message("detail") { $0.detail }
        .optionalMessage("difference") { $0.difference }
        .model("way", of: Way.self) { $0.way }
        .optionalLink("reconnect_href") { $0.reconnect }
}
