// The texts for amounts that cannot be read.

import Ledger
import Texts

extension AmountError {
    /// The error beside the field with the amount.
    var text: Text {
        switch self {
        case .empty: Text("amounts.empty")
        case .tooLong: Text("amounts.too-long")
        case .unreadable: Text("amounts.unreadable")
        case .unclear: Text("amounts.unclear")
        case .tooManyDecimals(let currency, 0): Text("amounts.no-decimals", ["currency": "\(currency)"])
        case .tooManyDecimals(let currency, let allowed):
            Text("amounts.too-many-decimals", ["currency": "\(currency)", "allowed": .count(allowed)])
        case .tooLarge: Text("amounts.too-large")
        case .divisionByZero: Text("amounts.division-by-zero")
        case .tooDeep: Text("amounts.too-deep")
        }
    }
}
