// The journeys of signing out: one for each row of its table.

import Ledger
import Texts

extension Journeys {
    static let signingOut: [Journey] = []
}
